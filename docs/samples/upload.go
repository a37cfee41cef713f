// Logs in, uploads hours of two days; sends again where that helps. Go 1.18 or later: go run upload.go
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// cents is an amount, which is exact as a whole number; its JSON is 40.55.
type cents int64

func (amount cents) MarshalJSON() ([]byte, error) {
	return []byte(fmt.Sprintf("%d.%02d", amount/100, amount%100)), nil
}

type hour struct {
	RestaurantID int    `json:"restaurant_id"`
	Date         string `json:"date"`
	Hour         int    `json:"hour"`
	Orders       int    `json:"orders"`
	Pax          int    `json:"pax"`
	Gto          cents  `json:"gto"`
	Gst          cents  `json:"gst"`
	Svc          cents  `json:"svc"`
	Discount     cents  `json:"discount"`
	Cash         cents  `json:"cash"`
	Nets         cents  `json:"nets"`
	Visa         cents  `json:"visa"`
	Master       cents  `json:"master"`
	Amex         cents  `json:"amex"`
	Voucher      cents  `json:"voucher"`
	Other        cents  `json:"other"`
}

type answer struct {
	Status      int    `json:"-"` // 0 for no response
	RetryAfter  string `json:"-"`
	AccessToken string `json:"access_token"`
	Message     string `json:"message"`
	Error       string `json:"error"`
}

var (
	client   = &http.Client{Timeout: 30 * time.Second}
	retried  = map[int]bool{0: true, 408: true, 500: true, 502: true, 503: true, 504: true}
	notWords = regexp.MustCompile(`<[^>]*>|\s+`)
	token    string // kept for all uploads
)

func main() {
	each := hour{RestaurantID: 101, Orders: 8, Pax: 17, Gst: 2165, Svc: 2405, Cash: 4055, Nets: 5000, Visa: 10010, Master: 5020}
	each.Gto = each.Cash + each.Nets + each.Visa + each.Master
	for _, each.Date = range []string{"2025-10-14", "2025-10-15"} {
		first, second := each, each
		first.Hour, second.Hour = 11, 12
		message, err := upload([]hour{first, second})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(message)
	}
}

func upload(records []hour) (string, error) {
	for attempt := 0; ; attempt++ {
		if token == "" {
			if err := login(); err != nil {
				return "", err
			}
		}
		saved := post("/api/v1/sales/upload-daily", map[string]any{"records": records}, token)
		if saved.Status == 200 {
			return saved.Message, nil
		}
		if saved.Status != 401 || attempt == 1 {
			return "", fmt.Errorf("upload: %s %s", statusOf(saved, ":"), saved.Error)
		}
		token = "" // it has expired
	}
}

func login() error {
	credentials := map[string]string{"grant_type": "password", "username": setting("SALES_USER", "demo"), "password": setting("SALES_PASSWORD", "demo-password")}
	given := post("/api/v1/auth/login", credentials, "")
	if given.Status != 200 {
		return fmt.Errorf("login: %s %s", statusOf(given, ":"), given.Error)
	}
	token = given.AccessToken
	return nil
}

func statusOf(given answer, end string) string {
	if given.Status == 0 {
		return "no response" + end
	}
	return strconv.Itoa(given.Status)
}

// post sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again.
func post(path string, body any, token string) answer {
	for attempt := 0; ; attempt++ {
		given := send(path, body, token)
		if attempt == 4 || !retried[given.Status] {
			return given
		}
		wait := waitOf(given.RetryAfter, time.Second<<attempt)
		fmt.Fprintf(os.Stderr, "%s from %s: sending again in %.0f s\n", statusOf(given, ""), path, wait.Seconds())
		time.Sleep(wait)
	}
}

// send sends once. A 200 without whole JSON was cut on its way, and is no response.
func send(path string, body any, token string) answer {
	data, err := json.Marshal(body)
	if err != nil {
		panic(err) // no field of ours can fail
	}
	request, err := http.NewRequest("POST", setting("SALES_URL", "http://127.0.0.1:3000")+path, bytes.NewReader(data))
	if err != nil {
		return answer{Error: err.Error()}
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return answer{Error: err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return answer{Error: err.Error()}
	}
	given := answer{Status: response.StatusCode, RetryAfter: response.Header.Get("Retry-After")}
	if json.Unmarshal(text, &given) == nil {
		return given
	}
	if given.Status == 200 {
		return answer{Error: "the response is incomplete"}
	}
	// Of anything but JSON, such as a proxy's HTML, the first words are the error.
	given.Error = fmt.Sprintf("%.80s", strings.TrimSpace(notWords.ReplaceAllString(string(text), " ")))
	return given
}

// waitOf reads Retry-After, which is a number of seconds or a date.
func waitOf(retryAfter string, initial time.Duration) time.Duration {
	if seconds, err := strconv.Atoi(retryAfter); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(retryAfter); err == nil {
		if wait := time.Until(date); wait > 0 {
			return wait
		}
		return 0
	}
	return initial
}

func setting(name, initial string) string {
	if value, found := os.LookupEnv(name); found {
		return value
	}
	return initial
}
