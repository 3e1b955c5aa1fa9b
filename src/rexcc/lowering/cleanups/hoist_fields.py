"""Hoist invariant reads of fields out of inner loops.

In: loops inside an iteration. Out: a field that a loop reads again and again through one pointer is a local before it;
of an array field, its address. Before::

    for (int k = 0; k < p->n; k++) sum += p->scale * x[k] + p->scale * p->table[k] - p->table[0];

after::

    const float __rex_field_p_scale = p->scale;
    const float *__rex_field_p_table = p->table;
    for (int k = 0; k < p->n; k++) sum += __rex_field_p_scale * x[k] + …

``p`` is a pointer variable that only the running thread has, that the region never changes after its declaration,
outside the loop; the loop is the innermost one around at least two reads of the field, all of them plain. For a scalar
field a load moves, so also: the object is none of the thread's own, nothing that the loop writes can be the field, and
the object is read anyway: before the loop on every path to it, in the loop's own test, or in each iteration of a loop
that runs at least once.
"""

from __future__ import annotations

from rexcc.analysis.references import is_written
from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import NAME_KINDS, Node, kind_of
from rexcc.kernel.ir import Declare
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.hoist_aggregates import Group, invariant_variable
from rexcc.lowering.cleanups.ldg import load_text
from rexcc.lowering.cleanups.memory import OWN, is_pointer_variable
from rexcc.lowering.cleanups.missed_reasons import written_by
from rexcc.lowering.cleanups.syntax import (
    can_precede,
    is_evaluated,
    is_exact,
    is_free,
    is_load,
    is_plain_scalar,
    is_read_through,
    is_unconditional,
    value_type,
)
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable


def hoist_field_reads(context: CleanupContext) -> None:
    """Hoist what qualifies out of each inner loop."""
    for loop in context.inner_loops():
        if not can_precede(context, loop):
            continue
        for (variable, _), group in _groups(context, loop).items():
            reads = list(group.values())
            if len(reads) < 2:
                continue
            name = context.body.original(reads[0])
            kept = _first_failed(context, loop, variable, reads)
            if kept is not None:
                context.tell(f"'{name}' is read in each iteration of this loop", loop, kept)
                continue
            _hoist(context, loop, reads)
            context.tell(f"'{name}' is read once before this loop", loop)


def _hoist(context: CleanupContext, loop: Node, reads: list[Node]) -> None:
    if _is_array_field(reads[0]):
        _hoist_array(context, loop, reads)
    else:
        _hoist_value(context, loop, reads)


def _first_failed(context: CleanupContext, loop: Node, variable: Variable, reads: list[Node]) -> Reason | None:
    """Return why reads cannot be moved before a loop, None where they can."""
    fixed = next((r for r in reads if not _is_editable(context, r)), None)
    if fixed is not None:
        return Reason("this does more than read a value, or a macro has a part in it", fixed)
    if _is_array_field(reads[0]):
        return None
    if not types.is_scalar(reads[0].type):
        return Reason("its type is no scalar", reads[0])
    place = context.memory.provenance.place(reads[0])
    if place is not None and OWN in place:
        return Reason("it may be a variable of the thread's own, which the loop may change", reads[0])
    if not context.memory.all_apart(place, context.memory.effects(loop).written):
        return written_by(context, place, loop, context.body.original(reads[0]))
    if not _is_read_anyway(context, loop, variable):
        return Reason("the loop may end before it reads it, and then there may be nothing to read", reads[0])
    return None


def _groups(context: CleanupContext, loop: Node) -> dict[tuple[Variable, str], Group]:
    """Return the accesses ``p->f`` that a loop is the innermost around, by pointer and field."""
    found: dict[tuple[Variable, str], Group] = {}
    for node in loop.walk():
        pointer = _pointer(node)
        if pointer is None or context.nearest_loop(node) is not loop:
            continue
        variable = invariant_variable(context, loop, pointer)
        if variable is not None and context.memory.provenance.is_constant(variable):
            found.setdefault((variable, node.spelling), {}).setdefault((node.start, node.end), node)
    return found


def _pointer(node: Node) -> Node | None:
    """Return ``p`` of ``p->f`` and ``(*p).f``."""
    field = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
    if field is None or kind_of(field) != "FIELD_DECL" or not node.children or types.is_reference(field.type):
        return None
    base = node.children[0].bare()
    if base.is_dereference:
        base = base.children[0].bare()
    variable = named_variable(base)
    is_pointer = variable is not None and is_pointer_variable(variable)
    return base if is_pointer and not is_bit_field(node) else None


def _is_editable(context: CleanupContext, node: Node) -> bool:
    body = context.body
    plain = is_read_through(node) if types.is_array(node.type) else is_load(node) and is_plain_scalar(node.type)
    free = is_free(body, body.start(node), body.end(node)) and not spelling.is_unnamed(node.type)
    return plain and free and is_evaluated(node) and is_exact(body, node)


def _is_array_field(node: Node) -> bool:
    shape = types.shape_of(node.type)
    return types.is_array(node.type) and shape.dimensions == 1 and types.is_scalar(shape.element)


def _is_read_anyway(context: CleanupContext, loop: Node, variable: Variable) -> bool:
    """Whether the object behind a pointer is accessed on every path that reaches the loop, or by the loop surely."""
    if any(_accesses(context, part, variable) for part in _surely_run(loop)):
        return True
    below = loop
    for above in loop.ancestors():
        if below is context.scope:
            return False
        if any(_accesses(context, part, variable) for part in _run_before(above, below)):
            return True
        below = above
    return False


def _surely_run(loop: Node) -> tuple[Node, ...]:
    """Return the parts of a loop that run at least once when it is reached."""
    if loop.kind == "WHILE_STMT":
        return loop.children[:1]
    if loop.kind != "FOR_STMT" or len(loop.children) != 4:
        return ()
    leaves = any(n.kind in ("BREAK_STMT", "CONTINUE_STMT") for n in loop.walk())
    return (*loop.children[:2], loop.children[3]) if not leaves and _runs_once(loop) else loop.children[:2]


def _runs_once(loop: Node) -> bool:
    """Whether a loop counts up from one constant to a greater one."""
    declared = [n for n in loop.children[0].walk() if n.kind == "VAR_DECL"]
    test = loop.children[1].bare()
    if (
        len(declared) != 1
        or test.operator not in ("<", "<=")
        or test.children[0].bare().spelling != declared[0].spelling
    ):
        return False
    values = [c for c in declared[0].children if c.kind not in NAME_KINDS]
    first = evaluate_integer(values[-1].cursor) if values else None
    last = evaluate_integer(test.children[1].cursor)
    return first is not None and last is not None and first < last


def _run_before(above: Node, below: Node) -> tuple[Node, ...]:
    """Return what has run in a statement before one of its parts is reached."""
    if above.kind in ("IF_STMT", "WHILE_STMT"):
        return above.children[:1] if below is not above.children[0] else ()
    if above.kind != "COMPOUND_STMT" or (above.parent is not None and above.parent.kind == "SWITCH_STMT"):
        return ()
    return above.children[: above.children.index(below)]


def _accesses(context: CleanupContext, part: Node, variable: Variable) -> bool:
    """Whether a part that runs reads or writes the object behind a pointer for sure."""
    for node in part.walk():
        pointer = _pointer(node)
        if pointer is None or invariant_variable(context, part, pointer) != variable or not is_evaluated(node):
            continue
        if (is_load(node) or is_written(node)) and is_unconditional(context, node, part):
            return True
    return False


def _hoist_value(context: CleanupContext, loop: Node, reads: list[Node]) -> None:
    kind = value_type(reads[0].type, context.body.unit.is_cplusplus)
    name = _local(context, reads[0])
    context.put_before(loop, Declare(f"const {kind} {name}", name, load_text(context, reads[0])))
    _replace(context, reads, name)


def _hoist_array(context: CleanupContext, loop: Node, reads: list[Node]) -> None:
    kind = value_type(types.shape_of(reads[0].type).element, context.body.unit.is_cplusplus)
    name = _local(context, reads[0])
    context.put_before(loop, Declare(f"const {kind} *{name}", name, context.body.original(reads[0])))
    _replace(context, reads, name)


def _local(context: CleanupContext, read: Node) -> str:
    pointer = _pointer(read)
    return context.name(f"__rex_field_{pointer.spelling if pointer else ''}_{read.spelling}")


def _replace(context: CleanupContext, reads: list[Node], name: str) -> None:
    for node in reads:
        context.body.edits.replace(context.body.start(node), context.body.end(node), name)
