"""SHA-256, by what Python has of its own.

In: bytes. Out: what ``hashlib`` makes of them. Loading ``hashlib`` loads OpenSSL, which takes as long as hashing some
megabytes; only data of that size is worth it (docs/decisions/037-short-commands.md).
"""

from __future__ import annotations

import importlib
from typing import Any, Protocol

_LARGE = 1 << 21


class Digest(Protocol):
    """A hash of what it is given."""

    def update(self, data: bytes, /) -> None:
        """Take more data."""

    def digest(self) -> bytes:
        """Return the hash of all data."""

    def hexdigest(self) -> str:
        """Return the hash of all data in hexadecimal digits."""


def _own() -> Any:
    for name in ("_sha2", "_sha256"):  # since 3.12, and before
        try:
            return importlib.import_module(name).sha256
        except ImportError:
            continue
    return _openssl()


def _openssl() -> Any:
    return importlib.import_module("hashlib").sha256


_make = _own()


def sha256(data: bytes = b"") -> Digest:
    """Return ``hashlib.sha256(data)``."""
    found: Digest = (_make if len(data) < _LARGE else _openssl())(data)
    return found
