<?php
// A shop's callback address: checks what comes and answers 200, also when it comes again.
require __DIR__ . '/tender.php';

$told = $_GET;
$expected = control($told['status'] ?? '', $told['orderid'] ?? '', $told['client_orderid'] ?? '');
if (!hash_equals($expected, $told['control'] ?? '')) {
    http_response_code(400);
    exit;
}
// Compare amount and currency with your order's before you deliver anything.
file_put_contents('php://stdout', "{$told['client_orderid']} {$told['status']}\n");
