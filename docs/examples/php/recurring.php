<?php
require __DIR__ . '/tender.php';

$key = file_get_contents(getenv('TENDER_PRIVATE_KEY') ?: 'data/demo-private-key.pem');
$made = post_oauth('/api/v4/create-recurring-payment', [
    'client_orderid' => new_order(),
    'rp_card_type' => 'SRC',
    'amount' => '9.99',
    'currency' => 'USD',
    ...CARD,
], 'RSA-SHA256', $key);

// Charge it now; with interval_unit and interval the gateway does so by itself.
$order = new_order();
post_oauth('/api/v4/process-recurring-payment', [
    'client_orderid' => $order,
    'recurring_payment_id' => $made['recurring-payment-id'],
], 'RSA-SHA256', $key);
echo wait_for_end($order)['status'], "\n"; // approved
