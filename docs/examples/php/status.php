<?php
require __DIR__ . '/tender.php';

$order = $argv[1];
$answer = post('/api/v2/status', [
    'login' => LOGIN,
    'client_orderid' => $order,
    'control' => control(LOGIN, $order),
]);
echo $answer['status'], "\n"; // approved, declined, processing …
