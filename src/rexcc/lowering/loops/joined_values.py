"""How few blocks a kernel has whose blocks join several values at its end.

In: a kernel whose loops are lowered. Out: the iterations that a thread has before there are more blocks than two for
each multiprocessor (rule 6 of ``runtime/include/rex_geometry.h``). A block more brings threads that share the
iterations, and takes time for each value that it joins: that is worth it where iterations are long or many
(docs/decisions/025-reduction-grids.md).
"""

from __future__ import annotations

from itertools import islice

from clang.cindex import Type

from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.lowering.loops.slow_parts import slow_part
from rexcc.lowering.loops.tile_rules import MOST_LOADS, leads_to_element
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.reductions.shared_elements import element_count

_MANY = 4
"""Values that take long to join."""
_MOST_ELEMENTS = 32
"""Of an array that is reduced: threads with longer ones do little else."""

_LONG, _FEW_VALUES, _MANY_VALUES = 4, 16, 32
"""Iterations of a thread: long ones; short ones, where few values are joined, and where many are."""
_MOST_NODES = 300
"""Of a short iteration, with the functions that it calls."""


def least_iterations(kernel: Kernel) -> int:
    """Return the iterations that a thread has before there are more than two blocks for each multiprocessor."""
    counts = [_values(a.variable.cursor.type) for a in kernel.data.attributes if a.reduction]
    if sum(counts) < 2 or not all(counts):
        return 1
    if not _is_light(kernel.region):
        return _LONG
    return _MANY_VALUES if sum(counts) >= _MANY else _FEW_VALUES


def _values(kind: Type) -> int:
    """Return how many values a variable has that a block joins with those of others, 0 for too many or unknown ones."""
    kind = types.canonical(types.without_reference(kind))
    if types.is_pointer(kind):
        return 0
    if not types.is_array(kind):
        return 1
    count = element_count(kind)
    return count if count is not None and count <= _MOST_ELEMENTS else 0


def _is_light(region: TargetRegion) -> bool:
    """Whether an iteration is short: it has no loops, loads a few numbers and does not compute long."""
    if slow_part(region, [region.iteration]) is not None:
        return False
    bodies = (region.iteration, *called_bodies(region.unit.tree, [region.iteration]))
    nodes = [node for body in bodies for node in islice(body.walk(), _MOST_NODES + 1)]
    directives = frozenset(c.probe.offset for c in region.constructs[-1].descendants())
    if len(nodes) > _MOST_NODES or any(_is_unknown(node, directives) for node in nodes):
        return False
    return len({region.unit.user_text(node) for node in nodes if leads_to_element(node)}) <= MOST_LOADS


def _is_unknown(node: Node, directives: frozenset[int]) -> bool:
    """Whether a node may be executed often, or stands for code that does not show; the statements that stand for
    directives look like loops."""
    if node.kind in LOOP_KINDS:
        return node.kind != "WHILE_STMT" or node.start not in directives
    return node.is_called_code or (node.kind == "CALL_EXPR" and node.referenced is None)
