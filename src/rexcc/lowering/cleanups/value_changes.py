"""What may change the value of an expression.

In: a pure value (:mod:`.pure_values`) and statements. Out: the nodes that may write something it reads: memory that is
the same or may be (:mod:`.alias`), and the running thread's own variables.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from rexcc.analysis.addresses import address_leaves, may_be_changed
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.alias import KernelMemory
from rexcc.lowering.cleanups.memory import OWN, is_address, is_pointer_variable, parts
from rexcc.program.variables import Variable, named_variable

_ELEMENTS = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "UNARY_OPERATOR"})


def value_changes(memory: KernelMemory, value: Node, statements: Sequence[Node], behind: Set[Node]) -> Iterator[Node]:
    """Yield what may change a value in some statements; what the nodes ``behind`` do comes too late for that."""
    places = memory.effects(value).read
    for statement in statements:
        yield from (n for n in memory.writers(places, statement) if n not in behind)
    for node in value.walk():
        if OWN not in (memory.provenance.place(node) or ()):
            continue
        variable = named_variable(node)
        if variable is not None:
            yield from _variable_changes(memory, node, variable, statements, behind)
        elif node.kind in _ELEMENTS and _is_through_pointer(node):
            yield node  # into a variable of the thread's: which one is not known here


def _variable_changes(
    memory: KernelMemory, use: Node, variable: Variable, statements: Sequence[Node], behind: Set[Node]
) -> Iterator[Node]:
    """Yield what may change a variable that only the running thread has."""
    if types.is_reference(variable.type):
        yield use
        return
    if not (types.is_scalar(variable.type) or is_pointer_variable(variable)):
        uses = memory.provenance.uses.get(variable, [])
        yield from (u for u in uses if address_leaves(u))
        yield from (u for u in uses if may_be_changed(u) and any(u.is_inside(s) for s in statements))
        return
    changes = memory.provenance.changes(variable)
    if changes.exposed:
        yield use
    for write in changes.writes:
        if any(write.is_inside(s) for s in statements) and write.in_parentheses().parent not in behind:
            yield write


def _is_through_pointer(node: Node) -> bool:
    """Whether an expression names what a pointer points to."""
    inner = parts(node)
    if node.kind == "UNARY_OPERATOR":
        return node.operator == "*"
    base = inner[0].bare() if inner else None
    return base is not None and is_address(base) and not types.is_array(base.type)
