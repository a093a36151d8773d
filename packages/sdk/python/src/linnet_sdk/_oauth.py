"""Requests to the authorization server, with retries of temporary failures."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any, Callable, TypeVar
from urllib.parse import parse_qs, quote, urlencode, urlsplit

from ._http import HttpRequest, Response, Server, form_request, send
from ._retry import Limits, limits_of, with_retries
from ._tokens import SharedWork
from .errors import AuthorizationError
from .tokens import Tokens

Result = TypeVar("Result")

_REFRESH_LIMITS = Limits(time_limit=9, try_limit=3, tries=6)
"""For ten seconds, a repeated refresh token gets the same successor again. The last try must arrive by then."""


class OAuth:
    """The endpoints of the authorization server, for one application."""

    def __init__(self, server: Server, client_id: str, client_secret: str | None) -> None:
        self.server = server
        self.client_id = client_id
        self._client_secret = client_secret
        self._metadata: Mapping[str, Any] | None = None
        self._discovery: SharedWork[Mapping[str, Any]] = SharedWork()

    def page_url(self, endpoint: str, parameters: Mapping[str, str]) -> str:
        """The address of a page of the service, for a browser."""
        return f"{self._endpoint(endpoint)}?{urlencode({**parameters, 'client_id': self.client_id})}"

    def client_credentials(self, scope: str | None) -> Tokens:
        """A token of the application itself."""
        more = {} if scope is None else {"scope": scope}
        return self._token({"grant_type": "client_credentials", **more}, to_tokens, limits_of(self.server))

    def code(self, form: Mapping[str, str], read: Callable[[Mapping[str, Any]], Tokens]) -> Tokens:
        """Exchanges a code, once: if the response is lost, the person has to sign in again."""
        limits = limits_of(self.server)
        once = Limits(limits.time_limit, limits.try_limit, tries=1)
        return self._token({"grant_type": "authorization_code", **form}, read, once)

    def refresh(self, refresh_token: str) -> Tokens:
        """Exchanges a refresh token."""
        form = {"grant_type": "refresh_token", "refresh_token": refresh_token}
        return self._token(form, to_tokens, _REFRESH_LIMITS)

    def device_token(self, device_code: str) -> Tokens:
        """Asks whether the person has decided about a device."""
        form = {"grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": device_code}
        return self._token(form, to_tokens, limits_of(self.server))

    def device_code(self, scope: str) -> Mapping[str, Any]:
        """Begins the sign-in of a device."""
        return self._post("device_authorization_endpoint", {"scope": scope}, limits_of(self.server))

    def revoke(self, token: str) -> None:
        """Revokes a token, and with a refresh token its grant."""
        self._post("revocation_endpoint", {"token": token}, limits_of(self.server))

    def _token(self, form: Mapping[str, str], read: Callable[[Mapping[str, Any]], Tokens], limits: Limits) -> Tokens:
        return read(self._post("token_endpoint", form, limits))

    def _post(self, endpoint: str, form: Mapping[str, str], limits: Limits) -> Mapping[str, Any]:
        request = self._authenticated(self._endpoint(endpoint), form)
        return with_retries(lambda timeout: _body_of(send(self.server, request, timeout)), limits)

    def _authenticated(self, url: str, form: Mapping[str, str]) -> HttpRequest:
        if self._client_secret is None:
            return form_request(url, {**form, "client_id": self.client_id})
        # RFC 6749 §2.3.1 encodes both parts as in a form.
        credentials = f"{quote(self.client_id, safe='')}:{quote(self._client_secret, safe='')}"
        return form_request(url, form, Authorization=f"Basic {base64.b64encode(credentials.encode()).decode()}")

    def _endpoint(self, name: str) -> str:
        url = self._discover().get(name)
        if not isinstance(url, str):
            raise AuthorizationError("invalid_answer", f"the service has no {name}")
        if self.server.issuer.startswith("https:") and not url.startswith("https:"):
            raise AuthorizationError("invalid_answer", f"the {name} is not encrypted")
        return url

    def _discover(self) -> Mapping[str, Any]:
        """The metadata of the service (RFC 8414), loaded once, and again after a failure."""
        if self._metadata is None:
            self._metadata = self._discovery.run(self._load_metadata)
        return self._metadata

    def _load_metadata(self) -> Mapping[str, Any]:
        issuer = self.server.issuer
        url = f"{issuer}/.well-known/oauth-authorization-server"
        request = HttpRequest("GET", url, {"Accept": "application/json"})
        limits = limits_of(self.server)
        metadata = with_retries(lambda timeout: _body_of(send(self.server, request, timeout)), limits)
        if metadata.get("issuer") != issuer:
            raise AuthorizationError("invalid_answer", f"the issuer is {metadata.get('issuer')}, not {issuer}")
        return metadata


def _body_of(response: Response) -> Mapping[str, Any]:
    body = response.json_object()
    # The response to a revocation has no body.
    if response.is_success and (body is not None or not response.body):
        return body or {}
    code = str((body or {}).get("error", "invalid_answer" if response.is_success else "server_error"))
    description = (body or {}).get("error_description")
    message = code if description is None else f"{code}: {description}"
    raise AuthorizationError(code, message, status=response.status, retry_after=response.retry_after)


def to_tokens(response: Mapping[str, Any]) -> Tokens:
    """The tokens of a response of the token endpoint."""
    access_token, scope = response.get("access_token"), response.get("scope")
    is_bearer = str(response.get("token_type")).lower() == "bearer"
    if not isinstance(access_token, str) or not isinstance(scope, str) or not is_bearer:
        raise AuthorizationError("invalid_answer", "the token response has no bearer token with a scope")
    return Tokens(
        access_token,
        time.time() + float(response.get("expires_in", 0)),
        scope,
        response.get("refresh_token"),
        response.get("id_token"),
    )


def challenge_of(verifier: str) -> str:
    """The challenge of PKCE for a verifier, by S256 (RFC 7636)."""
    return _base64url(hashlib.sha256(verifier.encode()).digest())


def random_text() -> str:
    """An unguessable text for `state`, `nonce` and verifiers."""
    return secrets.token_urlsafe(32)


def read_callback(callback: str, *, issuer: str, state: str) -> str:
    """The code in a callback, after checking `iss` (RFC 9207) and `state`."""
    query = parse_qs(urlsplit(callback).query, keep_blank_values=True)
    if any(len(values) > 1 for values in query.values()):
        raise AuthorizationError("invalid_answer", "a parameter of the callback is repeated")
    parameters = {name: value for name, (value,) in query.items()}
    if parameters.get("iss") != issuer:
        raise AuthorizationError("invalid_answer", "the callback is not by this service")
    if not hmac.compare_digest(parameters.get("state", "").encode(), state.encode()):
        raise AuthorizationError("invalid_answer", "the callback does not belong to this attempt")
    if "error" in parameters:
        code, description = parameters["error"], parameters.get("error_description")
        raise AuthorizationError(code, code if description is None else f"{code}: {description}")
    if "code" not in parameters:
        raise AuthorizationError("invalid_answer", "the callback has no code")
    return parameters["code"]


def check_id_token(id_token: str, *, issuer: str, client_id: str, nonce: str) -> None:
    """Checks who issued an ID token, for whom and for which attempt.

    It came from the token endpoint, so the connection vouches for it (OpenID Connect Core §3.1.3.7).
    """
    try:
        claims = json.loads(base64.urlsafe_b64decode(id_token.split(".")[1] + "=="))
        audience = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
        is_valid = (
            claims["iss"] == issuer
            and client_id in audience
            and claims.get("azp", client_id) == client_id
            and claims["nonce"] == nonce
            and float(claims["exp"]) > time.time() - 60
        )
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise AuthorizationError("invalid_answer", "the ID token is malformed") from error
    if not is_valid:
        raise AuthorizationError("invalid_answer", "the ID token is for another application or attempt")


def _base64url(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()
