"""The tables of virtual functions that device code calls on objects of the host, by which it knows their classes.

In: the functions, and what the classes have for each. Out: :class:`VirtualFunctions` with the lines of the host file,
which has the host's tables, and the names that the device file and the link have for what finds a function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, LinkageKind

from rexcc.analysis.object_classes import TEMPLATES, ObjectClass
from rexcc.analysis.virtual_calls import (
    VirtualFunction,
)
from rexcc.clang.tree import kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass, field

NamePlace = tuple[str, int, int, str]
"""File, where a name begins in the parsed buffer and its length, and the name that device code calls."""

HIDDEN = ("PRIVATE", "PROTECTED")
"""The access of members that only a class and its friends may name."""
_TABLE = "rex_vtables"
POINTER = "rex_host_vtables"
"""The image's pointer to the host's table."""
_FIRST = 2
"""The rows of a table begin with the range of the host file's module."""


@dataclass(frozen=True)
class Row:
    """A pointer that objects of the host have: that of a class's part, which is at ``offset``, an expression."""

    symbol: str
    offset: str
    what: str


@dataclass(frozen=True, eq=False)
class Case:
    """What a function is for objects of a class: ``method`` of a class, found by a row of the table."""

    made: ObjectClass
    method: Cursor
    row: int


@dataclass(eq=False)
class VirtualFunctions:
    """The functions with their cases, in the order in which device code calls them; ``mark`` is that of a unit whose
    image may be joined with others'."""

    unit: ParsedUnit
    mark: str = ""
    cases: dict[int, tuple[VirtualFunction, list[Case]]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    places: set[NamePlace] = field(default_factory=set)
    told: set[tuple[str, str]] = field(default_factory=set)

    @property
    def methods(self) -> tuple[Cursor, ...]:
        """The functions of the cases, which device code calls in a way that does not show."""
        return tuple(c.method.get_definition() or c.method for _, cases in self.cases.values() for c in cases)

    @property
    def classes(self) -> Iterator[Cursor]:
        """The classes of the cases."""
        return (c.made.cursor for _, cases in self.cases.values() for c in cases)

    @property
    def opened(self) -> frozenset[int]:
        """The outermost classes of hidden functions and classes, by hash: the cases name them."""
        named = [c for _, cases in self.cases.values() for case in cases for c in (case.method, case.made.cursor)]
        return frozenset(_outermost_hash(c) for c in named if c.access_specifier.name in HIDDEN)

    def row(self, made: ObjectClass, offset: str) -> int:
        """Return the number of a class's row."""
        row = Row(made.symbol, offset, made.name)
        if row not in self.rows:
            self.rows.append(row)
        return _FIRST + self.rows.index(row)

    def host_lines(self, mark: str) -> list[str]:
        """The host's table and the pointer to it that the runtime attaches; ``mark`` makes symbols of the program."""
        if not self.cases:
            return []
        symbols = list(dict.fromkeys(r.symbol for r in self.rows))
        names = {symbol: f"__rex_vtable_{mark}_{n}" for n, symbol in enumerate(symbols)}
        lines = ["/* What objects of the host point to, by which device code knows their classes. */"]
        lines += ['#include "rex_virtual.h"', *(f'REX_VTABLE({names[s]}, "{s}")' for s in symbols)]
        lines.append(f"static const void *{_TABLE}[{_FIRST + len(self.rows)}] = {{REX_MODULE_BEGIN, REX_MODULE_END}};")
        lines += ["REX_FIND_VTABLES {"] if self.rows else []
        for n, row in enumerate(self.rows):
            lines.append(f"  {_TABLE}[{_FIRST + n}] = rex_vtable_of({names[row.symbol]}, {row.offset}); // {row.what}")
        lines += ["}"] if self.rows else []
        return [*lines, f"REX_GLOBAL_POINTER_TO({POINTER}, {_TABLE})"]

    @property
    def global_rows(self) -> list[str]:
        """The row of the storage that the runtime copies to devices."""
        return [f'    {{&{POINTER}, "{_TABLE}", sizeof {_TABLE}}},'] if self.cases else []

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the device file that are symbols, of which each unit has its own."""
        if not self.cases:
            return ()
        finders = (finder(f) for f, cases in self.cases.values() if cases and self.is_joined(f))
        return (POINTER, *(f.name for f, _ in self.cases.values() if f.name.isidentifier()), *finders)

    def is_joined(self, function: VirtualFunction) -> bool:
        """Whether other files may have further classes with a function: one that they know by its symbol. Templates are
        left out, of which each instantiation has functions of its own."""
        is_known = function.record.linkage == LinkageKind.EXTERNAL
        return bool(self.mark) and is_known and kind_of(function.record) not in TEMPLATES

    @property
    def asks(self) -> tuple[str, ...]:
        """The functions that find those of all files."""
        return tuple(joined_finder(f) for f, _ in self.cases.values() if self.is_joined(f))

    @property
    def finds(self) -> tuple[tuple[str, str], ...]:
        """Their names with the symbols of those that find this file's."""
        found = (f for f, cases in self.cases.values() if cases and self.is_joined(f))
        return tuple((joined_finder(f), f"{finder(f)}_{self.mark}") for f in found)

    def entries(self, mark: str) -> list[str]:
        """The entry of the device's pointer to that storage; its symbol has the unit's mark, if there is one."""
        symbol = f"{POINTER}_{mark}" if mark else POINTER
        return [f'REX_GLOBAL_ENTRY(&{POINTER}, "{symbol}", sizeof {POINTER})'] if self.cases else []


def finder(function: VirtualFunction) -> str:
    """Return the name of the function that finds a virtual one for the classes of this file."""
    return f"rex_find_{function.method.mangled_name}"


def joined_finder(function: VirtualFunction) -> str:
    """Return the name of the one that asks all files of an image (``rex_device_joined.h``)."""
    return f"rex_joined_{function.method.mangled_name}"


def _outermost_hash(cursor: Cursor) -> int:
    outer: Iterable[Cursor] = _around(cursor)
    return int(list(outer)[-1].canonical.hash)


def _around(cursor: Cursor) -> Iterator[Cursor]:
    yield cursor
    parent = cursor.semantic_parent
    while parent is not None and (kind_of(parent) in TEMPLATES or kind_of(parent) in ("STRUCT_DECL", "CLASS_DECL")):
        yield parent
        parent = parent.semantic_parent
