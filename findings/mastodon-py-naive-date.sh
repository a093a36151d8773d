#!/bin/sh
# Mastodon.py: of two dates of one account, one has a time zone and the other has none, so that they cannot be compared.
#
# Version:   Mastodon.py 2.3.3
# Date:      2026-11-28
# Behaviour: An account has `created_at` (a moment) and `last_status_at` (a day, `2026-11-28`). Both become a datetime.
#            The first has the zone of the machine, the second has none: `last_status_at > created_at` raises a
#            TypeError.
# Guess:     A `date` for the day, or two datetimes that can be compared, in UTC as the server sends them.
# Matters:   "Who posted since they joined" and sorting by either field fail. The day becomes midnight of no zone, which
#            code that assumes local time moves to the day before.
#
# Usage: sh mastodon-py-naive-date.sh    (needs Python)
# Exits with 0 if the output is the one below, 1 if it has changed, 2 if the script could not find out.
#
# Output seen:
#> created_at: datetime, with a time zone
#> last_status_at: datetime, without a time zone
#> last_status_at > created_at: TypeError: can't compare offset-naive and offset-aware datetimes
set -eu

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 2' HUP INT TERM
sed -n 's/^#> //p' "$0" > "$folder/described"
cd "$folder"

python3 -m venv venv
venv/bin/pip install --quiet Mastodon.py==2.3.3 || exit 2

cat > show.py <<'SCRIPT'
import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from mastodon import Mastodon

ACCOUNT = {
    "id": "1",
    "acct": "alice",
    "created_at": "2026-11-01T00:00:00.000Z",
    "last_status_at": "2026-11-28",
}


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.end_headers()
        self.wfile.write(json.dumps(ACCOUNT).encode())

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Api)
threading.Thread(target=server.serve_forever, daemon=True).start()
client = Mastodon(access_token="t", api_base_url=f"http://127.0.0.1:{server.server_port}", version_check_mode="none")
account = client.account_verify_credentials()
for name in ("created_at", "last_status_at"):
    value = account[name]
    print(f"{name}: {type(value).__name__}, {'with' if value.tzinfo else 'without'} a time zone")
try:
    print(f"last_status_at > created_at: {account.last_status_at > account.created_at}")
except TypeError as error:
    print(f"last_status_at > created_at: TypeError: {error}")
SCRIPT
venv/bin/python show.py > seen || exit 2

cat seen
if cmp -s seen described; then
  echo 'The behaviour is as described.'
else
  echo 'The behaviour has changed.'
  exit 1
fi
