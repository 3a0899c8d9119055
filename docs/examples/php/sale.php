<?php
require __DIR__ . '/tender.php';

$order = new_order();
$answer = post('/api/v2/sale', [
    'client_orderid' => $order,
    'order_desc' => 'Two tickets',
    'amount' => '10.42',
    'currency' => 'USD',
    'email' => 'ann@example.com',
    ...CARD,
    // The amount enters the control in minor units.
    'control' => control(ENDPOINT, $order, '1042', 'ann@example.com'),
]);
echo $answer['type'], "\n"; // async-response: accepted, not yet decided

echo wait_for_end($order)['status'], "\n"; // approved
