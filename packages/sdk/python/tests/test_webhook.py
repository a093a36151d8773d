"""The vectors that the TypeScript SDK is tested with."""

from __future__ import annotations

import json
import unittest
from datetime import datetime
from pathlib import Path
from unittest import mock

from linnet_sdk import WebhookRefused, verify_webhook

VECTORS = json.loads((Path(__file__).parents[4] / "test/support/sdk/webhook-vectors.json").read_text(encoding="utf-8"))


class Webhooks(unittest.TestCase):
    def test_every_vector(self) -> None:
        names = [vector["name"] for vector in VECTORS["vectors"]]
        self.assertEqual(len(set(names)), len(names))
        for vector in VECTORS["vectors"]:
            arguments = (vector["headers"], vector["body"], vector["secret"])
            with self.subTest(vector["name"]), mock.patch("time.time", lambda: VECTORS["now"]):
                if vector["valid"]:
                    message = verify_webhook(*arguments)
                    found = (message.id, message.type, message.data)
                    self.assertEqual(found, tuple(VECTORS["message"][name] for name in ("id", "type", "data")))
                    self.assertEqual(message.timestamp, datetime.fromisoformat("2026-11-23T19:00:00+00:00"))
                else:
                    self.assertRaises(WebhookRefused, verify_webhook, *arguments)

    def test_headers_of_any_case_and_a_body_in_bytes(self) -> None:
        valid = next(vector for vector in VECTORS["vectors"] if vector["valid"])
        headers = {name.title(): value for name, value in valid["headers"].items()}
        with mock.patch("time.time", lambda: VECTORS["now"]):
            self.assertEqual(verify_webhook(headers, valid["body"].encode(), valid["secret"]).id, "msg_1")

    def test_names_a_secret_that_is_none(self) -> None:
        valid = VECTORS["vectors"][0]
        with mock.patch("time.time", lambda: VECTORS["now"]), self.assertRaisesRegex(ValueError, "whsec_"):
            verify_webhook(valid["headers"], valid["body"], "x")
