"""Reads server-sent events (HTML standard, §9.2.6)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

# A line break may be cut in two.
_LINE_END = re.compile(r"\r\n|\n|\r(?!\Z)")


class EventParser:
    """Takes the pieces of a stream, and returns the events that are complete."""

    def __init__(self) -> None:
        self.last_id = ""
        """The id to continue from; empty before the first one."""
        self.retry: float | None = None
        """How many seconds to wait before the next connection, as the service asked."""
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""
        self._id = ""
        self._data: list[str] = []

    def push(self, piece: bytes) -> Iterator[tuple[str, str]]:
        """The ids and the data of the events that end in this piece."""
        *lines, self._rest = _LINE_END.split(self._rest + self._decoder.decode(piece))
        for line in lines:
            if line:
                self._read_field(line)
                continue
            # An id without data only moves the place to continue from.
            self.last_id = self._id
            data, self._data = "\n".join(self._data), []
            if data:
                yield self.last_id, data

    def _read_field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            self._id = value
        elif name == "retry" and value.isascii() and value.isdigit():
            self.retry = int(value) / 1000
