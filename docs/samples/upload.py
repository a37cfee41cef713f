# Logs in and uploads hours of a day; sends again where that helps. Python 3.8 or later: python3 upload.py
import json
import os
import re
import time
from decimal import Decimal
from email.utils import parsedate_to_datetime
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("SALES_URL", "http://127.0.0.1:3000")
USER = os.environ.get("SALES_USER", "demo")
PASSWORD = os.environ.get("SALES_PASSWORD", "demo-password")
RETRIED = (408, 500, 502, 503, 504)


def post(path, body, token=None):
    """Sends JSON until there is a lasting response: after no response or an error of the service it waits and sends again."""
    headers = {"Content-Type": "application/json"}
    if token:
        headers["Authorization"] = f"Bearer {token}"
    data = json.dumps(body, default=float).encode()  # a Decimal of up to 15 digits stays exact
    for attempt in range(5):
        seconds = 2**attempt
        try:
            with urlopen(Request(URL + path, data, headers), timeout=30) as response:
                return response.status, body_of(response.read())
        except HTTPError as error:
            if error.code not in RETRIED or attempt == 4:
                return error.code, body_of(error.read())
            seconds = seconds_of(error.headers.get("Retry-After"), seconds)
        except OSError:
            if attempt == 4:
                raise
        time.sleep(seconds)


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


def login():
    status, body = post("/api/v1/auth/login", {"grant_type": "password", "username": USER, "password": PASSWORD})
    if status != 200:
        raise SystemExit(f"login: {status} {body['error']}")
    return body["access_token"]


def upload(records):
    status, body = post("/api/v1/sales/upload-daily", {"records": records}, login())
    if status == 401:  # the token has expired
        status, body = post("/api/v1/sales/upload-daily", {"records": records}, login())
    if status != 200:
        raise SystemExit(f"upload: {status} {body['error']}")
    return body["message"]


hour = {"restaurant_id": 101, "date": "2025-10-15", "orders": 8, "gst": Decimal("21.65"), "svc": Decimal("24.05"), "discount": 0, "pax": 17}
paid = {"cash": Decimal("40.55"), "nets": 50, "visa": Decimal("100.10"), "master": Decimal("50.20"), "amex": 0, "voucher": 0, "other": 0}
gto = sum(paid.values())
print(upload([{**hour, "hour": each, "gto": gto, **paid} for each in (11, 12)]))
