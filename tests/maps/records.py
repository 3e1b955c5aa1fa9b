"""The recorder's file as shapes with their calls and entries, and what differs between two builds.

In: the lines that ``recorder.cpp`` writes. Out: :class:`Shape` by name; entries are text with their type bits in words,
so a difference reads as what a person would say of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

_WORDS = {
    0x20: "PARAM", 0x1: "TO", 0x2: "FROM", 0x4: "ALWAYS", 0x8: "DELETE", 0x10: "PTR_AND_OBJ", 0x40: "RETURN_PARAM",
    0x80: "PRIVATE", 0x100: "LITERAL", 0x200: "IMPLICIT", 0x400: "CLOSE", 0x1000: "PRESENT", 0x2000: "OMPX_HOLD",
    0x100000000000: "NON_CONTIG",
}  # fmt: skip
_ATTACH, _LITERAL, _MEMBER_SHIFT = 0x10, 0x100, 48
_MEMBER_MASK = 0xFFFF << _MEMBER_SHIFT

Group = tuple[str, ...]
"""An entry that is nobody's member, as text, and its members."""


@dataclass(frozen=True)
class Entry:
    """One entry of a call's arrays; ``pieces`` are what its mapper function pushes."""

    base: str
    begin: str
    size: int
    bits: int
    pieces: tuple[Entry, ...] = ()

    @property
    def parent(self) -> int:
        """Number of the entry that this one is a member of, from 0; -1 without one."""
        return (self.bits >> _MEMBER_SHIFT) - 1

    @property
    def is_question(self) -> bool:
        """Whether it maps nothing, and has our runtime see whether a member is there (``rex_objects.h``)."""
        return self.size == 0 and self.parent >= 0 and self.bits & ~_MEMBER_MASK == 0

    def text(self, first: int) -> str:
        """Return the entry in words; its parent is numbered from ``first``."""
        words = [word for bit, word in _WORDS.items() if self.bits & bit]
        unknown = self.bits & ~_MEMBER_MASK & ~sum(_WORDS)
        words += [hex(unknown)] if unknown else []
        words += [f"MEMBER_OF({self.parent - first})"] if self.parent >= 0 else []
        places = self.begin if self.bits & (_LITERAL | _ATTACH) == _LITERAL else f"{self.base}, {self.begin}"
        pieces = "".join(f"; {piece.text(0)}" for piece in self.pieces)
        return f"{places}, {self.size}, {' '.join(words) or 'NONE'}{pieces}"


@dataclass
class Call:
    """One call of the runtime: what it is (``kernel``, ``begin``, ``end``, ``update``) and its entries."""

    kind: str
    entries: list[Entry] = field(default_factory=list)

    def groups(self) -> list[Group]:
        """Return the entries in groups; the order of kernel arguments is a compiler's own business."""
        found: list[Group] = []
        first = 0
        for number, entry in enumerate(self.entries):
            if entry.is_question:
                continue
            if entry.parent < 0 or not found:
                first = number
                found.append((entry.text(first),))
            else:
                found[-1] = (*found[-1], entry.text(first))
        return sorted(found) if self.kind == "kernel" else found


@dataclass
class Shape:
    """What one shape of a program did: its calls, storage that it left mapped, what its check of the data said."""

    calls: list[Call] = field(default_factory=list)
    leaks: list[str] = field(default_factory=list)
    checks: list[str] = field(default_factory=list)

    @property
    def faults(self) -> list[str]:
        """What is wrong at run time, whatever the entries are."""
        found = [f"still mapped: {name}" for name in self.leaks]
        found += ["the data has not moved"] if "WRONG" in self.checks else []
        return found + ([] if self.checks else ["the program ends"])

    def without_geometry(self) -> Shape:
        """Drop the entry that the CPU device appends to each launch."""
        calls = [Call(c.kind, c.entries[:-1] if c.kind == "kernel" else c.entries) for c in self.calls]
        return Shape(calls, self.leaks, self.checks)

    def lines(self) -> list[str]:
        """Return the entries of all calls as text."""
        return [f"{call.kind}: {' | '.join(group)}" for call in self.calls for group in call.groups() or [("",)]]


def read_shapes(lines: Iterable[str], printed: Iterable[str]) -> dict[str, Shape]:
    """Return the shapes of a recorder's file, in order, with the checks that the program printed."""
    shapes: dict[str, Shape] = {}
    current = Shape()
    for line in lines:
        word, *fields = line.rstrip("\n").split("\t")
        if word == "shape":
            assert fields[0] not in shapes, f"two shapes are called '{fields[0]}'"
            current = shapes[fields[0]] = Shape()
        elif word == "call":
            current.calls.append(Call(fields[0]))
        elif word == "row":
            current.calls[-1].entries.append(_entry(fields))
        elif word == "piece":
            entries = current.calls[-1].entries
            owner = entries[-1]
            entries[-1] = Entry(owner.base, owner.begin, owner.size, owner.bits, (*owner.pieces, _entry(fields)))
        elif word == "leak":
            current.leaks.append(fields[0])
    for line in printed:
        name, found, verdict = line.rstrip("\n").rpartition(": ")
        if found and name in shapes:
            shapes[name].checks.append(verdict)
    return shapes


def _entry(fields: list[str]) -> Entry:
    base, begin, size, bits = fields
    return Entry(base, begin, int(size), int(bits, 16))


def difference(ours: Shape, theirs: Shape) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the lines that only we have and those that only the other build has; all where only the order differs."""
    mine, other = ours.lines(), theirs.lines()
    if mine == other:
        return (), ()
    only_mine, only_other = Counter(mine) - Counter(other), Counter(other) - Counter(mine)
    if not only_mine and not only_other:
        return tuple(mine), tuple(other)
    return tuple(only_mine.elements()), tuple(only_other.elements())
