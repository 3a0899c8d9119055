<?php
// A shop's callback address: checks what comes and answers 200, also when it comes again.
require __DIR__ . '/tender.php';

/** The header signs all parameters; the control alone can be forged. */
function is_genuine(): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $seconds = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($seconds) || abs(time() - (int) $seconds) > 300) {
        return false;
    }
    $signed = "$id.$seconds." . ($_SERVER['QUERY_STRING'] ?? '');
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, KEY, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $sent) {
        if (hash_equals($expected, $sent)) {
            return true;
        }
    }
    return false;
}

if (!is_genuine()) {
    http_response_code(400);
    exit;
}
// Find your order by orderid, and deliver nothing when its amount or currency differs.
file_put_contents('php://stdout', "{$_GET['client_orderid']} {$_GET['status']}\n");
