// Logs in and uploads hours of a day; sends again where that helps. Before .NET 10, as
// Program.cs of `dotnet new console` (.NET 8 or later); with .NET 10: dotnet run Upload.cs
using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Text.Json;
using System.Text.RegularExpressions;

int[] retried = [408, 500, 502, 503, 504];
using var http = new HttpClient
{
    BaseAddress = new Uri(Setting("SALES_URL", "http://127.0.0.1:3000")),
    Timeout = TimeSpan.FromSeconds(30),
};

decimal cash = 40.55m, nets = 50m, visa = 100.10m, master = 50.20m;
var records = new[] { 11, 12 }.Select(hour => new
{
    restaurant_id = 101, date = "2025-10-15", hour, orders = 8, gto = cash + nets + visa + master, gst = 21.65m, svc = 24.05m,
    discount = 0m, pax = 17, cash, nets, visa, master, amex = 0m, voucher = 0m, other = 0m,
});
Console.WriteLine(await Upload(new { records }));

async Task<string> Upload(object body)
{
    var (status, response) = await Post("api/v1/sales/upload-daily", body, await Login());
    if (status == HttpStatusCode.Unauthorized) // the token has expired
        (status, response) = await Post("api/v1/sales/upload-daily", body, await Login());
    if (status != HttpStatusCode.OK) throw new InvalidOperationException($"upload: {(int)status} {response.GetProperty("error")}");
    return response.GetProperty("message").GetString()!;
}

async Task<string> Login()
{
    var body = new { grant_type = "password", username = Setting("SALES_USER", "demo"), password = Setting("SALES_PASSWORD", "demo-password") };
    var (status, response) = await Post("api/v1/auth/login", body, null);
    if (status != HttpStatusCode.OK) throw new InvalidOperationException($"login: {(int)status} {response.GetProperty("error")}");
    return response.GetProperty("access_token").GetString()!;
}

// Sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again.
async Task<(HttpStatusCode, JsonElement)> Post(string path, object body, string? token)
{
    for (var attempt = 0; ; attempt++)
    {
        var wait = TimeSpan.FromSeconds(1 << attempt);
        using var request = new HttpRequestMessage(HttpMethod.Post, path) { Content = JsonContent.Create(body) };
        if (token != null) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
        try
        {
            using var response = await http.SendAsync(request);
            if (!retried.Contains((int)response.StatusCode) || attempt == 4)
                return (response.StatusCode, BodyOf(await response.Content.ReadAsStringAsync()));
            var after = response.Headers.RetryAfter; // a number of seconds or a date
            wait = after?.Delta ?? after?.Date - DateTimeOffset.UtcNow ?? wait;
        }
        catch (Exception error) when (attempt < 4 && error is HttpRequestException or TaskCanceledException)
        {
            // no response: send it again
        }
        if (wait > TimeSpan.Zero) await Task.Delay(wait);
    }
}

// Parses JSON; of anything else, such as a proxy's HTML, the first words are the error.
static JsonElement BodyOf(string text)
{
    try { return JsonSerializer.Deserialize<JsonElement>(text); }
    catch (JsonException)
    {
        var words = Regex.Replace(text, @"<[^>]*>|\s+", " ").Trim();
        return JsonSerializer.SerializeToElement(new { error = words[..Math.Min(80, words.Length)] });
    }
}

static string Setting(string name, string initial) => Environment.GetEnvironmentVariable(name) ?? initial;
