"""Provides access tokens and refreshes them shortly before they expire, once for all threads."""

from __future__ import annotations

import contextlib
import threading
import time
from concurrent.futures import Future
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any, Callable, Generic, Protocol, TypeVar

from .errors import AuthorizationError, LinnetError, SignInRequired, TransportError
from .tokens import Tokens, TokenStore

Result = TypeVar("Result")

_MARGIN = 60.0
"""Tokens are refreshed this many seconds before they expire."""


class TokenSource(Protocol):
    """Provides access tokens."""

    def get(self, refused: str | None = None) -> str:
        """A token. `refused` is one that the API just rejected, so another one is needed."""
        ...


class SharedWork(Generic[Result]):
    """Runs work once for all threads that ask for it while it runs: all of them get its result, or its error."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: Future[Result] | None = None

    def run(self, work: Callable[[], Result]) -> Result:
        """Runs `work`, or waits for the thread that does."""
        with self._lock:
            running = self._running
            mine: Future[Result] = Future()
            if running is None:
                self._running = mine
        if running is not None:
            return running.result()
        try:
            result = work()
        except BaseException as error:
            self._end(mine)
            # What interrupts one thread, such as KeyboardInterrupt, must not interrupt the others.
            interrupted = TransportError("no-answer", "the request was interrupted")
            mine.set_exception(error if isinstance(error, Exception) else interrupted)
            raise
        self._end(mine)
        mine.set_result(result)
        return result

    def _end(self, mine: Future[Result]) -> None:
        with self._lock:
            if self._running is mine:
                self._running = None


def _is_fresh(tokens: Tokens, refused: str | None, margin: float = _MARGIN) -> bool:
    return tokens.access_token != refused and tokens.expires_at - time.time() > margin


class _RefreshingTokens:
    """Loads tokens, and refreshes them when they are about to expire or were refused."""

    def __init__(self, load: Callable[[], Tokens | None], refresh: Callable[[str | None], Tokens]) -> None:
        self._load = load
        self._refresh = refresh
        self._refreshing: SharedWork[Tokens] = SharedWork()

    def get(self, refused: str | None = None) -> str:
        """A token that is not about to expire."""
        tokens = self._load()
        if tokens is not None and _is_fresh(tokens, refused):
            return tokens.access_token
        try:
            return self._refreshing.run(lambda: self._refresh(refused)).access_token
        except AuthorizationError:
            raise
        except LinnetError:
            # A token that has not expired yet still works during an outage.
            if tokens is not None and _is_fresh(tokens, refused, margin=0):
                return tokens.access_token
            raise


class ApplicationTokens(_RefreshingTokens):
    """Tokens of the application itself; `request` gets them with client credentials."""

    def __init__(self, request: Callable[[], Tokens]) -> None:
        self._request = request
        self._tokens: Tokens | None = None
        super().__init__(lambda: self._tokens, self._request_tokens)

    def _request_tokens(self, refused: str | None) -> Tokens:
        # Another thread may have got them while this one came here.
        if self._tokens is None or not _is_fresh(self._tokens, refused):
            self._tokens = self._request()
        return self._tokens


class PersonTokens(_RefreshingTokens):
    """Tokens of a person; `exchange` turns a refresh token into tokens, and may be repeated."""

    def __init__(self, store: TokenStore, exchange: Callable[[str], Tokens]) -> None:
        self._exchange = exchange
        self._lock = threading.Lock()
        super().__init__(store.load, lambda refused: self._refresh_stored(store, refused))

    def replace(self, store: TokenStore, tokens: Tokens | None) -> Tokens | None:
        """Saves other tokens, never during a refresh, which would overwrite them. Returns the previous ones."""
        with self._lock, _lock_of(store):
            previous = store.load()
            store.save(tokens)
            return previous

    def _refresh_stored(self, store: TokenStore, refused: str | None) -> Tokens:
        with self._lock, _lock_of(store):
            tokens = store.load()
            if tokens is None:
                raise SignInRequired("login_required", "nobody is signed in")
            # Another thread or process refreshed them first.
            if _is_fresh(tokens, refused):
                return tokens
            if tokens.refresh_token is None:
                raise _end(store)
            try:
                following = self._exchange(tokens.refresh_token)
            except AuthorizationError as error:
                if error.code != "invalid_grant":
                    raise
                current = store.load()
                is_other = current is not None and current.refresh_token != tokens.refresh_token
                if current is not None and is_other and _is_fresh(current, refused):
                    return current
                raise _end(store) from error
            if following.refresh_token is None:
                following = replace(following, refresh_token=tokens.refresh_token)
            # Save before use: once the successor is used, the service revokes its predecessor.
            store.save(following)
            return following


def _end(store: TokenStore) -> SignInRequired:
    store.save(None)
    return SignInRequired("invalid_grant", "the tokens are no longer valid: the person must sign in again")


def _lock_of(store: TokenStore) -> AbstractContextManager[Any]:
    lock: Callable[[], AbstractContextManager[Any]] | None = getattr(store, "lock", None)
    return contextlib.nullcontext() if lock is None else lock()
