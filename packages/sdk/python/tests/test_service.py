"""Calls of a real service, as `pnpm test` starts it: the environment has its address and an application.

The runner opens the addresses that it prints, and enters the address to which the browser returned.
"""

from __future__ import annotations

import io
import os
import struct
import tempfile
import threading
import time
import unittest
import urllib.request
import uuid
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from service import Handler, Service, says

from linnet_sdk import (
    Application,
    AuthorizationError,
    Linnet,
    MemoryStore,
    SignInRequired,
    Tokens,
    problems,
)

ISSUER = os.environ.get("LINNET_ISSUER", "")
CREDENTIALS = (ISSUER, os.environ.get("CLIENT_ID", ""), os.environ.get("CLIENT_SECRET", ""))


def picture() -> bytes:
    """A PNG with one pixel."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b"")


def opens(address: str) -> str:
    """Opens an address as the person. Returns where that led."""
    print(f"Open {address}", flush=True)
    return input()


class CountingStore(MemoryStore):
    """Counts what is saved."""

    def __init__(self, tokens: Tokens | None = None) -> None:
        super().__init__(tokens)
        self.saved: list[Tokens | None] = []

    def save(self, tokens: Tokens | None) -> None:
        super().save(tokens)
        self.saved.append(tokens)


@unittest.skipUnless(ISSUER, "LINNET_ISSUER is not set")
class ApplicationItself(unittest.TestCase):
    def setUp(self) -> None:
        self.linnet = Linnet.application(*CREDENTIALS)

    def test_posts_and_reads_lists_by_pages(self) -> None:
        me = self.linnet.users.show()
        ids = [self.linnet.posts.create(f"Post {number}")["id"] for number in range(5)]
        pages = list(self.linnet.posts.list(user_id=me["id"], count=2).pages())
        self.assertGreater(len(pages), 2)
        self.assertEqual(pages[0]["count"], 2)
        listed = [post["id"] for post in self.linnet.posts.list(user_id=me["id"], count=2)]
        self.assertEqual(listed[:5], ids[::-1])
        self.assertEqual(self.linnet.posts.show(str(ids[0]))["text"], "Post 0")
        self.assertEqual(self.linnet.posts.delete(id=ids[0])["status"], "succeeded")
        with self.assertRaises(problems.NotFound):
            self.linnet.posts.show(id=ids[0])

    def test_uploads_a_file_an_open_file_and_an_address(self) -> None:
        host, port = os.environ["IMAGE_HOST"].split(":")
        image = says(200, picture(), {"Content-Type": "image/png"})
        with tempfile.TemporaryDirectory() as folder, Service(image, address=(host, int(port))) as images:
            path = Path(folder, "picture.png")
            path.write_bytes(picture())
            files = [path, io.BytesIO(picture()), f"{images.origin}/picture.png"]
            uploads = [self.linnet.media.upload(media=file, alt="A pixel") for file in files]
        ids = [upload["media_id"] for upload in uploads]
        post = self.linnet.posts.create("Pictures", attachments=ids)
        self.assertEqual([picture["id"] for picture in post["attachments"]], ids)
        self.assertEqual({picture["alt"] for picture in post["attachments"]}, {"A pixel"})

    def test_problems_say_what_is_wrong(self) -> None:
        with self.assertRaises(problems.InvalidParameter) as caught:
            self.linnet.posts.create(message="")
        error = caught.exception
        self.assertEqual((error.status, error.errors[0]["parameter"]), (400, "message"))
        self.assertRegex(error.request_id or "", "^[0-9a-f-]{36}$")
        self.assertTrue(error.title and error.detail)
        with self.assertRaises(AuthorizationError) as refused:
            Linnet.application(ISSUER, CREDENTIALS[1], "wrong").users.show()
        self.assertEqual(refused.exception.code, "invalid_client")
        with self.assertRaises(problems.InsufficientScope) as lacking:
            Linnet.application(*CREDENTIALS, scope="users:read").posts.create(message="x")
        self.assertEqual(lacking.exception.scope, "posts")

    def test_a_write_whose_response_was_lost_takes_effect_once(self) -> None:
        keys: list[str] = []
        text = f"Only once {uuid.uuid4()}"

        def loses_the_first_response(handler: Handler) -> None:
            headers = {name: value for name, value in handler.headers.items() if name != "Host"}
            request = urllib.request.Request(ISSUER + handler.path, data=handler.body, headers=headers)
            with urllib.request.urlopen(request) as response:
                body, replayed = response.read(), response.headers["Idempotency-Replayed"]
            keys.append(handler.headers["Idempotency-Key"])
            if len(keys) == 1:
                handler.close_connection = True
            else:
                handler.respond(200, body, {"X-Replayed": str(replayed)})

        token = self.linnet._tokens.get()
        with Service(loses_the_first_response) as proxy:
            Linnet.with_token(proxy.origin, token).posts.create(message=text)
        self.assertEqual((len(keys), len(set(keys))), (2, 1))
        me = self.linnet.users.show()
        texts = [post["text"] for post in self.linnet.posts.list(user_id=me["id"])]
        self.assertEqual(texts.count(text), 1)

    def test_events_arrive_and_continue(self) -> None:
        done = threading.Event()

        def post() -> None:
            while not done.wait(0.2):
                self.linnet.posts.create(message="Something new")

        thread = threading.Thread(target=post)
        thread.start()
        try:
            event = next(self.linnet.events(streams=["posts"]))
        finally:
            done.set()
            thread.join()
        self.assertEqual((event.type, event.streams), ("post.created", ["posts"]))
        last = self.linnet.posts.create("While nobody listens")["id"]
        for missed in self.linnet.events(streams=["posts"], last_event_id=event.id):
            self.assertNotEqual(missed.id, event.id)
            if missed.data.get("post_id") == last:
                break


@unittest.skipUnless(ISSUER, "LINNET_ISSUER is not set")
class People(unittest.TestCase):
    """One person signs in for all of it."""

    application: Application
    tokens: Tokens

    @classmethod
    def setUpClass(cls) -> None:
        cls.application = Application(*CREDENTIALS)
        redirect_uri = os.environ["REDIRECT_URI"]
        attempt = cls.application.begin_sign_in(redirect_uri=redirect_uri, scope="openid users posts")
        callback = opens(attempt.url)
        for forged in (replace(attempt, state="x"), replace(attempt, verifier="x" * 43)):
            try:
                cls.application.finish_sign_in(callback, forged)
            except AuthorizationError as error:
                assert error.code in ("invalid_answer", "invalid_grant"), error.code
            else:
                raise AssertionError("a forged attempt was accepted")
        attempt = cls.application.begin_sign_in(redirect_uri=redirect_uri, scope="openid users posts")
        cls.tokens = cls.application.finish_sign_in(opens(attempt.url), attempt)

    def test_threads_refresh_once_and_the_successor_works(self) -> None:
        store = CountingStore(replace(self.tokens, expires_at=0))
        person = self.application.as_person(store)
        # Another client with the same store shares the refresh.
        people = [person, self.application.as_person(store)] * 4
        with ThreadPoolExecutor(8) as pool:
            names = set(pool.map(lambda one: one.users.show()["username"], people))
        self.assertEqual((len(names), len(store.saved)), (1, 1))
        refreshed = store.load()
        assert refreshed is not None
        self.assertNotEqual(refreshed.refresh_token, self.tokens.refresh_token)
        self.assertIn("posts", refreshed.scope)
        person.posts.create(message="As a person")

        self.application.sign_out(store)
        self.assertIsNone(store.load())
        with self.assertRaises(SignInRequired):
            person.users.show()
        # Every server knows it within a second.
        with self.assertRaises(problems.InvalidToken):
            for _ in range(100):
                Linnet.with_token(ISSUER, refreshed.access_token).users.show()
                time.sleep(0.05)
        ended = CountingStore(replace(refreshed, expires_at=0))
        with self.assertRaises(SignInRequired):
            self.application.as_person(ended).users.show()
        self.assertEqual(ended.saved, [None])

    def test_the_page_to_end_the_session_is_that_of_the_service(self) -> None:
        url = self.application.end_session_url(post_logout_redirect_uri="https://example.org/")
        self.assertTrue(url.startswith(f"{ISSUER}/oauth/logout?"), url)

    def test_a_device_is_connected(self) -> None:
        attempt = self.application.begin_device(scope="users")
        self.assertRegex(attempt.user_code, "^[A-Z]{4}-[A-Z]{4}$")
        store = MemoryStore()
        opens(attempt.verification_uri_complete)
        self.application.finish_device(attempt, store)
        self.assertTrue(self.application.as_person(store).users.show()["username"])
