"""Why a pass leaves code as it is: the first precondition that fails, and the code that makes it fail.

In: memory that a pass would like to know unchanged. Out: a :class:`~rexcc.lowering.model.remarks.Reason`. Asked for
only when the user wants remarks: looking for the code costs more than deciding.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import Memory, Places
from rexcc.lowering.model.remarks import Reason


def written_by(context: CleanupContext, places: Places, top: Node, name: str) -> Reason:
    """Return what in ``top`` may write memory that ``name`` is, or why that cannot be told."""
    if places is None:
        return Reason(f"it is not known where '{name}' points to")
    node = next(context.memory.writers(places, top), None)
    if node is None:
        return Reason(f"the result of a reduction or a last value may be '{name}'")
    return overlap(context, places, node, name)


def overlap(context: CleanupContext, places: frozenset[Memory], node: Node, name: str) -> Reason:
    """Return why an access may write memory that ``name`` is."""
    written = context.memory.effects(node).written
    if written is None and node.kind == "CALL_EXPR":
        return Reason(f"this call may write '{name}'", node)
    if written is None:
        return Reason(f"this may write '{name}': it is not known what it writes", node)
    other = first_overlap(context, places, written)
    if other is None or other in places:
        return Reason(f"this writes '{name}'", node)
    return Reason(f"this may write '{name}': {together(other, name)}", node)


def first_overlap(context: CleanupContext, places: frozenset[Memory], others: frozenset[Memory]) -> Memory | None:
    """Return what may be the same memory as ``places``: of several that of the variable declared first, so that each
    run names the same one."""
    found = (m for m in others if not context.memory.all_apart(places, frozenset({m})))
    return min(found, key=lambda m: -1 if m.variable is None else int(m.variable.cursor.location.offset), default=None)


def together(other: Memory, name: str) -> str:
    """Return why two memories may be one."""
    if other.variable is None:
        return "the object of the method may hold it"
    pair = f"'{other.variable.name}' and '{name}'"
    return f"nothing says that {pair} are apart (a construct that maps sections of both, or 'restrict', does)"
