// Logs in and uploads hours of a day; sends again where that helps. Java 17 or later, nothing else: java Upload.java
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;

public class Upload {
    static final String URL = setting("SALES_URL", "http://127.0.0.1:3000");
    static final List<Integer> RETRIED = List.of(408, 500, 502, 503, 504);
    static final HttpClient HTTP = HttpClient.newHttpClient();

    public static void main(String[] arguments) throws Exception {
        BigDecimal cash = new BigDecimal("40.55"), visa = new BigDecimal("100.10"), master = new BigDecimal("50.20");
        BigDecimal gto = cash.add(visa).add(master).add(new BigDecimal(50));
        String hour = """
            {"restaurant_id": 101, "date": "2025-10-15", "hour": %d, "orders": 8, "gto": %s, "gst": 21.65, "svc": 24.05, "discount": 0,
             "pax": 17, "cash": %s, "nets": 50, "visa": %s, "master": %s, "amex": 0, "voucher": 0, "other": 0}""";
        String records = hour.formatted(11, gto, cash, visa, master) + "," + hour.formatted(12, gto, cash, visa, master);
        System.out.println(upload("{\"records\": [" + records + "]}"));
    }

    static String upload(String body) throws Exception {
        HttpResponse<String> response = post("/api/v1/sales/upload-daily", body, login());
        if (response.statusCode() == 401) // the token has expired
            response = post("/api/v1/sales/upload-daily", body, login());
        if (response.statusCode() != 200) throw new IOException("upload: " + response.statusCode() + " " + field("error", response));
        return field("message", response);
    }

    static String login() throws Exception {
        String body = "{\"grant_type\": \"password\", \"username\": \"%s\", \"password\": \"%s\"}";
        String user = setting("SALES_USER", "demo"), password = setting("SALES_PASSWORD", "demo-password");
        HttpResponse<String> response = post("/api/v1/auth/login", body.formatted(user, password), null);
        if (response.statusCode() != 200) throw new IOException("login: " + response.statusCode() + " " + field("error", response));
        return field("access_token", response);
    }

    /** Sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again. */
    static HttpResponse<String> post(String path, String body, String token) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + path)).timeout(Duration.ofSeconds(30));
        request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        if (token != null) request.header("Authorization", "Bearer " + token);
        for (int attempt = 0; ; attempt++) {
            long seconds = 1L << attempt;
            try {
                HttpResponse<String> response = HTTP.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (!RETRIED.contains(response.statusCode()) || attempt == 4) return response;
                var retryAfter = response.headers().firstValue("Retry-After");
                if (retryAfter.isPresent()) seconds = secondsOf(retryAfter.get());
            } catch (IOException error) {
                if (attempt == 4) throw error;
            }
            Thread.sleep(Duration.ofSeconds(seconds).toMillis());
        }
    }

    /** Reads Retry-After, which is a number of seconds or a date. */
    static long secondsOf(String retryAfter) {
        if (retryAfter.matches("\\d+")) return Long.parseLong(retryAfter);
        Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(retryAfter));
        return Math.max(0, Duration.between(Instant.now(), date).toSeconds());
    }

    /** Reads one string of a flat body, or the first words of a proxy's HTML; take a JSON library for more. */
    static String field(String name, HttpResponse<String> response) {
        var found = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(response.body());
        if (found.find()) return found.group(1);
        String words = response.body().replaceAll("<[^>]*>|\\s+", " ").strip();
        return words.substring(0, Math.min(80, words.length()));
    }

    static String setting(String name, String initial) {
        return System.getenv().getOrDefault(name, initial);
    }
}
