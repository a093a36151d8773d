"""Sends the calls of the API."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from ._http import HttpRequest, Response, Server, send
from ._retry import limits_of, with_retries
from ._tokens import TokenSource
from .errors import ApiError
from .paginated_list import PaginatedList
from .problems import InvalidToken, by_code
from .upload import multipart, read_uploads

API = "/api/v2.0"


class Api:
    """Sends calls with tokens from `tokens`."""

    def __init__(self, server: Server, tokens: TokenSource) -> None:
        self._server = server
        self._tokens = tokens

    def read(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, object],
        *,
        time_limit: float | None,
        wrapper: str = "",
    ) -> Any:
        """Sends a call that changes nothing. Returns the member `wrapper` of the body, or all of it."""
        body = self._call(self._request(method, path, parameters), time_limit)
        return body.get(wrapper, body)

    def write(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, object],
        *,
        idempotency_key: str | None,
        time_limit: float | None,
        wrapper: str = "",
    ) -> Any:
        """Sends a write. All its tries have one key, so that it takes effect once."""
        key = str(uuid.uuid4()) if idempotency_key is None else idempotency_key
        body = self._call(self._request(method, path, parameters).with_headers(Idempotency_Key=key), time_limit)
        return body.get(wrapper, body)

    def pages(
        self, method: str, path: str, parameters: Mapping[str, object], *, time_limit: float | None
    ) -> PaginatedList[Any, Any]:
        """A list whose `next` is the `cursor` of the next page."""

        def load(cursor: str | None) -> Any:
            more = {} if cursor is None else {"cursor": cursor}
            return self.read(method, path, {**parameters, **more}, time_limit=time_limit)

        return PaginatedList(load)

    def _request(self, method: str, path: str, parameters: Mapping[str, object]) -> HttpRequest:
        url = f"{self._server.issuer}{API}{path}"
        given = read_uploads({name: value for name, value in parameters.items() if value is not None})
        headers = {"Accept": "application/json"}
        if method == "GET":
            query = urlencode({name: _as_text(value) for name, value in given.items()})
            return HttpRequest(method, f"{url}?{query}" if query else url, headers)
        if any(isinstance(value, bytes) for value in given.values()):
            fields = {name: value if isinstance(value, bytes) else _as_text(value) for name, value in given.items()}
            content_type, body = multipart(fields)
        else:
            content_type, body = "application/json", json.dumps(given, default=list).encode()
        return HttpRequest(method, url, {**headers, "Content-Type": content_type}, body)

    def _call(self, request: HttpRequest, time_limit: float | None) -> Any:
        refused: str | None = None

        def attempt(timeout: float) -> Any:
            nonlocal refused
            token = self._tokens.get(refused)
            try:
                return self._exchange(request, token, timeout)
            except InvalidToken:
                # The token was revoked. Try another one, but only once.
                if refused is not None:
                    raise
                refused = token
                return self._exchange(request, self._tokens.get(refused), timeout)

        return with_retries(attempt, limits_of(self._server, time_limit))

    def _exchange(self, request: HttpRequest, token: str, timeout: float) -> Any:
        response = send(self._server, request.with_headers(Authorization=f"Bearer {token}"), timeout)
        body = response.json_object()
        if response.is_success and body is not None:
            return body
        raise api_error(response)


def api_error(response: Response) -> ApiError:
    """The exception for an error response."""
    problem = response.json_object() or {}
    kind = by_code.get(str(problem.get("code")), ApiError)
    return kind(problem, status=response.status, retry_after=response.retry_after)


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ",".join(map(_as_text, value))
    return str(value)
