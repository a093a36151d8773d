"""A typed client for Linnet: sign-in, tokens that renew themselves, every call of the API."""

from . import calls, problems
from .application import Application, DeviceAttempt, SignInAttempt
from .client import Linnet
from .errors import (
    ApiError,
    AuthorizationError,
    LinnetError,
    ParameterProblem,
    SignInRequired,
    TransportError,
    WebhookRefused,
)
from .events import Event, EventData, StreamName
from .paginated_list import PaginatedList
from .tokens import FileStore, MemoryStore, Tokens, TokenStore
from .upload import Upload
from .webhook import WebhookMessage, verify_webhook

__all__ = [
    "ApiError",
    "Application",
    "AuthorizationError",
    "DeviceAttempt",
    "Event",
    "EventData",
    "FileStore",
    "Linnet",
    "LinnetError",
    "MemoryStore",
    "PaginatedList",
    "ParameterProblem",
    "SignInAttempt",
    "SignInRequired",
    "StreamName",
    "TokenStore",
    "Tokens",
    "TransportError",
    "Upload",
    "WebhookMessage",
    "WebhookRefused",
    "calls",
    "problems",
    "verify_webhook",
]
