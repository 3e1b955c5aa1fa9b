"""Which of the declarations of one name is meant: the scopes of ``declare reduction`` and ``declare mapper``.

In: declarations of one name and type, and a place that names it. Out: the one that is visible there: that of the
innermost block, then of the class, of the namespaces around, of those that using directives name, and at last of the
type's own namespace. For an identifier of a ``reduction`` clause (OpenMP 5.2, 5.5.11) it is found by the type of the
list item.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.library import children, is_inline_namespace, template_of
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.declared import plain_identifier
from rexcc.program.unit import ParsedUnit
from rexcc.source.text import Span

_SCOPES = RECORD_KINDS | {"NAMESPACE", "TRANSLATION_UNIT"}


class Declared(Protocol):
    """What a directive declares, and where; ``block`` is the range of the block around it, None outside functions."""

    @property
    def file(self) -> ProbedFile:
        """The file of the directive."""

    @property
    def site(self) -> PragmaSite:
        """The directive's place."""

    @property
    def scope(self) -> Cursor:
        """The namespace, class or file."""

    @property
    def block(self) -> tuple[int, int] | None:
        """The block."""


DeclaredT = TypeVar("DeclaredT", bound=Declared)


def nearest(unit: ParsedUnit, named: Sequence[DeclaredT], kind: Type, place: Span) -> DeclaredT | None:
    """Return the declaration for a type that an unqualified name means at a place, None where none is visible."""
    in_blocks = [r for r in named if r.block is not None and _sees_block(r, place)]
    if in_blocks:
        return max(in_blocks, key=lambda r: (r.block or (0, 0))[0])
    outside = [r for r in named if r.block is None]
    for around in [*scopes_around(unit, place), *_used_namespaces(unit), *_scopes_of_type(kind)]:
        found = next((r for r in outside if same_scope(r.scope, around)), None)
        if found is not None:
            return found
    return None


def _sees_block(declared: Declared, place: Span) -> bool:
    start = declared.site.start
    return declared.file.scan.source is place.source and start < place.start < (declared.block or (0, 0))[1]


def same_scope(first: Cursor, second: Cursor) -> bool:
    """Whether what is declared in one scope is declared in the other."""
    return bool(_opened(first).canonical == _opened(second).canonical)


def _opened(scope: Cursor) -> Cursor:
    """Return the scope in which the members of a scope are visible too: unnamed and inline namespaces add none."""
    while not scope.kind.is_translation_unit() and scope.semantic_parent is not None:
        is_namespace = kind_of(scope) == "NAMESPACE"
        if kind_of(scope) in _SCOPES and not (is_namespace and (not scope.spelling or is_inline_namespace(scope))):
            break
        scope = scope.semantic_parent
    return scope


def scopes_around(unit: ParsedUnit, place: Span) -> Iterator[Cursor]:
    """Yield the classes (with their bases), namespaces and at last the file that a place is in, inner ones first."""
    function = next((f.node for f in unit.functions if _contains(unit, f.template or f.node, place)), None)
    scope = function.cursor.semantic_parent if function is not None else unit.tree.unit.cursor
    while scope is not None:
        if kind_of(scope) in _SCOPES:
            yield scope
            pattern = template_of(scope)
            if pattern is not None:
                yield pattern
            yield from _bases(scope)
        if scope.kind.is_translation_unit():
            return
        scope = scope.semantic_parent


def _bases(scope: Cursor) -> Iterator[Cursor]:
    for child in children(scope) if kind_of(scope) in RECORD_KINDS else ():
        base = child.type.get_declaration() if kind_of(child) == "CXX_BASE_SPECIFIER" else None
        if base is not None and not base.kind.is_invalid():
            yield base
            yield from _bases(base)


def _contains(unit: ParsedUnit, function: Node, place: Span) -> bool:
    file = unit.files.get(function.file)
    if file is None or file.scan.source is not place.source:
        return False
    return file.original(function.start) <= place.start < file.original(function.end)


def _used_namespaces(unit: ParsedUnit) -> Iterator[Cursor]:
    """Yield the namespaces that the user's using directives name."""
    for top in unit.declarations:
        for node in top.walk() if top.kind in ("USING_DIRECTIVE", "NAMESPACE", *FUNCTION_KINDS) else ():
            if node.kind == "USING_DIRECTIVE":
                yield from (c.referenced for c in node.children if c.referenced is not None)


def _scopes_of_type(kind: Type) -> Iterator[Cursor]:
    declaration = kind.get_declaration()
    scope = declaration if declaration is not None and not declaration.kind.is_invalid() else None
    while scope is not None and not scope.kind.is_translation_unit():
        if kind_of(scope) in _SCOPES:
            yield scope
        scope = scope.semantic_parent


def qualified(unit: ParsedUnit, named: Sequence[DeclaredT], scope: str, place: Span) -> DeclaredT | None:
    """Look up ``ns::name``: the scope's own name is looked for in the scopes around the place."""
    outside = [r for r in named if r.block is None]
    prefixes = [path_of(around) for around in scopes_around(unit, place)] if not scope.startswith("::") else [()]
    steps = tuple(part for part in scope.split("::") if part)
    for prefix in prefixes:
        found = next((r for r in outside if path_of(r.scope) == prefix + steps), None)
        if found is not None:
            return found
    return None


def path_of(scope: Cursor) -> tuple[str, ...]:
    """Return the names of a scope and those around it, outermost first; unnamed ones count for nothing."""
    names: list[str] = []
    current: Cursor | None = scope
    while current is not None and not current.kind.is_translation_unit():
        if current.spelling:
            names.append(str(current.spelling))
        current = current.semantic_parent
    return tuple(reversed(names))


def find_declared(unit: ParsedUnit, identifier: str, kind: Type, place: Span) -> DeclaredReduction | None:
    """Return the declared reduction that an identifier means for a type at a place, None where there is none."""
    wanted = types.canonical(kind)
    known = [r for r in unit.reductions if any(k == wanted for k in r.kinds)]
    scope, _, name = plain_identifier(identifier).rpartition("::")
    named = [r for r in known if r.parts.identifier == name]
    if not named:
        return None
    if "::" in identifier:
        return qualified(unit, named, re.sub(r"<.*>", "", scope), place)
    return nearest(unit, named, wanted, place)


def declared_types(unit: ParsedUnit, identifier: str) -> list[str]:
    """Return the types, as written, for which reductions of a name are declared anywhere in the unit."""
    name = plain_identifier(identifier).rpartition("::")[2]
    return list(dict.fromkeys(r.written_type.text.strip() for r in unit.reductions if r.parts.identifier == name))
