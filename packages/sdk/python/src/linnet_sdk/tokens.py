"""Tokens, and where they are kept."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Protocol

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Tokens:
    """What a person's sign-in returns. Plain data: `dataclasses.asdict(tokens)` and `Tokens(**data)` convert it."""

    access_token: str = field(repr=False)
    expires_at: float
    """Seconds since 1970, by the clock of this machine."""
    scope: str
    """Granted scopes, separated by spaces."""
    refresh_token: str | None = field(default=None, repr=False)
    id_token: str | None = field(default=None, repr=False)
    """With the scope `openid`: who signed in, when and how."""


class TokenStore(Protocol):
    """Stores the tokens of a person, for example in your database.

    Threads may call it at the same time. If several processes share the store, give it a method `lock()`, too, which
    returns a context manager: only the process that holds the lock refreshes.
    """

    def load(self) -> Tokens | None:
        """The tokens that were saved last."""

    def save(self, tokens: Tokens | None) -> None:
        """Replaces the tokens at once; `None` removes them."""


class MemoryStore:
    """Keeps tokens in memory."""

    def __init__(self, tokens: Tokens | None = None) -> None:
        self._tokens = tokens

    def load(self) -> Tokens | None:
        """The tokens that were saved last."""
        return self._tokens

    def save(self, tokens: Tokens | None) -> None:
        """Replaces the tokens."""
        self._tokens = tokens


class FileStore:
    """Keeps tokens in a file that only its owner may read, for programs on a person's machine.

    Processes that share the file refresh one at a time. On Windows they do not; they rely on the service, which accepts
    a refresh token again within ten seconds.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._threads = threading.Lock()

    def load(self) -> Tokens | None:
        """The tokens in the file."""
        try:
            return Tokens(**json.loads(self._path.read_text(encoding="utf-8")))
        except FileNotFoundError:
            return None

    def save(self, tokens: Tokens | None) -> None:
        """Replaces the file at once, so that it is complete even if the program stops here."""
        if tokens is None:
            with contextlib.suppress(FileNotFoundError):
                self._path.unlink()
            return
        # Created with mode 0600.
        descriptor, draft = tempfile.mkstemp(prefix=f".{self._path.name}-", dir=self._path.parent)
        try:
            with open(descriptor, "w", encoding="utf-8") as file:
                json.dump(asdict(tokens), file)
            os.replace(draft, self._path)
        except BaseException:
            os.unlink(draft)
            raise

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Held by one thread of one process."""
        with self._threads:
            if fcntl is None:
                yield
                return
            with open(self._path.with_name(f"{self._path.name}.lock"), "a", encoding="utf-8") as file:
                fcntl.flock(file, fcntl.LOCK_EX)  # released when the file is closed
                yield
