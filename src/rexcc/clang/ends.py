"""Expressions that end a program where exceptions do: ``throw``, and calls of functions that never return.

In: cursors. Out: whether one is such an expression. Functions without a definition are left out, as those of the C
library, and those of namespace ``std``: devices have them.
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor, CursorKind

from rexcc.clang import library
from rexcc.source.patterns import regex

KINDS = frozenset({"CXX_THROW_EXPR", "CALL_EXPR"})
_THROW, _CALL = CursorKind.CXX_THROW_EXPR.value, CursorKind.CALL_EXPR.value
_NEVER_RETURNS = regex(r"\[\[noreturn\]\]|\bnoreturn\b")


def is_end(cursor: Cursor) -> bool:
    """Whether an expression throws, or calls a function of which the program has the text and that never returns."""
    if cursor._kind_id != _CALL:
        return bool(cursor._kind_id == _THROW)
    candidates = _candidates(cursor)
    return bool(candidates) and all(map(_never_returns, candidates))


def called_name(call: Cursor) -> str:
    """Return the name of what a call calls, also in a template; empty where it has none."""
    return next((str(function.spelling) for function in _candidates(call)), "")


def _candidates(call: Cursor) -> Sequence[Cursor]:
    """Return what a call means, or may mean by a name, in a template, as long as its arguments are open."""
    called = library.referenced(call)
    if called is not None:
        return (called,)
    callee = next(iter(library.children(call)), None)
    names = library.children(callee) if callee is not None else ()
    return next((found for name in names if (found := library.overloads(name))), ())


@library.asked_once
def _never_returns(function: Cursor) -> bool:
    definition = function.get_definition()
    if definition is None or _NEVER_RETURNS.search(_said_of(function) + _said_of(definition)) is None:
        return False
    scope = definition.semantic_parent
    while scope is not None and scope.semantic_parent is not None and scope.semantic_parent.kind.is_declaration():
        scope = scope.semantic_parent
    return scope is None or str(scope.spelling) != "std"


def _said_of(function: Cursor) -> str:
    return f"{library.printed_head(function)} {function.type.spelling}"
