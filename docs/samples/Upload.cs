// Logs in, uploads hours of two days; sends again where that helps. Every compiler from C# 5 on takes it:
// that of Windows  csc /r:System.Net.Http.dll /r:System.Runtime.Serialization.dll Upload.cs  (in C:\Windows\Microsoft.NET\Framework64\v4.0.30319)
// that of Mono     mcs -r:System.Net.Http.dll -r:System.Runtime.Serialization.dll Upload.cs
// .NET 10          dotnet run Upload.cs   (before, as Program.cs of `dotnet new console`)
using System;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public class Credentials { public string grant_type = "password", username, password; }

public class Hour
{
    public int restaurant_id, hour, orders, pax;
    public string date;
    public decimal gto, gst, svc, discount, cash, nets, visa, master, amex, voucher, other;
}

public class Day { public Hour[] records; }

public class Answer { public int status; public string access_token, message, error; public TimeSpan? wait; }

public static class Program
{
    static readonly int[] Retried = { 0, 408, 500, 502, 503, 504 };
    static readonly HttpClient Http = new HttpClient
    {
        BaseAddress = new Uri(Setting("SALES_URL", "http://127.0.0.1:3000")),
        Timeout = TimeSpan.FromSeconds(30),
    };

    public static int Main()
    {
        ServicePointManager.SecurityProtocol |= SecurityProtocolType.Tls12; // old versions of .NET do not offer it by themselves
        decimal cash = 40.55m, nets = 50m, visa = 100.10m, master = 50.20m;
        try
        {
            foreach (var date in new[] { "2025-10-14", "2025-10-15" })
            {
                var records = new[] { 11, 12 }.Select(hour => new Hour
                {
                    restaurant_id = 101, date = date, hour = hour, orders = 8, pax = 17, gto = cash + nets + visa + master,
                    gst = 21.65m, svc = 24.05m, cash = cash, nets = nets, visa = visa, master = master,
                });
                Console.WriteLine(Upload(new Day { records = records.ToArray() }).GetAwaiter().GetResult());
            }
            return 0;
        }
        catch (Exception error)
        {
            Console.Error.WriteLine(error.Message);
            return 1;
        }
    }

    static string token; // kept for all uploads

    static async Task<string> Upload(Day day)
    {
        token = token ?? await Login();
        var answer = await Post("api/v1/sales/upload-daily", day, token);
        if (answer.status == 401) // the token has expired
            answer = await Post("api/v1/sales/upload-daily", day, token = await Login());
        if (answer.status != 200) throw new InvalidOperationException("upload: " + StatusOf(answer, ":") + " " + answer.error);
        return answer.message;
    }

    static async Task<string> Login()
    {
        var credentials = new Credentials { username = Setting("SALES_USER", "demo"), password = Setting("SALES_PASSWORD", "demo-password") };
        var answer = await Post("api/v1/auth/login", credentials, null);
        if (answer.status != 200) throw new InvalidOperationException("login: " + StatusOf(answer, ":") + " " + answer.error);
        return answer.access_token;
    }

    static string StatusOf(Answer answer, string end) { return answer.status == 0 ? "no response" + end : answer.status.ToString(); }

    // Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again.
    static async Task<Answer> Post(string path, object body, string token)
    {
        for (var attempt = 0; ; attempt++)
        {
            var answer = await Send(path, body, token);
            if (!Retried.Contains(answer.status) || attempt == 4) return answer;
            var wait = answer.wait ?? TimeSpan.FromSeconds(1 << attempt);
            if (wait < TimeSpan.Zero) wait = TimeSpan.Zero;
            Console.Error.WriteLine(StatusOf(answer, "") + " from /" + path + ": sending again in " + (int)wait.TotalSeconds + " s");
            await Task.Delay(wait);
        }
    }

    // Sends once. A 200 without whole JSON was cut on its way, and is no response.
    static async Task<Answer> Send(string path, object body, string token)
    {
        try
        {
            var request = new HttpRequestMessage(HttpMethod.Post, path);
            request.Content = new StringContent(JsonOf(body), Encoding.UTF8, "application/json");
            if (token != null) request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", token);
            using (var response = await Http.SendAsync(request))
            {
                var answer = AnswerOf((int)response.StatusCode, await response.Content.ReadAsStringAsync());
                var after = response.Headers.RetryAfter; // a number of seconds or a date
                if (after != null) answer.wait = after.Delta ?? after.Date - DateTimeOffset.UtcNow;
                return answer;
            }
        }
        catch (Exception error)
        {
            if (!(error is HttpRequestException || error is TaskCanceledException)) throw;
            return new Answer { error = (error.InnerException ?? error).Message };
        }
    }

    static string JsonOf(object body)
    {
        using (var stream = new MemoryStream())
        {
            new DataContractJsonSerializer(body.GetType()).WriteObject(stream, body);
            return Encoding.UTF8.GetString(stream.ToArray());
        }
    }

    // Parses JSON; of anything else, such as a proxy's HTML, the first words are the error.
    static Answer AnswerOf(int status, string text)
    {
        Answer answer;
        try
        {
            using (var stream = new MemoryStream(Encoding.UTF8.GetBytes(text)))
                answer = (Answer)new DataContractJsonSerializer(typeof(Answer)).ReadObject(stream);
        }
        catch (Exception)
        {
            var words = Regex.Replace(text, @"<[^>]*>|\s+", " ").Trim();
            if (status == 200) return new Answer { error = "the response is incomplete" };
            answer = new Answer { error = words.Substring(0, Math.Min(80, words.Length)) };
        }
        answer.status = status;
        return answer;
    }

    static string Setting(string name, string initial) { return Environment.GetEnvironmentVariable(name) ?? initial; }
}
