<?php
// Logs in and uploads hours of a day; sends again where that helps. PHP 8 or later: php upload.php
const RETRIED = [0, 408, 500, 502, 503, 504];

function setting(string $name, string $initial): string
{
    return getenv($name) ?: $initial;
}

/** Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again. */
function post(string $path, array $body, ?string $token = null): array
{
    $headers = ['Content-Type: application/json', ...($token ? ["Authorization: Bearer $token"] : [])];
    $http = ['method' => 'POST', 'header' => $headers, 'content' => json_encode($body), 'timeout' => 30, 'ignore_errors' => true];
    for ($attempt = 0; ; $attempt++) {
        $http_response_header = [];
        $text = @file_get_contents(setting('SALES_URL', 'http://127.0.0.1:3000') . $path, false, stream_context_create(['http' => $http]));
        $head = implode("\n", $http_response_header);
        $status = preg_match('#^HTTP/\S+ (\d+)#', $head, $found) ? (int) $found[1] : 0;
        if (!in_array($status, RETRIED) || $attempt === 4) {
            return [$status, bodyOf($text ?: 'no response')];
        }
        sleep(preg_match('/^Retry-After: *(.+)/mi', $head, $found) ? secondsOf(trim($found[1])) : 2 ** $attempt);
    }
}

/** Parses JSON; of anything else, such as a proxy's HTML, the first words are the error. */
function bodyOf(string $text): array
{
    $words = trim(preg_replace('/<[^>]*>|\s+/', ' ', $text));
    return json_decode($text, true) ?? ['error' => substr($words, 0, 80)];
}

/** Reads Retry-After, which is a number of seconds or a date. */
function secondsOf(string $retryAfter): int
{
    return max(0, ctype_digit($retryAfter) ? (int) $retryAfter : strtotime($retryAfter) - time());
}

function login(): string
{
    $credentials = ['username' => setting('SALES_USER', 'demo'), 'password' => setting('SALES_PASSWORD', 'demo-password')];
    [$status, $body] = post('/api/v1/auth/login', ['grant_type' => 'password', ...$credentials]);
    return $status === 200 ? $body['access_token'] : throw new RuntimeException("login: $status {$body['error']}");
}

function upload(array $records): string
{
    [$status, $body] = post('/api/v1/sales/upload-daily', ['records' => $records], login());
    if ($status === 401) { // the token has expired
        [$status, $body] = post('/api/v1/sales/upload-daily', ['records' => $records], login());
    }
    return $status === 200 ? $body['message'] : throw new RuntimeException("upload: $status {$body['error']}");
}

$hour = ['restaurant_id' => 101, 'date' => '2025-10-15', 'orders' => 8, 'gst' => 21.65, 'svc' => 24.05, 'discount' => 0, 'pax' => 17];
$paid = ['cash' => 40.55, 'nets' => 50, 'visa' => 100.1, 'master' => 50.2, 'amex' => 0, 'voucher' => 0, 'other' => 0];
$gto = round(array_sum($paid), 2);
echo upload(array_map(fn (int $each) => ['hour' => $each, 'gto' => $gto, ...$hour, ...$paid], [11, 12])), "\n";
