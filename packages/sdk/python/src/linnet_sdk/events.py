"""What happens, as it happens: `GET /events`."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypedDict
from urllib.parse import quote

from ._api import API, api_error
from ._event_parser import EventParser
from ._http import HttpRequest, Response, Server, map_failures, open_response
from ._retry import backoff, is_temporary
from ._tokens import TokenSource
from .errors import LinnetError
from .problems import InvalidToken

StreamName = Literal["feed", "notifications", "posts"]
"""What a stream is about."""

_SILENT = 45.0
"""The service sends something every 15 seconds. Without it, the connection is lost."""
_DEFAULT_RETRY = 3.0


class EventData(TypedDict, total=False):
    """Who did what. It has ids only: read the objects with the same client."""

    user_id: int
    """The acting account."""
    actor_id: int
    """Who did it."""
    post_id: int
    comment_id: int
    draft_id: int
    followed_id: int
    """The account that is followed or asked."""


@dataclass(frozen=True)
class Event:
    """What happened."""

    id: str
    """To continue from: `events(last_event_id=…)`. The same if the event arrives again."""
    type: str
    """Such as `post.created`. `reset` says that events may be missing: read the lists again. Expect further types."""
    timestamp: datetime
    streams: Sequence[str]
    """Those of the streams that it belongs to."""
    data: EventData


def parse_time(text: str) -> datetime:
    """A time of the API. Python before 3.11 does not know `Z`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


class _Listener:
    """Where a stream is, and when to connect again."""

    def __init__(self, server: Server, tokens: TokenSource, streams: Sequence[str] | None, last_id: str | None) -> None:
        self._server = server
        self._tokens = tokens
        names = "" if streams is None else f"?streams={quote(','.join(streams))}"
        self._url = f"{server.issuer}{API}/events{names}"
        self._last_id = last_id or ""
        self._failures = 0
        self.wait = _DEFAULT_RETRY
        """Seconds before the next connection."""

    def events(self) -> Iterator[Event]:
        """The events of one connection, until it ends."""
        with self._connect() as response:
            parser = EventParser()
            while True:
                piece: bytes = map_failures(lambda: response.read1(65536))
                if not piece:
                    return
                for event_id, data in parser.push(piece):
                    yield _to_event(event_id, data)
                self._failures = 0
                self._last_id = parser.last_id or self._last_id
                self.wait = _DEFAULT_RETRY if parser.retry is None else parser.retry

    def note_failure(self, error: LinnetError) -> None:
        """Waits longer after each failure. Raises what a new connection cannot help with."""
        if not is_temporary(error) and (error.status or 0) < 500:
            raise error
        self._failures += 1
        if error.retry_after is None:
            self.wait = backoff(0.5, 30, self._failures)
        else:
            self.wait = error.retry_after + random.uniform(0, 0.5)

    def _connect(self) -> Any:
        token = self._tokens.get()
        try:
            return self._request(token)
        except InvalidToken:
            # The token was revoked or has expired. Try another one, but only once.
            return self._request(self._tokens.get(token))

    def _request(self, token: str) -> Any:
        request = HttpRequest("GET", self._url, {"Accept": "text/event-stream", "Authorization": f"Bearer {token}"})
        if self._last_id:
            request = request.with_headers(Last_Event_ID=self._last_id)
        response = open_response(self._server, request, _SILENT)
        if response.status == 200:
            return response
        with response:
            raise api_error(Response(response.status, response.headers, map_failures(response.read)))


def listen(
    server: Server, tokens: TokenSource, streams: Sequence[str] | None, last_id: str | None
) -> Generator[Event, None, None]:
    """Iterates over events until it is stopped, and connects again after interruptions."""
    listener = _Listener(server, tokens, streams, last_id)
    while True:
        try:
            yield from listener.events()
        except LinnetError as error:
            listener.note_failure(error)
        time.sleep(listener.wait)


def _to_event(event_id: str, data: str) -> Event:
    event = json.loads(data)
    return Event(event_id, event["type"], parse_time(event["timestamp"]), event["streams"], event["data"])
