"""Repeats work after temporary failures."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Callable, TypeVar

from ._http import Server
from .errors import LinnetError, TransportError

Result = TypeVar("Result")

_FIRST_WAIT = 0.2
_LONGEST_WAIT = 8.0
_TEMPORARY = (429, 502, 503, 504)


@dataclass(frozen=True)
class Limits:
    """Time limits in seconds, and the number of tries."""

    time_limit: float
    """For all tries and waits together."""
    try_limit: float
    """For a single try."""
    tries: int


def limits_of(server: Server, time_limit: float | None = None) -> Limits:
    """The limits of a call; `time_limit` is one for this call alone."""
    limit = server.time_limit if time_limit is None else time_limit
    return Limits(limit, min(20.0, limit), server.tries)


def with_retries(work: Callable[[float], Result], limits: Limits) -> Result:
    """Runs `work` with a time limit, and again after temporary failures: no response, too many requests, an outage.

    Waits as long as the service asks, otherwise with exponential backoff and jitter. Gives up if the wait would exceed
    the time limit.
    """
    deadline = time.monotonic() + limits.time_limit
    tried = 0
    while True:
        tried += 1
        try:
            return work(min(limits.try_limit, deadline - time.monotonic()))
        except LinnetError as error:
            if tried >= limits.tries or not is_temporary(error):
                raise
            wait = _wait_before(error, tried)
            if time.monotonic() + wait >= deadline:
                raise
        time.sleep(wait)


def is_temporary(error: LinnetError) -> bool:
    """Whether the same request may succeed later."""
    if isinstance(error, TransportError):
        return True
    return error.status in _TEMPORARY or error.code == "idempotency-in-progress"


def _wait_before(error: LinnetError, tried: int) -> float:
    if error.retry_after is not None:
        # Slightly longer than requested, so that clients do not return all at the same moment.
        return error.retry_after + random.uniform(0, _FIRST_WAIT)
    return backoff(_FIRST_WAIT, _LONGEST_WAIT, tried)


def backoff(first: float, longest: float, tried: int) -> float:
    """Seconds to wait: twice as long after each try, and a random part of it less."""
    limit = min(longest, first * 2.0 ** min(tried, 30))
    return random.uniform(limit / 2, limit)
