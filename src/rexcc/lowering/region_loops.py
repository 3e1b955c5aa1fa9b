"""The loop of a region: which form its iterations get, and the kernel's code with the user's statement in it.

In: a kernel with its arguments, whose body has its constructs lowered. Out: its code, what the form adds to arguments
and geometry, and remarks. Clean-ups come first, for some forms are only for what they leave.
"""

from __future__ import annotations

from itertools import product

from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import ONE_BY_ONE, UNROLLED, Block, Code, User, UserSlot, in_place
from rexcc.lowering.access_remarks import tell_of_accesses
from rexcc.lowering.arguments.bounds import bound_text, name_looked_up, with_steps_on_device
from rexcc.lowering.atomics.bins import Bins, with_bins
from rexcc.lowering.cleanups import CleanupContext, run_cleanups
from rexcc.lowering.cleanups.unroll import loops_to_unroll
from rexcc.lowering.loops.grid_loops import lower_loops, lower_once
from rexcc.lowering.loops.group_rules import GroupedLoop, grouped_loop
from rexcc.lowering.loops.groups import comparison, group_loops
from rexcc.lowering.loops.invariant_division import multiply_instead
from rexcc.lowering.loops.jam import REGISTERS, Jammed, jam
from rexcc.lowering.loops.last_values import last_code
from rexcc.lowering.loops.light_loops import over_grid
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text
from rexcc.lowering.loops.narrow_nests import NUMBER, number_type
from rexcc.lowering.loops.nest_order import NestOrder, nest_order
from rexcc.lowering.loops.nests import Divided, divided_nest, lower_nest, replace_inner_headers
from rexcc.lowering.loops.numbered_loops import (
    iteration_count,
    lower_chunks,
    lower_distributed_chunks,
    lower_divided,
    lower_numbered,
    lower_with_xomp,
)
from rexcc.lowering.loops.scan import region_scan, scan_loop
from rexcc.lowering.loops.single_iteration import has_thread_for_each, lower_narrow
from rexcc.lowering.loops.team_scans import team_scan_loop
from rexcc.lowering.loops.tile_conditions import tile_conditions
from rexcc.lowering.loops.tile_counts import TileCounts, tile_counts
from rexcc.lowering.loops.tiles import NEST_REGISTERS, TILE, Light, light_loop, tile
from rexcc.lowering.model.launch import Argument, Kernel, by_value
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.placing import indent_of, place_in_lines
from rexcc.lowering.text.team import grid, league
from rexcc.program.optimisations import Optimisation
from rexcc.source.records import dataclass, replace

_NOT_WANTED = Reason("--rex-opt leaves this out")


@dataclass(frozen=True)
class LoopOptions:
    """``uses_xomp``: a scheduler deals out the iterations; ``strict_aliasing``: objects of different types differ."""

    uses_xomp: bool
    strict_aliasing: bool


@dataclass(frozen=True)
class Chunk:
    """The chunks in which a schedule deals out iterations: their size, the argument that it needs, whose they are."""

    size: str
    argument: Argument | None
    for_teams: bool


def clean_up(context: CleanupContext) -> None:
    """Run the clean-ups; where a pack is named, one text stands for several expressions, which they would not see."""
    if not context.kernel.packs:
        run_cleanups(context, context.kernel.region.has_inner_parallel or _threads_meet(context.kernel))


def _threads_meet(kernel: Kernel) -> bool:
    """Whether threads wait for each other in the body: then values of shared memory change between its statements."""
    return kernel.synchronises or bool(kernel.criticals)


def lower_loop(
    context: CleanupContext, options: LoopOptions, chunk: Chunk, numbered: bool, bins: tuple[Bins, ...]
) -> None:
    """Give a kernel the code of its region's loop."""
    kernel, body = context.kernel, context.body
    name_looked_up(kernel.region, body)
    text = bound_text(kernel.region, body)
    kernel.region = region = with_steps_on_device(kernel.region, text)
    replace_inner_headers(body, region.loops, text)
    scan = region_scan(region)
    if scan is not None:
        over_teams = kernel.geometry.scans
        lowered = (
            team_scan_loop(region, scan, text, region.unit.target.words)
            if over_teams
            else scan_loop(region, kernel.data, scan, text)
        )
    elif region.has_inner_parallel:
        lowered = _league_loops(kernel, chunk, text)
        clean_up(context)
    elif chunk.for_teams:
        lowered = lower_distributed_chunks(region.loops, chunk.size, text, region.unit.target.words)
    elif options.uses_xomp or chunk.size:
        lowered = lower_with_xomp(region.loops, chunk.size or "1", text, region.unit.target.words)
        kernel.uses_xomp = True
    else:
        lowered = _over_grid(context, numbered, options, text)
    before, each = last_code(region, text)
    loop = _loop(replace(lowered, before=(*before, *lowered.before)).opened_with(*each), context)
    count = " * ".join(iteration_count(one, text) for one in region.loops)
    kernel.code = with_bins(bins, loop, count, text)


def _over_grid(context: CleanupContext, numbered: bool, options: LoopOptions, text: Text) -> LoweredLoop:
    """Return the loop whose iterations all threads share, each alone or in groups."""
    found = grouped_loop(context, numbered, _threads_meet(context.kernel), options.strict_aliasing)
    if Optimisation.GROUPS in context.kernel.region.left_out:
        found = _NOT_WANTED
    elif context.kernel.team_elements:
        found = Reason("the threads of a team change elements together")
    elif context.wraps:
        found = Reason("signed integers wrap around")  # then addresses have no order
    compared = comparison(found, text) if isinstance(found, GroupedLoop) else ()
    context.shared_loop = found.loop.statement if isinstance(found, GroupedLoop) else None
    clean_up(context)
    if isinstance(found, GroupedLoop) and not context.stored:
        lowered = group_loops(context, found, compared, text)
        context.tell("groups of neighbouring threads share this loop", found.loop.statement, topic=Topic.LOOP)
        tell_of_accesses(context, found.loop)
        place_lines(context)
        return _once_each(lowered, context.kernel)
    place_lines(context)
    alone = (found,) if isinstance(found, Reason) and found.place is not None else ()
    return _grid_loop(context, numbered, text, alone)


def _grid_loop(context: CleanupContext, numbered: bool, text: Text, alone: tuple[Reason, ...]) -> LoweredLoop:
    """Return the loop whose iterations all threads share: in tiles, or one after another.

    ``alone`` says why no group shares the loop inside of it, nothing where there is none.
    """
    kernel = context.kernel
    left_out = kernel.region.left_out
    multiplies = _multiplies(kernel)
    divisions = multiply_instead(context) if multiplies and not kernel.packs else ()
    found, order = (
        _light_loop(context, numbered) if Optimisation.TILES not in left_out else (_NOT_WANTED, _as_is(kernel))
    )
    if not order.in_strips:
        tell_of_accesses(context, order.loops[-1])
    may_jam = found.overlap is not None if isinstance(found, Light) else found is not _NOT_WANTED
    jammed = jam(context, numbered, _threads_meet(kernel), text) if may_jam else None
    if isinstance(found, Light) and not isinstance(jammed, Jammed):
        return _in_tiles(context, found, order, divisions, text)
    divided = Divided()
    if multiplies and not numbered and not isinstance(jammed, Jammed):
        divided = divided_nest(kernel, order.loops)
    kernel.arguments = (*kernel.arguments, *divided.arguments, *divisions)
    if isinstance(jammed, Jammed):
        return _with_inner_loops_together(context, jammed)
    assert not isinstance(found, Light)
    found = jammed or found
    if found is not _NOT_WANTED and not kernel.geometry.has_bins:
        asked = tile_conditions(context, numbered, _threads_meet(kernel), text)
        if isinstance(asked, LoweredLoop):
            kernel.geometry = replace(kernel.geometry, tile=TILE)
            context.tell(
                f"each thread evaluates the conditions of {TILE} iterations side by side", None, topic=Topic.LOOP
            )
            return asked
    return _in_turn(context, numbered, divided, (found, *alone), text)


def _light_loop(context: CleanupContext, numbered: bool) -> tuple[Light | Reason, NestOrder]:
    """Return a loop that is tiled, or why it is not, and the order of its indices."""
    kernel = context.kernel
    found = light_loop(context, numbered, _threads_meet(kernel))
    if not isinstance(found, Light):
        return found, _as_is(kernel)
    order = nest_order(context)
    if found.overlap is None:
        return found, order
    in_rows = order.in_rows_of(found.overlap)
    return (
        (found, in_rows) if in_rows is not None else (Reason("neighbouring threads go along its rows"), _as_is(kernel))
    )


def _as_is(kernel: Kernel) -> NestOrder:
    return NestOrder(kernel.region.loops)


def _in_tiles(
    context: CleanupContext, found: Light, order: NestOrder, divisions: tuple[Argument, ...], text: Text
) -> LoweredLoop:
    """Return the loop in which a thread executes several iterations side by side."""
    kernel = context.kernel
    counts = tile_counts(kernel, order) if _multiplies(kernel) else TileCounts()
    kernel.arguments = (*kernel.arguments, *counts.arguments, *divisions)
    registers = kernel.geometry.registers or (NEST_REGISTERS if len(order.loops) > 1 else 0)
    if found.overlap is not None:
        _unroll(context)
    has_wide = counts.number == NUMBER
    kernel.geometry = replace(kernel.geometry, tile=TILE, has_wide=has_wide, registers=registers)
    context.tell(f"each thread executes {TILE} iterations side by side", None, *order.reasons, topic=Topic.LOOP)
    return tile(context, found, order, counts, text)


def _unroll(context: CleanupContext) -> None:
    """Have the loops unrolled in which the iterations of a tile load the same: the compiler finds equal addresses."""
    for loop in loops_to_unroll(context):
        code: Code = (UNROLLED, UserSlot())
        if not context.can_declare_before(loop):
            code = (Block("", code),)
        place_in_lines(context.body, context.body.start(loop), statement_end(context.body.file, loop), code)


def _with_inner_loops_together(context: CleanupContext, jammed: Jammed) -> LoweredLoop:
    kernel = context.kernel
    registers = kernel.geometry.registers or REGISTERS
    kernel.geometry = replace(kernel.geometry, tile=jammed.count, registers=registers)
    context.tell(f"each thread executes the inner loops of {jammed.count} iterations together", None, topic=Topic.LOOP)
    return jammed.loop


def _in_turn(
    context: CleanupContext, numbered: bool, divided: Divided, why: tuple[Reason, ...], text: Text
) -> LoweredLoop:
    """Return the loop in which a thread executes one iteration after another; ``why`` it has no other form."""
    kernel = context.kernel
    light = None if numbered else _light_reduction(kernel, text)
    if light is not None:
        context.tell("each thread executes four iterations at a time", None, *why[1:], topic=Topic.LOOP)
        return light
    context.tell("each thread executes one iteration at a time", None, *why, topic=Topic.LOOP)
    loops, target = kernel.region.loops, kernel.region.unit.target
    if numbered:
        return _once_each(lower_numbered(loops, text, grid(target.words)), kernel)
    if has_thread_for_each(kernel):
        return lower_once(loops[0], text, kernel.geometry.bound, target.words)
    if len(loops) > 1:
        number = number_type(kernel) if _multiplies(kernel) else "long long"
        kernel.geometry = replace(kernel.geometry, has_wide=number == NUMBER)
        return _once_each(lower_nest(kernel, divided, number, text), kernel)
    return _once_each(
        lower_narrow(kernel, text) or lower_loops(loops, text, grid(target.words), target.limits.threads), kernel
    )


def _multiplies(kernel: Kernel) -> bool:
    """Whether divisions by what the launch knows may be multiplications."""
    return Optimisation.DIVISIONS not in kernel.region.left_out


def _light_reduction(kernel: Kernel, text: Text) -> LoweredLoop | None:
    """Return the form of a reduction whose iterations do little, None for other loops."""
    region, target = kernel.region, kernel.region.unit.target
    if not kernel.geometry.reduces or len(region.loops) > 1:
        return None
    return over_grid(region, lower_loops(region.loops, text, grid(target.words), target.limits.threads))


def _once_each(lowered: LoweredLoop, kernel: Kernel) -> LoweredLoop:
    """Return the loop with what the compiler cannot know: most threads have one iteration.

    Unrolled it would begin with a 64-bit division, which costs more than such an iteration. A reduction's threads are
    few and have many iterations.
    """
    if kernel.geometry.reduces or kernel.geometry.has_bins:
        return lowered
    return replace(lowered, before=(*lowered.before, ONE_BY_ONE))


def _league_loops(kernel: Kernel, chunk: Chunk, text: Text) -> LoweredLoop:
    """Return the loop whose iterations are each a team's work."""
    region, target = kernel.region, kernel.region.unit.target
    teams = league(target.words)
    if chunk.size:
        return lower_chunks(region.loops, chunk.size, text, teams)
    if region.owner.template is None and _multiplies(kernel):
        divided = divided_nest(kernel, region.loops)
        kernel.arguments = (*kernel.arguments, *divided.arguments)
        if divided.names:
            return lower_divided(region.loops, divided.names, Share.of(teams), True, text)
    return lower_loops(region.loops, text, teams, target.limits.threads)


def place_lines(context: CleanupContext) -> None:
    """Put locals in front of inner loops, in a block where the loop's place can hold no declaration."""
    for loop in dict.fromkeys([*context.before, *context.guarded]):
        code: Code = (*context.before.get(loop, ()), *context.guarded.get(loop, (UserSlot(),)))
        if not context.can_declare_before(loop):
            code = (Block("", code),)
        place_in_lines(context.body, context.body.start(loop), statement_end(context.body.file, loop), code)


def _loop(lowered: LoweredLoop, context: CleanupContext) -> Code:
    """Return the loop with the user's statement in it, which keeps its own lines."""
    user = _users_iteration(context)
    is_last = isinstance(lowered.body[-1], UserSlot)  # if not, the form has taken care of what is stored
    closes = is_last and user.is_block and not lowered.behind
    user = replace(user, closes=closes, stored=user.stored if is_last else ())
    code = in_place(lowered.body, (*context.opening, user))
    *outer, header = lowered.headers
    loop: Code = (Block(header, code, lowered.behind),)
    for around in reversed(outer):
        loop = (Block(around, loop, bare=True),)
    return (*lowered.before, *loop)


def _users_iteration(context: CleanupContext) -> User:
    """Return what an iteration executes."""
    body, inner = context.body, context.kernel.region.iteration
    start, end = body.start(inner), statement_end(body.file, inner)
    stored = tuple(element.store for element in context.stored)
    user = replace(body.user(start, end), stored=stored)
    first = user.parts[0]
    if inner.kind != "COMPOUND_STMT" or not isinstance(first, str) or not first.startswith("{"):
        return user
    indent = indent_of(body, body.start(inner.children[-1])) if stored else ""
    return replace(user, is_block=True, indent=indent, end_indent=indent_of(body, end - 1))


def chunk_of(region: TargetRegion) -> Chunk:
    """Return the chunk size of the user's schedule, the argument it needs, and whether it is the teams' schedule.

    A constant stands in the kernel as a number; a value of the run travels as a literal of its own. Chunks of one
    iteration for the threads of all teams are no schedule of their own: a loop over the grid deals them out so.
    """
    for leaf, construct in product(("distribute", "for"), region.constructs):
        schedule = construct.schedule(leaf)
        if schedule is None or schedule.kind != "static" or schedule.chunk is None:
            continue
        value = construct.value_of(schedule.chunk)
        if leaf == "for" and value == 1 and _shares_grid(region):
            continue
        if value is not None:
            return Chunk(str(value), None, leaf == "distribute")
        return Chunk("__rex_chunk_size", _chunk_argument(schedule.chunk.text.strip()), leaf == "distribute")
    return Chunk("", None, False)


def _shares_grid(region: TargetRegion) -> bool:
    """Whether all threads of all teams share a loop, and nothing in it can tell which of them executes it."""
    is_grid = region.has_teams and region.has_parallel and region.is_worksharing and not region.has_inner_parallel
    return is_grid and not can_tell_threads(region.unit, region.iteration, frozenset({"atomic"}))


def _chunk_argument(text: str) -> Argument:
    return by_value("__rex_chunk_size", "long long", f"({text})", "chunk size", "__rex_schedule_chunk")
