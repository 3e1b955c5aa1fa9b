"""Which inner loops load what several iterations need before the first of these (the form is in ``turns``).

In: an innermost loop of an iteration. Out: its elements and what must lie apart, or None where it stays. What makes it
invisible is in ``turns``. It pays where a loop waits for nothing else: it divides or calls functions of the math
library, but not many, or stores what may be what it loads, which the device's compiler then loads behind the store; and
whatever it loads from another place in each iteration is loaded so.

Loops of math functions that load few elements, the same for all threads, stay for ``cleanups/unroll``: the functions
take longer than the loads. Loops in which each thread goes along a row of its own are for :mod:`.row_rules`: with one
element come its neighbours, so that few of the loads wait. Loops in nests whose neighbours load the same stay, too.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.library import has_global_storage
from rexcc.clang.tree import FUNCTION_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.early_loads import is_slow
from rexcc.lowering.cleanups.pure_values import computes_value, meaning_of
from rexcc.lowering.cleanups.syntax import can_precede
from rexcc.lowering.cleanups.unroll import PLAIN, is_of_math
from rexcc.lowering.loops.accesses import Access, outline_of
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.counted_headers import counted_header
from rexcc.lowering.loops.inner_loop import InnerLoop, unsure_of
from rexcc.lowering.loops.own_rows import goes_along_row
from rexcc.lowering.loops.recurrences import Recurrence, recurrences
from rexcc.lowering.loops.turn_addresses import Addresses
from rexcc.lowering.loops.turn_counts import iterations_of_turn
from rexcc.lowering.loops.turn_elements import elements_of
from rexcc.lowering.loops.turn_stores import are_all_writes, comes_first
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

MOST_NODES, MOST_DIVISIONS = 200, 4
"""Nodes of the tree in the body, of which nine copies are made; divisions and such functions in it."""

_BODY = PLAIN | {
    "IF_STMT", "CONDITIONAL_OPERATOR", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "TEMPLATE_REF", "MEMBER_REF",
    "INIT_LIST_EXPR", "CXX_NULL_PTR_LITERAL_EXPR",
}  # fmt: skip
_CAPTURED = VARIABLE_KINDS | FUNCTION_KINDS | {"ENUM_CONSTANT_DECL"}
_NOT_IN_JAM = frozenset({"CALL_EXPR", "IF_STMT", "CONDITIONAL_OPERATOR"})

LOADS_OF_CALL = 2
"""Elements, the same for all threads, that are there before a function of the math library has ended."""

MOST_COMPARED = 16
"""Pairs of arrays whose addresses are compared when the kernel runs."""

Pair = tuple[Access, Access]
"""What a loop writes, and what it must not be."""


@dataclass(frozen=True, eq=False)
class TurnLoop:
    """A loop with the loads of its elements, and how many iterations a turn has.

    ``compared`` are the stores and loads that have to lie apart, ``late`` the loads in front of which an iteration may
    store their element if they do not, ``stepping`` the loads of elements that each iteration stores behind them, which
    have to be others in each, ``unsure`` the accesses that may not be made at the loop's ends. ``locals`` are the
    body's declarations of what never changes, ``nested`` the loops inside of it: there are none. ``recurrences`` are
    what each iteration leaves to the next one.
    """

    loop: CanonicalLoop
    addresses: Addresses
    elements: tuple[tuple[Node, ...], ...]
    iterations: int
    compared: tuple[Pair, ...]
    late: frozenset[Node]
    locals: dict[Variable, Node]
    stepping: tuple[Access, ...] = ()
    nested: tuple[CanonicalLoop, ...] = ()
    unsure: frozenset[Node] = frozenset()
    recurrences: tuple[Recurrence, ...] = ()


def turn_loop(context: CleanupContext, statement: Node) -> TurnLoop | None:
    """Return a loop that loads in turns, None for another."""
    loop = counting_loop(context, statement) if statement not in context.folded else None
    if loop is None or not is_simple(context, loop):
        return None
    addresses, inner = Addresses(context, loop), InnerLoop(context, loop, strict=False)
    found = recurrences(context, inner, addresses)
    kept = frozenset(load for one in found for load in one.loads)
    elements = elements_of(context, loop, addresses, kept=kept)
    if not elements or is_for_jam(context, loop, elements):
        return None
    loads = accesses_to(inner, elements)
    compared, stepping = _compared(context, inner, loads) if loads else (None, [])
    if compared is None or not (found or _is_worth_it(context, inner, addresses, loads, len(elements))):
        return None
    if not all(one.is_stored or any(map(one.is_same, elements)) for one in found):
        return None
    is_storing = any(not addresses.is_one(write.node) for write, _ in compared)
    iterations = iterations_of_turn(context.kernel.geometry.one_thread, loop, elements, is_storing)
    if not iterations:
        return None
    late = frozenset(load.node for write, load in compared if not comes_first(loop, load, write))
    return TurnLoop(
        loop, addresses, tuple(map(tuple, elements)), iterations, tuple(compared), late, inner.locals, tuple(stepping),
        unsure=unsure_of(inner, compared), recurrences=found,
    )  # fmt: skip


def _is_worth_it(
    context: CleanupContext, inner: InnerLoop, addresses: Addresses, loads: list[Access], elements: int
) -> bool:
    """Whether a loop waits for what it loads, of so many elements, and for nothing else."""
    loop = inner.loop
    if is_of_math(context, loop.statement) and elements <= LOADS_OF_CALL * _calls(loop):
        return False
    if any(goes_along_row(inner, load) for load in loads):
        return False
    is_moving = not any(addresses.is_one(load.node) for load in loads)
    return any(map(is_slow, loop.body.walk())) or (is_moving and _waits_for_stores(inner, loads))


def _waits_for_stores(inner: InnerLoop, loads: list[Access]) -> bool:
    """Whether a loop stores what its loads may be, for all that the device's compiler can tell, and may be apart."""
    meeting = [(write, load) for write in inner.written for load in loads if not inner.is_apart(write, load)]
    return bool(meeting) and all(
        write.outline_of_root != load.outline_of_root or _has_outline(write, load) for write, load in meeting
    )


def is_for_jam(context: CleanupContext, loop: CanonicalLoop, elements: list[list[Node]]) -> bool:
    """Whether a thread may execute the loops of neighbours in a nest together, which load the same (``jam_rules``)."""
    loops, provenance = context.kernel.region.loops, context.memory.provenance
    if len(loops) < 2 or any(node.kind in _NOT_IN_JAM for node in loop.body.walk()):
        return False
    fixed = {variable: node for variable, node in provenance.declared.items() if provenance.is_constant(variable)}
    outer, inner = (Slopes(loops[at].index, fixed) for at in (0, -1))
    return any(inner.depends(loads[0]) and not outer.depends(loads[0]) for loads in elements)


def _calls(loop: CanonicalLoop) -> int:
    return sum(node.kind == "CALL_EXPR" for node in loop.body.walk())


def counting_loop(context: CleanupContext, statement: Node, may_be_short: bool = False) -> CanonicalLoop | None:
    """Return a loop whose iterations are known when it begins, None for another."""
    unit = context.kernel.region.unit
    loop = counted_header(unit, statement, may_be_short) if can_precede(context, statement) else None
    if loop is None:
        return None
    changes = context.memory.provenance.changes(loop.index)
    is_pure = meaning_of(context.body, loop.lower) is not None  # the bound may be evaluated before it
    is_counted = not changes.exposed and len(changes.writes) == 1 and is_pure
    return loop if is_counted and Addresses(context, loop).stays(loop.bound) else None


def is_simple(context: CleanupContext, loop: CanonicalLoop) -> bool:
    """Whether a loop's body only computes, without many divisions or such functions."""
    nodes = list(loop.body.walk())
    if len(nodes) > MOST_NODES or sum(map(is_slow, nodes)) > MOST_DIVISIONS:
        return False
    return all(is_plain(context, node) for node in nodes) and _has_one_meaning(loop, nodes)


def _has_one_meaning(loop: CanonicalLoop, nodes: list[Node]) -> bool:
    """Whether each name is that of one variable: loads come behind the locals by which others are found."""
    declared = [Variable(node.cursor) for node in nodes if node.kind == "VAR_DECL"]
    used = {variable for node in nodes if (variable := named_variable(node)) is not None}
    variables = used.union(declared, [loop.index])
    return len({variable.name for variable in variables}) == len(variables)


def is_plain(context: CleanupContext, node: Node) -> bool:
    """Whether a node of a loop's body only computes, or declares what does: no construct, no jump, no unknown call."""
    if node.kind not in _BODY or context.is_directive(node) or types.is_volatile(node.type):
        return False
    if node.kind == "VAR_DECL":
        if has_global_storage(node.cursor):
            return False  # it would be one for each instantiation
        kind = types.without_reference(node.type)
        return types.is_scalar(kind) or types.is_pointer(kind) or types.is_reference(node.type)
    if node.kind == "DECL_REF_EXPR":
        named = node.referenced  # a structured binding cannot be captured
        return named is None or kind_of(named) in _CAPTURED
    return node.kind != "CALL_EXPR" or computes_value(node)


def accesses_to(inner: InnerLoop, elements: list[list[Node]]) -> list[Access]:
    """Return the loads of elements as accesses; none where some are not known as such."""
    loaded = {load for loads in elements for load in loads}
    found = [access for access in inner.accesses if access.node in loaded]
    return found if len(found) == len(loaded) else []


def _compared(context: CleanupContext, inner: InnerLoop, loads: list[Access]) -> tuple[list[Pair] | None, list[Access]]:
    """Return the stores and loads of a loop that must lie apart, None where a load may come too early, and the loads
    whose element must be another one in each iteration."""
    if not are_all_writes(context, inner):
        return None, []
    found: list[Pair] = []
    stepping: list[Access] = []
    for write in inner.written:
        for access in loads:
            if inner.is_apart(write, access):
                continue
            if context.wraps:
                return None, []  # then addresses have no order
            if _is_loaded_first(inner, write, access):
                continue
            if not (inner.has_range(write) and inner.has_range(access)):
                return None, []
            if not _has_outline(write, access):
                found.append((write, access))
            elif not comes_first(inner.loop, access, write):
                return None, []
            elif not any(_has_outline(access, one) for one in stepping):
                stepping.append(access)
    few = len({tuple(one.outline_of_root for one in pair) for pair in found}) <= MOST_COMPARED
    return (found if few else None), stepping


def _has_outline(one: Access, other: Access) -> bool:
    return outline_of(one.node) == outline_of(other.node)


def _is_loaded_first(inner: InnerLoop, write: Access, load: Access) -> bool:
    """Whether a store and a load name the same element in each iteration, and the load comes first."""
    return comes_first(inner.loop, load, write) and inner.is_same_element(write, load)
