"""The user's cache: its folder, and files in it.

In: a file's name and contents. Out: the contents, as long as they are to be trusted. Each entry's name holds a hash of
everything that it depends on, so that the cache changes only how long things take. A cache that cannot be read or
written is no error, and an entry that is damaged, or that others may have written, is made again: what lies here
becomes part of the user's programs.
"""

from __future__ import annotations

import contextlib
import os
import stat
import struct
import tempfile
import time
import zlib
from collections.abc import Sequence
from pathlib import Path

from rexcc.source.digests import sha256

_OTHERS_WRITE = 0o022
_USED_LATELY = 3600.0  # seconds
_DIGEST = len(sha256().digest())


def folder() -> Path | None:
    """Return the folder of the cache; None without a home. A relative name counts for nothing, as XDG says."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if base.is_absolute():
        return base / "rexcc"
    if not Path(os.environ.get("HOME", "/")).is_absolute():
        return None
    try:
        return Path.home() / ".cache" / "rexcc"
    except RuntimeError:
        return None


def read(place: Path) -> bytes | None:
    """Return what a file of the cache holds; None for one that others than this user and root may have written."""
    return read_in_own(str(place)) if is_own(place.parent) else None


def read_in_own(place: str) -> bytes | None:
    """Return what a file in a folder holds that is this user's alone."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)  # a pipe is not to be waited for
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            return file.read() if _is_ours(os.fstat(handle), stat.S_IFREG) else None
        except OSError:
            return None


def write(place: Path, data: bytes) -> None:
    """Write a file of the cache, whole or not at all."""
    try:
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_own(place.parent):
            return
        handle, temporary = tempfile.mkstemp(dir=place.parent)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).replace(place)
    except OSError:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()


def write_checked(place: Path, data: bytes) -> None:
    """Write a file of the cache that a tool reads by its path, and what tells whether it is whole."""
    write(place, data)
    write(_sum_of(place), _sum(data))


def is_intact(place: Path) -> bool:
    """Whether a file of the cache is what :func:`write_checked` has put there."""
    data, known = read(place), read(_sum_of(place))
    return data is not None and known == _sum(data)


def _sum_of(place: Path) -> Path:
    return place.with_name(f"{place.name}.crc32")


def _sum(data: bytes) -> bytes:
    """Return what tells damage, not more: nobody else writes here. A digest takes twenty times as long."""
    return b"%d %08x" % (len(data), zlib.crc32(data))


def read_entry(place: str) -> bytes | None:
    """Return what :func:`write_entry` has put into a folder that is this user's alone, and note that it is wanted."""
    data = read_in_own(place)
    if data is None or sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
        return None
    with contextlib.suppress(OSError):
        if time.time() - Path(place).stat().st_mtime > _USED_LATELY:
            os.utime(place)
    return data[_DIGEST:]


def write_entry(place: Path, data: bytes) -> None:
    """Write a file of the cache that tells itself whether it is whole, for rexcc alone."""
    write(place, sha256(data).digest() + data)


def joined(parts: Sequence[bytes]) -> bytes:
    """Return parts of an entry as one: their number, their sizes, themselves."""
    return b"".join((struct.pack(f"<Q{len(parts)}Q", len(parts), *map(len, parts)), *parts))


def parts_of(data: bytes) -> list[bytes]:
    """Return what :func:`joined` has joined."""
    (count,) = struct.unpack_from("<Q", data)
    at, found = 8 + 8 * count, []
    for size in struct.unpack_from(f"<{count}Q", data, 8):
        found.append(data[at : at + size])
        at += size
    return found


def remove_old(base: Path, room: int, oldest: float = 0.0) -> None:
    """Remove the files of a folder that were used last before a time, and the oldest where all take more than ``room``
    bytes."""
    size = 0
    with contextlib.suppress(OSError):
        entries = [(entry, entry.stat(follow_symlinks=False)) for entry in os.scandir(base)]
        for entry, found in sorted(entries, key=lambda known: -known[1].st_mtime):
            size += found.st_size
            if found.st_mtime < oldest or size > room:
                Path(entry.path).unlink()


def is_own(inner: Path) -> bool:
    """Whether a folder of the cache, and the cache that it is in, are this user's alone."""
    base = folder()
    try:
        return all(_is_ours(path.lstat(), stat.S_IFDIR) for path in (inner, *inner.parents) if _is_within(path, base))
    except OSError:
        return False


def _is_within(path: Path, base: Path | None) -> bool:
    return base is not None and path.is_relative_to(base)


def _is_ours(found: os.stat_result, kind: int) -> bool:
    owners = (os.geteuid(), 0)
    return stat.S_IFMT(found.st_mode) == kind and found.st_uid in owners and not found.st_mode & _OTHERS_WRITE
