"""Welcomes new followers with a post. Needs only Python 3.9 or newer.

Run it from time to time, for example with cron. The first run remembers the current followers and posts nothing.
"""
import argparse
import json
import os
import time
from base64 import b64encode
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote, urlencode
from urllib.request import Request, urlopen

TRIES = 5
TIMEOUT = 20


class Linnet:
    """The API with a token of the application itself (client credentials)."""

    def __init__(self, issuer, client_id, client_secret):
        self.issuer = issuer
        credentials = f"{quote(client_id, safe='')}:{quote(client_secret, safe='')}"
        headers = {"Authorization": f"Basic {b64encode(credentials.encode()).decode()}"}
        body = urlencode({"grant_type": "client_credentials"}).encode()
        self.token = send(Request(f"{issuer}/oauth/token", data=body, headers=headers))["access_token"]

    def get(self, path, **parameters):
        return send(self._request(f"{path}?{urlencode(parameters)}"))

    def post(self, path, key, **parameters):
        """`key` makes it safe to send the request again: for a day, it has an effect only once."""
        request = self._request(path, json.dumps(parameters).encode())
        request.add_header("Content-Type", "application/json")
        request.add_header("Idempotency-Key", key)
        return send(request)

    def all(self, path, **parameters):
        """The records of all pages."""
        while True:
            page = self.get(path, count=100, **parameters)
            yield from page["items"]
            if "next" not in page:
                return
            parameters["cursor"] = page["next"]

    def _request(self, path, data=None):
        headers = {"Authorization": f"Bearer {self.token}", "Accept": "application/json"}
        return Request(f"{self.issuer}/api/v2.0{path}", data=data, headers=headers)


def send(request):
    """Sends a request, and again after 429 and 503, when the service asks for it."""
    for tried in range(1, TRIES + 1):
        try:
            with urlopen(request, timeout=TIMEOUT) as response:
                return json.load(response)
        except HTTPError as error:
            if error.code not in (429, 503) or tried == TRIES:
                raise SystemExit(f"{error.code} {error.read().decode()}") from error
            time.sleep(int(error.headers.get("Retry-After", "1")))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--issuer", default="http://localhost:3000")
    parser.add_argument("--client-id", required=True)
    parser.add_argument("--state", type=Path, default=Path("followers.json"), help="who was welcomed")
    options = parser.parse_args()

    # A secret does not belong into the arguments, which other users of the machine can read.
    linnet = Linnet(options.issuer, options.client_id, os.environ["CLIENT_SECRET"])
    me = linnet.get("/users/show")
    followers = list(linnet.all("/users/followers", id=me["id"]))
    if options.state.exists():
        known = set(json.loads(options.state.read_text()))
        for follower in reversed([one for one in followers if one["id"] not in known]):
            post = linnet.post(
                "/post/create",
                key=f"welcome-{follower['id']}",
                message=f"Welcome, @{follower['username']}!",
            )
            print(post["items"]["link"])
    remember(options.state, [one["id"] for one in followers])


def remember(path, ids):
    """Replaces the file at once, so that it is complete even if the program stops here."""
    draft = path.with_suffix(".new")
    draft.write_text(json.dumps(ids))
    draft.replace(path)


if __name__ == "__main__":
    main()
