"""Outlining: a region's body becomes a kernel, its loop a grid-stride loop.

In: a region with its attributes. Out: :class:`Kernel` with the complete text of its body. Outlining comes first, the
loop is rewritten inside it, clean-ups last; the user's statements stay as they are in between.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.calls import asks_for_team, asks_for_team_alone, can_tell_threads, synchronises
from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import ONE_BY_ONE, Barrier, Block, Code, Do, User, UserSlot, gives_team_values, in_place, waits
from rexcc.lowering.access_remarks import tell_of_accesses
from rexcc.lowering.arguments.bounds import bound_arguments, bound_text, name_looked_up, with_steps_on_device
from rexcc.lowering.arguments.capture import capture
from rexcc.lowering.arguments.device_members import device_member_names
from rexcc.lowering.arguments.outer_lambda_arguments import closure_definitions
from rexcc.lowering.arguments.private_copies import shared_directly
from rexcc.lowering.arguments.private_members import private_member_names
from rexcc.lowering.atomics.bins import Bins, find_bins, with_bins
from rexcc.lowering.atomics.team_elements import TeamElements, find_team_elements, place_changes
from rexcc.lowering.c.dialect import lower_c
from rexcc.lowering.cleanups import CleanupContext, run_cleanups
from rexcc.lowering.constructs.lower import lower_calls, lower_inside
from rexcc.lowering.generic.region import TeamRegion, team_region
from rexcc.lowering.generic.team_arrays import captured_bytes, launched_bytes
from rexcc.lowering.instances.conditions import settle_conditions
from rexcc.lowering.instances.packs import function_packs, variables_of_empty_packs, with_packs, write_pack_types
from rexcc.lowering.launch_remarks import kernel_remark, tuned_remarks
from rexcc.lowering.loops.grid_loops import lower_loops, lower_once
from rexcc.lowering.loops.group_rules import GroupedLoop, grouped_loop
from rexcc.lowering.loops.groups import comparison, group_loops
from rexcc.lowering.loops.invariant_division import multiply_instead
from rexcc.lowering.loops.jam import REGISTERS, Jammed, jam
from rexcc.lowering.loops.last_values import last_code, lower_conditional, lower_sequential
from rexcc.lowering.loops.light_loops import over_grid
from rexcc.lowering.loops.loop_forms import LoweredLoop
from rexcc.lowering.loops.narrow_nests import NUMBER, number_type
from rexcc.lowering.loops.nest_order import NestOrder, nest_order
from rexcc.lowering.loops.nests import Divided, divided_nest, lower_nest, replace_inner_headers
from rexcc.lowering.loops.numbered_loops import (
    iteration_count,
    lower_chunks,
    lower_distributed_chunks,
    lower_numbered,
    lower_with_xomp,
)
from rexcc.lowering.loops.scan import in_one_team, lower_scan, region_scan, scan_loop
from rexcc.lowering.loops.single_iteration import has_thread_for_each, lower_narrow
from rexcc.lowering.loops.small_grids import has_small_grids
from rexcc.lowering.loops.tile_conditions import tile_conditions
from rexcc.lowering.loops.tile_counts import TileCounts, tile_counts
from rexcc.lowering.loops.tiles import NEST_REGISTERS, TILE, Light, light_loop, tile
from rexcc.lowering.maps.iterated import row_loops
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.geometry import geometry
from rexcc.lowering.model.launch import Argument, Geometry, Kernel, by_value
from rexcc.lowering.model.names import KernelNames
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.reductions.member_reductions import member_names
from rexcc.lowering.text.alignment import lower_allocations
from rexcc.lowering.text.body import DeviceBody, blank_conditionals, mark_lines
from rexcc.lowering.text.declared_types import write_types
from rexcc.lowering.text.definitions import mark_methods
from rexcc.lowering.text.indirections import lower_member_constants, lower_pointer_calls, lower_virtual_calls
from rexcc.lowering.text.lambdas import capture_globals, capture_this
from rexcc.lowering.text.local_declarations import drop_declarations
from rexcc.lowering.text.placing import comment_pragmas, indent_of, place_in_lines
from rexcc.lowering.text.qualified import lower_qualified, lower_this
from rexcc.lowering.text.runtime_arrays import MEMORY, lower_runtime_arrays
from rexcc.lowering.text.team import SEQUENTIAL, Team, block, grid, league
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass, replace

_NOT_WANTED = Reason("--rex-opt leaves this out")


@dataclass(frozen=True)
class OutlineOptions:
    """``scheduler`` is ``direct`` or ``xomp``; ``skipped`` the ranges per file that the preprocessor left out.

    ``explains`` asks for remarks, ``reduction`` says how the results of teams come together. ``strict_aliasing``:
    objects of different types are different objects; ``wraps``: signed integers wrap around; ``reciprocals``: a
    division may be a multiplication by one.
    """

    scheduler: str
    skipped: dict[str, list[tuple[int, int]]]
    explains: bool = False
    reduction: str = "device"
    strict_aliasing: bool = True
    wraps: bool = False
    reciprocals: bool = False


def outline(
    region: TargetRegion, data: RegionData, facts: MapFacts, names: KernelNames, options: OutlineOptions
) -> Kernel:
    """Return the kernel of a region; raises CompileError for what cannot be lowered."""
    packs = function_packs(region, data)
    team = team_region(region, data) if region.has_inner_parallel else None
    shared = team.shared if team else shared_directly(region, data)
    body = DeviceBody(region.unit, region.construct.file)
    together = _team_elements(region, data, body, options, bool(shared or packs))
    copies = {one.variable: one.copies for one in together}
    arguments, local_lines, sums, ahead = capture(region, data, facts, shared, options.reduction, copies)
    arguments = (*arguments, *bound_arguments(region))
    local_lines = (*local_lines, *variables_of_empty_packs(region, data))
    chunk = _chunk(region)
    if chunk.argument is not None:
        arguments = (*arguments, chunk.argument)
    _check_clauses(region)
    scan = region_scan(region)
    if scan is not None:
        lower_scan(body, region, scan)
    drop_declarations(body, [region.body])
    lower_allocations(body, region.body)
    numbered = lower_conditional(body, region)
    _lower_language(body, region, data, team)
    write_pack_types(body, region, packs)
    start, end = body.start(region.body), statement_end(body.file, region.body)
    blank_conditionals(body, start, end, options.skipped.get(body.file.scan.source.path, []))
    mark_lines(body, start, end)
    shape = _shape(region, data, team, shared)
    kernel = Kernel(
        names.stem(region), names.base(region), region, data, arguments, shape, local_lines, edits=body.edits
    )
    context = _cleanup_context(kernel, body, options)
    meet = bool(shared) or any(waits(p.prologue) for p in kernel.parameters)
    bins = _bins(context, options, numbered, meet)
    how, sequential = _lower_constructs(body, region, team)
    place_changes(body, together)
    kernel.team_elements = frozenset(copies)
    for one in together:
        context.tell(f"the threads of a team change elements of '{one.variable.name}' together", None)
    _blank_inner_directives(region, body)
    if scan is not None:
        kernel.geometry = in_one_team(shape)
    kernel.row_loops = tuple(row_loops(facts, *region.constructs))
    kernel.sums, kernel.packs, kernel.ahead = sums, packs, ahead
    kernel.closures, kernel.sequential = closure_definitions(region, data), sequential
    kernel.synchronises, kernel.criticals = body.needs.synchronises or meet, frozenset(body.needs.criticals)
    kernel.entry = _entry(kernel, body, team)
    comment_pragmas(body, start, end)
    if region.loops:
        _lower_loop(context, options, chunk, numbered, bins)
    else:
        lower_sequential(body, region)
        _clean_up(context)
        _place_lines(context)
        kernel.code = (body.user(start, end),)
    kernel.geometry = replace(kernel.geometry, has_small_grids=has_small_grids(region, kernel.geometry))
    if packs:
        kernel.code, kernel.closures = with_packs(packs, (*kernel.closures, *kernel.code)), ()
    if options.explains:
        kernel.remarks = (kernel_remark(kernel, how), *tuned_remarks(kernel), *context.remarks)
    return kernel


def _cleanup_context(kernel: Kernel, body: DeviceBody, options: OutlineOptions) -> CleanupContext:
    innermost = kernel.region.loops[-1] if kernel.region.loops else None
    return CleanupContext(
        kernel, body, innermost, explains=options.explains, reciprocals=options.reciprocals, wraps=options.wraps
    )


def _team_elements(
    region: TargetRegion, data: RegionData, body: DeviceBody, options: OutlineOptions, is_other: bool
) -> tuple[TeamElements, ...]:
    """Return the reduced arrays whose elements the threads of a block change together."""
    if not region.loops or is_other or options.scheduler == "xomp" or region_scan(region) is not None:
        return ()
    return find_team_elements(region, data, body, options.reduction == "reproducible")


def _bins(context: CleanupContext, options: OutlineOptions, numbered: bool, meet: bool) -> tuple[Bins, ...]:
    """Return the arrays whose elements the blocks add up first."""
    kernel, region = context.kernel, context.kernel.region
    if not region.loops or Optimisation.BINS in region.left_out or options.scheduler == "xomp":
        return ()
    found = find_bins(context, numbered, meet or synchronises(region.unit, region.body))
    for bins in found:
        context.body.bins.update(bins.in_body)
        context.tell(f"each block adds to '{bins.array}' in its own memory first", None)
    kernel.geometry = replace(kernel.geometry, has_bins=bool(found))
    return found


def _shape(region: TargetRegion, data: RegionData, team: TeamRegion | None, shared: frozenset[Variable]) -> Geometry:
    """Return the geometry of the launch, with the bytes of shared memory that it asks for."""
    shape = geometry(region, data)
    if team is not None:
        return team.geometry(shape)
    limit = region.unit.target.limits.launched_bytes
    return replace(shape, shared_bytes=launched_bytes(captured_bytes(data, shared), limit))


def _lower_language(body: DeviceBody, region: TargetRegion, data: RegionData, team: TeamRegion | None) -> None:
    """Edit what the device's language has no words for, or others than the user's."""
    lower_runtime_arrays(body, region.body, team.shared if team else frozenset())
    if not region.unit.is_cplusplus:
        lower_c(body, region.body)
    if region.owner.template is not None:
        settle_conditions(body, region.device_parts)
    _lower_names(body, region, data)


def _lower_names(body: DeviceBody, region: TargetRegion, data: RegionData) -> None:
    """Edit what means another function or object on the device than where the user wrote it."""
    code = [*_headers(region), *region.device_parts]
    lower_pointer_calls(body, code)
    lower_virtual_calls(body, code)
    lower_member_constants(body, code, {a.variable for a in data.attributes if a.kind is not Kind.DEVICE_GLOBAL})
    named = member_names(region) | private_member_names(region) | device_member_names(region)
    lower_this(body, data.references, named)
    lower_qualified(body, region, data)
    write_types(body, data)
    capture_globals(body, region, data)
    capture_this(body, region.body)
    mark_methods(body, region.body)


def _lower_constructs(
    body: DeviceBody, region: TargetRegion, team: TeamRegion | None
) -> tuple[tuple[Reason, ...], Node | None]:
    """Lower the constructs in the region; return how a team's code was lowered, nothing where there is none, and the
    first statement that one of its threads executes alone."""
    keeps_state = asks_for_team(region.unit, region.body)
    body.needs.linked_state = keeps_state and not asks_for_team_alone(region.unit, region.body)
    body.needs.state |= keeps_state and not body.needs.linked_state
    body.needs.synchronises |= synchronises(region.unit, region.body)
    inside = [c for c in region.constructs[-1].children if region_scan(region) is None or c.directive.name != "scan"]
    if team is not None:
        how = team.write(body, keeps_state)
        lower_calls(body, [region.body], SEQUENTIAL)
        return how
    lower_inside(body, inside, _team_of(region), [*_headers(region), *region.device_parts])
    return (), None


def _headers(region: TargetRegion) -> list[Node]:
    """Return the expressions of the loops' headers that the kernel evaluates."""
    parts = (part for loop in region.loops for part in (loop.lower, loop.bound, loop.step_node) if part is not None)
    return [part for part in parts if region.bound_of(part) is None]


def _team_of(region: TargetRegion) -> Team:
    """Return the threads that execute the region's innermost statement together."""
    if not region.has_parallel:
        return SEQUENTIAL
    words = region.unit.target.words
    return block(words) if not region.is_worksharing else grid(words)


def _entry(kernel: Kernel, body: DeviceBody, team: TeamRegion | None) -> Code:
    """Return the code with which the body begins: the team's state, and a barrier behind first values."""
    code: Code = ()
    if body.needs.state and body.needs.linked_state:  # what a leaf has asked for has a state behind it
        code += (Do("typedef rex_parallel rex_linked_parallel;"),)
    if body.needs.state or body.needs.linked_state:
        linked = "" if body.needs.state else "linked_"
        code += (Do(f"rex_{linked}team_begin({int(kernel.region.has_parallel)});"),)
    if body.needs.team_memory and MEMORY not in kernel.locals:
        code += (MEMORY,)
    if gives_team_values(kernel.locals) or any(gives_team_values(p.prologue) for p in kernel.parameters):
        code += (Barrier(),)
    return code


def _clean_up(context: CleanupContext) -> None:
    """Run the clean-ups; where a pack is named, one text stands for several expressions, which they would not see."""
    if not context.kernel.packs:
        run_cleanups(context, context.kernel.region.has_inner_parallel or _threads_meet(context.kernel))


def _threads_meet(kernel: Kernel) -> bool:
    """Whether threads wait for each other in the body: then values of shared memory change between its statements."""
    return kernel.synchronises or bool(kernel.criticals)


def _blank_inner_directives(region: TargetRegion, body: DeviceBody) -> None:
    """Directives merged into the region that stand inside its body's text cannot be there: the body is innermost."""
    start, end = body.start(region.body), body.end(region.body)
    for construct in region.merged:
        site = construct.probe.site
        if start <= site.start < end:
            raise AssertionError("a merged directive stands inside the innermost body")


def _lower_loop(
    context: CleanupContext, options: OutlineOptions, chunk: _Chunk, numbered: bool, bins: tuple[Bins, ...]
) -> None:
    kernel, body = context.kernel, context.body
    name_looked_up(kernel.region, body)
    text = bound_text(kernel.region, body)
    kernel.region = region = with_steps_on_device(kernel.region, text)
    replace_inner_headers(body, region.loops, text)
    scan = region_scan(region)
    if scan is not None:
        lowered = scan_loop(region, scan, text)
    elif region.has_inner_parallel:
        lowered = _league_loops(region, chunk, text)
        _clean_up(context)
    elif chunk.for_teams:
        lowered = lower_distributed_chunks(region.loops, chunk.size, text, region.unit.target.words)
    elif options.scheduler == "xomp" or chunk.size:
        lowered = lower_with_xomp(region.loops, chunk.size or "1", text, region.unit.target.words)
        kernel.uses_xomp = True
    else:
        lowered = _over_grid(context, numbered, options, text)
    before, each = last_code(region, text)
    loop = _loop(replace(lowered, before=(*before, *lowered.before)).opened_with(*each), context)
    count = " * ".join(iteration_count(one, text) for one in region.loops)
    kernel.code = with_bins(bins, loop, count, text)


def _over_grid(
    context: CleanupContext, numbered: bool, options: OutlineOptions, text: Callable[[Node], str]
) -> LoweredLoop:
    """Return the loop whose iterations all threads share, each alone or in groups."""
    found = grouped_loop(context, numbered, _threads_meet(context.kernel), options.strict_aliasing)
    if Optimisation.GROUPS in context.kernel.region.left_out:
        found = _NOT_WANTED
    elif context.kernel.team_elements:
        found = Reason("the threads of a team change elements together")
    elif options.wraps:
        found = Reason("signed integers wrap around")  # then addresses have no order
    compared = comparison(found, text) if isinstance(found, GroupedLoop) else ()
    context.shared_loop = found.loop.statement if isinstance(found, GroupedLoop) else None
    _clean_up(context)
    if isinstance(found, GroupedLoop) and not context.stored:
        lowered = group_loops(context, found, compared, text)
        context.tell("groups of neighbouring threads share this loop", found.loop.statement, topic=Topic.LOOP)
        tell_of_accesses(context, found.loop)
        _place_lines(context)
        return _once_each(lowered, context.kernel)
    _place_lines(context)
    alone = (found,) if isinstance(found, Reason) and found.place is not None else ()
    return _grid_loop(context, numbered, text, alone)


def _grid_loop(
    context: CleanupContext, numbered: bool, text: Callable[[Node], str], alone: tuple[Reason, ...]
) -> LoweredLoop:
    """Return the loop whose iterations all threads share: in tiles, or one after another.

    ``alone`` says why no group shares the loop inside of it, nothing where there is none.
    """
    kernel = context.kernel
    left_out = kernel.region.left_out
    multiplies = Optimisation.DIVISIONS not in left_out
    divisions = multiply_instead(context) if multiplies and not kernel.packs else ()
    found: Light | Reason = _NOT_WANTED
    if Optimisation.TILES not in left_out:
        found = light_loop(context, numbered, _threads_meet(kernel))
    order = nest_order(context) if isinstance(found, Light) else NestOrder(kernel.region.loops)
    if not order.in_strips:
        tell_of_accesses(context, order.loops[-1])
    jammed: Jammed | Reason | None = None
    if isinstance(found, Reason) and found is not _NOT_WANTED:
        jammed = jam(context, numbered, _threads_meet(kernel), text)
    if isinstance(found, Light):
        counts = tile_counts(kernel, order) if multiplies else TileCounts()
        kernel.arguments = (*kernel.arguments, *counts.arguments, *divisions)
        registers = kernel.geometry.registers or (NEST_REGISTERS if len(order.loops) > 1 else 0)
        has_wide = counts.number == NUMBER
        kernel.geometry = replace(kernel.geometry, tile=TILE, has_wide=has_wide, registers=registers)
        context.tell(f"each thread executes {TILE} iterations side by side", None, *order.reasons, topic=Topic.LOOP)
        return tile(context, found, order, counts, text)
    divided = Divided()
    if multiplies and not numbered and not isinstance(jammed, Jammed):
        divided = divided_nest(kernel, order.loops)
    kernel.arguments = (*kernel.arguments, *divided.arguments, *divisions)
    if isinstance(jammed, Jammed):
        registers = kernel.geometry.registers or REGISTERS
        kernel.geometry = replace(kernel.geometry, tile=jammed.count, registers=registers)
        context.tell(
            f"each thread executes the inner loops of {jammed.count} iterations together", None, topic=Topic.LOOP
        )
        return jammed.loop
    found = jammed or found
    asked = (
        None
        if found is _NOT_WANTED or kernel.geometry.has_bins
        else tile_conditions(context, numbered, _threads_meet(kernel), text)
    )
    if isinstance(asked, LoweredLoop):
        kernel.geometry = replace(kernel.geometry, tile=TILE)
        context.tell(f"each thread evaluates the conditions of {TILE} iterations side by side", None, topic=Topic.LOOP)
        return asked
    light = None if numbered else _light_reduction(kernel, text)
    if light is not None:
        context.tell("each thread executes four iterations at a time", None, *alone, topic=Topic.LOOP)
        return light
    context.tell("each thread executes one iteration at a time", None, found, *alone, topic=Topic.LOOP)
    loops, target = kernel.region.loops, kernel.region.unit.target
    if numbered:
        return _once_each(lower_numbered(loops, text, grid(target.words)), kernel)
    if has_thread_for_each(kernel):
        return lower_once(loops[0], text, kernel.geometry.bound, target.words)
    if len(loops) > 1:
        number = number_type(kernel) if multiplies else "long long"
        kernel.geometry = replace(kernel.geometry, has_wide=number == NUMBER)
        return _once_each(lower_nest(kernel, divided, number, text), kernel)
    return _once_each(
        lower_narrow(kernel, text) or lower_loops(loops, text, grid(target.words), target.limits.threads), kernel
    )


def _light_reduction(kernel: Kernel, text: Callable[[Node], str]) -> LoweredLoop | None:
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


def _league_loops(region: TargetRegion, chunk: _Chunk, text: Callable[[Node], str]) -> LoweredLoop:
    """Return the loop whose iterations are each a team's work."""
    target = region.unit.target
    teams = league(target.words)
    if chunk.size:
        return lower_chunks(region.loops, chunk.size, text, teams)
    return lower_loops(region.loops, text, teams, target.limits.threads)


def _place_lines(context: CleanupContext) -> None:
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


@dataclass(frozen=True)
class _Chunk:
    size: str
    argument: Argument | None
    for_teams: bool


def _chunk(region: TargetRegion) -> _Chunk:
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
            return _Chunk(str(value), None, leaf == "distribute")
        return _Chunk("__rex_chunk_size", _chunk_argument(schedule.chunk.text.strip()), leaf == "distribute")
    return _Chunk("", None, False)


def _shares_grid(region: TargetRegion) -> bool:
    """Whether all threads of all teams share a loop, and nothing in it can tell which of them executes it."""
    is_grid = region.has_teams and region.has_parallel and region.is_worksharing and not region.has_inner_parallel
    return is_grid and not can_tell_threads(region.unit, region.iteration, frozenset({"atomic"}))


def _chunk_argument(text: str) -> Argument:
    return by_value("__rex_chunk_size", "long long", f"({text})", "chunk size", "__rex_schedule_chunk")


def _check_clauses(region: TargetRegion) -> None:
    for placed in region.clauses("induction"):
        raise error(
            "unsupported-clause",
            f"'{placed.clause.name}' on '{placed.construct.directive.name}' cannot be lowered yet",
            placed.clause.span,
        )
