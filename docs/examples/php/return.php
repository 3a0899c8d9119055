<?php
require __DIR__ . '/tender.php';

[, $order, $orderid] = $argv;
post('/api/v2/return', [
    'login' => LOGIN,
    'client_orderid' => $order,
    'orderid' => $orderid,
    'amount' => '4.00',
    'currency' => 'USD',
    'comment' => 'One ticket back',
    'control' => control(LOGIN, $order, $orderid, '400', 'USD'),
], ["Idempotency-Key: $order-return-1"]);
$returned = wait_for_end($order);
echo $returned['transaction-type'], ' ', $returned['status'], "\n"; // reversal approved
