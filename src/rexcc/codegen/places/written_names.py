"""What device code names, where clang's tree does not tell: using declarations and macros.

In: the using declarations in scope and the names that device code uses; ranges of the user's files. Out: what those
names mean, and which of the using declarations the device file needs; the definitions of the user's macros in these
ranges and in those macros' bodies. A system header's macro asks for its header.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable

from clang.cindex import Cursor, Type

from rexcc.clang import library
from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.frontend.macros import WORD
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.patterns import regex

_QUALIFIED = regex(r"\bstd\s*::\s*(\w+)")
_TYPES = RECORD_KINDS | {"ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL"}


class Usings:
    """The user's using declarations by name, and the names that are used."""

    def __init__(self, unit: ParsedUnit, nodes: Iterable[Node]) -> None:
        self._unit = unit
        self._known: dict[str, list[Node]] = {}
        self._types: set[str] = set()
        self._declarations: set[int] = set()
        self._enumerations: set[str] = set()
        self._templates: set[str] = set()
        self.add(nodes)

    def add(self, nodes: Iterable[Node]) -> None:
        """Make more using declarations known, those of a function around a region."""
        for node in nodes:
            self._known.setdefault(node.spelling, []).append(node)

    def note(self, declaration: Cursor) -> None:
        """Remember that a declaration is used."""
        self._declarations.add(int(declaration.canonical.hash))
        kind = kind_of(declaration)
        if kind == "ENUM_DECL":
            self._enumerations.add(str(declaration.spelling))
        elif kind == "UNEXPOSED_DECL" or (kind == "VAR_DECL" and library.template_of(declaration) is not None):
            self._templates.add(str(declaration.spelling))  # an instantiation: a using declaration names the template

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

    def of_alias(self, node: Node, target: Cursor) -> list[Cursor]:
        """Return what a type is called in the text of a reference to it, where that is an alias's name which a using
        declaration brings in: libclang refers to the type behind it. Remember the name."""
        name = self._unit.user_text(node) if node.kind == "TYPE_REF" and self._known else ""
        if name not in self._known or name == target.spelling:
            return []
        self._types.add(name)
        return [meant for using in self._known[name] for meant in _targets(using)]

    def of_qualified(self, node: Node, target: Cursor) -> list[Cursor]:
        """Return the system's using declaration through which a name with a namespace (``std::memcpy``) means a
        function of C: the header of that is another one."""
        if node.kind != "DECL_REF_EXPR" or kind_of(target) != "FUNCTION_DECL" or not library.in_system_header(target):
            return []
        spaces = [n.referenced for n in node.children if n.kind == "NAMESPACE_REF"]
        if not spaces or spaces[-1] is None or spaces[-1].canonical == target.semantic_parent.canonical:
            return []
        known = self._unit.system.usings.get(str(target.spelling))
        return [] if known is None else [known]

    def of_text(self, text: str) -> list[Cursor]:
        """Return what a text names through using declarations, where libclang has no reference for it: in the type of a
        function, of an alias or an enumeration, and as a template argument. Remember the names."""
        of_library = self._unit.system.usings
        found = [of_library[name] for name in _QUALIFIED.findall(text) if name in of_library]
        for name in self._known.keys() & set(WORD.findall(text)) if self._known else ():
            meant = [t for using in self._known[name] for t in _targets(using) if kind_of(t) in _TYPES]
            self._types.update([name] if meant else [])
            found += meant
        return found

    def needs(self, using: Node, passed: Collection[Variable] = ()) -> bool:
        """Whether anything that a using declaration names is used, or the enumeration of ``using enum``, and is no
        variable that a kernel gets passed."""
        if uses_enumeration(using):
            return using.spelling in self._enumerations
        return using.spelling in self._types | self._templates or any(
            int(c.canonical.hash) in self._declarations and Variable(c) not in passed for c in _targets(using)
        )


def _targets(using: Node) -> list[Cursor]:
    return [c for child in using.children for c in library.overloads(child.cursor)]


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
        for name in filter(WORD.match, [str(token.spelling) for token in node.cursor.get_tokens()][1:]):
            inner = self._names.get(name)
            if inner is not None:
                self._add_definition(inner)
            elif name in self._unit.system.macros:
                self._include(self._unit.system.macros[name])


def _macro_uses(unit: ParsedUnit) -> dict[str, list[tuple[int, Cursor]]]:
    """Return, per user file, the macro uses by offset."""
    found: dict[str, list[tuple[int, Cursor]]] = {}
    for node in unit.declarations:
        if node.kind == "MACRO_INSTANTIATION" and node.file in unit.files:
            found.setdefault(node.file, []).append((node.start, node.cursor))
    for uses in found.values():
        uses.sort(key=lambda u: u[0])
    return found
