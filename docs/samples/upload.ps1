# Logs in, uploads hours of two days; sends again where that helps. Windows PowerShell 5.1 or PowerShell 7:
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

# Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again.
function Send-Json([string] $Path, $Body, [string] $Token) {
    for ($attempt = 0; ; $attempt++) {
        $answer = Send-Once $Path $Body $Token
        if ($attempt -eq 4 -or @(0, 408, 500, 502, 503, 504) -notcontains $answer.Status) { return $answer }
        $seconds = [Math]::Pow(2, $attempt)
        if ($null -ne $answer.Wait) { $seconds = [Math]::Max(0, $answer.Wait) }
        [Console]::Error.WriteLine("$(Get-StatusText $answer) from ${Path}: sending again in $([int] $seconds) s")
        Start-Sleep -Milliseconds ([int] ($seconds * 1000))
    }
}

# A 200 without whole JSON was cut on its way, and is no response.
function Send-Once([string] $Path, $Body, [string] $Token) {
    $request = New-Object System.Net.Http.HttpRequestMessage ([System.Net.Http.HttpMethod]::Post), ($url + $Path)
    $json = ConvertTo-Json $Body -Depth 5 -Compress
    $request.Content = New-Object System.Net.Http.StringContent $json, ([Text.Encoding]::UTF8), 'application/json'
    if ($Token) { $request.Headers.Authorization = New-Object System.Net.Http.Headers.AuthenticationHeaderValue 'Bearer', $Token }
    try {
        $response = $http.SendAsync($request).GetAwaiter().GetResult()
        $text = $response.Content.ReadAsStringAsync().GetAwaiter().GetResult()
    }
    catch {
        return [pscustomobject] @{ Status = 0; Body = @{ error = $_.Exception.GetBaseException().Message } }
    }
    $answer = [pscustomobject] @{ Status = [int] $response.StatusCode; Body = (Get-Body $text); Wait = $null }
    if ($answer.Status -eq 200 -and -not $answer.Body.token_type -and -not $answer.Body.success) {
        return [pscustomobject] @{ Status = 0; Body = @{ error = 'the response is incomplete' } }
    }
    $after = $response.Headers.RetryAfter # a number of seconds or a date
    if ($after -and $null -ne $after.Delta) { $answer.Wait = $after.Delta.TotalSeconds }
    elseif ($after -and $null -ne $after.Date) { $answer.Wait = ($after.Date - [DateTimeOffset]::UtcNow).TotalSeconds }
    $answer
}

function Get-StatusText($Answer, [string] $End) {
    if ($Answer.Status -eq 0) { "no response$End" } else { "$($Answer.Status)" }
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
    if ($answer.Status -ne 200) { throw "login: $(Get-StatusText $answer ':') $($answer.Body.error)" }
    $answer.Body.access_token
}

$token = $null # kept for all uploads

function Send-Day($Records) {
    $day = @{ records = @($Records) }
    if (-not $script:token) { $script:token = Get-Token }
    $answer = Send-Json '/api/v1/sales/upload-daily' $day $script:token
    if ($answer.Status -eq 401) { # the token has expired
        $script:token = Get-Token
        $answer = Send-Json '/api/v1/sales/upload-daily' $day $script:token
    }
    if ($answer.Status -ne 200) { throw "upload: $(Get-StatusText $answer ':') $($answer.Body.error)" }
    $answer.Body.message
}

# The suffix d makes decimals, which add up exactly.
$paid = @{ cash = 40.55d; nets = 50d; visa = 100.10d; master = 50.20d; amex = 0d; voucher = 0d; other = 0d }
$gto = 0d
foreach ($amount in $paid.Values) { $gto += $amount }
try {
    foreach ($date in '2025-10-14', '2025-10-15') {
        $records = foreach ($hour in 11, 12) {
            @{ restaurant_id = 101; date = $date; hour = $hour; orders = 8; pax = 17; gto = $gto; gst = 21.65d; svc = 24.05d; discount = 0d } + $paid
        }
        Send-Day $records
    }
}
catch {
    [Console]::Error.WriteLine($_.Exception.Message)
    exit 1
}
