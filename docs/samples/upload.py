# Logs in, uploads hours of two days; sends again where that helps. Python 3.8 or later: python3 upload.py
import json
import os
import re
import sys
import time
from decimal import Decimal
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("SALES_URL", "http://127.0.0.1:3000")
USER = os.environ.get("SALES_USER", "demo")
PASSWORD = os.environ.get("SALES_PASSWORD", "demo-password")
RETRIED = (0, 408, 500, 502, 503, 504)
token = None  # kept for all uploads


def post(path, body, token=None):
    """Sends JSON until there is a lasting response: after no response (status 0) or an error of the service it waits and sends again."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = json.dumps(body, default=float).encode()  # a Decimal of up to 15 digits stays exact
    attempt = 0
    while True:
        status, answer, retry_after = send(Request(URL + path, data, headers))
        if status not in RETRIED or attempt == 4:
            return status, answer
        seconds = seconds_of(retry_after, 2**attempt)
        print(f"{status or 'no response'} from {path}: sending again in {seconds:.0f} s", file=sys.stderr)
        time.sleep(seconds)
        attempt += 1


def send(request):
    """Returns status, body and Retry-After. Of a response that is cut Python may report 200: without whole JSON that is none."""
    try:
        try:
            response = urlopen(request, timeout=30)
        except HTTPError as error:
            response = error  # which is a response, too
        with response:
            status, data = response.code, response.read()
            return status, json.loads(data) if status == 200 else body_of(data), response.headers.get("Retry-After")
    except (OSError, HTTPException, ValueError) as error:
        return 0, {"error": repr(error)}, None


def body_of(data):
    """Parses JSON; of anything else, such as a proxy's HTML, the first words are the error."""
    try:
        return json.loads(data)
    except ValueError:
        text = re.sub(r"<[^>]*>|\s+", " ", data.decode(errors="replace"))
        return {"error": text.strip()[:80]}


def seconds_of(retry_after, default):
    """Reads Retry-After, which is a number of seconds or a date."""
    if retry_after is None:
        return default
    if retry_after.isdigit():
        return int(retry_after)
    return max(0, parsedate_to_datetime(retry_after).timestamp() - time.time())


class LoginFailed(SystemExit):
    """Ends the program, unless somebody waits and tries again."""

    def __init__(self, status, error):
        super().__init__(f"login: {status or 'no response:'} {error}")
        self.status = status


def login():
    status, body = post("/api/v1/auth/login", {"grant_type": "password", "username": USER, "password": PASSWORD})
    if status != 200:
        raise LoginFailed(status, body["error"])
    return body["access_token"]


def upload(records):
    status, body = send_day({"records": records})
    if status != 200:
        raise SystemExit(f"upload: {status or 'no response:'} {body['error']}")
    return body["message"]


def send_day(day):
    """Uploads with the token that is kept, and logs in where there is none or it has expired."""
    global token
    token = token or login()
    status, body = post("/api/v1/sales/upload-daily", day, token)
    if status == 401:
        token = login()
        status, body = post("/api/v1/sales/upload-daily", day, token)
    return status, body


def main():
    figures = {"restaurant_id": 101, "orders": 8, "gst": Decimal("21.65"), "svc": Decimal("24.05"), "discount": 0, "pax": 17}
    paid = {"cash": Decimal("40.55"), "nets": 50, "visa": Decimal("100.10"), "master": Decimal("50.20"), "amex": 0, "voucher": 0, "other": 0}
    gto = sum(paid.values())
    for date in ("2025-10-14", "2025-10-15"):
        print(upload([{**figures, "date": date, "hour": hour, "gto": gto, **paid} for hour in (11, 12)]))


if __name__ == "__main__":
    main()
