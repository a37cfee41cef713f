# Keeps each day in a file until it is saved, over a restart too; sends them, the oldest first, every 15 minutes. Beside upload.py,
# with its settings: python3 send_later.py day.json adds the body of an upload; without a name it sends what is there.
import glob
import json
import os
import sys
import time

from upload import RETRIED, LoginFailed, send_day

FOLDER = os.environ.get("SALES_UNSENT", "unsent-days")
EVERY_SECONDS = float(os.environ.get("SALES_EVERY_SECONDS", "900"))


def keep(day):
    """Writes a day so that a power cut leaves all of it or nothing. The names of older days sort first."""
    os.makedirs(FOLDER, exist_ok=True)
    first = day["records"][0]
    path = os.path.join(FOLDER, f"{first['date']}-{first['restaurant_id']}.json")
    with open(path + ".new", "w", encoding="utf-8") as file:
        json.dump(day, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)


def send_all():
    """Returns whether every day was saved or rejected; where the service is not reached, the rest waits."""
    for path in sorted(glob.glob(os.path.join(FOLDER, "*.json"))):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        try:
            status, body = send_day(json.loads(text))
        except LoginFailed as failed:
            if failed.status not in (*RETRIED, 429):
                raise  # each further wrong login counts towards a lock
            status, body = failed.status, {"error": str(failed)}
        if status in (*RETRIED, 429):
            print(f"head office is not reached, the days are kept: {body['error']}", file=sys.stderr)
            return False
        if status == 401:
            raise SystemExit(f"the days are kept: {body['error']}")
        with open(path, encoding="utf-8") as file:
            is_same = file.read() == text  # or it was corrected meanwhile, and is sent again
        if status == 200:
            print(body["message"])
            if is_same:
                os.remove(path)
        else:
            print(f"{path}.rejected: {status} {body['error']}", file=sys.stderr)
            os.replace(path, path + ".rejected")  # to be corrected, and added again
    return True


for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        keep(json.load(file))
while not send_all():
    time.sleep(EVERY_SECONDS)
if glob.glob(os.path.join(FOLDER, "*.rejected")):
    raise SystemExit("days were rejected: correct them, and add them again")
