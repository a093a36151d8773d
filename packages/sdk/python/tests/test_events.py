"""Streams of events, and what the parser reads."""

from __future__ import annotations

import threading
import unittest
from datetime import datetime, timezone

from service import Answer, Handler, Service, problem

from linnet_sdk import Event, Linnet, problems
from linnet_sdk._event_parser import EventParser

NOW = {"Retry-After": "0"}
END = problem(403, "insufficient_scope")


def text(event_id: str, kind: str = "post.created") -> str:
    data = f'{{"type":"{kind}","timestamp":"2026-11-23T19:00:00.000Z","streams":["feed"],"data":{{"user_id":1}}}}'
    return f"id: {event_id}\nevent: {kind}\ndata: {data}\n\n"


def stream(*pieces: str) -> Answer:
    """A stream that says this and ends."""

    def answer(handler: Handler) -> None:
        handler.protocol_version = "HTTP/1.1"
        handler.send_response(200)
        handler.send_header("Content-Type", "text/event-stream")
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for piece in [*pieces, ""]:
            handler.wfile.write(f"{len(piece.encode()):x}\r\n{piece}\r\n".encode())
        handler.close_connection = True

    return answer


def cut(handler: Handler) -> None:
    """A stream that breaks off."""
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    piece = f"retry: 5\n\n{text('a')}"
    handler.wfile.write(f"{len(piece):x}\r\n{piece}\r\n20\r\nid".encode())
    handler.close_connection = True


class Streams(unittest.TestCase):
    def collect(self, service: Service, **options: str) -> list[Event]:
        """Events until the 403 of the last answer."""
        events: list[Event] = []
        with self.assertRaises(problems.InsufficientScope):
            for event in Linnet.with_token(service.origin, "token").events(streams=["feed", "posts"], **options):
                events.append(event)
        return events

    def test_continues_after_the_last_id_when_the_service_asks_for_it(self) -> None:
        answers = [
            stream("retry: 5\n\n:\nid: start\n\n"),
            stream("retry: 5\n\n", text("a"), text("b", "reset")),
            stream("retry: 5\n\n", text("c")),
        ]
        with Service(*answers, END) as service:
            events = self.collect(service, last_event_id="before")
            self.assertEqual(service.header("Last-Event-ID"), ["before", "start", "b", "c"])
            self.assertEqual(service.requests[0].path, "/api/v2.0/events?streams=feed%2Cposts")
            self.assertEqual(service.header("Accept")[0], "text/event-stream")
        self.assertEqual([event.id for event in events], ["a", "b", "c"])
        when = datetime(2026, 11, 23, 19, tzinfo=timezone.utc)
        self.assertEqual(events[1], Event("b", "reset", when, ["feed"], {"user_id": 1}))

    def test_connects_again_after_outages_and_cut_connections(self) -> None:
        answers = [problem(503, "unavailable", NOW), problem(500, "internal-error", NOW), cut]
        with Service(*answers, END) as service:
            self.assertEqual([event.id for event in self.collect(service)], ["a"])
            self.assertEqual(service.header("Last-Event-ID"), [None, None, None, "a"])

    def test_gets_another_token_when_its_own_has_ended(self) -> None:
        answers = [stream("retry: 5\n\n", text("a")), problem(401, "invalid_token"), stream("retry: 5\n\n", text("b"))]
        with Service(*answers, END) as service:
            self.assertEqual([event.id for event in self.collect(service)], ["a", "b"])

    def test_leaving_the_loop_closes_the_connection(self) -> None:
        closed = threading.Event()

        def stays_open(handler: Handler) -> None:
            handler.send_response(200)
            handler.end_headers()
            handler.wfile.write(text("a").encode())
            handler.rfile.read()
            closed.set()
            handler.close_connection = True

        with Service(stays_open) as service:
            events = Linnet.with_token(service.origin, "token").events()
            self.assertEqual(next(events).id, "a")
            self.assertFalse(closed.is_set())
            events.close()
            self.assertTrue(closed.wait(30))

    def test_the_parser_reads_every_form_of_the_standard_cut_anywhere(self) -> None:
        text = ":comment\r\nid: 1\r\ndata: first\r\ndata:sécond\r\n\r\nevent\ndata\n\n"
        content = f"{text}retry: 70\nretry: x\nid: 2\n\ndata: 3\n\n".encode()
        for place in range(len(content) + 1):
            parser = EventParser()
            events = [*parser.push(content[:place]), *parser.push(content[place:])]
            self.assertEqual(events, [("1", "first\nsécond"), ("2", "3")])
            self.assertEqual((parser.last_id, parser.retry), ("2", 0.07))
