"""The loop of a region: which form its iterations get, and the kernel's code with the user's statement in it.

In: a kernel with its arguments, whose body has its constructs lowered. Out: its code, what the form adds to arguments
and geometry, and remarks. Clean-ups come first, for some forms are only for what they leave.
"""

from __future__ import annotations

from itertools import product

from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.frontend.statements import statement_range
from rexcc.kernel.code import in_place
from rexcc.kernel.ir import Block, Code, User, UserSlot
from rexcc.lowering.access_remarks import tell_of_accesses
from rexcc.lowering.arguments.bounds import bound_text, name_looked_up, with_steps_on_device
from rexcc.lowering.atomics.bins import Bins, with_bins
from rexcc.lowering.cleanups import CleanupContext, run_cleanups
from rexcc.lowering.grid_forms import NOT_WANTED, grid_loop, multiplies, once_each, threads_meet
from rexcc.lowering.loops.accesses import tells_types_apart
from rexcc.lowering.loops.grid_loops import lower_loops
from rexcc.lowering.loops.group_rules import GroupedLoop, grouped_loop
from rexcc.lowering.loops.groups import comparison, group_loops
from rexcc.lowering.loops.kept_objects import keep_objects
from rexcc.lowering.loops.last_values import last_code
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text
from rexcc.lowering.loops.nests import divided_nest, replace_inner_headers
from rexcc.lowering.loops.numbered_loops import (
    lower_chunks,
    lower_distributed_chunks,
    lower_divided,
    lower_with_xomp,
    nest_count,
)
from rexcc.lowering.loops.rows import load_rows
from rexcc.lowering.loops.scan import region_scan, scan_loop
from rexcc.lowering.loops.serial_turns import serial_turn_loop
from rexcc.lowering.loops.several_roots import join_roots, join_roots_of_turns
from rexcc.lowering.loops.several_sines import join_sines_of_turns, name_sines
from rexcc.lowering.loops.team_scans import team_scan_loop
from rexcc.lowering.loops.turns import load_in_turns, place_turns
from rexcc.lowering.loops.walks import find_walks, place_walks
from rexcc.lowering.model.launch import Argument, Kernel, by_value
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.local_labels import is_plain_block
from rexcc.lowering.text.placing import indent_of, place_in_lines
from rexcc.lowering.text.team import league
from rexcc.program.optimisations import Optimisation
from rexcc.source.records import dataclass, replace

_ORDERED_BY_NOBODY = frozenset({"atomic"})
"""Constructs whose threads are the same to them, where no clause says which executes an iteration before which."""


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
    if context.kernel.packs:
        return
    meet = context.kernel.region.has_inner_parallel or threads_meet(context.kernel)
    if not meet:
        load_in_turns(context, bound_text(context.kernel.region, context.body))
        load_rows(context)
        join_sines_of_turns(context, meet)
        find_walks(context)
        join_roots(context)
        keep_objects(context, bound_text(context.kernel.region, context.body))
    else:
        join_roots_of_turns(context)
        load_in_turns(context, bound_text(context.kernel.region, context.body), serial_turn_loop)
        load_rows(context)
        join_sines_of_turns(context, meet)
    run_cleanups(context, meet)


def lower_loop(
    context: CleanupContext, options: LoopOptions, chunk: Chunk, numbered: bool, bins: tuple[Bins, ...]
) -> None:
    """Give a kernel the code of its region's loop."""
    kernel, body = context.kernel, context.body
    name_looked_up(kernel.region, body)
    text = bound_text(kernel.region, body)
    kernel.region = region = with_steps_on_device(kernel.region, text)
    replace_inner_headers(body, region.loops, text)
    dependent = last_code(region, text) if region.sequential else None  # clean-ups edit the headers inside
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
        place_lines(context)
    elif chunk.for_teams:
        lowered = lower_distributed_chunks(region.loops, chunk.size, text, region.unit.target.words)
    elif options.uses_xomp or chunk.size:
        lowered = lower_with_xomp(region.loops, chunk.size or "1", text, region.unit.target.words)
        kernel.uses_xomp = True
    else:
        lowered = _over_grid(context, numbered, options, text)
    before, each = dependent or last_code(region, text)
    loop = _loop(replace(lowered, before=(*before, *lowered.before)).opened_with(*each), context)
    kernel.code = with_bins(bins, loop, nest_count(region.loops, text), text)


def _over_grid(context: CleanupContext, numbered: bool, options: LoopOptions, text: Text) -> LoweredLoop:
    """Return the loop whose iterations all threads share, each alone or in groups."""
    found = grouped_loop(context, numbered, threads_meet(context.kernel), options.strict_aliasing)
    if Optimisation.GROUPS in context.kernel.region.left_out:
        found = NOT_WANTED
    elif context.kernel.team_elements:
        found = Reason("the threads of a team change elements together")
    elif context.wraps:
        found = Reason("signed integers wrap around")  # then addresses have no order
    compared = comparison(found, text) if isinstance(found, GroupedLoop) else ()
    if isinstance(found, GroupedLoop):
        context.shared_loop = found.loop.statement
        context.folded = frozenset(fold.loop.statement for fold in found.folds)
    clean_up(context)
    if isinstance(found, GroupedLoop) and not context.stored:
        lowered = group_loops(context, found, compared, text)
        context.tell("groups of neighbouring threads share this loop", found.loop.statement, topic=Topic.LOOP)
        tell_of_accesses(context, found.loop)
        place_lines(context)
        return once_each(lowered, context.kernel)
    place_lines(context)
    alone = (found,) if isinstance(found, Reason) and found.place is not None else ()
    tells_apart = tells_types_apart(context.kernel.region.unit, options.strict_aliasing)
    return grid_loop(context, numbered, text, alone, tells_apart)


def _league_loops(kernel: Kernel, chunk: Chunk, text: Text) -> LoweredLoop:
    """Return the loop whose iterations are each a team's work."""
    region, target = kernel.region, kernel.region.unit.target
    teams = league(target.words)
    if chunk.size:
        return lower_chunks(region.loops, chunk.size, text, teams)
    if region.owner.template is None and multiplies(kernel):
        divided = divided_nest(kernel, region.loops)
        kernel.arguments = (*kernel.arguments, *divided.arguments)
        if divided.names:
            return lower_divided(region.loops, divided.names, Share.of(teams), True, text)
    return lower_loops(region.loops, text, teams, target.limits.threads)


def place_lines(context: CleanupContext) -> None:
    """Put locals in front of inner loops, in a block where the loop's place can hold no declaration, and write the
    loops that load in turns."""
    name_sines(context)
    place_turns(context)
    place_walks(context)
    for loop in dict.fromkeys([*context.before, *context.guarded]):
        code: Code = (*context.before.get(loop, ()), *context.guarded.get(loop, (UserSlot(),)))
        if not context.can_declare_before(loop):
            code = (Block("", code),)
        place_in_lines(context.body, *statement_range(context.body.file, loop), code)


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
    start, end = statement_range(body.file, inner)
    stored = tuple(element.store for element in context.stored)
    user = replace(body.user(start, end), stored=stored)
    first = user.parts[0]
    if inner.kind != "COMPOUND_STMT" or not isinstance(first, str) or not is_plain_block(first):
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
    return is_grid and not can_tell_threads(region.unit, region.iteration, _ORDERED_BY_NOBODY, _ORDERED_BY_NOBODY)


def _chunk_argument(text: str) -> Argument:
    return by_value("__rex_chunk_size", "long long", f"({text})", "chunk size", "__rex_schedule_chunk")
