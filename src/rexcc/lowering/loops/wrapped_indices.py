"""Neighbours across the ends of a row: remainders that are a comparison and a subtraction.

In: a remainder in an iteration. Out: whether its left side is never negative and less than twice the right side::

    int right = (x + 1) % w, left = (x + w - 1) % w;                        // x counts from 0 as long as it is below w
    int right = rex_wrapped((x + 1), w), left = rex_wrapped((x + w - 1), w);

What makes it invisible: the divisor is a variable that the region never changes, and the left side a sum of the index
of one of its loops, of the divisor at most once, and of constants. The loop's bounds say how great the index is, and
that the divisor is positive where there is an iteration. The arithmetic is that of ``int``, in which no sum overflows
unless the user says that it wraps, and its value is computed as it was.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop, literal_value
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

_MOST = 1 << 20
"""Constants beyond it are left alone, so that sums of a few of them are small."""


@dataclass(frozen=True)
class _Sum:
    """How often variables are in a sum, and the constant beside them."""

    terms: tuple[tuple[Variable, int], ...] = ()
    constant: int = 0

    def plus(self, other: _Sum, sign: int) -> _Sum:
        """Return the sum or the difference of two."""
        counts = dict(self.terms)
        for variable, count in other.terms:
            counts[variable] = counts.get(variable, 0) + sign * count
        return _Sum(tuple(counts.items()), self.constant + sign * other.constant)


def is_wrapped(context: CleanupContext, node: Node) -> bool:
    """Whether a remainder of ints is its left side, or that less the divisor."""
    if node.operator != "%" or context.wraps or context.kernel.region.owner.template is not None:
        return False
    divisor = named_variable(node.children[1].bare())
    value = _sum(context, node.children[0].bare())
    if divisor is None or value is None:
        return False
    counts = {variable: count for variable, count in value.terms if count}
    times = counts.pop(divisor, 0)
    if len(counts) != 1 or times not in (0, 1):
        return False
    ((index, count),) = counts.items()
    loop = next((one for one in context.kernel.region.loops if one.index == index), None)
    return count == 1 and loop is not None and _stays(context, loop, divisor, times, value.constant)


def _stays(context: CleanupContext, loop: CanonicalLoop, divisor: Variable, times: int, constant: int) -> bool:
    """Whether the index and a constant, and the divisor where it is in the sum, are from 0 to less than two divisors.

    The index is from ``lower`` to the divisor less one and ``below``; so the divisor is greater than both together.
    """
    lower, bound = loop.lower_value, _sum(context, loop.bound.bare())
    if lower is None or lower < 0 or not loop.increasing or loop.relation != "<" or bound is None:
        return False
    if bound.terms != ((divisor, 1),) or bound.constant > 0 or not _is_int(loop.bound):
        return False
    below = -bound.constant
    least = lower + below + 1  # of the divisor
    if times == 0:
        return constant + lower >= 0 and constant - below - 1 < least
    return constant + lower + least >= 0 and constant - below - 1 < 0


def _sum(context: CleanupContext, node: Node) -> _Sum | None:
    """Return a sum of variables and constants that are ints, None for anything else."""
    if not _is_int(node):
        return None
    if node.kind == "BINARY_OPERATOR" and node.operator in ("+", "-"):
        left, right = (_sum(context, child.bare()) for child in node.children)
        return None if left is None or right is None else left.plus(right, 1 if node.operator == "+" else -1)
    variable = named_variable(node) if node.kind == "DECL_REF_EXPR" else None
    if variable is not None and not types.is_reference(variable.type):
        return _Sum(((variable, 1),))
    value = literal_value(context.body.original(node)) if node.kind == "INTEGER_LITERAL" else None
    return _Sum(constant=value) if value is not None and value <= _MOST else None


def _is_int(node: Node) -> bool:
    return types.kind_name(types.canonical(node.type)) == "INT"
