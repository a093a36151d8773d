"""The API with the tokens of somebody."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Callable
from urllib.request import OpenerDirector

from ._api import Api
from ._http import Server, server_of
from ._oauth import OAuth
from ._tokens import ApplicationTokens, TokenSource
from .calls import Calls
from .events import Event, StreamName, listen


class _GivenTokens:
    def __init__(self, token: str | Callable[[str | None], str]) -> None:
        self._token = token

    def get(self, refused: str | None = None) -> str:
        return self._token if isinstance(self._token, str) else self._token(refused)


class Linnet(Calls):
    """Every call of the API, by noun and verb: `linnet.posts.create("Hello")`. Threads can share it.

    Create it with `Linnet.application()`, `Linnet.with_token()` or `Application.as_person()`.
    """

    def __init__(self, server: Server, tokens: TokenSource) -> None:
        super().__init__(Api(server, tokens))
        self._server = server
        self._tokens = tokens

    @classmethod
    def application(
        cls,
        issuer: str,
        client_id: str,
        client_secret: str,
        *,
        scope: str | None = None,
        time_limit: float = 60,
        tries: int = 5,
        opener: OpenerDirector | None = None,
    ) -> Linnet:
        """The API as an application itself (client credentials). Requests tokens, and renews them.

        Args:
            issuer: The public origin of the service, such as `https://linnet.example`.
            client_id: The client ID of the application.
            client_secret: Its client secret. Read it from the environment or a file, not from your code.
            scope: Scopes, separated by spaces. All that are registered if it is absent.
            time_limit: Seconds for a call and all its retries.
            tries: Maximum number of tries of a call. 1 turns retries off.
            opener: Sends the requests, for example through a proxy.
        """
        server = server_of(issuer, time_limit, tries, opener)
        oauth = OAuth(server, client_id, client_secret)
        return cls(server, ApplicationTokens(lambda: oauth.client_credentials(scope)))

    @classmethod
    def with_token(
        cls,
        issuer: str,
        token: str | Callable[[str | None], str],
        *,
        time_limit: float = 60,
        tries: int = 5,
        opener: OpenerDirector | None = None,
    ) -> Linnet:
        """The API with an access token that you already have.

        Args:
            issuer: The public origin of the service, such as `https://linnet.example`.
            token: An access token, or a function that returns one. The function is called with a token that the API
                rejected, or `None`.
            time_limit: Seconds for a call and all its retries.
            tries: Maximum number of tries of a call. 1 turns retries off.
            opener: Sends the requests, for example through a proxy.
        """
        return cls(server_of(issuer, time_limit, tries, opener), _GivenTokens(token))

    def events(
        self, *, streams: Sequence[StreamName] | None = None, last_event_id: str | None = None
    ) -> Generator[Event, None, None]:
        """What happens, as it happens. Connects again after interruptions, without losing events of a day.

        It raises what does not pass, such as `InsufficientScope` or `SignInRequired`.

        Args:
            streams: `feed`, `notifications` and `posts`; all if it is absent.
            last_event_id: The id of the last event that you have seen: first comes what happened since, within a day.
        """
        return listen(self._server, self._tokens, streams, last_event_id)
