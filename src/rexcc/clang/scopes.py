"""The scopes that a declaration is in.

In: a declaration. Out: the class, namespace or function around it, and whose names its text may use.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from clang.cindex import Cursor

from rexcc.clang import types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of

_LINKAGE_SPECIFICATIONS = frozenset({"LINKAGE_SPEC", "UNEXPOSED_DECL"})


def scope_of(declaration: Cursor) -> Cursor | None:
    """Return the scope whose names a declaration's text may use: a friend that is defined in a class has those of the
    class, though it is no member of it."""
    lexical: Cursor | None = declaration.lexical_parent
    semantic: Cursor | None = declaration.semantic_parent
    is_in_class = lexical is not None and kind_of(lexical) in RECORD_KINDS
    return lexical if is_in_class and (semantic is None or kind_of(semantic) not in RECORD_KINDS) else semantic


def enclosing_scope(cursor: Cursor) -> Cursor | None:
    """Return the class, namespace, function or file that a declaration belongs to; ``extern "C" {}`` is no scope."""
    scope = cursor.semantic_parent
    while scope is not None and kind_of(scope) in _LINKAGE_SPECIFICATIONS:
        scope = scope.semantic_parent
    return scope


def enclosing_scopes(cursor: Cursor) -> Iterator[Cursor]:
    """Yield the classes, namespaces and functions that a declaration belongs to, inner ones first."""
    scope = enclosing_scope(cursor)
    while scope is not None and not scope.kind.is_translation_unit():
        yield scope
        scope = enclosing_scope(scope)


def classes_around(cursor: Cursor) -> Iterator[Cursor]:
    """Yield the classes that a member belongs to, inner ones first."""
    return takewhile(lambda scope: kind_of(scope) in RECORD_KINDS, enclosing_scopes(cursor))


def namespaces_around(cursor: Cursor) -> list[Cursor]:
    """Return the namespaces that a declaration at namespace scope belongs to, inner ones first."""
    return list(takewhile(lambda scope: kind_of(scope) == "NAMESPACE", enclosing_scopes(cursor)))


def uses_enumeration(node: Node) -> bool:
    """Whether a node is ``using enum E;``, which libclang shows as an enumeration of that name without a type."""
    return node.kind == "ENUM_DECL" and types.kind_name(node.type) == "INVALID"
