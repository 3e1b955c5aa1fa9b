"""What ``-Rrex=map`` tells: the entries of a construct's map arrays, in their order, and why each is there.

In: a construct's rows. Out: one sentence and a line for each entry: name, bytes or the expression that gives them, type
bits in words, reason. Places are those of the list items, or of a variable's first use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from clang.cindex import Type

from rexcc.lowering.model.constant_sizes import constant_size
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import MemberOf
from rexcc.openmp.model import Clause, Directive
from rexcc.source.diagnostics import Diagnostic, Note, Severity

CODE = "rex-map"

_WORDS = {
    "REX_MAP_ALWAYS": "always",
    "REX_MAP_CLOSE": "close",
    "REX_MAP_PRESENT": "present",
    "REX_MAP_OMPX_HOLD": "held",
    "REX_MAP_PRIVATE": "private copy",
    "REX_MAP_PTR_AND_OBJ": "attached to its pointer",
    "REX_MAP_RETURN_PARAM": "gives the device address",
    "REX_MAP_NON_CONTIG": "with gaps",
    "REX_MAP_LITERAL": "by value",
    "REX_MAP_PARAM": "argument of the kernel",
    "REX_MAP_IMPLICIT": "implicit",
}
_SUMS = {
    "REX_MAP_TOFROM": ("REX_MAP_TO", "REX_MAP_FROM"),
    "REX_MAP_LITERAL_PARAM": ("REX_MAP_LITERAL", "REX_MAP_PARAM"),
    "REX_MAP_IMPLICIT_LITERAL": ("REX_MAP_LITERAL", "REX_MAP_PARAM", "REX_MAP_IMPLICIT"),
}
_NO_TRANSFER = ("REX_MAP_LITERAL", "REX_MAP_PRIVATE", "REX_MAP_RETURN_PARAM")


def map_remark(directives: Sequence[Directive], rows: Sequence[MapRow], variables: Mapping[str, Type]) -> Diagnostic:
    """Return the remark for a construct and those joined with it.

    ``variables`` are the types of those that sizes may name.
    """
    name, place = directives[0].name, directives[0].span
    clauses = [clause for directive in directives for clause in directive.clauses]
    count = {0: "nothing", 1: "one entry"}.get(len(rows), f"{len(rows)} entries")
    notes = [
        Note(f"entry {number}: {_entry(name, row, variables)}{_reason(row, clauses)}", row.place or place)
        for number, row in enumerate(rows)
    ]
    return Diagnostic(Severity.REMARK, CODE, f"'{name}' maps {count}", place, tuple(notes))


def _entry(construct: str, row: MapRow, variables: Mapping[str, Type]) -> str:
    name = " ".join(row.what.split())
    mapper = f", mapped by '{row.mapper}'" if row.mapper else ""
    return f"'{name}', {_bytes(row, variables)}, {_bits(construct, row)}{mapper}"


def _reason(row: MapRow, clauses: Sequence[Clause]) -> str:
    """Return why a row is there, with the clause whose list item it is made of."""
    if not row.reason:
        return "; the kernel needs it"
    place = row.place
    named = [c for c in clauses if place and c.span.source is place.source and c.span.start <= place.start < c.span.end]
    return f"; {row.reason}" + (f" ('{named[0].name}')" if named else "")


def _bytes(row: MapRow, variables: Mapping[str, Type]) -> str:
    if row.dimensions:
        *outer, (_, element) = [[_shown(part, variables) for part in (d.count, d.stride)] for d in row.dimensions]
        pieces = ", ".join(f"{count} every {stride} bytes" for count, stride in outer)
        return f"elements of {element} bytes, {pieces}"
    return f"{_shown(row.size, variables)} bytes"


def _shown(size: str, variables: Mapping[str, Type]) -> str:
    known = constant_size(size, variables)
    return size if known is None else str(known)


def _bits(construct: str, row: MapRow) -> str:
    known = [bit for name in row.bits for bit in _SUMS.get(name, (name,))]
    members = [f"member of entry {bit.row}" for bit in known if isinstance(bit, MemberOf)]
    said = ("REX_MAP_IMPLICIT",) if row.reason.startswith("implicit:") else ()
    words = [_WORDS[bit] for bit in known if bit in _WORDS and bit not in said]
    return ", ".join([*_transfer(construct, known), *members, *words])


def _transfer(construct: str, bits: list[str]) -> list[str]:
    """Return the map type that the bits stand for."""
    if "REX_MAP_TO" in bits or "REX_MAP_FROM" in bits:
        return [("to" if "REX_MAP_TO" in bits else "") + ("from" if "REX_MAP_FROM" in bits else "")]
    if "REX_MAP_DELETE" in bits:
        return ["delete"]
    if any(bit in bits for bit in _NO_TRANSFER):
        return []
    return ["release" if construct == "target exit data" else "alloc"]
