"""A service that gives prepared answers, for what a real one does not do on request."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Callable

Answer = Callable[["Handler"], None]


class Handler(BaseHTTPRequestHandler):
    """Notes a request, and gives the next answer; the last one is given again and again."""

    body: bytes

    def do_GET(self) -> None:
        service: Service = self.server  # type: ignore[assignment]
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with service.lock:
            service.requests.append(self)
            answer = service.answers.pop(0) if len(service.answers) > 1 else service.answers[0]
        answer(self)

    do_POST = do_GET

    def respond(self, status: int, content: object, headers: Mapping[str, str] | None = None) -> None:
        text = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(text)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: Any) -> None:
        pass


class Service(ThreadingHTTPServer):
    """Runs while a `with` block does."""

    daemon_threads = True

    def __init__(self, *answers: Answer, address: tuple[str, int] = ("127.0.0.1", 0)) -> None:
        super().__init__(address, Handler)
        self.answers = list(answers)
        self.requests: list[Handler] = []
        self.lock = threading.Lock()
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def header(self, name: str) -> list[str | None]:
        """The values of a header in all requests."""
        return [request.headers.get(name) for request in self.requests]

    def __enter__(self) -> Service:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.shutdown()
        self.server_close()


def says(status: int, content: object, headers: Mapping[str, str] | None = None) -> Answer:
    return lambda handler: handler.respond(status, content, headers)


def problem(status: int, code: str, headers: Mapping[str, str] | None = None, **more: object) -> Answer:
    return says(status, {"code": code, "title": "A title", "detail": "A detail", **more}, headers)


def hangs_up(handler: Handler) -> None:
    """Reads a request and does not respond."""
    handler.close_connection = True
