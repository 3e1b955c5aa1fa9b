"""The sections of ELF files, 64 bits, little endian: those of hosts, and of devices' relocatable code.

In: a file's bytes. Out: its sections. Where there are more than the header can count, the first section, which is none,
has the count and the number of the section with the names (System V ABI, Extended section numbering).
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator

from rexcc.source.records import dataclass

_ENTRY = struct.Struct("<IIQQQQI")
_EXTENDED = 0xFFFF


@dataclass(frozen=True)
class Section:
    """A row of the table of sections, as far as somebody asks for it."""

    name: int
    kind: int
    flags: int
    address: int
    offset: int
    length: int
    link: int


def sections(data: bytes | mmap.mmap) -> tuple[list[Section], int]:
    """Return the sections, and the number of the one that has their names."""
    (table,) = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    if not table:
        return [], 0
    first = Section(*_ENTRY.unpack_from(data, table))
    count = count or first.length
    names = first.link if names == _EXTENDED else names
    return [Section(*_ENTRY.unpack_from(data, table + n * size)) for n in range(count)], names


def named(data: bytes | mmap.mmap, wanted: bytes) -> Iterator[Section]:
    """Yield the sections of a name."""
    found, names = sections(data)
    for section in found:
        start = found[names].offset + section.name
        if data[start : start + len(wanted) + 1] == wanted + b"\0":
            yield section
