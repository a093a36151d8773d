"""What the SDK raises. `LinnetError` is the base class of all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict


class LinnetError(Exception):
    """Base class of all errors of the SDK. `code` is stable; the message is for people."""

    code: str
    status: int | None
    """HTTP status; `None` when there was no response."""
    retry_after: float | None
    """How many seconds the service asks you to wait."""

    def __init__(self, code: str, message: str, *, status: int | None = None, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.retry_after = retry_after


class ParameterProblem(TypedDict):
    """What is wrong with one parameter."""

    parameter: str
    code: str
    """`missing`, `invalid`, `repeated` or `taken`; there may be more in later versions."""
    detail: str


class ApiError(LinnetError):
    """The API rejected a call. `code` says why; `linnet_sdk.problems` has a subclass for each code."""

    title: str
    """The kind of problem, for people."""
    detail: str
    errors: list[ParameterProblem]
    """Every missing or invalid parameter; empty for other problems."""
    request_id: str | None
    """Send it to the operator of the service if you need help."""
    scope: str | None
    """The scope that the token lacks (`insufficient_scope`)."""

    def __init__(self, problem: Mapping[str, Any], *, status: int, retry_after: float | None = None) -> None:
        code = str(problem.get("code", "unexpected-answer"))
        self.title = str(problem.get("title", f"Status {status}"))
        self.detail = str(problem.get("detail", self.title))
        super().__init__(code, f"{code}: {self.detail}", status=status, retry_after=retry_after)
        self.errors = problem.get("errors", [])
        self.request_id = problem.get("request_id")
        self.scope = problem.get("scope")


class AuthorizationError(LinnetError):
    """The authorization server or the person declined, or the response is not valid (`invalid_answer`).

    `code` is an OAuth error code, such as `access_denied` or `invalid_client`.
    """


class SignInRequired(AuthorizationError):
    """The person must sign in: there are no tokens (`login_required`) or they are no longer valid (`invalid_grant`)."""


class TransportError(LinnetError):
    """There was no response: `no-answer` or `timed-out`. The service may or may not have processed the request."""


class WebhookRefused(LinnetError):
    """The request is not from the service, is too old, or was changed. Respond with 400."""

    def __init__(self, message: str) -> None:
        super().__init__("webhook-refused", message)
