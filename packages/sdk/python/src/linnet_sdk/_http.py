"""Sends requests with urllib, and turns what can happen to them into errors of the SDK."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache
from http.client import HTTPException, IncompleteRead
from typing import Any, Callable
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, OpenerDirector, Request, build_opener

from .errors import TransportError


class _NoRedirects(HTTPRedirectHandler):
    """No endpoint redirects. To follow a redirect could send a token or a secret to another server."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> None:
        return None


@cache
def _default_opener() -> OpenerDirector:
    """One for all: it takes a while to load the certificates of the machine."""
    return build_opener(_NoRedirects, HTTPSHandler(context=ssl.create_default_context()))


@dataclass(frozen=True)
class Server:
    """The address of the service, and limits for requests to it."""

    issuer: str
    """The public origin of the service, such as `https://linnet.example`."""
    time_limit: float = 60
    """Seconds for a call and all its retries."""
    tries: int = 5
    """Maximum number of tries of a call. 1 turns retries off."""
    opener: OpenerDirector = field(default_factory=_default_opener)

    def __post_init__(self) -> None:
        parts = urlsplit(self.issuer)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"the issuer is not the address of a service: {self.issuer!r}")
        object.__setattr__(self, "issuer", self.issuer.rstrip("/"))


def server_of(issuer: str, time_limit: float, tries: int, opener: OpenerDirector | None) -> Server:
    """The server with these settings; without an opener, one that follows no redirects."""
    if opener is None:
        return Server(issuer, time_limit, tries)
    return Server(issuer, time_limit, tries, opener)


@dataclass(frozen=True)
class Response:
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_success(self) -> bool:
        """Whether the status is one of success."""
        return 200 <= self.status < 300

    def json_object(self) -> dict[str, Any] | None:
        """The object in the body; `None` if there is none, because the response came from a proxy."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None

    @property
    def retry_after(self) -> float | None:
        """`Retry-After` in seconds; the header has seconds or a date (RFC 9110 §10.2.3)."""
        value = self.headers.get("Retry-After", "").strip()
        if value.isdigit():
            return float(value)
        try:
            return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
        except (TypeError, ValueError, IndexError):
            return None


@dataclass(frozen=True)
class HttpRequest:
    """A request, which can be sent more than once."""

    method: str
    url: str
    headers: Mapping[str, str]
    body: bytes | None = None

    def with_headers(self, **headers: str) -> HttpRequest:
        """The same request with more headers; `_` in a name is `-`."""
        added = {name.replace("_", "-"): value for name, value in headers.items()}
        return HttpRequest(self.method, self.url, {**self.headers, **added}, self.body)


def form_request(url: str, form: Mapping[str, str], **headers: str) -> HttpRequest:
    """A request of OAuth: a form to which the response is JSON."""
    request = HttpRequest("POST", url, {"Accept": "application/json"}, urlencode(form).encode())
    return request.with_headers(Content_Type="application/x-www-form-urlencoded", **headers)


def open_response(server: Server, request: HttpRequest, timeout: float) -> Any:
    """Sends a request. Returns a response whose body was not read yet, whatever its status is."""
    sent = Request(request.url, data=request.body, method=request.method)
    for name, value in request.headers.items():
        # Never sent to another server, also by an opener that follows redirects.
        sent.add_unredirected_header(name, value)
    try:
        return map_failures(lambda: server.opener.open(sent, timeout=max(timeout, 0.001)))
    except HTTPError as error:
        return error


def send(server: Server, request: HttpRequest, timeout: float) -> Response:
    """Sends a request and reads the response, within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    with open_response(server, request, timeout) as response:
        body = map_failures(lambda: _read(response, deadline))
        return Response(response.status, response.headers, body)


def _read(response: Any, deadline: float) -> bytes:
    pieces = []
    while True:
        piece = response.read1(65536)
        if not piece:
            break
        pieces.append(piece)
        if time.monotonic() > deadline:
            raise socket.timeout("the response takes too long")
    if response.length:  # what is missing of the announced length
        raise IncompleteRead(b"".join(pieces), response.length)
    return b"".join(pieces)


def map_failures(work: Callable[[], Any]) -> Any:
    """Turns failures of a connection into a `TransportError`."""
    try:
        return work()
    except HTTPError:
        raise
    except (OSError, HTTPException) as error:
        causes = (error, getattr(error, "reason", None))
        # Another class than TimeoutError before Python 3.10.
        if any(isinstance(cause, (socket.timeout, TimeoutError)) for cause in causes):
            raise TransportError("timed-out", "no response in time") from error
        raise TransportError("no-answer", f"the service is unreachable: {error}") from error
