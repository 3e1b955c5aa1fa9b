"""Expressions whose value depends on nothing but the values that they read.

In: an expression. Out: its meaning, equal for two expressions that have one value as long as what they read does not
change; None for one that changes something, reads what is volatile, or calls what is not known.
"""

from __future__ import annotations

from rexcc.analysis.implicit_calls import implicit_calls
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.standard_library import may_be_library_function
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.cleanups.pure_functions import PURE, computes
from rexcc.lowering.text.body import DeviceBody

Meaning = tuple[object, ...]

_LITERALS = frozenset({"INTEGER_LITERAL", "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR"})
_OPERATIONS = VALUE_CASTS | {"BINARY_OPERATOR", "UNARY_OPERATOR", "CONDITIONAL_OPERATOR"}
_OBJECTS = frozenset({"DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR"})
_CHANGING = frozenset({"=", ","})
_UNARY = frozenset({"+", "-", "~", "!", "*"})


def meaning_of(body: DeviceBody, node: Node) -> Meaning | None:
    """Return what an expression means, None for one that is no pure value."""
    bare = node.bare()
    if not _is_pure(bare):
        return None
    below = [meaning_of(body, child) for child in parts(bare)]
    if None in below:
        return None
    literal: object = None
    if bare.kind in _LITERALS:
        value = evaluate_integer(bare.cursor)
        literal = body.original(bare) if value is None else value
    named = bare.referenced.canonical.hash if bare.kind not in _LITERALS and bare.referenced is not None else 0
    kind = str(bare.type.get_canonical().spelling)
    return (bare.kind, bare.operator, kind, named, literal, *below)


def _is_pure(node: Node) -> bool:
    """Whether a node itself, without those below it, only makes a value or names an object."""
    kind = types.canonical(node.type)
    if types.is_volatile(kind) or types.kind_name(kind) == "ATOMIC":
        return False
    if node.kind == "DECL_REF_EXPR" and node.referenced is None:
        return [child.kind for child in node.children] == ["INTEGER_LITERAL"]  # in the place of a template's parameter
    if node.kind == "CALL_EXPR":
        return computes_value(node)
    if node.kind == "UNARY_OPERATOR" and node.operator not in _UNARY:
        return False
    if node.kind in _OPERATIONS:
        is_number = types.is_scalar(node.type) or types.is_pointer(node.type) or node.operator == "*"
        return is_number and node.operator not in _CHANGING
    return node.kind in _LITERALS or node.kind in _OBJECTS


def computes_value(call: Node) -> bool:
    """Whether a call is one of a function of the library that computes a value from values, and calls none of the
    user's."""
    return library_function(call) in PURE and computes(call) and not implicit_calls(call)


def library_function(call: Node) -> str:
    """Return the name of the function of the C or C++ library that is called, an empty string for any other."""
    callee = call.referenced
    if callee is None or not may_be_library_function(callee):
        return ""
    return str(callee.spelling).removeprefix("__builtin_")
