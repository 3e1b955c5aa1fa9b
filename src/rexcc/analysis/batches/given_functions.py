"""Functions that a call gives to the function that it calls, by their names.

In: a call, and the function's definition. Out: for each parameter that is a pointer or a reference to a function, and
that the function only calls or hands on as it is, the function that it is in this call.
"""

from __future__ import annotations

from collections.abc import Mapping

from clang.cindex import Cursor

from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of

Given = tuple[tuple[int, Cursor], ...]
"""Hashes of parameters, with the functions that they are."""

_AROUND_NAMES = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})


def given_functions(call: Node, definition: Cursor, known: Mapping[int, Cursor]) -> Given:
    """Return the functions that a call gives; ``known`` are those that the caller itself has been given."""
    if kind_of(definition) != "FUNCTION_DECL":
        return ()
    found = []
    arguments = [call.tree.node(argument) for argument in call.cursor.get_arguments()]
    for parameter, argument in zip(definition.get_arguments(), arguments, strict=False):
        function = _function_of(argument, known) if _is_function(parameter) else None
        if function is not None and _is_only_called(call.tree.node(definition), parameter):
            found.append((int(parameter.hash), function))
    return tuple(found)


def _function_of(argument: Node, known: Mapping[int, Cursor]) -> Cursor | None:
    named = argument.bare()
    if named.kind == "UNARY_OPERATOR" and named.operator == "&":
        named = named.children[0].bare()
    target = named.referenced if named.kind == "DECL_REF_EXPR" else None
    if target is None:
        return None
    return target if kind_of(target) == "FUNCTION_DECL" else known.get(int(target.hash))


def _is_function(parameter: Cursor) -> bool:
    kind = types.canonical(parameter.type)
    return "FUNCTIONPROTO" in (types.kind_name(kind), types.kind_name(kind.get_pointee()))


def _is_only_called(definition: Node, parameter: Cursor) -> bool:
    """Whether nothing but a call of it, or of a function that gets its value, names a parameter."""
    return all(
        _is_called_or_given(node)
        for node in definition.walk()
        if node.kind == "DECL_REF_EXPR" and node.refers_to(parameter)
    )


def _is_called_or_given(name: Node) -> bool:
    below = name
    while below.parent is not None and below.parent.kind in _AROUND_NAMES:
        below = below.parent
    call = below.parent
    if call is None or call.kind != "CALL_EXPR":
        return False
    callee = call.referenced
    if callee is None or call.children[0] == below:
        return True
    if kind_of(callee) != "FUNCTION_DECL":
        return False
    return not any(
        types.is_reference(p.type) and types.is_pointer(types.without_reference(p.type)) for p in callee.get_arguments()
    )
