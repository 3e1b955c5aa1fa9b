"""Loops inside device code: ``for``, ``loop``, ``distribute``, ``simd``, ``taskloop`` and their composites.

In: a construct whose innermost leaves belong to one loop nest. Out: the loop's edits and the code around it. Who shares
the iterations is a :class:`Team`; one thread keeps the user's loop as it is.
"""

from __future__ import annotations

from rexcc.analysis.regions import collapse_depth
from rexcc.frontend.statements import header_end
from rexcc.kernel.code import in_block
from rexcc.kernel.ir import Assign, Block, Code, Declare
from rexcc.lowering.constructs.context import Context, has, listed, unsupported
from rexcc.lowering.constructs.copies import Copies, copies_of, index_copy, use_bare_name
from rexcc.lowering.constructs.group_sums import joined, place_inner
from rexcc.lowering.constructs.linear import linear_items
from rexcc.lowering.constructs.loop_values import check_task_copies, wanted_indices
from rexcc.lowering.constructs.scans import NO_SCAN, check_scanned, scan_by_one, split_clauses
from rexcc.lowering.constructs.shared_loops import associated_loops, share_loop
from rexcc.lowering.constructs.sharing import check_original
from rexcc.lowering.loops.conditional_lastprivate import in_order
from rexcc.lowering.text.placing import USER, guarded, place_header
from rexcc.lowering.text.team import Combine, Team, league
from rexcc.openmp.model import Clause, ListClause, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone, innermost_body, is_perfect
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.records import replace

LOOP_LEAVES = frozenset({"for", "simd", "distribute", "loop", "taskloop"})

_RAN: Code = (Declare("int __rex_ran", "__rex_ran", "0"),)
"""Whether a thread has executed an iteration; :data:`_NOTE` stands in each."""
_NOTE: Code = (Assign("__rex_ran", "1"),)


def sharers(context: Context, construct: Construct, leaves: tuple[str, ...]) -> Team | None:
    """Return the team whose threads share a loop's iterations, None where the running thread has them all."""
    leaf = leaves[0]
    binding = construct.binding if leaf == "loop" else ""
    if leaf == "distribute" or binding == "teams":
        return context.team if context.team.is_grid else league(context.unit.target.words)
    if leaf in ("simd", "taskloop") or binding == "thread":
        return None
    return None if context.team.is_alone else context.team


def lower_loop(context: Context, construct: Construct, leaves: tuple[str, ...], joined: bool) -> Code:
    """Lower the loop nest of a construct; ``leaves`` are those that belong to it, outermost first."""
    check_scanned(construct)
    team = sharers(context, construct, leaves)
    clauses = _merged(construct, leaves)
    if context.team.is_league:  # one thread adds to the original, as the statement says
        clauses = tuple(c for c in clauses if not isinstance(c, ReductionClause))
    combine = Combine.ALONE if team is None or team.is_league else team.combine
    if team is not None and has(clauses, "ordered") and not split_clauses(clauses)[0]:
        made = _in_order(context, construct, leaves, clauses)
    elif team is None:
        made = _sequential(context, construct, leaves, clauses, combine)
    else:
        made = share_loop(context, construct, leaves, clauses, team, combine)
    waits = leaves[0] in ("for", "loop") and team is not None and not has(clauses, "nowait") and not joined
    return (*made, *(context.barrier() if waits else ()))


def _merged(construct: Construct, leaves: tuple[str, ...]) -> tuple[Clause, ...]:
    """Return the clauses of all leaves of one loop nest; what several leaves have counts once.

    For the outer leaves ``linear`` is ``firstprivate`` and ``lastprivate`` too, which it says itself here.
    """
    found: list[Clause] = []
    seen: set[tuple[str, str]] = set()
    linear = {c.span for c in construct.directive.clauses if c.name in ("linear", "induction")}
    for leaf in leaves:
        for clause in construct.clauses_of(leaf):
            if clause.span in linear and clause.name not in ("linear", "induction"):
                continue
            if isinstance(clause, ListClause | ReductionClause):
                items = tuple(i for i in clause.items if (clause.name, i.whole.text.strip()) not in seen)
                seen |= {(clause.name, i.whole.text.strip()) for i in items}
                if items:
                    found.append(replace(clause, items=items))
            elif not any(c.name == clause.name and c.span == clause.span for c in found):
                found.append(clause)
    return tuple(found)


def _sequential(
    context: Context, construct: Construct, leaves: tuple[str, ...], clauses: tuple[Clause, ...], combine: Combine
) -> Code:
    """The running thread executes all iterations: only the variables change."""
    clauses = in_order(construct, clauses)
    if "taskloop" in leaves:
        check_task_copies(construct, clauses)
    index_copies, indices = _own_indices(context, construct, leaves)
    ran = any(c.name == "lastprivate" for c in clauses)
    scanned, clauses = split_clauses(clauses)
    inner = associated_loops(context, construct)[-1].body if scanned else None
    scan = scan_by_one(context, construct, scanned, inner) if inner is not None else NO_SCAN
    copies = copies_of(context, construct, clauses, combine, "__rex_ran" if ran else "", indices)
    linear = linear_items(context, construct, clauses, indices)
    if linear.each() and construct.body is not None and not is_perfect(construct.body, collapse_depth(construct)):
        raise unsupported(construct, "'linear' on loops with code between them")
    opening = (*(_RAN if ran else ()), *linear.before(), *index_copies.opening, *copies.opening, *scan.opening)
    first = (*(_NOTE if ran else ()), *linear.each())
    if first:
        _open_innermost(context, construct, first)
    closing = copies.closing
    if context.grouped is construct:
        place_inner(context, construct)
        closing = (*joined(closing), *closing)
    return in_block(opening, USER, (*index_copies.closing, *closing, *linear.after()))


def _own_indices(context: Context, construct: Construct, leaves: tuple[str, ...]) -> tuple[Copies, frozenset[Variable]]:
    """Return copies of the loop variables that the loops do not declare: they are private, but for ``simd``."""
    assert construct.body is not None
    if leaves == ("simd",) or alone(construct.body).kind != "FOR_STMT":
        return Copies(), frozenset()
    loops = associated_loops(context, construct)
    clauses = _merged(construct, leaves)
    lastprivate = {item.whole_variable for item in listed(construct, clauses, "lastprivate")}
    wanted = wanted_indices(construct, clauses, loops)
    outside = [loop.index for loop in loops if not loop.declares]
    own = [i for i in outside if i not in lastprivate]
    found = Copies()
    for index in own:
        use_bare_name(context, construct.body, index)
        found += index_copy(context, index, index in wanted)
    return found, frozenset(own)


def _open_innermost(context: Context, construct: Construct, first: Code) -> None:
    """Put code at the start of the body that one iteration executes."""
    assert construct.body is not None
    inner = innermost_body(construct.body, collapse_depth(construct))
    if inner is None or inner.parent is None:
        raise error("omp-loop-form", "the statement after this directive must be a for loop", construct.span)
    written = header_end(context.body.file, inner.parent)
    place_header(context.body, written, written, Block("", (*first, *USER)), inner)


def _in_order(context: Context, construct: Construct, leaves: tuple[str, ...], clauses: tuple[Clause, ...]) -> Code:
    """One thread executes all iterations in their order, so ``ordered`` regions need nothing."""
    context.ask()
    check_original(context, construct, clauses)
    clauses = in_order(construct, clauses)
    index_copies, indices = _own_indices(context, construct, leaves)
    ran = any(c.name == "lastprivate" for c in clauses)
    copies = copies_of(context, construct, clauses, context.team.combine, "__rex_ran", indices)
    if linear_items(context, construct, clauses, indices).items:
        raise unsupported(construct, "'linear' with 'ordered'")
    if ran:
        _open_innermost(context, construct, _NOTE)
    meeting = context.barrier() if copies.meets else ()
    opening = (*(_RAN if ran else ()), *index_copies.opening, *copies.opening, *meeting)
    return in_block(opening, guarded(context.team.first, USER), (*index_copies.closing, *copies.closing))


def inner_context(context: Context, team: Team | None, leaves: tuple[str, ...]) -> Context:
    """Return the context of what stands in the loop's body."""
    if leaves[0] == "distribute":
        return context.of_team(team.of_block) if team is not None and team.is_grid else context
    return context.of_team(context.team.of_block)
