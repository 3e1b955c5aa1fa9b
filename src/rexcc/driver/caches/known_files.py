"""Files that compilers have read, and what a cache has to know of each: read once, and known by size and times since.

In: paths. Out: :class:`File`. A program includes two hundred headers, which are mostly the same for all programs; the
user's cache has what was found in them. A file with the size and the times of one that is known is that one: whoever
writes a file changes the time of its status. That takes a clock that has gone on, and a file system that has this time:
a file that was written lately is read each time, and so is one of a file system that is only read, such as a
container's image, whose times the maker of the image has chosen. A file is opened to learn its times, as compilers do:
NFS asks its server then, and not for a path alone.
"""

from __future__ import annotations

import itertools
import os
import struct
import time
from collections.abc import Iterable
from pathlib import Path

from rexcc.driver.caches import cache_files
from rexcc.driver.caches.cache_files import joined, parts_of
from rexcc.source.digests import sha256
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_UNFORESEEABLE = (b"__DATE__", b"__TIME__", b"__TIMESTAMP__")
_ASKS = b"__has_include"
_LONGEST = 512
"""Bytes in which the name of a header ends."""
_MAYBE_ASKED = regex(rb'(?:\(|\bdefine[ \t]+\w+[ \t]|\A-D[ \t]*\w+=)\s*[<"]([\w./+-]+)[>"]')
_OLD = 10_000_000_000  # nanoseconds: more than the unit of any file system's clock
_MOST = 5000
_FORM = b"1"
_FIELDS = 4


@dataclass(frozen=True)
class File:
    """A file's ``version`` (size and times), a hash of its contents, the headers that it asks for by ``__has_include``,
    whether it does so by a macro, and whether what a compiler makes of it depends on nothing but files."""

    version: bytes
    digest: bytes
    asked: tuple[bytes, ...]
    asks_by_macro: bool
    is_foreseeable: bool


class KnownFiles:
    """The files that the user's cache knows; those that have changed after the time ``latest`` are no files."""

    def __init__(self, latest: int | None = None) -> None:
        self._latest = latest
        self._oldest = time.time_ns() - _OLD
        self._known = _read()
        self._has_more = False

    def of(self, path: str, *, is_generated: bool = False) -> File:
        """Return what is to be known of a file. Raises OSError for one that cannot be read, or has changed; one that
        rexcc has generated for this command is nobody else's."""
        version, changed = _state(path)
        if self._latest is not None and changed >= self._latest and not is_generated:
            raise OSError(path)
        known = self._known.get(path)
        if known is not None and known.version == version:
            return known
        now, text = contents(path)
        if now != version:
            raise OSError(path)
        made = _looked_at(version, text)
        if not is_generated and changed < self._oldest and not os.statvfs(path).f_flag & os.ST_RDONLY:
            self._known[path], self._has_more = made, True
        return made

    def digest_of(self, path: str) -> bytes:
        """Return a hash of a file's contents. Raises OSError for one that cannot be read."""
        version, _ = _state(path)
        known = self._known.get(path)
        if known is not None and known.version == version:
            return known.digest
        return sha256(contents(path)[1]).digest()

    def keep(self) -> None:
        """Put what was found out into the cache."""
        place = _place()
        if self._has_more and place is not None:
            _write(place, self._known)


def contents(path: str) -> tuple[bytes, bytes]:
    """Return a file's version and what it holds. Raises OSError for one that cannot be read, or is being written."""
    handle = os.open(path, os.O_RDONLY)
    try:
        found = os.fstat(handle)
        data = os.read(handle, found.st_size + 1)
    finally:
        os.close(handle)
    if len(data) != found.st_size:
        raise OSError(path)
    return _version(found)[0], data


def _state(path: str) -> tuple[bytes, int]:
    """Return what tells versions of a file apart, and when it has changed last. Raises OSError for one that cannot be
    read."""
    handle = os.open(path, os.O_RDONLY)
    try:
        return _version(os.fstat(handle))
    finally:
        os.close(handle)


def _version(found: os.stat_result) -> tuple[bytes, int]:
    """Return what tells versions of a file apart, and when it has changed last."""
    times = (found.st_mtime_ns, found.st_ctime_ns)
    return struct.pack("<QQQqq", found.st_dev, found.st_ino, found.st_size, *times), max(times)


def _looked_at(version: bytes, text: bytes) -> File:
    asked, asks_by_macro = _asked_for(text)
    is_foreseeable = not any(word in text for word in _UNFORESEEABLE)
    return File(version, sha256(text).digest(), asked, asks_by_macro, is_foreseeable)


def _asked_for(text: bytes) -> tuple[tuple[bytes, ...], bool]:
    """Return the headers whose presence a text asks for, and whether a macro may ask for others."""
    found: set[bytes] = set()
    by_macro = False
    pieces = text.split(_ASKS)
    for before, behind in itertools.pairwise(pieces):
        opened, _, operand = behind[:_LONGEST].removeprefix(b"_next").partition(b"(")
        operand = operand.lstrip()
        closing = {b"<": b">", b'"': b'"'}.get(operand[:1])
        if opened.strip():
            by_macro |= before[before.rfind(b"\n") + 1 :].lstrip(b" \t#").startswith((b"define ", b"define\t"))
        elif closing is None:
            by_macro = True
        else:
            found.add(operand[1:].partition(closing)[0])
    return tuple(sorted(found)), by_macro


def maybe_asked(text: bytes) -> Iterable[bytes]:
    """Return all that a text, or a word of a command, may give a macro that asks for a header, or have as one."""
    return set(_MAYBE_ASKED.findall(text))


def _read() -> dict[str, File]:
    place = _place()
    data = cache_files.read_entry(str(place)) if place is not None and cache_files.is_own(place.parent) else None
    if data is None:
        return {}
    form, *fields = parts_of(data)
    if form != _FORM:
        return {}
    rows = zip(*(fields[at::_FIELDS] for at in range(_FIELDS)), strict=True)
    return {os.fsdecode(path): _unpacked(head, asked, digest) for path, head, digest, asked in rows}


def _unpacked(head: bytes, asked: bytes, digest: bytes) -> File:
    version, asks_by_macro, is_foreseeable = head[:-2], head[-2:-1] == b"1", head[-1:] == b"1"
    return File(version, digest, tuple(parts_of(asked)) if asked else (), asks_by_macro, is_foreseeable)


def _write(place: Path, known: dict[str, File]) -> None:
    """Write the files that were met last; others may write at the same time, which costs no more than looking again."""
    fields = [_FORM]
    for path, file in list(known.items())[-_MOST:]:
        flags = b"%d%d" % (file.asks_by_macro, file.is_foreseeable)
        fields += (os.fsencode(path), file.version + flags, file.digest, joined(file.asked) if file.asked else b"")
    cache_files.write_entry(place, joined(fields))


def _place() -> Path | None:
    base = cache_files.folder()
    return base / "known_files" if base is not None else None
