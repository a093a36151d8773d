"""Signs people in, and calls the API as them."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from urllib.request import OpenerDirector
from weakref import WeakValueDictionary

from ._http import server_of
from ._oauth import OAuth, challenge_of, check_id_token, random_text, read_callback, to_tokens
from ._tokens import ApplicationTokens, PersonTokens
from .client import Linnet
from .errors import AuthorizationError
from .tokens import Tokens, TokenStore


@dataclass(frozen=True)
class SignInAttempt:
    """A sign-in in progress. Keep it in the session of the browser: `dataclasses.asdict(attempt)` is plain data."""

    url: str
    """Where to send the browser."""
    state: str
    nonce: str
    verifier: str = field(repr=False)
    redirect_uri: str
    scope: str


@dataclass(frozen=True)
class DeviceAttempt:
    """The sign-in of a device. Show the person the code and the address."""

    user_code: str
    verification_uri: str
    """Where the person enters the code."""
    verification_uri_complete: str
    """The same address with the code, for a link or a QR code."""
    expires_at: float
    """Seconds since 1970, by the clock of this machine."""
    device_code: str = field(repr=False)
    interval: float


class Application:
    """An application that is registered with the service. Threads can share it.

    It sends no request until you call a method.

    Args:
        issuer: The public origin of the service, such as `https://linnet.example`.
        client_id: The client ID of the application.
        client_secret: Only for confidential applications: never in a program that other people install.
        time_limit: Seconds for a call and all its retries.
        tries: Maximum number of tries of a call. 1 turns retries off.
        opener: Sends the requests, for example through a proxy.
    """

    def __init__(
        self,
        issuer: str,
        client_id: str,
        client_secret: str | None = None,
        *,
        time_limit: float = 60,
        tries: int = 5,
        opener: OpenerDirector | None = None,
    ) -> None:
        self._server = server_of(issuer, time_limit, tries, opener)
        self._oauth = OAuth(self._server, client_id, client_secret)
        # One source per store, so that everything that shares the store refreshes once. A source keeps its store, so
        # the id stays that of the store.
        self._sources: WeakValueDictionary[int, PersonTokens] = WeakValueDictionary()
        self._lock = threading.Lock()

    def as_itself(self, *, scope: str | None = None) -> Linnet:
        """The API as the application itself (client credentials), as `Linnet.application()` returns it."""
        return Linnet(self._server, ApplicationTokens(lambda: self._oauth.client_credentials(scope)))

    def as_person(self, store: TokenStore) -> Linnet:
        """The API as a person, with the tokens in `store`."""
        return Linnet(self._server, self._source(store))

    def begin_sign_in(
        self, *, redirect_uri: str, scope: str, parameters: Mapping[str, str] | None = None
    ) -> SignInAttempt:
        """Begins a sign-in (authorization code with PKCE).

        Send the browser to `url` of the result, and keep the result.

        Args:
            redirect_uri: One of the application's redirect URIs.
            scope: Requested scopes, separated by spaces. With `openid` you also get an ID token.
            parameters: Further parameters of the authorization request, such as `prompt` or `login_hint`.
        """
        state, nonce, verifier = random_text(), random_text(), random_text()
        request = {
            **(parameters or {}),
            "response_type": "code",
            "redirect_uri": redirect_uri,
            "scope": scope,
            "state": state,
            "nonce": nonce,
            "code_challenge": challenge_of(verifier),
            "code_challenge_method": "S256",
        }
        url = self._oauth.page_url("authorization_endpoint", request)
        return SignInAttempt(url, state, nonce, verifier, redirect_uri, scope)

    def finish_sign_in(self, callback: str, attempt: SignInAttempt, store: TokenStore | None = None) -> Tokens:
        """Finishes the sign-in, and saves the tokens in `store` if you give one.

        Raises `AuthorizationError`: `access_denied` when the person declined, `invalid_answer` when the callback does
        not belong to the attempt.

        Args:
            callback: The address to which the browser was redirected, or its path and query.
            attempt: What `begin_sign_in()` returned for the session of this browser.
            store: Where to save the tokens.
        """
        code = read_callback(callback, issuer=self._server.issuer, state=attempt.state)
        form = {"code": code, "redirect_uri": attempt.redirect_uri, "code_verifier": attempt.verifier}
        tokens = self._oauth.code(form, partial(self._read_response, attempt))
        return self._keep(tokens, store)

    def begin_device(self, *, scope: str) -> DeviceAttempt:
        """Begins the sign-in of a device without a browser. Show `user_code` and `verification_uri` of the result."""
        response = self._oauth.device_code(scope)
        return DeviceAttempt(
            response["user_code"],
            response["verification_uri"],
            response["verification_uri_complete"],
            time.time() + float(response["expires_in"]),
            response["device_code"],
            float(response.get("interval", 5)),
        )

    def finish_device(self, attempt: DeviceAttempt, store: TokenStore | None = None) -> Tokens:
        """Waits until the person has decided, and saves the tokens in `store` if you give one.

        Raises `AuthorizationError`: `access_denied` when the person declined, `expired_token` when nobody decided in
        time.
        """
        interval = attempt.interval
        while True:
            try:
                return self._keep(self._oauth.device_token(attempt.device_code), store)
            except AuthorizationError as error:
                if error.code == "slow_down":
                    interval += 5
                elif error.code != "authorization_pending":
                    raise
            time.sleep(interval)

    def sign_out(self, store: TokenStore) -> None:
        """Removes the tokens from `store` and revokes them."""
        tokens = self._source(store).replace(store, None)
        if tokens is not None:
            self._oauth.revoke(tokens.refresh_token or tokens.access_token)

    def end_session_url(self, *, id_token: str | None = None, post_logout_redirect_uri: str | None = None) -> str:
        """The page on which people end their session at the service itself. Send the browser to it after `sign_out()`.

        Args:
            id_token: The ID token of the person, if you have one.
            post_logout_redirect_uri: Where the browser returns to: one of the application's post-logout redirect URIs.
        """
        given = {"id_token_hint": id_token, "post_logout_redirect_uri": post_logout_redirect_uri}
        parameters = {name: value for name, value in given.items() if value is not None}
        return self._oauth.page_url("end_session_endpoint", parameters)

    def _read_response(self, attempt: SignInAttempt, response: Mapping[str, Any]) -> Tokens:
        tokens = to_tokens(response)
        if "openid" in attempt.scope.split() or tokens.id_token is not None:
            expected = {"issuer": self._server.issuer, "client_id": self._oauth.client_id, "nonce": attempt.nonce}
            check_id_token(tokens.id_token or "", **expected)
        if response.get("nonce") != attempt.nonce:
            raise AuthorizationError("invalid_answer", "the nonce of the response is wrong")
        return tokens

    def _keep(self, tokens: Tokens, store: TokenStore | None) -> Tokens:
        if store is not None:
            self._source(store).replace(store, tokens)
        return tokens

    def _source(self, store: TokenStore) -> PersonTokens:
        with self._lock:
            source = self._sources.get(id(store))
            if source is None:
                source = PersonTokens(store, self._oauth.refresh)
                self._sources[id(store)] = source
            return source
