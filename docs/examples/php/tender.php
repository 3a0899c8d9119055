<?php
// All that a shop needs to speak to the gateway: PHP 8 with its curl extension.
define('URL', getenv('TENDER_URL') ?: 'http://localhost:8080/paynet');
define('ENDPOINT', getenv('TENDER_ENDPOINT') ?: '101');
define('LOGIN', getenv('TENDER_LOGIN') ?: 'demo');
define('KEY', getenv('TENDER_KEY') ?: '9F1C7E52-3B8A-4D06-A1C4-5E7D2B90F638');
const CARD = [
    'credit_card_number' => '4444555566661111',
    'card_printed_name' => 'ANN EXAMPLE',
    'expire_month' => '12',
    'expire_year' => '2031',
    'cvv2' => '123',
];

/** The control: SHA-1 of the values in the order the operation names, and the key. */
function control(string ...$values): string
{
    return sha1(implode('', $values) . KEY);
}

/** Sends a form; gives the answer as an array, whether it is good news or not. */
function post(string $path, array $fields, array $headers = []): array
{
    $request = curl_init(URL . "$path/" . ENDPOINT);
    curl_setopt_array($request, [
        CURLOPT_POSTFIELDS => http_build_query($fields),
        CURLOPT_HTTPHEADER => ['Accept: application/vnd.pay+json', ...$headers],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
    ]);
    $answer = curl_exec($request);
    if ($answer === false) {
        throw new RuntimeException(curl_error($request));
    }
    return json_decode($answer, true, flags: JSON_THROW_ON_ERROR);
}

/** Sends a form that is signed by its header: OAuth 1.0a, without a token. */
function post_oauth(string $path, array $fields, string $method = 'HMAC-SHA1', string $private_key = ''): array
{
    $oauth = [
        'oauth_consumer_key' => LOGIN,
        'oauth_nonce' => bin2hex(random_bytes(16)),
        'oauth_signature_method' => $method,
        'oauth_timestamp' => (string) time(),
        'oauth_version' => '1.0',
    ];
    $pairs = [];
    foreach ($fields + $oauth as $name => $value) {
        $pairs[] = rawurlencode($name) . '=' . rawurlencode($value);
    }
    sort($pairs, SORT_STRING);
    $base = 'POST&' . rawurlencode(URL . "$path/" . ENDPOINT) . '&' . rawurlencode(implode('&', $pairs));
    if ($method === 'RSA-SHA256') {
        openssl_sign($base, $signature, $private_key, OPENSSL_ALGO_SHA256);
    } else {
        $signature = hash_hmac('sha1', $base, rawurlencode(KEY) . '&', true);
    }
    $oauth['oauth_signature'] = base64_encode($signature);
    $header = [];
    foreach ($oauth as $name => $value) {
        $header[] = "$name=\"" . rawurlencode($value) . '"';
    }
    return post($path, $fields, ['Authorization: OAuth ' . implode(', ', $header)]);
}

/** Asks until the order is decided. */
function wait_for_end(string $order): array
{
    while (true) {
        $told = post('/api/v2/status', [
            'login' => LOGIN,
            'client_orderid' => $order,
            'control' => control(LOGIN, $order),
        ]);
        if (in_array($told['status'] ?? '', ['approved', 'declined', 'filtered', 'error'], true)) {
            return $told;
        }
        if ($told['type'] === 'validation-error') {
            throw new RuntimeException($told['error-message']);
        }
        usleep(200_000);
    }
}

function new_order(): string
{
    return 'php-' . bin2hex(random_bytes(6));
}
