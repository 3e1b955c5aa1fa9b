"""The macros that pieces of the user's code use.

In: ranges of his files. Out: the definitions of his macros in these ranges and in those macros' bodies; a system
header's macro asks for its header.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.program.unit import ParsedUnit


class MacroCollector:
    """Collects definitions by place in ``found``; ``include`` is called with each macro of a system header."""

    def __init__(self, unit: ParsedUnit, found: dict[tuple[str, int], Node], include: Callable[[Cursor], None]) -> None:
        self._unit = unit
        self._found = found
        self._include = include
        self._uses = _macro_uses(unit)
        self._names = {n.spelling: n for n in unit.declarations if n.kind == "MACRO_DEFINITION"}

    def add(self, file: str, start: int, end: int) -> None:
        """Add the macros used in a range of a parsed buffer."""
        uses = self._uses.get(file, [])
        at = bisect_left(uses, (start,), key=lambda u: (u[0],))
        while at < len(uses) and uses[at][0] < end:
            self._add_use(uses[at][1])
            at += 1

    def _add_use(self, use: Cursor) -> None:
        definition = use.referenced
        if definition is None:
            return
        if library.in_system_header(definition):
            self._include(definition)
            return
        self._add_definition(self._unit.tree.node(definition))

    def _add_definition(self, node: Node) -> None:
        """Keep a macro and the user's macros that its body names."""
        if not node.file or (node.file, node.start) in self._found:
            return
        self._found[(node.file, node.start)] = node
        for token in list(node.cursor.get_tokens())[1:]:
            inner = self._names.get(token.spelling)
            if inner is not None:
                self._add_definition(inner)
            elif token.spelling in self._unit.system.macros:
                self._include(self._unit.system.macros[token.spelling])


def _macro_uses(unit: ParsedUnit) -> dict[str, list[tuple[int, Cursor]]]:
    """Return, per user file, the macro uses by offset."""
    found: dict[str, list[tuple[int, Cursor]]] = {}
    for node in unit.declarations:
        if node.kind == "MACRO_INSTANTIATION" and node.file in unit.files:
            found.setdefault(node.file, []).append((node.start, node.cursor))
    for uses in found.values():
        uses.sort(key=lambda u: u[0])
    return found
