"""Macros that a function defines, in text that moves in front of it.

In: what moves, and the declaration that it stands in. Out: the uses in it of macros that mean something else there, or
nothing, because a directive between the two defines or undefines what they expand to. Such uses are expanded first.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.frontend.macros import WORD, macro_table
from rexcc.frontend.scan import FileScan
from rexcc.program.unit import ParsedUnit
from rexcc.source.expansion_notes import in_users_text
from rexcc.source.text import Span

Places = frozenset[tuple[str, int]]
"""Uses of macros: the file and the offset of each in the user's text."""


def uses_of_inner(unit: ParsedUnit, declaration: Node, moving: Node) -> Places:
    """Return the outermost uses of macros in ``moving`` that mean something else in front of the declaration."""
    file = unit.files[moving.file]
    scan, source = file.scan, file.scan.source
    start = file.original(moving.start)
    changed = _changed(scan, file.original(declaration.start), start)
    if not changed:
        return frozenset()
    names = macro_table(each.scan for each in unit.files.values()).users(changed)
    found: set[tuple[str, int]] = set()
    at = start
    for use in _uses(unit, moving):
        first, last = file.original(use.start), file.original(use.end)
        if first >= at and not names.isdisjoint(WORD.findall(source.text[first:last])):
            place = in_users_text(Span(source, first, first + 1))
            found.add((place.source.path, place.start) if place is not None else (source.path, first))
            at = last
    return frozenset(found)


def _changed(scan: FileScan, start: int, end: int) -> set[str]:
    """Return the names that directives in a range of the text define, undefine, or give another meaning."""
    return {change.name for change in scan.changes if start <= change.start < end}


def _uses(unit: ParsedUnit, moving: Node) -> list[Node]:
    """Return the uses of macros in a node, outer ones before those in their arguments."""
    uses = (n for n in unit.declarations if n.kind == "MACRO_INSTANTIATION" and n.file == moving.file)
    return sorted((n for n in uses if moving.start <= n.start < moving.end), key=lambda n: (n.start, -n.end))
