"""Sections of ELF files, also of more than a header counts."""

from __future__ import annotations

import struct

import pytest

from rexcc.target import elf

NAMES = b"\0.names\0.wanted\0.wanted.other\0"


def file_with(count: int) -> bytes:
    """Return a file of sections, the last but one of which has what is wanted, and the last the names."""
    at = {name: NAMES.index(name + b"\0") for name in (b".names", b".wanted", b".wanted.other")}
    contents = b"value" + NAMES
    is_extended = count >= 0xFF00
    rows = [(0, 0, 0, 0, 0, count if is_extended else 0, count - 1 if is_extended else 0)]
    rows += [(at[b".wanted.other"], 1, 0, 0, 0, 0, 0)] * (count - 3)
    rows += [(at[b".wanted"], 1, 0, 0, 64, 5, 0), (at[b".names"], 3, 0, 0, 69, len(NAMES), 0)]
    table = b"".join(struct.pack("<IIQQQQIIQQ", *row, 0, 0, 0) for row in rows)
    counted = (0, 0xFFFF) if is_extended else (count, count - 1)
    fields = (1, 62, 1, 0, 0, 64 + len(contents), 0, 64, 0, 0, 64, *counted)
    head = b"\x7fELF\x02\x01".ljust(16, b"\0") + struct.pack("<HHIQQQIHHHHHH", *fields)
    return head + contents + table


@pytest.mark.parametrize("count", [4, 0xFEFF, 0xFF00, 70000])
def test_a_section_is_found_by_its_name(count: int) -> None:
    data = file_with(count)
    (found,) = elf.named(data, b".wanted")
    assert data[found.offset : found.offset + found.length] == b"value"
    assert len(elf.sections(data)[0]) == count


def test_a_file_may_have_no_table_of_sections() -> None:
    head = bytearray(file_with(4))
    head[40:48] = bytes(8)
    assert elf.sections(bytes(head)) == ([], 0)
