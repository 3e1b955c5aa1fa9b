"""``__builtin_constant_p``, GNU's question whether a compiler knows a value.

In: device code. Out: edits that answer it with 1 where the operand is a constant, as the host's compiler does: the
answer may be the extent of an array, the value of an enumerator, or a label. Where the operand is none, the device's
headers answer with 0, which a compiler may always say; nvcc takes the question for a call of a host function. Macros
of the library stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.text.body import DeviceBody

_ASKS = "__builtin_constant_p"


def answer_questions(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Write the answers of the questions below some nodes; ask for the expansion of macros that hide them."""
    for top in tops:
        for node in top.walk():
            if node.kind != "CALL_EXPR" or node.spelling != _ASKS or len(node.children) < 2:
                continue
            if not _is_known(node.children[-1]):
                continue
            if body.original(node).startswith(_ASKS):
                body.edits.rewrite(body.start(node), body.end(node), "1")
            elif not _is_in_macro_of_library(body, node):
                body.expand(body.file.original(node.start))


def _is_in_macro_of_library(body: DeviceBody, node: Node) -> bool:
    """Whether an expression is hidden by a macro of the library, of which device code has its own headers' meaning: C's
    ``toupper`` is a function there."""
    uses = [use for use in body.unit.use_places.get(node.file, ()) if use.start <= node.start < use.end]
    return bool(uses) and library.in_system_header(uses[0].definition)


def _is_known(operand: Node) -> bool:
    cursor = operand.cursor
    if library.evaluate_integer(cursor) is not None or library.evaluate_floating(cursor) is not None:
        return True
    return any(_is_number(node) for node in operand.walk()) and _is_of_numbers(operand)


_CONSTANT = frozenset(
    {"UNEXPOSED_EXPR", "PAREN_EXPR", "BINARY_OPERATOR", "INTEGER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CHARACTER_LITERAL"}
)
"""What expressions of a template's parameters are made of, besides these."""


def _is_of_numbers(node: Node) -> bool:
    """Whether an expression is a constant in each instance of a template, whose text does not know its value."""
    return _is_number(node) or (node.kind in _CONSTANT and all(map(_is_of_numbers, node.children)))


def _is_number(node: Node) -> bool:
    """Whether an expression is a template's parameter that is a number, or the size of something."""
    if node.kind != "DECL_REF_EXPR":
        return node.kind == "CXX_UNARY_EXPR"
    target = node.referenced
    return target is not None and kind_of(target) == "TEMPLATE_NON_TYPE_PARAMETER" and types.is_scalar(target.type)
