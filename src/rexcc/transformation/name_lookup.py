"""Names that mean the same in front of a declaration as in it.

In: a name in what moves there. Out: whether it is found there: one without a scope in front of it is looked up, and not
in the namespaces that are around the declaration alone.
"""

from __future__ import annotations

from collections.abc import Collection

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import NAME_KINDS, Node, kind_of

_NAMESPACES = ("NAMESPACE", "TRANSLATION_UNIT", "LINKAGE_SPEC", "UNEXPOSED_DECL")
_LOOKED_UP = frozenset({"DECL_REF_EXPR", "TYPE_REF", "TEMPLATE_REF"})
"""What is a name in the text; of others a name is part."""


def scopes_left(declaration: Node) -> list[Cursor]:
    """Return the namespaces, and their classes, that are around a declaration and not around the place in front."""
    found: list[Cursor] = []
    scope, place = declaration.cursor.semantic_parent, declaration.cursor.lexical_parent
    while scope is not None and place is not None and scope.canonical != place.canonical:
        found.append(scope.canonical)
        scope = scope.semantic_parent
    return found


def is_looked_up(name: Node) -> bool:
    """Whether a name is looked up in the scopes around it: none stands in front of it."""
    return name.kind in _LOOKED_UP and not any(c.kind in NAME_KINDS for c in name.children)


def scope_of_name(target: Cursor) -> Cursor | None:
    """Return the scope in which a declaration's name is found, that of the enumeration for an enumerator."""
    scope = target.semantic_parent
    return scope.semantic_parent if scope is not None and kind_of(scope) == "ENUM_DECL" else scope


def is_found(name: Node, target: Cursor, left: Collection[Cursor]) -> bool:
    """Whether a name of a namespace is found although the scopes that are ``left`` are not around it."""
    scope = scope_of_name(target)
    return scope is None or scope.canonical not in left or not is_looked_up(name)


def are_functions_found(name: Node, left: Collection[Cursor]) -> bool:
    """Whether all that a name may mean are functions of namespaces that are around the new place, too."""
    found = [candidate.semantic_parent for candidate in library.overloads(name.cursor)]
    scopes = [scope for scope in found if scope is not None and kind_of(scope) in _NAMESPACES]
    return bool(scopes) and scopes == found and all(scope.canonical not in left for scope in scopes)
