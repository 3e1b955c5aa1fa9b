"""What the closure looks up: declarations at file scope, specialisations that the user wrote, variable templates.

In: declarations. Out: tables made once per unit, and questions about single declarations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.library import is_written
from rexcc.clang.specialisations import is_specialisation
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit

SCOPES = frozenset({"TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
"""What a declaration at file or namespace scope stands in."""


_GUIDE = "<deduction guide for "


def is_local(cursor: Cursor) -> bool:
    """Whether a declaration stands in a function."""
    parent = cursor.semantic_parent
    return parent is not None and kind_of(parent) not in SCOPES and kind_of(parent) not in RECORD_KINDS


def variable_templates(nodes: Iterable[Node]) -> dict[str, list[Node]]:
    """Return the declarations that may be variable templates (clang has no kind for them), by name."""
    found: dict[str, list[Node]] = {}
    for node in nodes:
        if node.kind == "UNEXPOSED_DECL" and node.spelling:
            found.setdefault(node.spelling, []).append(node)
    return found


def file_scope(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the declarations at file and namespace scope."""
    for node in nodes:
        if node.kind in SCOPES and not (node.kind == "UNEXPOSED_DECL" and node.spelling):
            yield from file_scope(node.children)
        elif not node.kind.startswith(("MACRO", "INCLUSION")):
            yield node


def forward_declarations(nodes: Iterable[Node]) -> dict[int, tuple[Node, ...]]:
    """Return the declarations of classes, class templates and functions' specialisations that define none, by the hash
    of the first one."""
    found: dict[int, tuple[Node, ...]] = {}
    for node in nodes:
        if node.cursor.is_definition():
            continue
        if node.kind in RECORD_KINDS or (node.kind in FUNCTION_KINDS and is_specialisation(node.cursor)):
            key = int(node.cursor.canonical.hash)
            found[key] = (*found.get(key, ()), node)
    return found


def deduction_guides(nodes: Iterable[Node]) -> dict[int, tuple[Node, ...]]:
    """Return the deduction guides that the user wrote, by the hash of their class template."""
    found: dict[int, tuple[Node, ...]] = {}
    for node in nodes:
        made = library.canonical_type(node.cursor.result_type) if node.spelling.startswith(_GUIDE) else None
        if made is not None:
            declaration = made.get_declaration()
            pattern = library.template_of(declaration) or next(
                (n.referenced for n in node.children if n.kind == "TEMPLATE_REF" and n.referenced is not None),
                declaration,
            )
            key = int(pattern.canonical.hash)
            found[key] = (*found.get(key, ()), node)
    return found


def specialisations(nodes: Iterable[Node]) -> dict[int, tuple[Cursor, ...]]:
    """Return the specialisations that the user wrote, by the hash of their template."""
    found: dict[int, tuple[Cursor, ...]] = {}
    for node in nodes:
        pattern = library.template_of(node.cursor)
        if pattern is not None and is_written(node.cursor, pattern):
            key = int(pattern.canonical.hash)
            found[key] = (*found.get(key, ()), node.cursor)
    return found


def is_inside_record(cursor: Cursor) -> bool:
    """Whether a function's text is part of a class's."""
    parent = cursor.lexical_parent
    return parent is not None and kind_of(parent) in RECORD_KINDS


def pattern_definition(cursor: Cursor) -> Cursor | None:
    """Return the definition of the template behind an instantiation."""
    pattern = library.template_of(cursor)
    return pattern.get_definition() if pattern is not None else None


def must_exist(space: Node) -> bool:
    """Whether a using directive or an alias names a namespace: it must exist even if nothing of it is needed."""
    return space.parent is not None and space.parent.kind in ("USING_DIRECTIVE", "NAMESPACE_ALIAS")


class ScopeTables:
    """The declarations at file and namespace scope by what the closure asks for.

    By the hash of what they belong to: ``specialisations``, deduction ``guides``, and ``forward`` declarations;
    variable ``templates`` by name.
    """

    def __init__(self, unit: ParsedUnit, scoped: tuple[Node, ...]) -> None:
        self._unit = unit
        self._scoped = scoped
        self.specialisations = specialisations(scoped)
        self.templates = variable_templates(scoped)
        self.guides = deduction_guides(scoped) if unit.is_cplusplus else {}
        self.forward = forward_declarations(scoped) if unit.is_cplusplus else {}

    def made_together(self, node: Node) -> list[Cursor]:
        """Return the other declarations that the macro makes of which a declaration comes: one text has them all."""
        return [n.cursor for n in self._places.get((node.file, node.start), ()) if n is not node]

    @cached_property
    def _places(self) -> dict[tuple[str, int], list[Node]]:
        """The functions and types at namespace scope by where their text begins."""
        found: dict[tuple[str, int], list[Node]] = {}
        for node in self._scoped:
            if node.kind != "VAR_DECL" and node.file in self._unit.files:
                found.setdefault((node.file, node.start), []).append(node)
        return found

    def with_typedef(self, node: Node) -> Node:
        """Return the typedef that a record or enumeration is written in (``typedef struct {…} T;``), or itself."""
        if node.kind not in RECORD_KINDS and node.kind != "ENUM_DECL":
            return node
        typedefs = self._typedefs.get(node.file, ())
        return next((n for n in typedefs if n.start <= node.start and node.end <= n.end), node)

    @cached_property
    def _typedefs(self) -> dict[str, list[Node]]:
        """The typedefs at namespace scope by file."""
        found: dict[str, list[Node]] = {}
        for node in self._scoped:
            if node.kind == "TYPEDEF_DECL":
                found.setdefault(node.file, []).append(node)
        return found
