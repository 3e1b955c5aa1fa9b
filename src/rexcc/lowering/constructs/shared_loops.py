"""A loop whose iterations the threads of a team, or the teams of a league, share.

In: a construct with its loop nest and who shares it. Out: the new loop header in place of the user's, and the code
around the statement: copies of variables, last values, what the header needs.
"""

from __future__ import annotations

import re

from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.analysis.nests import iteration_of, loop_nest, rectangular_part
from rexcc.analysis.regions import collapse_depth
from rexcc.clang import locations
from rexcc.clang.tree import Node
from rexcc.frontend.statements import header_end, statement_end
from rexcc.kernel.code import in_block, straight
from rexcc.kernel.ir import Assign, Block, Code, For, If
from rexcc.lowering.constructs.context import Context, listed, unsupported
from rexcc.lowering.constructs.copies import copies_of, index_declaration, use_bare_name
from rexcc.lowering.constructs.group_sums import for_groups, group_sum, place_rest
from rexcc.lowering.constructs.light_loops import light_loop, light_nest
from rexcc.lowering.constructs.linear import linear_items
from rexcc.lowering.constructs.loop_values import wanted_indices
from rexcc.lowering.constructs.scans import NO_SCAN, scan_in_rounds, split_clauses
from rexcc.lowering.constructs.sharing import check_original
from rexcc.lowering.loops.conditional_lastprivate import ITERATION, conditional_items, in_order, mark_assignments
from rexcc.lowering.loops.dependent_nests import FINAL_ITERATION, behind_loop, find_last, unknown_last
from rexcc.lowering.loops.grid_loops import lower_loops
from rexcc.lowering.loops.loop_forms import IterationOrder, LoweredLoop, Share, constant
from rexcc.lowering.loops.nests import replace_inner_headers
from rexcc.lowering.loops.numbered_loops import device_tripcount, lower_chunks, lower_numbered, lower_rounds
from rexcc.lowering.loops.scan import DEPENDENT_BOUNDS
from rexcc.lowering.text.placing import USER, place_header
from rexcc.lowering.text.team import Combine, Team
from rexcc.openmp.model import Clause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.lexical import BLOCK_COMMENT
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace

_BRACES = regex(rf"(?:[\s{{}};]|{BLOCK_COMMENT}|//[^\n]*(?:\n|$)|\\\r?\n)*")


@dataclass(frozen=True)
class _Nest:
    """The loops of a construct, of which the first ``shared`` are; those inside stay loops of each thread."""

    loops: tuple[CanonicalLoop, ...]
    shared: int

    @property
    def shares_all(self) -> bool:
        """Whether no loop stays one of each thread."""
        return self.shared == len(self.loops)

    @property
    def body(self) -> Node:
        """What one shared iteration executes."""
        return iteration_of(self.loops[: self.shared])


def associated_loops(context: Context, construct: Construct) -> tuple[CanonicalLoop, ...]:
    """Return the loops of a construct; raises CompileError where they are not canonical."""
    assert construct.body is not None
    return loop_nest(context.unit, construct.body, collapse_depth(construct))


def share_loop(
    context: Context,
    construct: Construct,
    leaves: tuple[str, ...],
    clauses: tuple[Clause, ...],
    team: Team,
    combine: Combine,
) -> Code:
    """The team's threads take iterations in turn; ``clauses`` are those of the leaves that the loop belongs to."""
    context.ask()
    if not team.is_league:
        check_original(context, construct, clauses)
    nest = _nest(context, construct)
    loops = nest.loops[: nest.shared]
    scanned, clauses = split_clauses(clauses)
    if scanned and not nest.shares_all:
        raise unsupported(construct, DEPENDENT_BOUNDS)
    scan = scan_in_rounds(context, construct, scanned, nest.body) if scanned else NO_SCAN
    indices = frozenset(loop.index for loop in nest.loops)
    chunk = _chunk(context, construct, leaves)
    linear = linear_items(context, construct, clauses, indices)
    conditional = conditional_items(construct, clauses, indices)
    mark_assignments(context.body, construct, nest.body, conditional, ITERATION)
    numbered = bool(linear.items or conditional)
    lowered = lower_rounds(loops, context.text, team) if scanned else _lowered(context, loops, team, chunk, numbered)
    grouped = group_sum(context, construct, team)
    if grouped is not None:
        lowered = for_groups(lowered, team)
        place_rest(context, grouped)
    wanted = wanted_indices(construct, clauses, nest.loops)
    last, counted = _last(context, construct, nest, in_order(construct, clauses), lowered, team, wanted)
    copies = copies_of(context, construct, clauses, combine, last, indices, conditional)
    if not nest.shares_all and linear.items:
        raise unsupported(construct, "'linear' on loops whose bounds depend on an outer index")
    for index in (loop.index for loop in nest.loops if not loop.declares):
        use_bare_name(context, construct.node, index)
    private = (index_declaration(context, loop.index) for loop in nest.loops[nest.shared :] if not loop.declares)
    meets = context.barrier() if copies.meets or linear.items else ()
    finals = _final_indices(context, construct, clauses, nest, last, wanted)
    opening = (*linear.kept(), *copies.opening, *scan.opening, *counted, *lowered.before, *meets)
    first = (*lowered.opening, *linear.numbered(), *(one for code in private for one in code), *scan.each)
    inside = (*first, *USER)
    may_be_light = nest.shares_all and not (numbered or scanned)
    light = _light(context, construct, loops, lowered, team, inside) if may_be_light else None
    _rewrite(context, loops, nest.body, light or Block(lowered.headers[-1], inside))
    closing = straight(copies.closing) if light is not None and light.has_neighbours else copies.closing
    code = (*finals, *closing, *scan.closing, *linear.stored(last))
    return in_block(opening, _in_headers(lowered.headers[:-1]), code)


def _light(
    context: Context,
    construct: Construct,
    loops: tuple[CanonicalLoop, ...],
    lowered: LoweredLoop,
    team: Team,
    inside: Code,
) -> Block | None:
    form = light_loop if len(loops) == 1 else light_nest
    return form(context, construct, loops, lowered, team, inside)


def _in_headers(outer: tuple[str | For, ...]) -> Code:
    """Return the place of the statement in the loops around its own."""
    code = USER
    for header in reversed(outer):
        code = (Block(header, code, bare=True),)
    return code


def _nest(context: Context, construct: Construct) -> _Nest:
    loops = associated_loops(context, construct)
    shared = rectangular_part(loops)
    loops = tuple(replace(loop, step=_step(context, loop)) for loop in loops)
    if context.is_pattern:
        loops = tuple(replace(loop, type_text=_index_text(context, loop)) for loop in loops)
    return _Nest(loops, shared)


def _step(context: Context, loop: CanonicalLoop) -> Step:
    """Return the step with the edits of its expression."""
    if loop.step_node is None or loop.step.value is not None:
        return loop.step
    return replace(loop.step, written=context.text(loop.step_node))


def _index_text(context: Context, loop: CanonicalLoop) -> str:
    """Return the type of a loop's index as the template's text has it."""
    written = ""
    if loop.declares:
        node = loop.statement.children[0]
        _, name_at = locations.file_location(loop.index.cursor.location, loop.statement.tree.names)
        written = context.body.text[context.body.start(node) : context.body.file.original(name_at)].strip()
    if written and not re.search(r"\bauto\b", written):
        return re.sub(r"^const\b\s*", "", written)
    known = context.text(loop.lower) if loop.declares else loop.name
    return f"rex_value_type<decltype({known})>"


def _lowered(context: Context, loops: tuple[CanonicalLoop, ...], team: Team, chunk: str, numbered: bool) -> LoweredLoop:
    if chunk:
        return lower_chunks(loops, chunk, context.text, team)
    if numbered:
        return lower_numbered(loops, context.text, team)
    return lower_loops(loops, context.text, team, context.unit.target.limits.threads)


def _chunk(context: Context, construct: Construct, leaves: tuple[str, ...]) -> str:
    """Return the chunk size of a schedule, empty where iterations are dealt out one by one."""
    schedule = construct.schedule(*leaves)
    if schedule is None or schedule.chunk is None or construct.value_of(schedule.chunk) == 1:
        return ""
    return context.expression(construct, schedule.chunk)


def _last(
    context: Context,
    construct: Construct,
    nest: _Nest,
    clauses: tuple[Clause, ...],
    lowered: LoweredLoop,
    team: Team,
    wanted: frozenset[Variable],
) -> tuple[str, Code]:
    """Return the condition under which a thread had the last iteration, and what it needs before the loop."""
    is_asked = any(c.name in ("lastprivate", "linear", "induction") for c in clauses)
    if not is_asked and (nest.shares_all or not wanted):
        return "", ()
    share, loops = Share.of(team), nest.loops[: nest.shared]
    if not nest.shares_all:
        return _dependent_last(context, construct, nest, lowered, share)
    if lowered.order is IterationOrder.IN_CHUNKS:
        return (
            f"__rex_trips > 0 && (__rex_trips - 1) / __rex_chunk_size % {share.count} == {share.number}",
            (),
        )
    if lowered.order is IterationOrder.BY_NUMBER:
        return f"__rex_trips > 0 && (__rex_trips - 1) % {share.count} == {share.number}", ()
    (count,) = _tripcounts(context, loops)
    last = constant("__rex_last", f"{count} - 1")
    return f"__rex_last >= 0 && __rex_last % {share.count} == {share.number}", (last,)


def _dependent_last(
    context: Context, construct: Construct, nest: _Nest, lowered: LoweredLoop, share: Share
) -> tuple[str, Code]:
    """Return the same of a nest whose inner bounds depend on an outer index."""
    unknown = unknown_last(nest.loops)
    if unknown:
        what = f"a last value of {unknown} whose bounds depend on an outer index (let the iteration that knows it "
        raise unsupported(construct, what + "assign it)")
    chunks = " / __rex_chunk_size" if lowered.order is IterationOrder.IN_CHUNKS else ""
    found = find_last(nest.loops[: nest.shared], nest.loops[nest.shared :], context.text)
    return f"{FINAL_ITERATION} >= 0 && {FINAL_ITERATION}{chunks} % {share.count} == {share.number}", found


def _tripcounts(context: Context, loops: tuple[CanonicalLoop, ...]) -> list[str]:
    return [device_tripcount(loop, context.text) for loop in loops]


def _final_indices(
    context: Context,
    construct: Construct,
    clauses: tuple[Clause, ...],
    nest: _Nest,
    last: str,
    implicit: frozenset[Variable],
) -> Code:
    """Return what gives loop variables that are lastprivate the values they have behind the loops.

    ``implicit`` are those that no clause lists. Every thread assigns them, whether it shares them with others, which
    give them the same value, or has one of its own.
    """
    wanted = implicit | {item.whole_variable for item in listed(construct, clauses, "lastprivate", "linear")}
    code: Code = ()
    for loop in nest.loops:
        if loop.index not in wanted or loop.declares:
            continue
        if not nest.shares_all:
            condition = f"{FINAL_ITERATION} >= 0" if loop.index in implicit else last
            code += (If(condition, (Assign(loop.name, behind_loop(loop)),)),)
        else:
            (count,) = _tripcounts(context, (loop,))
            sign = "+" if loop.increasing else "-"
            value = Assign(loop.name, f"{loop.operand(loop.lower, context.text)} {sign} {count} * {loop.step.text}")
            code += (value if loop.index in implicit else If(last, (value,)),)
    return code


def _rewrite(context: Context, loops: tuple[CanonicalLoop, ...], inner: Node, block: Block) -> None:
    """Put a block with the new header in place of those around ``inner``; what closed inner loops goes."""
    body = context.body
    outermost = loops[0].statement
    around = next(loop for loop in loops if loop.body is inner)
    start, end = body.start(outermost), header_end(body.file, around.statement)
    tail, behind = statement_end(body.file, inner), statement_end(body.file, outermost)
    between = body.text[tail:behind]
    if _BRACES.fullmatch(between) is None:
        raise error("unsupported-construct", "the end of these loops comes out of a macro", body.span(outermost))
    place_header(body, start, end, block, inner, behind)
    body.collapsed |= {at for loop in loops if start < (at := body.start(loop.statement)) < end}
    replace_inner_headers(body, loops, context.text)
