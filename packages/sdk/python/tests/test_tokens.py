"""Tokens are refreshed once, and kept where they should be."""

from __future__ import annotations

import os
import stat
import tempfile
import threading
import time
import unittest
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from unittest import mock

from linnet_sdk import AuthorizationError, FileStore, MemoryStore, SignInRequired, Tokens, TransportError
from linnet_sdk._tokens import ApplicationTokens, PersonTokens

FRESH = Tokens("access-1", time.time() + 3600, "users", "refresh-1")
EXPIRED = replace(FRESH, expires_at=0)
NEXT = Tokens("access-2", time.time() + 3600, "users", "refresh-2")


class TokensOfPeople(unittest.TestCase):
    def test_threads_share_one_refresh(self) -> None:
        exchanged: list[str] = []
        waiting = threading.Barrier(9, timeout=30)

        def exchange(refresh_token: str) -> Tokens:
            exchanged.append(refresh_token)
            return NEXT

        source = PersonTokens(MemoryStore(EXPIRED), exchange)

        def get(_: int) -> str:
            waiting.wait()
            return source.get()

        with ThreadPoolExecutor(8) as pool:
            results = pool.map(get, range(8))
            waiting.wait()
            self.assertEqual(set(results), {"access-2"})
        self.assertEqual(exchanged, ["refresh-1"])

    def test_threads_share_a_failure(self) -> None:
        waiting = threading.Semaphore(0)
        attempts: list[int] = []
        result = Future.result

        def counted(future: Future[Tokens], timeout: float | None = None) -> Tokens:
            waiting.release()
            return result(future, timeout)

        def request() -> Tokens:
            attempts.append(1)
            for _ in range(3):
                waiting.acquire(timeout=30)
            raise TransportError("no-answer", "unreachable")

        source = ApplicationTokens(request)
        with mock.patch.object(Future, "result", counted), ThreadPoolExecutor(4) as pool:
            for one in [pool.submit(source.get) for _ in range(4)]:
                self.assertIsInstance(one.exception(), TransportError)
        self.assertEqual(len(attempts), 1)

    def test_a_token_that_has_not_expired_works_during_an_outage(self) -> None:
        def exchange(_: str) -> Tokens:
            raise TransportError("no-answer", "unreachable")

        soon = replace(FRESH, expires_at=time.time() + 30)
        source = PersonTokens(MemoryStore(soon), exchange)
        self.assertEqual(source.get(), "access-1")
        with self.assertRaises(TransportError):
            source.get(refused="access-1")

    def test_tokens_that_end_are_removed(self) -> None:
        def exchange(_: str) -> Tokens:
            raise AuthorizationError("invalid_grant", "revoked", status=400)

        store = MemoryStore(EXPIRED)
        with self.assertRaises(SignInRequired) as caught:
            PersonTokens(store, exchange).get()
        self.assertEqual((caught.exception.code, store.load()), ("invalid_grant", None))
        with self.assertRaises(SignInRequired) as caught:
            PersonTokens(store, exchange).get()
        self.assertEqual(caught.exception.code, "login_required")

    def test_tokens_that_are_replaced_during_a_refresh_stay_replaced(self) -> None:
        begun, going = threading.Event(), threading.Event()

        def exchange(_: str) -> Tokens:
            begun.set()
            going.wait()
            return NEXT

        store = MemoryStore(EXPIRED)
        source = PersonTokens(store, exchange)
        with ThreadPoolExecutor(2) as pool:
            call = pool.submit(source.get)
            begun.wait()
            sign_out = pool.submit(source.replace, store, None)
            going.set()
            self.assertEqual(call.result(), "access-2")
            # The refresh token that must be revoked is the new one.
            self.assertEqual(sign_out.result(), NEXT)
        self.assertIsNone(store.load())

    def test_what_another_process_refreshed_is_used(self) -> None:
        store = MemoryStore(EXPIRED)

        def exchange(_: str) -> Tokens:
            store.save(NEXT)
            raise AuthorizationError("invalid_grant", "used before", status=400)

        self.assertEqual(PersonTokens(store, exchange).get(), "access-2")

    def test_no_secret_is_in_a_representation(self) -> None:
        self.assertNotIn("access-1", repr(FRESH))
        self.assertNotIn("refresh-1", repr(FRESH))


class Files(unittest.TestCase):
    def test_a_file_is_private_complete_and_shared(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "tokens.json")
            store = FileStore(path)
            self.assertIsNone(store.load())
            store.save(EXPIRED)
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            exchanged: list[str] = []

            def exchange(refresh_token: str) -> Tokens:
                exchanged.append(refresh_token)
                return NEXT

            loading = threading.Barrier(6, timeout=30)

            class Loading(FileStore):
                """The first time, it waits until all others have loaded the same tokens."""

                def load(self) -> Tokens | None:
                    tokens = super().load()
                    if tokens == EXPIRED and not vars(self).setdefault("is_loaded", False):
                        vars(self)["is_loaded"] = True
                        loading.wait()
                    return tokens

            # As in several processes: nothing in memory is shared.
            sources = [PersonTokens(Loading(path), exchange) for _ in range(6)]
            with ThreadPoolExecutor(6) as pool:
                self.assertEqual(set(pool.map(lambda source: source.get(), sources)), {"access-2"})
            self.assertEqual(exchanged, ["refresh-1"])
            self.assertEqual(store.load(), NEXT)
            store.save(None)
            store.save(None)
            self.assertEqual((store.load(), os.listdir(folder)), (None, ["tokens.json.lock"]))
