"""How calls are sent, repeated and refused."""

from __future__ import annotations

import io
import json
import socket
import time
import unittest
from email.utils import formatdate
from unittest import mock

from service import Handler, Service, hangs_up, problem, says

from linnet_sdk import ApiError, Application, AuthorizationError, Linnet, TransportError, problems

POST = {"status": "succeeded", "items": {"id": 7}}
NOW = {"Retry-After": "0"}


class Requests(unittest.TestCase):
    def test_sends_parameters_as_the_contract_says(self) -> None:
        with Service(says(200, POST)) as service:
            linnet = Linnet.with_token(service.origin, "token")
            linnet.posts.create(message="é", attachments=(1, 2), sensitive=True)
            linnet.posts.lookup(id=[1, 2])
            linnet.likes.add(item_id=7)
            self.assertEqual(linnet.posts.show("7")["id"], 7)
            linnet.comments.create(7, "Yes")
            created, looked_up, liked, shown, commented = service.requests
        self.assertEqual(created.headers["Content-Type"], "application/json")
        self.assertEqual(json.loads(created.body), {"message": "é", "attachments": [1, 2], "sensitive": True})
        self.assertEqual(looked_up.path, "/api/v2.0/post/lookup?id=1%2C2")
        self.assertEqual(json.loads(liked.body), {"type": "post", "item_id": 7})
        self.assertEqual(shown.path, "/api/v2.0/post/show?id=7")
        self.assertEqual(json.loads(commented.body), {"type": "post", "item_id": 7, "text": "Yes"})
        self.assertEqual({request.headers["Authorization"] for request in service.requests}, {"Bearer token"})
        self.assertIsNone(looked_up.headers["Idempotency-Key"])

    def test_sends_files_as_a_form(self) -> None:
        with Service(says(200, {})) as service:
            linnet = Linnet.with_token(service.origin, "token")
            linnet.media.upload(media=io.BytesIO(b"\x89PNG"), alt="ü")
            linnet.media.upload(media="https://example.org/a.png")
            with self.assertRaisesRegex(TypeError, "binary"):
                linnet.media.upload(media=io.StringIO("text"))  # type: ignore[arg-type]
            form, address = service.requests
        self.assertRegex(form.headers["Content-Type"], "^multipart/form-data; boundary=")
        self.assertIn(b'name="media"; filename="media"', form.body)
        self.assertIn(b"\r\n\r\n\x89PNG\r\n--", form.body)
        self.assertIn('name="alt"\r\n\r\nü\r\n'.encode(), form.body)
        self.assertEqual(json.loads(address.body), {"media": "https://example.org/a.png"})

    def test_repeats_a_write_with_the_same_key(self) -> None:
        answers = [hangs_up, problem(503, "unavailable", NOW), problem(409, "idempotency-in-progress", NOW)]
        with Service(*answers, says(200, POST)) as service:
            linnet = Linnet.with_token(service.origin, "token")
            self.assertEqual(linnet.posts.create("once")["id"], 7)
            keys = service.header("Idempotency-Key")
            linnet.posts.create(message="again", idempotency_key="mine")
            self.assertEqual(len(keys), 4)
            self.assertEqual(len(set(keys)), 1)
            self.assertRegex(keys[0] or "", "^[0-9a-f-]{36}$")
            self.assertEqual(service.header("Idempotency-Key")[4:], ["mine"])

    def test_waits_as_long_as_the_service_asks(self) -> None:
        waits: list[float] = []
        date = {"Retry-After": formatdate(time.time() + 5, usegmt=True)}
        answers = [problem(429, "rate-limited", {"Retry-After": "3"}), problem(503, "unavailable", date)]
        with Service(*answers, says(502, b"<html>"), says(200, {})) as service, mock.patch("time.sleep", waits.append):
            Linnet.with_token(service.origin, "token").users.show()
        self.assertTrue(3 <= waits[0] <= 3.2 and 3 <= waits[1] <= 5.2 and waits[2] <= 1.6, waits)

    def test_gives_up_if_the_wait_exceeds_the_limit(self) -> None:
        with Service(problem(429, "rate-limited", {"Retry-After": "90"})) as service:
            with self.assertRaises(problems.RateLimited) as caught:
                Linnet.with_token(service.origin, "token").users.show()
            with self.assertRaises(problems.RateLimited):
                Linnet.with_token(service.origin, "token", tries=1).users.show(time_limit=100)
        self.assertEqual([caught.exception.retry_after, len(service.requests)], [90, 2])

    def test_tells_what_is_wrong(self) -> None:
        errors = [{"parameter": "message", "code": "missing", "detail": "is required"}]
        answers = [problem(400, "invalid-parameter", errors=errors, request_id="r1"), problem(418, "from-the-future")]
        with Service(
            *answers, says(500, b"<html>"), says(200, b"<html>"), says(302, {}, {"Location": "/x"})
        ) as service:
            linnet = Linnet.with_token(service.origin, "token")
            with self.assertRaises(problems.InvalidParameter) as caught:
                linnet.posts.create(message="")
            unexpected = []
            for _ in range(4):
                with self.assertRaises(ApiError) as other:
                    linnet.users.show()
                unexpected.append((type(other.exception), other.exception.code, other.exception.status))
        error = caught.exception
        self.assertEqual((error.code, error.title, error.detail), ("invalid-parameter", "A title", "A detail"))
        self.assertEqual((error.errors, error.request_id, error.status), (errors, "r1", 400))
        self.assertEqual(str(error), "invalid-parameter: A detail")
        none = "unexpected-answer"
        codes = [
            (ApiError, "from-the-future", 418),
            (ApiError, none, 500),
            (ApiError, none, 200),
            (ApiError, none, 302),
        ]
        self.assertEqual(unexpected, codes)

    def test_gets_another_token_once(self) -> None:
        with Service(problem(401, "invalid_token"), says(200, {}), problem(401, "invalid_token")) as service:
            asked: list[str | None] = []

            def token(refused: str | None) -> str:
                asked.append(refused)
                return f"token-{len(asked)}"

            linnet = Linnet.with_token(service.origin, token)
            linnet.users.show()
            with self.assertRaises(problems.InvalidToken):
                linnet.users.show()
            self.assertEqual(asked, [None, "token-1", None, "token-3"])
            self.assertEqual(service.header("Authorization"), [f"Bearer token-{number}" for number in (1, 2, 3, 4)])

    def test_names_a_service_that_is_unreachable_or_slow(self) -> None:
        def cuts_off(handler: Handler) -> None:
            handler.respond(200, b"{", {"Content-Length": "100"})

        with socket.socket() as silent, Service(cuts_off) as service:
            silent.bind(("127.0.0.1", 0))
            silent.listen()
            closed = socket.socket()
            closed.bind(("127.0.0.1", 0))
            ports = {"no-answer": closed.getsockname()[1], "timed-out": silent.getsockname()[1]}
            closed.close()
            origins = {code: f"http://127.0.0.1:{port}" for code, port in ports.items()}
            for code, origin in [*origins.items(), ("no-answer", service.origin)]:
                limit = 0.2 if code == "timed-out" else 60
                with self.subTest(code), self.assertRaises(TransportError) as caught:
                    Linnet.with_token(origin, "token", tries=1, time_limit=limit).users.show()
                self.assertEqual(caught.exception.code, code)
        for issuer in ("localhost:3000", "ftp://localhost", ""):
            with self.assertRaisesRegex(ValueError, "issuer"):
                Linnet.with_token(issuer, "token")

    def test_a_device_waits_for_the_person(self) -> None:
        waits: list[float] = []
        names = ("token_endpoint", "device_authorization_endpoint")

        def metadata(handler: Handler) -> None:
            endpoints = {name: f"{service.origin}/{name}" for name in names}
            handler.respond(200, {"issuer": service.origin, **endpoints})

        urls = {"verification_uri": "https://x/", "verification_uri_complete": "https://x/?c"}
        code = {"user_code": "A", "device_code": "secret", "expires_in": 600, "interval": 3, **urls}
        tokens = {"access_token": "a", "token_type": "bearer", "scope": "users", "expires_in": 60}
        errors = [
            says(400, {"error": error}) for error in ("authorization_pending", "slow_down", "authorization_pending")
        ]
        refused = says(400, {"error": "access_denied"})
        with Service(metadata, says(200, code), *errors, says(200, tokens), refused) as service:
            application = Application(service.origin, "app")
            attempt = application.begin_device(scope="users")
            with mock.patch("time.sleep", waits.append):
                self.assertEqual(application.finish_device(attempt).access_token, "a")
                self.assertRaisesRegex(AuthorizationError, "access_denied", application.finish_device, attempt)
            self.assertEqual(waits, [3, 8, 8])
            self.assertIn(b"client_id=app", service.requests[1].body)

    def test_reads_lists_page_by_page(self) -> None:
        pages = [{"items": [1, 2], "next": "c1"}, {"items": [3]}]
        with Service(*(says(200, page) for page in pages * 2), says(200, pages[1])) as service:
            linnet = Linnet.with_token(service.origin, "token")
            self.assertEqual(list(linnet.feed.list(count=2)), [1, 2, 3])
            self.assertEqual(list(linnet.feed.list().pages()), pages)
            self.assertEqual(linnet.feed.list(cursor="mine").first_page(), pages[1])
            paths = [request.path.partition("?")[2] for request in service.requests]
        self.assertEqual(paths, ["count=2", "count=2&cursor=c1", "", "cursor=c1", "cursor=mine"])
