"""Using declarations through which device code names things.

In: the using declarations in scope; the names that device code uses. Out: what those names mean, and which of the using
declarations the device file needs. clang does not tell what a type means that is named through one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from clang.cindex import Cursor, Type

from rexcc.clang import library
from rexcc.clang.tree import Node, kind_of
from rexcc.codegen.scopes import uses_enumeration
from rexcc.program.unit import ParsedUnit


class Usings:
    """The user's using declarations by name, and the names that are used."""

    def __init__(self, unit: ParsedUnit, nodes: Iterable[Node]) -> None:
        self._unit = unit
        self._known: dict[str, list[Node]] = {}
        self._types: set[str] = set()
        self._declarations: set[int] = set()
        self._enumerations: set[str] = set()
        self.add(nodes)

    def add(self, nodes: Iterable[Node]) -> None:
        """Make more using declarations known, those of a function around a region."""
        for node in nodes:
            self._known.setdefault(node.spelling, []).append(node)

    def note(self, declaration: Cursor) -> None:
        """Remember that a declaration is used."""
        self._declarations.add(int(declaration.canonical.hash))
        if kind_of(declaration) == "ENUM_DECL":
            self._enumerations.add(str(declaration.spelling))

    def meanings(self, kind: Type) -> list[Cursor]:
        """Return the declarations behind a type that is named through a using declaration, and remember its name.

        For one of a system header that is the using declaration itself.
        """
        found: list[Cursor] = []
        last = kind.get_canonical().get_declaration()
        if last is not None and not last.kind.is_invalid():
            found.append(last)
        name = re.split(r"\W+", str(kind.spelling).split("<")[0].strip())[-1]
        self._types.add(name)
        for using in self._known.get(name, ()):
            found += _targets(using)
        if name in self._unit.system.usings:
            found.append(self._unit.system.usings[name])
        return found

    def needs(self, using: Node) -> bool:
        """Whether anything that a using declaration names is used, or the enumeration of ``using enum``."""
        if uses_enumeration(using):
            return using.spelling in self._enumerations
        return using.spelling in self._types or any(
            int(c.canonical.hash) in self._declarations for c in _targets(using)
        )


def _targets(using: Node) -> list[Cursor]:
    return [c for child in using.children for c in library.overloads(child.cursor)]
