"""The device code that linked files have in common: which of them have to be linked together, and what is missing.

In: the section in which a linker has collected the parts of all files that it took (``rex_module.h``). Out: groups of
parts, each of which becomes one image; the symbols that no part has.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from rexcc.source.records import dataclass

SECTION = b".rex_device_parts"
_MAGIC = b"rexpart1"
_ELF = b"\x7fELF\x02\x01"
_RELOCATABLE = 1


@dataclass(frozen=True)
class Need:
    """A symbol of another file, the place of a call, ``file:line:column``, and the user's name of the function."""

    symbol: str
    place: str
    function: str


@dataclass(frozen=True)
class Part:
    """One file's relocatable object, the name of its module, its source, and the symbols that it has and needs."""

    module: str
    source: str
    has: frozenset[str]
    needs: tuple[Need, ...]
    data: bytes


def parts_of(path: Path) -> list[Part]:
    """Return the parts in a linked program or library; none in what is to be linked again (``-r``)."""
    return list(_parts(section_of(path, SECTION)))


def section_of(path: Path, wanted: bytes) -> bytes:
    """Return the bytes of a section of a linked program or library, empty where the file has none.

    The layout is that of ELF, 64 bits, little endian.
    """
    data = path.read_bytes()
    if not data.startswith(_ELF) or wanted not in data or struct.unpack_from("<H", data, 16)[0] == _RELOCATABLE:
        return b""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + n * size) for n in range(count)]
    for name, _, _, _, offset, length in headers:
        start = headers[names][4] + name
        if data[start : data.index(b"\0", start)] == wanted:
            return data[offset : offset + length]
    return b""


def _parts(section: bytes) -> Iterator[Part]:
    at = section.find(_MAGIC)
    while at >= 0:
        text, size = struct.unpack_from("<QQ", section, at + 8)
        start = at + 24
        lines = section[start : start + text].decode("utf-8", "surrogateescape").splitlines()
        yield _part(lines, section[start + text : start + text + size])
        at = section.find(_MAGIC, start + text + size)


def _part(lines: Iterable[str], data: bytes) -> Part:
    found: dict[str, list[str]] = {"module": [], "source": [], "has": [], "needs": []}
    for line in lines:
        kind, _, rest = line.partition(" ")
        found[kind].append(rest)
    needs = tuple(Need(*line.split(" ", 2)) for line in found["needs"])
    return Part(found["module"][0], found["source"][0], frozenset(found["has"]), needs, data)


def missing(parts: Iterable[Part]) -> list[Need]:
    """Return what parts need and none has, each symbol once."""
    every = list(parts)
    known = {symbol for part in every for symbol in part.has}
    return list({need.symbol: need for part in every for need in part.needs if need.symbol not in known}.values())


def groups(parts: Sequence[Part]) -> list[list[Part]]:
    """Return the parts that need each other, directly or through others, in the order in which they were linked.

    Some part has each symbol that is needed (:func:`missing`).
    """
    owner = {symbol: index for index, part in enumerate(parts) for symbol in part.has}
    leader = list(range(len(parts)))

    def lead(index: int) -> int:
        while leader[index] != index:
            leader[index] = index = leader[leader[index]]
        return index

    for index, part in enumerate(parts):
        for need in part.needs:
            first, second = sorted((lead(index), lead(owner[need.symbol])))
            leader[second] = first
    found: dict[int, list[Part]] = {}
    for index, part in enumerate(parts):
        found.setdefault(lead(index), []).append(part)
    return [group for group in found.values() if len(group) > 1]
