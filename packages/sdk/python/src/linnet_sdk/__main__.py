"""The command `python -m linnet_sdk listen`: forwards what happens to a server on this machine, as webhooks."""

from __future__ import annotations

import argparse
import base64
import os
import re
import secrets
import sys
import time
from typing import Any, Callable
from urllib.parse import urlencode, urlsplit

from ._http import HttpRequest, Server, send
from ._oauth import OAuth
from ._retry import backoff, is_temporary
from ._tokens import ApplicationTokens
from .errors import AuthorizationError, LinnetError, TransportError
from .webhook import sign_webhook

_HINT = ": check CLIENT_ID and CLIENT_SECRET, and that the application is neither suspended nor paused"
_POLL_LIMIT = 40.0
"""Seconds; longer than the service waits for an event."""
_FORWARD_LIMIT = 15.0
"""As long as the service waits for a response to a webhook."""


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
        raise argparse.ArgumentTypeError(f"not a URL: {text}")
    return text


def _secret(text: str) -> str:
    if not re.fullmatch(r"whsec_(?=.{32})(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?", text):
        raise argparse.ArgumentTypeError("not whsec_ and Base64 of 24 bytes or more")
    return text


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="linnet_sdk",
        description="Sends the events of an application to a server on this machine, signed as webhooks, without an "
        "endpoint. CLIENT_ID and CLIENT_SECRET in the environment are those of the application.",
    )
    parser.add_argument("command", choices=["listen"])
    parser.add_argument("--forward", type=_url, required=True, metavar="URL", help="where to send them")
    default = os.environ.get("LINNET_ISSUER", "http://localhost:3000")
    issuer = "the service; default: LINNET_ISSUER, or http://localhost:3000"
    parser.add_argument("--issuer", type=_url, default=default, metavar="URL", help=issuer)
    parser.add_argument("--events", default="", help="only these, such as post.created,mention.created")
    parser.add_argument("--secret", type=_secret, help="the signing secret, whsec_…; default: a new one")
    parser.add_argument("--print", action="store_true", help="also shows what is sent")
    return parser


def _say(line: str) -> None:
    print(line, flush=True)


class _Listener:
    """Asks for messages, and forwards them."""

    def __init__(self, options: argparse.Namespace, client_id: str, client_secret: str) -> None:
        self._options = options
        self._secret: str = options.secret or f"whsec_{base64.b64encode(secrets.token_bytes(32)).decode()}"
        self._server = Server(options.issuer, tries=1)
        oauth = OAuth(self._server, client_id, client_secret)
        self._tokens = ApplicationTokens(lambda: oauth.client_credentials(None))

    def run(self) -> None:
        """Forwards until it is interrupted. Raises what does not pass, and at the start also what does."""
        cursor = self._ask("")["cursor"]
        _say(f"Your webhook signing secret is {self._secret}")
        _say(f"Events are sent to {self._options.forward}. Press Ctrl-C to stop.")
        failures = 0
        while True:
            try:
                page = self._ask(cursor)
            except LinnetError as error:
                if not (is_temporary(error) or (error.status or 0) >= 500):
                    raise
                failures += 1
                if failures == 1:
                    _say(f"{error}. Trying again.")
                time.sleep(backoff(0.5, 30, failures) if error.retry_after is None else error.retry_after)
                continue
            if failures:
                _say("Connected again.")
            failures = 0
            if page["incomplete"]:
                _say("Events may be missing here.")
            for message in page["messages"]:
                self._deliver(message)
            cursor = page["cursor"]

    def _ask(self, cursor: str) -> dict[str, Any]:
        token = self._tokens.get()
        try:
            return self._request(token, cursor)
        except AuthorizationError as error:
            # The token was revoked or has expired. Try another one, but only once.
            if error.code != "invalid_token":
                raise
        return self._request(self._tokens.get(token), cursor)

    def _request(self, token: str, cursor: str) -> dict[str, Any]:
        query = urlencode({"cursor": cursor, "events": self._options.events})
        headers = {"Accept": "application/json", "Authorization": f"Bearer {token}"}
        url = f"{self._server.issuer}/developers/webhooks/events?{query}"
        response = send(self._server, HttpRequest("GET", url, headers), _POLL_LIMIT)
        body = response.json_object() or {}
        if response.status == 200 and body:
            return body
        description = body.get("error_description", f"status {response.status}")
        code = str(body.get("error", "server_error"))
        raise AuthorizationError(code, description, status=response.status, retry_after=response.retry_after)

    def _deliver(self, message: dict[str, Any]) -> None:
        headers = sign_webhook(message["id"], message["body"], self._secret)
        headers["User-Agent"] = f"Linnet (+{self._server.issuer})"
        request = HttpRequest("POST", self._options.forward, headers, message["body"].encode())
        started = time.monotonic()
        outcome = _outcome_of(lambda: str(send(self._server, request, _FORWARD_LIMIT).status))
        milliseconds = round((time.monotonic() - started) * 1000)
        _say(f"{time.strftime('%H:%M:%S')} {message['type']} {outcome} {milliseconds} ms")
        if self._options.print:
            _say(message["body"])


def _outcome_of(work: Callable[[], str]) -> str:
    try:
        return work()
    except TransportError as error:
        return "no response in 15 s" if error.code == "timed-out" else "connection refused"


def main() -> int:
    """Runs the command. Returns its exit code."""
    parser = _parser()
    options = parser.parse_args()
    client_id, client_secret = (os.environ.get(name, "") for name in ("CLIENT_ID", "CLIENT_SECRET"))
    if not client_id or not client_secret:
        parser.error("CLIENT_ID or CLIENT_SECRET is missing in the environment")
    try:
        _Listener(options, client_id, client_secret).run()
    except KeyboardInterrupt:
        return 0
    except LinnetError as error:
        print(f"linnet_sdk: {error}{_HINT if error.code == 'invalid_client' else ''}", file=sys.stderr)
        return 2 if error.status == 400 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
