# Logs in and uploads hours of a day; sends again where that helps. Windows PowerShell 5.1 or PowerShell 7:
# powershell -ExecutionPolicy Bypass -File upload.ps1
$ErrorActionPreference = 'Stop'
Add-Type -AssemblyName System.Net.Http
# Old versions of Windows do not offer TLS 1.2 by themselves.
[Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12

function Get-Setting([string] $Name, [string] $Initial) {
    $value = [Environment]::GetEnvironmentVariable($Name)
    if ($value) { $value } else { $Initial }
}

$url = Get-Setting 'SALES_URL' 'http://127.0.0.1:3000'
$http = New-Object System.Net.Http.HttpClient
$http.Timeout = [TimeSpan]::FromSeconds(30)

# Sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again.
function Send-Json([string] $Path, $Body, [string] $Token) {
    $json = ConvertTo-Json $Body -Depth 5 -Compress
    for ($attempt = 0; ; $attempt++) {
        $seconds = [Math]::Pow(2, $attempt)
        $request = New-Object System.Net.Http.HttpRequestMessage ([System.Net.Http.HttpMethod]::Post), ($url + $Path)
        $request.Content = New-Object System.Net.Http.StringContent $json, ([Text.Encoding]::UTF8), 'application/json'
        if ($Token) { $request.Headers.Authorization = New-Object System.Net.Http.Headers.AuthenticationHeaderValue 'Bearer', $Token }
        try {
            $response = $http.SendAsync($request).GetAwaiter().GetResult()
            $status = [int] $response.StatusCode
            $text = $response.Content.ReadAsStringAsync().GetAwaiter().GetResult()
            if ($attempt -eq 4 -or @(408, 500, 502, 503, 504) -notcontains $status) {
                return [pscustomobject] @{ Status = $status; Body = (Get-Body $text) }
            }
            $after = $response.Headers.RetryAfter # a number of seconds or a date
            if ($after -and $null -ne $after.Delta) { $seconds = $after.Delta.TotalSeconds }
            elseif ($after -and $null -ne $after.Date) { $seconds = ($after.Date - [DateTimeOffset]::UtcNow).TotalSeconds }
        }
        catch {
            if ($attempt -eq 4) { throw } # no response
        }
        if ($seconds -gt 0) { Start-Sleep -Milliseconds ([int] ($seconds * 1000)) }
    }
}

# Parses JSON; of anything else, such as a proxy's HTML, the first words are the error.
function Get-Body([string] $Text) {
    try { ConvertFrom-Json $Text }
    catch {
        $words = ($Text -replace '<[^>]*>|\s+', ' ').Trim()
        [pscustomobject] @{ error = $words.Substring(0, [Math]::Min(80, $words.Length)) }
    }
}

function Get-Token {
    $credentials = @{
        grant_type = 'password'
        username = Get-Setting 'SALES_USER' 'demo'
        password = Get-Setting 'SALES_PASSWORD' 'demo-password'
    }
    $answer = Send-Json '/api/v1/auth/login' $credentials
    if ($answer.Status -ne 200) { throw "login: $($answer.Status) $($answer.Body.error)" }
    $answer.Body.access_token
}

function Send-Day($Records) {
    $day = @{ records = @($Records) }
    $answer = Send-Json '/api/v1/sales/upload-daily' $day (Get-Token)
    if ($answer.Status -eq 401) { $answer = Send-Json '/api/v1/sales/upload-daily' $day (Get-Token) } # the token has expired
    if ($answer.Status -ne 200) { throw "upload: $($answer.Status) $($answer.Body.error)" }
    $answer.Body.message
}

# The suffix d makes decimals, which add up exactly.
$paid = @{ cash = 40.55d; nets = 50d; visa = 100.10d; master = 50.20d; amex = 0d; voucher = 0d; other = 0d }
$gto = 0d
foreach ($amount in $paid.Values) { $gto += $amount }
$records = foreach ($hour in 11, 12) {
    @{ restaurant_id = 101; date = '2025-10-15'; hour = $hour; orders = 8; pax = 17; gto = $gto; gst = 21.65d; svc = 24.05d; discount = 0d } + $paid
}
try { Send-Day $records }
catch {
    [Console]::Error.WriteLine($_.Exception.Message)
    exit 1
}
