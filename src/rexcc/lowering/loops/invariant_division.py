"""Divisions by values that are the same in a whole launch: the host makes multipliers of these.

In: a loop over the grid. Out: edits of its body, and the arguments that its kernel gets. Before and after::

    int row = i / width, column = i % width;
    int row = rex_quotient(i, __rex_over_width), column = rex_remainder(i, width, __rex_over_width);

A division of numbers of 32 bits is some 20 instructions, the multiplication 4 (``rex_divide.h``); kernels that find
places by division are bound by them (docs/decisions/023-collapsed-loops.md). The divisor is an ``int``, or of a smaller
type, that travels by value and that the region never changes, or a sum, difference or product of two such. Divisions of
``unsigned`` numbers have functions of their own, 5 instructions; in their divisors sums wrap on the host as well.
"""

from __future__ import annotations

import re

from rexcc.analysis.attributes import Kind
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Applied
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.syntax import is_evaluated
from rexcc.lowering.loops.wrapped_indices import is_wrapped
from rexcc.lowering.model.launch import Argument, by_value
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.placing import USER, place_expression
from rexcc.lowering.text.qualified import host_name
from rexcc.program.variables import named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

MOST_DIVISORS = 8
"""Divisors of a kernel; each is an argument of its launches."""

_CALLS = {
    "INT": {"/": "rex_quotient", "%": "rex_remainder"},
    "UINT": {"/": "rex_unsigned_quotient", "%": "rex_unsigned_remainder"},
}
_WORDS = {"+": "plus", "-": "minus", "*": "times"}
_SMALL = frozenset({"INT", "SHORT", "USHORT", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR"})
_UNSIGNED = _SMALL | {"UINT"}


@dataclass(frozen=True)
class _Divisor:
    """A divisor: its name in the kernel, how the user knows it, and the host's call that makes a multiplier of it."""

    name: str
    shown: str
    bytes: str


def multiply_instead(context: CleanupContext) -> tuple[Argument, ...]:
    """Edit the divisions of an iteration; return the arguments that they need."""
    divisors: dict[str, _Divisor] = {}
    for node in context.scope.walk():
        found = _divisor_of(context, node)
        if found is None or (len(divisors) == MOST_DIVISORS and found.name not in divisors):
            continue
        if divisors.get(found.name, found) != found:  # ``m - 1`` beside a variable ``m_minus_1``
            continue
        is_free = _is_free(context, node)
        if is_free and _type(node) == "INT" and is_wrapped(context, node):
            _apply(context, node, "rex_wrapped", (context.body.edited_node(node.children[1]),))
            continue
        if is_free or context.kernel.region.owner.template is not None:  # instances have the same arguments
            divisors[found.name] = found
        if is_free:
            _edit(context, node, found)
            context.tell("the host makes a multiplier of this divisor", node.children[1], topic=Topic.LOOP)
    return tuple(_argument(d) for d in divisors.values())


def _divisor_of(context: CleanupContext, node: Node) -> _Divisor | None:
    """Return the divisor of a division of ints by what the host knows, None for anything else."""
    if node.kind != "BINARY_OPERATOR" or node.operator not in ("/", "%") or not _divides(node):
        return None
    if not _is_in_pattern(context, node):
        return None
    kind, right = _type(node), node.children[1].bare()
    if right.kind == "BINARY_OPERATOR" and right.operator in _WORDS:
        operands = [child.bare() for child in right.children]
        parts = [_value(context, operand, kind) for operand in operands]
        if None in parts or all(operand.kind == "INTEGER_LITERAL" for operand in operands):
            return None
        name, text = f"{parts[0]}_{_WORDS[right.operator]}_{parts[1]}", f"{parts[0]} {right.operator} {parts[1]}"
        if kind == "INT":
            return _Divisor(_name(name, kind), text, f"rex_divisor_bytes((__INT64_TYPE__){text})")
        wrapping = f"(__UINT32_TYPE__){parts[0]} {right.operator} (__UINT32_TYPE__){parts[1]}"
        return _Divisor(_name(name, kind), text, f"rex_unsigned_divisor_bytes({wrapping})")
    value = _value(context, right, kind) if right.kind == "DECL_REF_EXPR" else None
    if value is None:
        return None
    function = "rex_divisor_bytes" if kind == "INT" else "rex_unsigned_divisor_bytes"
    return _Divisor(_name(value, kind), value, f"{function}({value})")


def _name(value: str, kind: str) -> str:
    over = "__rex_over_" if kind == "INT" else "__rex_unsigned_over_"
    return over + re.sub(r"\W+", "_", value)


def _type(node: Node) -> str:
    return str(types.kind_name(types.canonical(node.type)))


def _divides(node: Node) -> bool:
    """Whether an operation is one of ints, or of numbers that are converted to ``unsigned`` if they are not."""
    kinds = {_type(child) for child in node.children}
    return kinds == {"INT"} if _type(node) == "INT" else _type(node) == "UINT" and kinds <= _UNSIGNED


def _value(context: CleanupContext, node: Node, kind: str) -> str | None:
    """Return the host's text of a literal or of a variable that has the same value there, None for anything else."""
    if node.kind == "INTEGER_LITERAL" and _type(node) == "INT":
        text = context.body.original(node)
        return text if text.isdigit() else None
    variable = named_variable(node)
    if variable is None or _type(node) not in (_SMALL if kind == "INT" else _UNSIGNED):
        return None
    attribute = context.kernel.data.of(variable)
    if attribute is None or attribute.kind is not Kind.VALUE or not context.memory.provenance.is_constant(variable):
        return None
    return host_name(attribute.variable)


def _is_in_pattern(context: CleanupContext, node: Node) -> bool:
    """Whether a template has this division of this type in all of its instances."""
    template = context.kernel.region.owner.template
    if template is None:
        return True
    same = (n for n in template.walk() if n.kind == node.kind and n.start == node.start and n.end == node.end)
    return any(n.file == node.file and n.operator == node.operator and _type(n) == _type(node) for n in same)


def _is_free(context: CleanupContext, node: Node) -> bool:
    """Whether a division stands in the user's text, and no edit is in the way."""
    body, (left, right) = context.body, node.children
    start, end = body.start(node), body.end(node)
    low, high = body.end(left), body.start(right)
    if node.file != body.file.scan.source.path or not is_evaluated(node) or _is_in_lambda(node):
        return False
    if not (start == body.start(left) and low <= high and end == body.end(right)):
        return False
    if body.text[low:high].strip() != node.operator:
        return False
    if body.edits.has_insertion_around(start, low):
        return False
    return all(start <= a and b <= low for a, b in body.edits.replaced_in(start, end) if a < b)


def _is_in_lambda(node: Node) -> bool:
    """Whether a lambda of the iteration has to capture what it uses."""
    return any(above.is_called_code for above in node.ancestors())


def _edit(context: CleanupContext, node: Node, divisor: _Divisor) -> None:
    body, right = context.body, node.children[1]
    others = (divisor.name,) if node.operator == "/" else (body.edited_node(right), divisor.name)
    _apply(context, node, _CALLS[_type(node)][node.operator], others)


def _apply(context: CleanupContext, node: Node, function: str, others: tuple[str, ...]) -> None:
    body, (left, right) = context.body, node.children
    made = Applied(function, USER, others)
    place_expression(body, body.start(node), body.end(left), made, last=body.end(right))


def _argument(divisor: _Divisor) -> Argument:
    name, what = divisor.name, f"divisor '{divisor.shown}'"
    return by_value(name, "rex_divisor", divisor.bytes, what, related("packed", name), "__UINT64_TYPE__")
