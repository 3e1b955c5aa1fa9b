"""Pieces of device code that a link has made, in the user's cache, for the next link.

In: what a piece depends on, as a key. Out: the piece. Those that no link has wanted for a while can be removed.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from rexcc.driver.caches import cache_files
from rexcc.driver.caches.cache_files import folder, is_own, read_entry, write_entry
from rexcc.source.digests import sha256

KEEP = "--keep="
"""The linker's option for the key of a whole image."""
_KEPT = 14 * 24 * 3600.0  # seconds
_ROOM = 1 << 30  # bytes


def key_of(words: Sequence[str]) -> str:
    """Return the key of what depends on some words."""
    return sha256("\0".join(words).encode(errors="surrogateescape")).hexdigest()


def kept(keys: Sequence[str]) -> list[bytes | None]:
    """Return the pieces with some keys; None for those that are not there."""
    base = _pieces()
    if base is None or not is_own(base):
        return [None] * len(keys)
    return [read_entry(f"{base}/{key}") for key in keys]


def keep(key: str, data: bytes) -> None:
    """Keep a piece with its key."""
    base = _pieces()
    if base is not None:
        write_entry(base / key, data)


def remove_old() -> None:
    """Remove the pieces that no link has wanted for a while, and the oldest where all take too much room."""
    base = _pieces()
    if base is not None:
        cache_files.remove_old(base, _ROOM, time.time() - _KEPT)


def _pieces() -> Path | None:
    base = folder()
    return base / "pieces" if base is not None else None
