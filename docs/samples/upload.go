// Logs in and uploads hours of a day; sends again where that helps. Go 1.18 or later: go run upload.go
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
	Status      int    `json:"-"`
	AccessToken string `json:"access_token"`
	Message     string `json:"message"`
	Error       string `json:"error"`
}

var (
	client   = &http.Client{Timeout: 30 * time.Second}
	retried  = map[int]bool{408: true, 500: true, 502: true, 503: true, 504: true}
	notWords = regexp.MustCompile(`<[^>]*>|\s+`)
)

func main() {
	each := hour{RestaurantID: 101, Date: "2025-10-15", Orders: 8, Pax: 17, Gst: 2165, Svc: 2405, Cash: 4055, Nets: 5000, Visa: 10010, Master: 5020}
	each.Gto = each.Cash + each.Nets + each.Visa + each.Master
	first, second := each, each
	first.Hour, second.Hour = 11, 12
	message, err := upload([]hour{first, second})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(message)
}

func upload(records []hour) (string, error) {
	for attempt := 0; ; attempt++ {
		token, err := login()
		if err != nil {
			return "", err
		}
		saved, err := post("/api/v1/sales/upload-daily", map[string]any{"records": records}, token)
		if err != nil {
			return "", err
		}
		if saved.Status == 200 {
			return saved.Message, nil
		}
		if saved.Status != 401 || attempt == 1 { // after one 401 the token had expired
			return "", fmt.Errorf("upload: %d %s", saved.Status, saved.Error)
		}
	}
}

func login() (string, error) {
	credentials := map[string]string{"grant_type": "password", "username": setting("SALES_USER", "demo"), "password": setting("SALES_PASSWORD", "demo-password")}
	given, err := post("/api/v1/auth/login", credentials, "")
	if err == nil && given.Status != 200 {
		err = fmt.Errorf("login: %d %s", given.Status, given.Error)
	}
	return given.AccessToken, err
}

// post sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again.
func post(path string, body any, token string) (answer, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return answer{}, err
	}
	for attempt := 0; ; attempt++ {
		request, err := http.NewRequest("POST", setting("SALES_URL", "http://127.0.0.1:3000")+path, bytes.NewReader(data))
		if err != nil {
			return answer{}, err
		}
		request.Header.Set("Content-Type", "application/json")
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		wait := time.Second << attempt
		status, text, retryAfter, err := send(request)
		if attempt == 4 || (err == nil && !retried[status]) {
			return answerOf(status, text), err
		}
		if err == nil {
			wait = waitOf(retryAfter, wait)
		}
		time.Sleep(wait)
	}
}

func send(request *http.Request) (status int, text []byte, retryAfter string, err error) {
	response, err := client.Do(request)
	if err != nil {
		return
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	return response.StatusCode, text, response.Header.Get("Retry-After"), err
}

// answerOf parses JSON; of anything else, such as a proxy's HTML, the first words are the error.
func answerOf(status int, text []byte) answer {
	parsed := answer{Status: status}
	if json.Unmarshal(text, &parsed) != nil {
		words := strings.TrimSpace(notWords.ReplaceAllString(string(text), " "))
		parsed.Error = fmt.Sprintf("%.80s", words)
	}
	return parsed
}

// waitOf reads Retry-After, which is a number of seconds or a date.
func waitOf(retryAfter string, initial time.Duration) time.Duration {
	if seconds, err := strconv.Atoi(retryAfter); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if date, err := http.ParseTime(retryAfter); err == nil {
		return time.Until(date)
	}
	return initial
}

func setting(name, initial string) string {
	if value, found := os.LookupEnv(name); found {
		return value
	}
	return initial
}
