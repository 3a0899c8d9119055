<?php
require __DIR__ . '/tender.php';

$order = new_order();
post('/api/v2/preauth', [
    'client_orderid' => $order,
    'order_desc' => 'A hotel room',
    'amount' => '100.00',
    'currency' => 'USD',
    'email' => 'ann@example.com',
    ...CARD,
    'control' => control(ENDPOINT, $order, '10000', 'ann@example.com'),
]);
$held = wait_for_end($order);

// The guest leaves a day early: 80.00 of the 100.00 that are held.
$orderid = $held['paynet-order-id'];
post('/api/v2/capture', [
    'login' => LOGIN,
    'client_orderid' => $order,
    'orderid' => $orderid,
    'amount' => '80.00',
    'currency' => 'USD',
    'control' => control(LOGIN, $order, $orderid, '8000', 'USD'),
], ["Idempotency-Key: $order-capture"]);
$captured = wait_for_end($order);
echo $captured['transaction-type'], ' ', $captured['status'], "\n"; // capture approved
