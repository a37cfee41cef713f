<?php
// Logs in, uploads hours of two days; sends again where that helps. PHP 8.1 or later: php upload.php
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
        [$status, $answer, $retryAfter] = send($path, $http);
        if (!in_array($status, RETRIED) || $attempt === 4) {
            return [$status, $answer];
        }
        $seconds = $retryAfter === null ? 2 ** $attempt : secondsOf($retryAfter);
        fwrite(STDERR, ($status ?: 'no response') . " from $path: sending again in $seconds s\n");
        sleep($seconds);
    }
}

/** Sends once. PHP reports 200 for a response that is cut: without whole JSON that is no response. */
function send(string $path, array $http): array
{
    $http_response_header = [];
    $text = @file_get_contents(setting('SALES_URL', 'http://127.0.0.1:3000') . $path, false, stream_context_create(['http' => $http]));
    $head = implode("\n", $http_response_header);
    $status = preg_match('#^HTTP/\S+ (\d+)#', $head, $found) ? (int) $found[1] : 0;
    $retryAfter = preg_match('/^Retry-After: *(.+)/mi', $head, $found) ? trim($found[1]) : null;
    if ($status === 0 || ($status === 200 && json_decode((string) $text) === null)) {
        return [0, ['error' => $text === false ? error_get_last()['message'] : 'the response is incomplete'], null];
    }
    return [$status, bodyOf((string) $text), $retryAfter];
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
    return $status === 200 ? $body['access_token'] : stop('login', $status, $body);
}

function upload(array $records): string
{
    static $token = null; // kept for all uploads
    $token ??= login();
    [$status, $body] = post('/api/v1/sales/upload-daily', ['records' => $records], $token);
    if ($status === 401) { // the token has expired
        $token = login();
        [$status, $body] = post('/api/v1/sales/upload-daily', ['records' => $records], $token);
    }
    return $status === 200 ? $body['message'] : stop('upload', $status, $body);
}

function stop(string $what, int $status, array $body): never
{
    fwrite(STDERR, "$what: " . ($status ?: 'no response:') . " {$body['error']}\n");
    exit(1);
}

$figures = ['restaurant_id' => 101, 'orders' => 8, 'gst' => 21.65, 'svc' => 24.05, 'discount' => 0, 'pax' => 17];
$paid = ['cash' => 40.55, 'nets' => 50, 'visa' => 100.1, 'master' => 50.2, 'amex' => 0, 'voucher' => 0, 'other' => 0];
$gto = round(array_sum($paid), 2);
foreach (['2025-10-14', '2025-10-15'] as $date) {
    echo upload(array_map(fn (int $hour) => ['date' => $date, 'hour' => $hour, 'gto' => $gto, ...$figures, ...$paid], [11, 12])), "\n";
}
