<?php
require __DIR__ . '/tender.php';

$order = new_order();
$answer = post_oauth('/api/v2/payout', [
    'client_orderid' => $order,
    'order_desc' => 'A prize',
    'amount' => '5.00',
    'currency' => 'USD',
    'credit_card_number' => CARD['credit_card_number'],
]);
echo $answer['type'], "\n"; // async-response
echo wait_for_end($order)['status'], "\n"; // approved, if the balance covers it
