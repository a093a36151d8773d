"""Verifies what a webhook sends (https://www.standardwebhooks.com)."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import re
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from .errors import WebhookRefused
from .events import EventData, parse_time

_PREFIX = "whsec_"


class Headers(Protocol):
    """The headers of a request in any framework: a dictionary, or an object with the same method."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Names and values."""
        ...


@dataclass(frozen=True)
class WebhookMessage:
    """What happened. It has ids only: read the objects with the token of the person."""

    id: str
    """The same in every attempt to deliver it. Remember it for a day and ignore what has arrived already."""
    type: str
    """Such as `mention.created`."""
    timestamp: datetime
    data: EventData
    """`user_id` is the person who authorized the application, because of whom it was sent."""


def verify_webhook(headers: Headers, body: bytes | str, secret: str, *, tolerance: float = 300) -> WebhookMessage:
    """Returns the message of a webhook. Raises `WebhookRefused` if it is not from the service.

    Args:
        headers: Of the request.
        body: As received: a parsed and rewritten body has another signature.
        secret: `whsec_…`
        tolerance: Seconds that the clocks may differ and the message may have travelled.
    """
    found = {name.lower(): value for name, value in headers.items()}
    message_id, timestamp, signatures = (
        _header(found, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    content = body.encode() if isinstance(body, str) else body
    if not re.fullmatch(r"[0-9]{1,12}", timestamp) or abs(time.time() - int(timestamp)) > tolerance:
        raise WebhookRefused("the timestamp is missing or too far from now")
    signed = f"{message_id}.{timestamp}.".encode() + content
    expected = hmac.new(_key_of(secret), signed, hashlib.sha256).digest()
    valid = f"v1,{base64.b64encode(expected).decode()}".encode()
    # Compares all of them, so that the time says nothing about them.
    if not any([hmac.compare_digest(valid, one.encode()) for one in signatures.split(" ")]):
        raise WebhookRefused("no signature is by the secret")
    message: Any = json.loads(content)
    return WebhookMessage(message_id, message["type"], parse_time(message["timestamp"]), message["data"])


def sign_webhook(message_id: str, body: str, secret: str) -> dict[str, str]:
    """The headers with which the service would send a message now."""
    timestamp = str(int(time.time()))
    signed = f"{message_id}.{timestamp}.{body}".encode()
    signature = base64.b64encode(hmac.new(_key_of(secret), signed, hashlib.sha256).digest()).decode()
    return {
        "Content-Type": "application/json",
        "Webhook-Id": message_id,
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": f"v1,{signature}",
    }


def _header(headers: dict[str, str], name: str) -> str:
    value = headers.get(name)
    if not isinstance(value, str):
        raise WebhookRefused(f"the header {name} is missing")
    return value


def _key_of(secret: str) -> bytes:
    if not secret.startswith(_PREFIX):
        raise ValueError(f"the secret of a webhook begins with {_PREFIX}")
    return base64.b64decode(secret[len(_PREFIX) :], validate=True)
