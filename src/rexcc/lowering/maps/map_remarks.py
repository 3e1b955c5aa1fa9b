"""What ``-Rrex=map`` tells: the entries of a construct's map arrays, in their order, and why each is there.

In: a construct's rows. Out: one sentence and a line for each entry: name, bytes or the expression that gives them,
flags in words, reason. Places are those of the list items, or of a variable's first use.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.lowering.model.host_values import Size
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import MapFlag, MemberOf
from rexcc.lowering.model.topics import MAP_REMARK
from rexcc.openmp.model import Clause, Directive
from rexcc.source.diagnostics import Diagnostic, Note, Severity
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_WORDS = {
    MapFlag.ALWAYS: "always",
    MapFlag.CLOSE: "close",
    MapFlag.PRESENT: "present",
    MapFlag.HOLD: "held",
    MapFlag.PRIVATE: "private copy",
    MapFlag.ATTACH: "attached to its pointer",
    MapFlag.RETURN: "gives the device address",
    MapFlag.NON_CONTIGUOUS: "with gaps",
    MapFlag.LITERAL: "by value",
    MapFlag.PARAM: "argument of the kernel",
    MapFlag.IMPLICIT: "implicit",
}
_NO_TRANSFER = (MapFlag.LITERAL, MapFlag.PRIVATE, MapFlag.RETURN)


@dataclass(frozen=True)
class Entry:
    """A row in words: what it is for, its bytes, what is transferred (empty for nothing), what else is so, and why.

    ``size`` is the number of bytes where the compiler knows it. ``is_implicit``: no clause names what it is for;
    ``is_reduced``: the construct reduces it.
    """

    what: str
    bytes: str
    transfer: str
    details: tuple[str, ...]
    reason: str
    place: Span
    size: int | None
    is_implicit: bool
    is_reduced: bool

    @property
    def text(self) -> str:
        """All of it."""
        transfer = [self.transfer] if self.transfer else []
        return ", ".join([f"'{self.what}'", self.bytes, *transfer, *self.details]) + f"; {self.reason}"


def entries(directives: Sequence[Directive], rows: Sequence[MapRow]) -> list[Entry]:
    """Return the entries of a construct and those joined with it."""
    name, place = directives[0].name, directives[0].span
    clauses = [clause for directive in directives for clause in directive.clauses]
    return [
        Entry(
            " ".join(row.what.split()), _bytes(row), _transfer(name, row), _details(row), _reason(row, clauses),
            row.place or place, None if row.dimensions else row.size.value, MapFlag.IMPLICIT in row.flags,
            MapFlag.REDUCED in row.flags,
        )
        for row in rows
    ]  # fmt: skip


def map_remark(directives: Sequence[Directive], rows: Sequence[MapRow]) -> Diagnostic:
    """Return the remark for a construct and those joined with it."""
    name, place = directives[0].name, directives[0].span
    found = entries(directives, rows)
    count = {0: "nothing", 1: "one entry"}.get(len(found), f"{len(found)} entries")
    notes = [Note(f"entry {number}: {entry.text}", entry.place) for number, entry in enumerate(found)]
    return Diagnostic(Severity.REMARK, MAP_REMARK, f"'{name}' maps {count}", place, tuple(notes))


def _reason(row: MapRow, clauses: Sequence[Clause]) -> str:
    """Return why a row is there, with the clause whose list item it is made of."""
    if not row.reason:
        return "the kernel needs it"
    place = row.place
    named = [c for c in clauses if place and c.span.source is place.source and c.span.start <= place.start < c.span.end]
    return row.reason + (f" ('{named[0].name}')" if named else "")


def _bytes(row: MapRow) -> str:
    if row.dimensions:
        *outer, (_, element) = [[_shown(part) for part in (d.count, d.stride)] for d in row.dimensions]
        pieces = ", ".join(f"{count} every {stride} bytes" for count, stride in outer)
        return f"elements of {element} bytes, {pieces}"
    return f"{_shown(row.size)} bytes"


def _shown(size: Size) -> str:
    return size.text if size.value is None else str(size.value)


def _details(row: MapRow) -> tuple[str, ...]:
    members = [f"member of entry {flag.row}" for flag in row.flags if isinstance(flag, MemberOf)]
    by_value = MapFlag.LITERAL in row.flags  # the runtime is told so of all values, also of those that a clause names
    said = (MapFlag.IMPLICIT,) if row.has_implicit_reason or by_value else ()
    words = [_WORDS[flag] for flag in row.flags if isinstance(flag, MapFlag) and flag in _WORDS and flag not in said]
    return (*members, *words, *([f"mapped by '{row.mapper}'"] if row.mapper else []))


def _transfer(construct: str, row: MapRow) -> str:
    """Return the map type that the flags stand for."""
    flags = row.flags
    if MapFlag.TO in flags or MapFlag.FROM in flags:
        return ("to" if MapFlag.TO in flags else "") + ("from" if MapFlag.FROM in flags else "")
    if MapFlag.DELETE in flags:
        return "delete"
    if any(flag in flags for flag in _NO_TRANSFER):
        return ""
    return "release" if construct == "target exit data" else "alloc"
