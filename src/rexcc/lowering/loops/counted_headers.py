"""Loops whose headers count in numbers by a constant.

In: a ``for`` statement. Out: its model, None where its header is another. With one iteration of such a loop, others are
known to come, if its body lets it.
"""

from __future__ import annotations

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.unroll import is_short
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError

_MOST_STEP = 1 << 16
_COUNTED = frozenset({"INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_BOUNDS = _COUNTED | {"SHORT", "USHORT", "SCHAR", "CHAR_S", "UCHAR", "CHAR_U"}
_ORDERS = frozenset({"<", "<=", ">", ">="})


def counted_header(unit: ParsedUnit, statement: Node, may_be_short: bool = False) -> CanonicalLoop | None:
    """Return a loop whose header counts in numbers by a constant, None for another; what its body does is not asked.

    ``may_be_short``: up to a small constant, too.
    """
    if statement.kind != "FOR_STMT":
        return None
    try:
        loop = canonical_loop(unit, statement)
    except CompileError:
        return None
    is_counted = _has_numbers(loop) and (may_be_short or not is_short(statement.children[1]))
    return loop if is_counted and all(map(unit.is_whole, (loop.lower, loop.bound))) else None


def _has_numbers(loop: CanonicalLoop) -> bool:
    """Whether a loop declares an index of a type in which sums are made, and goes on by a constant up to a number."""
    index, bound = (types.canonical(kind) for kind in (loop.index_type, loop.bound.bare().type))
    if not loop.declares or types.is_volatile(index) or loop.statement.children[1].bare().operator not in _ORDERS:
        return False
    if is_bit_field(loop.bound.bare()):
        return False  # it is compared as another type
    step = loop.step.value or 0
    return 0 < step < _MOST_STEP and types.kind_name(index) in _COUNTED and types.kind_name(bound) in _BOUNDS
