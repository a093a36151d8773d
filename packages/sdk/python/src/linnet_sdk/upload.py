"""Files as parameters, and the bodies of requests that have some."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from typing import IO, Union

Upload = Union[bytes, "os.PathLike[str]", IO[bytes]]
"""A file: its bytes, its path, or a binary file that is open. A `str` is an address that the service fetches."""


def read_uploads(parameters: Mapping[str, object]) -> dict[str, object]:
    """The parameters with the contents of files, so that the request can be sent more than once."""
    return {name: _read(value) for name, value in parameters.items()}


def _read(value: object) -> object:
    if isinstance(value, os.PathLike):
        with open(value, "rb") as file:
            return file.read()
    read = getattr(value, "read", None)
    content = value if read is None else read()
    if read is not None and not isinstance(content, (bytes, bytearray, memoryview)):
        raise TypeError("open the file in binary mode")
    return bytes(content) if isinstance(content, (bytearray, memoryview)) else content


def multipart(fields: Mapping[str, str | bytes]) -> tuple[str, bytes]:
    """The type and the text of a multipart form (RFC 7578)."""
    boundary = secrets.token_hex(16)
    body = b""
    for name, value in fields.items():
        is_file = isinstance(value, bytes)
        file = f'; filename="{name}"\r\nContent-Type: application/octet-stream' if is_file else ""
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"{file}\r\n\r\n'
        body += head.encode() + (value if isinstance(value, bytes) else value.encode()) + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", body + f"--{boundary}--\r\n".encode()
