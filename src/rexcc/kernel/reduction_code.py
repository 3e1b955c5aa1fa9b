"""The code of reductions: calls of the device headers, or what a person writes where a thread is alone.

In: nodes of :mod:`rexcc.kernel.reductions`. Out: the statements that they are printed as. The functions are those of
``rex_device_reduce.h``, ``rex_device_into.h`` and ``rex_device_partials.h``.
"""

from __future__ import annotations

from rexcc.kernel.code import elements
from rexcc.kernel.ir import Code, Do
from rexcc.kernel.reductions import Among, Operand, Operator, PrefixSum, Reduce, Value
from rexcc.source.records import replace

_WIDTH = 116
_TOGETHER = {
    Among.TEAM: "rex_reduce_team",
    Among.BLOCK: "rex_reduce_block",
    Among.FOR_ALL: "rex_reduce_for_all",
    Among.FOR_ALL_STRAIGHT: "rex_reduce_for_all_straight",
    Among.GRID: "rex_reduce",
    Among.TEAMS: "rex_reduce_blocks",
    Among.HOST: "rex_leave",
}
"""The functions that join several variables at once."""


def value_text(value: Value) -> str:
    """Return the expression of a value."""
    return value if isinstance(value, str) else f"rex_identity_{value.operator.name}<{value.type}>()"


def reduction_code(node: Reduce | PrefixSum) -> Code:
    """Return the statements of a node."""
    if isinstance(node, PrefixSum):
        return (_prefix_sum(node),)
    if node.among in (Among.ALONE, Among.EACH):
        return tuple(statement for operand in node.operands for statement in _each(operand, node.among))
    if node.among is Among.BLOCK and len(node.operands) == 1 and not node.operands[0].count:
        return (_call("rex_reduce", node.operands[0]),)
    return (_together(_TOGETHER[node.among], [node.given] if node.given else [], node.operands),)


def _each(operand: Operand, among: Among) -> Code:
    """Return the statements by which one thread joins its own value, element by element."""
    if operand.count:
        own = f"({operand.value})" if operand.is_cast else operand.value
        element = f"{operand.target} + __rex_e"
        one = replace(operand, target=element, value=f"{own}[__rex_e]", count="", is_named=False)
        return elements(operand.count, _each(one, among), operand.index)
    if among is Among.EACH:
        return (_call("rex_reduce_each" if operand.operator.combiner else "rex_atomic", operand),)
    return (Do(_alone(operand)),)


def _alone(operand: Operand) -> str:
    operator, value = operand.operator, operand.value
    if operator.combiner:
        return f"{operator.combiner}(*({operand.target}), {value});"
    original = f"*{operand.target}" if operand.is_named else f"*({operand.target})"
    if not operator.symbol:
        return f"{original} = rex_combine_{operator.name}({original}, {value});"
    if operator.cast:
        return f"{original} = ({operator.cast})({original} {operator.symbol} {value});"
    return f"{original} {operator.symbol}= {value};"


def _combiner(operator: Operator) -> str:
    """Return a combiner as an object of a type of its own: a pointer to a function would be called, not inlined."""
    return operator.combiner if operator.is_object or not operator.combiner else f"REX_COMBINER({operator.combiner})"


def _call(function: str, operand: Operand) -> Do:
    combiner = _combiner(operand.operator)
    end, more = ("with", f", {combiner}") if combiner else (operand.operator.name, "")
    return Do(f"{function}_{end}({operand.target}, {operand.value}{more});")


def _together(function: str, given: list[str], operands: tuple[Operand, ...]) -> Do:
    """Return the call that joins several variables, each on a line where one line is too short."""
    arguments = given + [_into(operand) for operand in operands]
    line = f"{function}({', '.join(arguments)});"
    if len(line) <= _WIDTH or len(arguments) < 2:
        return Do(line)
    separator = ",\n" + " " * (len(function) + 1)
    return Do(f"{function}({separator.join(arguments)});")


def _into(operand: Operand) -> str:
    operator = operand.operator
    parts = [operand.target, operand.value, operand.count, _combiner(operator), operand.copies]
    team = "team_" if operand.copies else ""
    return f"rex_into_{team}{operator.name or 'with'}({', '.join(part for part in parts if part)})"


def _prefix_sum(node: PrefixSum) -> Do:
    operator = node.operator
    given = (node.value, node.carry, _combiner(operator), node.threads, node.of_teams)
    parts = ", ".join(part for part in given if part)
    kind = f"{'teams_' if node.of_teams else ''}{'exclusive' if node.is_exclusive else 'inclusive'}"
    return Do(f"rex_scan_{kind}_{operator.name or 'with'}({parts});")
