"""Which loops over the grid are tiled: each thread takes several iterations side by side (the form is in ``tiles``).

In: a kernel whose body has been cleaned up. Out: why its loop is not tiled, or None. A tile evaluates all values of its
iterations before it stores the first, so that their loads are under way together, and what does not depend on the
iteration is computed once (docs/decisions/026-tiles.md).

That needs no proof that loads and stores are apart. Threads execute the iterations of a worksharing loop in any order,
and at the same time, so in a conforming program none reads what another writes: its accesses would race. What orders
iterations, or lets them meet (``ordered``, ``safelen``, atomics, locks, barriers, calls with effects), is not tiled,
and neither is a loop that one thread may execute alone, because the program chooses teams and threads. Inside an
iteration the order stays, but loads may come before stores of the same iteration: they must be apart from those.

It pays where an iteration is light: no branches and loops, a few loads, no functions that need many registers, nothing
slow (:mod:`.slow_parts`); and in nests where neighbours' loops load the same (:mod:`.overlaps`). Those store nothing.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers
from rexcc.analysis.references import is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import NOWHERE, OWN, Places, initialiser, parts, union
from rexcc.lowering.cleanups.syntax import is_plain_scalar
from rexcc.lowering.loops.accessors import is_light_call, is_record_of_numbers, reads_memory
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, ELEMENTS, LIGHT, LONG_CALLS, STEPS
from rexcc.lowering.loops.overlaps import overlapping_loop
from rexcc.lowering.loops.slow_parts import slow_part
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import named_variable
from rexcc.source.records import dataclass

MOST_LOADS = 8
"""Loads of an iteration; with more of them one iteration keeps the memory busy, and four need too many registers."""

_GRID = ("target", "teams", "distribute", "parallel", "for")
_ORDERING = ("ordered", "safelen", "linear", "induction", "lastprivate")
_STATEMENTS = frozenset({"FOR_STMT", "IF_STMT", "COMPOUND_STMT"})
_LEADING = frozenset({"ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "MEMBER_REF_EXPR", "CALL_EXPR"})
_MORE = "there is more than declarations and assignments in it"


@dataclass(frozen=True)
class TileRules:
    """The statements of an iteration: ``stores`` are those that assign to memory, in order, the others come before.

    ``overlap``: where there are loops in it, the loop of the nest whose neighbours load the same in them.
    """

    stores: tuple[Node, ...]
    overlap: CanonicalLoop | None = None


def tile_rules(context: CleanupContext, numbered: bool, threads_meet: bool) -> TileRules | Reason:
    """Return the stores of a loop that is tiled, or why it is not."""
    refused = refused_by_form(context, numbered, threads_meet)
    if refused:
        return Reason(refused)
    statements = statements_of(context.scope)
    loops = [statement for statement in statements if statement.bare().kind == "FOR_STMT"]
    overlap = overlapping_loop(context.kernel.region) if loops else None
    for statement in statements:
        is_unrolled = overlap is not None and statement in loops
        reason = _heavy_loop(context, statement) if is_unrolled else heavy_statement(context, statement, True)
        if reason is not None:
            return reason
    stores = tuple(s for s in statements if is_store(context, s))
    if not stores and not context.stored:
        return Reason("it stores nothing")
    for store in stores:
        if not _is_element(store.bare().children[0]):
            return Reason("what is stored here is no number", store)
        if _may_be_local(context, store.bare().children[0].bare()):
            return Reason("this may be a variable of the iteration, which would have the value too late", store)
    if _loads(context, statements) > MOST_LOADS:
        return Reason(f"an iteration has more than {MOST_LOADS} loads")
    slow = slow_part(context.kernel.region, statements)
    if slow is not None:
        return slow
    overtaken = _overtaken(context, statements)
    if overtaken is not None:
        return Reason("what this reads may be what the iteration has stored before", overtaken)
    return TileRules(stores, overlap)


def refused_by_form(
    context: CleanupContext, numbered: bool, threads_meet: bool, allowed: tuple[str, ...] = (), groups: bool = False
) -> str:
    """Return why no thread can take several iterations of a loop side by side, whatever they do, empty for nothing.

    ``allowed`` are the constructs that may stand in an iteration. ``groups``: it is asked for groups of threads, which
    may reduce, be those of ``simd``, and share an associated loop whose bounds are known in the iteration.
    """
    region, shape = context.kernel.region, context.kernel.geometry
    if tuple(leaf for leaf in region.leaves if leaf != "simd" or not groups) != _GRID:
        return "its threads are not those of all teams"
    if shape.reduces and not groups:
        return "it reduces"
    if shape.teams is not None or shape.teams_if:
        return "the program chooses its teams"
    ordering = next((p.clause.name for p in region.clauses(*_ORDERING)), "")
    if ordering or numbered:
        return f"of '{ordering or 'lastprivate'}'"
    inside = region.constructs[-1].descendants()
    if threads_meet and (unknown := context.unknown_functions()):
        return f"it calls '{unknown[0]}', which another file defines"
    if threads_meet or any(c.directive.name not in allowed for c in inside):
        return "its threads meet"
    if inner_headers(region.loops) or not all(loop.is_integer for loop in region.loops):
        return "of the form of its loops"
    if region.sequential and (not groups or _has_last_indices(region)):
        return "of the form of its loops"
    return ""


def _has_last_indices(region: TargetRegion) -> bool:
    """Whether the indices of the loops that a thread runs itself may have values behind them.

    Without a clause, which is told of as ``numbered``, only those of ``simd`` have (OpenMP 5.2, 5.1.1).
    """
    is_simd = any("simd" in construct.directive.leaves for construct in region.constructs)
    return is_simd and not all(loop.declares for loop in region.sequential)


def statements_of(scope: Node) -> list[Node]:
    """Return the statements of an iteration."""
    return list(scope.children) if scope.kind == "COMPOUND_STMT" else [scope]


def heavy_statement(context: CleanupContext, statement: Node, accessors: bool = False) -> Reason | None:
    """Return what makes an iteration more than a few instructions, or hides what it does.

    ``accessors``: it may use elements through functions and objects that name them.
    """
    top = statement.bare()
    if top.kind == "IF_STMT":
        return _heavy_choice(context, top, accessors)
    if top.kind == "COMPOUND_STMT":
        return Reason(_MORE, statement)
    if top.operator in ASSIGNMENTS:
        found = (heavy_part(context, child, accessors=accessors) for child in top.children)
        reason = next((r for r in found if r is not None), None)
    else:
        reason = heavy_part(context, statement, accessors=accessors)
    if reason is not None:
        return reason
    if top.kind in ("NULL_STMT", "DECL_STMT") or top.operator in ASSIGNMENTS:
        return None
    return Reason("this statement assigns nothing", statement)


def _heavy_choice(context: CleanupContext, statement: Node, accessors: bool) -> Reason | None:
    """Return what keeps an ``if`` from being a choice among values: its branches may assign to locals alone."""
    condition, *branches = statement.children
    reason = heavy_part(context, condition, accessors=accessors)
    for inner in (s for branch in branches for s in statements_of(branch)):
        reason = reason or heavy_statement(context, inner, accessors)
        if reason is None and is_store(context, inner):
            reason = Reason("this is stored under a condition", inner)
    return reason


def _heavy_loop(context: CleanupContext, loop: Node) -> Reason | None:
    """Return what keeps a loop that is unrolled from standing in a tile: its stores would be among other's loads."""
    for node in loop.walk():
        reason = None if node.kind in _STATEMENTS else heavy_part(context, node, inside=True, accessors=True)
        if reason is not None:
            return reason
        if node.kind == "CALL_EXPR" and node.spelling.removeprefix("__builtin_") in LONG_CALLS:
            return Reason("this function takes longer than the loads", node)
        if node.kind == "UNARY_OPERATOR" and node.operator == "&":
            return Reason("this takes an address", node)
    if context.memory.effects(loop).written != NOWHERE:
        return Reason("this loop may store to memory", loop)
    return None


def heavy_part(context: CleanupContext, part: Node, inside: bool = False, accessors: bool = False) -> Reason | None:
    """Return what makes an expression or a declaration more than a few instructions, or hides what it does.

    ``inside``: its order among the others of its iteration stays, so it may change what it likes; parts that others
    are in are looked at one by one.
    """
    for node in [part] if inside else part.walk():
        if node.kind not in LIGHT and not (accessors and node.kind == "INIT_LIST_EXPR"):
            return Reason(_MORE, node)
        if node.kind == "CALL_EXPR" and not is_light_call(context.kernel.region.unit.tree, node, accessors):
            return Reason("this call is not one of the few that are known to be light", node)
        if not inside and (node.operator in ASSIGNMENTS or _is_step(node)):
            return Reason("this changes a value or takes an address inside an expression", node)
        if types.is_volatile(node.type):
            return Reason("this is volatile", node)
        is_plain = node.kind != "VAR_DECL" or _is_light_variable(node) or (accessors and is_record_of_numbers(node))
        if not is_plain:
            return Reason("this variable is no number or pointer of the iteration alone", node)
    return None


def leads_to_element(node: Node) -> bool:
    """Whether a node names a number in memory through a subscript or a pointer."""
    leads = node.is_pointee
    return leads and types.is_scalar(node.type)


def _is_step(node: Node) -> bool:
    return node.kind == "UNARY_OPERATOR" and node.operator in STEPS


def _is_light_variable(variable: Node) -> bool:
    kind = variable.type
    if library.has_global_storage(variable.cursor):
        return False
    return is_plain_scalar(types.without_reference(kind)) or types.is_pointer(kind)


def is_store(context: CleanupContext, statement: Node) -> bool:
    """Whether a statement assigns to memory; an element that lives in a local is none."""
    top = statement.bare()
    if top.operator not in ASSIGNMENTS:
        return False
    target = top.children[0]
    if context.memory.provenance.place(target) == frozenset({OWN}):
        return False
    return not context.is_in_local(target)


def _is_element(target: Node) -> bool:
    kind = types.canonical(target.type)
    return types.kind_name(kind) in ELEMENTS and not types.is_volatile(kind) and not is_bit_field(target.bare())


def _may_be_local(context: CleanupContext, target: Node) -> bool:
    """Whether a target may be a variable of the iteration; no pointer leads to those, and no accessor."""
    provenance = context.memory.provenance
    places, variable = provenance.place(target), named_variable(target)
    if places is not None:
        return OWN in places
    declaration = provenance.declared.get(variable) if variable is not None else None
    value = initialiser(declaration) if declaration is not None else None
    if value is not None and variable is not None and types.is_reference(variable.type):
        return _may_be_local(context, value.bare())
    return target.kind not in _LEADING


def _loads(context: CleanupContext, statements: list[Node]) -> int:
    """Count the elements that an iteration reads; one that is written twice the same way is read once."""
    own = frozenset({OWN})
    found: set[str] = {element.place for element in context.stored}
    for statement in statements:
        for node in statement.walk():
            if (
                node.kind == "CALL_EXPR"
                and reads_memory(context.kernel.region.unit.tree, node)
                and not is_written(node)
            ):
                found.add(context.body.original(node))
            if leads_to_element(node) and not is_written(node) and not context.is_in_local(node):
                found.add("" if context.memory.provenance.place(node) == own else context.body.original(node))
    return len(found - {""})


def _overtaken(context: CleanupContext, statements: list[Node]) -> Node | None:
    """Return a statement that reads what one before it may have stored; in a tile stores come last."""
    written: Places = NOWHERE
    for statement in statements:
        if not context.memory.all_apart(_read(context, statement), written):
            return statement
        if is_store(context, statement):
            written = union(written, context.memory.provenance.place(statement.bare().children[0]))
    return None


def _read(context: CleanupContext, statement: Node) -> Places:
    """Return what a statement reads; an assignment does not read its target, a compound one does."""
    top = statement.bare()
    if top.operator != "=":
        return context.memory.effects(statement).read
    target, value = top.children
    if any(node.kind == "CALL_EXPR" for node in target.walk()):
        return context.memory.effects(top).read
    return union(context.memory.effects(value).read, _read_for_address(context, target.bare()))


def _read_for_address(context: CleanupContext, target: Node) -> Places:
    """Return what is read to find an object: indices, and pointers on the way; not the arrays and objects it is in."""
    inner = parts(target)
    if not inner:
        return NOWHERE
    below = inner[0].bare()
    is_inside = types.is_array(below.type) or types.is_record(below.type)
    walks_on = target.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") and is_inside
    found = _read_for_address(context, below) if walks_on else context.memory.effects(inner[0]).read
    for part in inner[1:]:
        found = union(found, context.memory.effects(part).read)
    return found
