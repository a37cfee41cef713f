// Logs in, uploads hours of two days; sends again where that helps. Java 17 or later, nothing else: java Upload.java
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
import java.util.Optional;
import java.util.regex.Pattern;

public class Upload {
    static final String URL = setting("SALES_URL", "http://127.0.0.1:3000");
    static final List<Integer> RETRIED = List.of(0, 408, 500, 502, 503, 504);
    static final HttpClient HTTP = HttpClient.newHttpClient();

    record Answer(int status, String body, Optional<String> retryAfter) {}

    static String token; // kept for all uploads

    public static void main(String[] arguments) throws InterruptedException {
        BigDecimal cash = new BigDecimal("40.55"), visa = new BigDecimal("100.10"), master = new BigDecimal("50.20");
        BigDecimal gto = cash.add(visa).add(master).add(new BigDecimal(50));
        String hour = """
            {"restaurant_id": 101, "date": "%s", "hour": %d, "orders": 8, "gto": %s, "gst": 21.65, "svc": 24.05, "discount": 0,
             "pax": 17, "cash": %s, "nets": 50, "visa": %s, "master": %s, "amex": 0, "voucher": 0, "other": 0}""";
        try {
            for (String date : List.of("2025-10-14", "2025-10-15")) {
                String first = hour.formatted(date, 11, gto, cash, visa, master), second = hour.formatted(date, 12, gto, cash, visa, master);
                System.out.println(upload("{\"records\": [" + first + "," + second + "]}"));
            }
        } catch (IOException error) {
            System.err.println(error.getMessage());
            System.exit(1);
        }
    }

    static String upload(String body) throws IOException, InterruptedException {
        if (token == null) token = login();
        Answer answer = post("/api/v1/sales/upload-daily", body, token);
        if (answer.status == 401) { // the token has expired
            token = login();
            answer = post("/api/v1/sales/upload-daily", body, token);
        }
        return fieldOf("upload", answer, "message");
    }

    static String login() throws IOException, InterruptedException {
        String body = "{\"grant_type\": \"password\", \"username\": \"%s\", \"password\": \"%s\"}";
        String user = setting("SALES_USER", "demo"), password = setting("SALES_PASSWORD", "demo-password");
        return fieldOf("login", post("/api/v1/auth/login", body.formatted(user, password), null), "access_token");
    }

    static String fieldOf(String what, Answer answer, String name) throws IOException {
        if (answer.status == 200) return field(name, answer.body);
        String status = answer.status == 0 ? "no response:" : String.valueOf(answer.status);
        throw new IOException(what + ": " + status + " " + field("error", answer.body));
    }

    /** Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again. */
    static Answer post(String path, String body, String token) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(URL + path)).timeout(Duration.ofSeconds(30));
        request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
        if (token != null) request.header("Authorization", "Bearer " + token);
        for (int attempt = 0; ; attempt++) {
            Answer answer = send(request.build());
            if (!RETRIED.contains(answer.status) || attempt == 4) return answer;
            long seconds = answer.retryAfter.isPresent() ? secondsOf(answer.retryAfter.get()) : 1L << attempt;
            String status = answer.status == 0 ? "no response" : String.valueOf(answer.status);
            System.err.println(status + " from " + path + ": sending again in " + seconds + " s");
            Thread.sleep(Duration.ofSeconds(seconds).toMillis());
        }
    }

    /** Sends once. A 200 whose JSON has no end was cut on its way, and is no response. */
    static Answer send(HttpRequest request) throws InterruptedException {
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            boolean isWhole = response.body().strip().endsWith("}");
            if (response.statusCode() == 200 && !isWhole) return new Answer(0, "the response is incomplete", Optional.empty());
            return new Answer(response.statusCode(), response.body(), response.headers().firstValue("Retry-After"));
        } catch (IOException error) {
            return new Answer(0, error.toString(), Optional.empty());
        }
    }

    /** Reads Retry-After, which is a number of seconds or a date. */
    static long secondsOf(String retryAfter) {
        if (retryAfter.matches("\\d+")) return Long.parseLong(retryAfter);
        Instant date = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(retryAfter));
        return Math.max(0, Duration.between(Instant.now(), date).toSeconds());
    }

    /** Reads one string of a flat body, or the first words of a proxy's HTML; take a JSON library for more. */
    static String field(String name, String body) {
        var found = Pattern.compile("\"" + name + "\":\"((?:[^\"\\\\]|\\\\.)*)\"").matcher(body);
        if (found.find()) return found.group(1);
        String words = body.replaceAll("<[^>]*>|\\s+", " ").strip();
        return words.substring(0, Math.min(80, words.length()));
    }

    static String setting(String name, String initial) {
        return System.getenv().getOrDefault(name, initial);
    }
}
