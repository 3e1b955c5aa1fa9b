"""Hoist references to invariant aggregate elements out of inner loops.

In: loops inside an iteration. Out: the address of a struct element that a loop names again and again is a local before
it. Before::

    for (int j = 0; j < n; j++) {
      dx += body[j].x - body[i].x;  dy += body[j].y - body[i].y; …

after::

    const Body *__rex_ref_body_i = &body[i];
    for (int j = 0; j < n; j++) {
      dx += body[j].x - __rex_ref_body_i->x;  dy += body[j].y - __rex_ref_body_i->y; …

Only an address moves, never a load, so nothing that memory holds matters. What must hold, for ``base[index]`` of a
struct or class type: both are variables that only the running thread has, declared outside the loop, not changed in
it, their addresses never taken; the loop is the innermost one around at least two such references, each of which ends
in a read of a value; the text is the user's own, no macro's.
"""

from __future__ import annotations

import re

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Declare
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, is_pointer_variable
from rexcc.lowering.cleanups.syntax import can_precede, is_evaluated, is_exact, is_free, is_read_through, value_type
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable

Group = dict[tuple[int, int], Node]
"""References with one meaning, by their place: a macro's argument that is used twice stands once in the text."""


def hoist_aggregate_refs(context: CleanupContext) -> None:
    """Hoist what qualifies out of each inner loop."""
    for loop in context.inner_loops():
        if not can_precede(context, loop):
            continue
        for group in _groups(context, loop).values():
            if len(group) < 2:
                continue
            name = context.body.original(next(iter(group.values())))
            kept = next((node for node in group.values() if not _may_change(context, node)), None)
            if kept is None:
                _hoist(context, loop, list(group.values()))
                context.tell(f"the address of '{name}' is computed once before this loop", loop)
            else:
                reason = Reason("this does more than read a value, or a macro has a part in it", kept)
                context.tell(f"the address of '{name}' is computed in each iteration of this loop", loop, reason)


def _groups(context: CleanupContext, loop: Node) -> dict[tuple[Variable, Variable], Group]:
    """Return the struct elements ``base[index]`` that a loop is the innermost around, by their two variables."""
    found: dict[tuple[Variable, Variable], Group] = {}
    for node in loop.walk():
        if node.kind != "ARRAY_SUBSCRIPT_EXPR" or not types.is_record(node.type) or len(node.children) != 2:
            continue
        base, index = (invariant_variable(context, loop, child) for child in node.children)
        if base is not None and index is not None and context.nearest_loop(node) is loop:
            group = found.setdefault((base, index), {})
            group.setdefault((node.start, node.end), node)
    return found


def invariant_variable(context: CleanupContext, loop: Node, node: Node) -> Variable | None:
    """Return the variable an expression is, where a loop cannot change it and it is known before the loop."""
    bare = node.bare()
    variable = named_variable(bare)
    if variable is None or types.is_reference(variable.type) or bare.file != loop.file:
        return None
    provenance = context.memory.provenance
    declaration = provenance.declared.get(variable)
    if declaration is not None and loop.start <= declaration.start < loop.end:
        return None
    if types.is_array(variable.type) and not is_pointer_variable(variable):
        return variable
    changes = provenance.changes(variable)
    changed = changes.exposed or any(loop.start <= u.start < loop.end for u in changes.writes)
    return None if changed or provenance.place(bare) != frozenset({OWN}) else variable


def _may_change(context: CleanupContext, node: Node) -> bool:
    body = context.body
    start, end = body.start(node), body.end(node)
    constant = not types.is_volatile(node.type) and not spelling.is_unnamed(node.type)
    return (
        constant and is_read_through(node) and is_evaluated(node) and is_exact(body, node) and is_free(body, start, end)
    )


def _hoist(context: CleanupContext, loop: Node, references: list[Node]) -> None:
    base, index = (child.bare().spelling for child in references[0].children)
    name = context.name(f"__rex_ref_{base}_{index}")
    kind = value_type(references[0].type, context.body.unit.is_cplusplus)
    context.put_before(
        loop, Declare(f"const {kind} *{name}", name, address_text(f"{base}[{index}]", references[0].type))
    )
    for node in references:
        start, end = context.body.start(node), context.body.end(node)
        dot = re.compile(r"\s*\.").match(context.body.text, end)
        if dot is not None and is_free(context.body, start, dot.end()):
            context.body.edits.replace(start, dot.end(), f"{name}->")
        else:
            context.body.edits.replace(start, end, f"(*{name})")
