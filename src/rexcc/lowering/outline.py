"""Outlining: a region's body becomes a kernel, its loop a grid-stride loop.

In: a region with its attributes. Out: :class:`Kernel` with the complete text of its body. Outlining comes first, the
loop is rewritten inside it, clean-ups last; the user's statements stay as they are in between.
"""

from __future__ import annotations

from functools import partial

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.calls import asks_for_team, asks_for_team_alone, copies_ask_for_team, flushes, synchronises
from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_range
from rexcc.kernel.code import gives_team_values, waits
from rexcc.kernel.ir import Barrier, Code, Do
from rexcc.lowering.arguments.aligned_pointers import aligned_pointers
from rexcc.lowering.arguments.bounds import bound_arguments
from rexcc.lowering.arguments.capture import capture
from rexcc.lowering.arguments.device_members import device_member_names
from rexcc.lowering.arguments.outer_lambda_arguments import closure_definitions
from rexcc.lowering.arguments.private_copies import shared_directly
from rexcc.lowering.arguments.private_members import private_member_names
from rexcc.lowering.arguments.read_members import ReadMember, asked_first, read_member_names, read_members
from rexcc.lowering.atomics.bins import Bins, find_bins
from rexcc.lowering.atomics.team_elements import TeamElements, find_team_elements, place_changes
from rexcc.lowering.atomics.unchanged_inputs import unchanged_inputs
from rexcc.lowering.c.dialect import lower_c
from rexcc.lowering.c.half_choices import cast_half_choices
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.constructs.lower import lower_calls, lower_inside
from rexcc.lowering.generic.region import TeamRegion, team_region
from rexcc.lowering.generic.team_arrays import captured_bytes, launched_bytes
from rexcc.lowering.generic.teams_of_lanes import SEVERAL_TEAMS, is_of_lanes, lanes_of_teams
from rexcc.lowering.generic.teams_of_rows import has_rows, rows_of_teams
from rexcc.lowering.instances.conditions import resolve_conditions
from rexcc.lowering.instances.packs import function_packs, variables_of_empty_packs, with_packs, write_pack_types
from rexcc.lowering.instances.value_types import lower_value_types
from rexcc.lowering.launch_remarks import kernel_remark, tuned_remarks
from rexcc.lowering.loops.accesses import tells_types_apart
from rexcc.lowering.loops.few_teams import fitted_to_few_teams
from rexcc.lowering.loops.induction import check_inductions
from rexcc.lowering.loops.last_values import lower_conditional, lower_sequential
from rexcc.lowering.loops.looked_up_arrays import LookedUpArray, looked_up_arrays
from rexcc.lowering.loops.scan import Scan, in_one_team, lower_scan, region_scan
from rexcc.lowering.loops.small_grids import has_small_grids, may_have_fours
from rexcc.lowering.loops.team_scans import is_over_teams, scanning, split_chunks
from rexcc.lowering.maps.iterated import row_loops
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.geometry import geometry
from rexcc.lowering.model.launch import Geometry, Kernel
from rexcc.lowering.model.names import KernelNames
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.reductions.member_reductions import member_names
from rexcc.lowering.region_loops import LoopOptions, chunk_of, clean_up, lower_loop, place_lines
from rexcc.lowering.text.alignment import lower_allocations
from rexcc.lowering.text.body import DeviceBody, blank_conditionals, mark_lines
from rexcc.lowering.text.case_ranges import spread_case_ranges
from rexcc.lowering.text.choices import lower_choices
from rexcc.lowering.text.constant_objects import write_constant_values
from rexcc.lowering.text.constant_questions import answer_questions
from rexcc.lowering.text.declared_types import write_types
from rexcc.lowering.text.definitions import mark_methods
from rexcc.lowering.text.extremes import lower_extremes
from rexcc.lowering.text.indirections import lower_member_constants, lower_pointer_calls, lower_virtual_calls
from rexcc.lowering.text.lambdas import capture_globals, capture_this
from rexcc.lowering.text.library_calls import lower_library_calls
from rexcc.lowering.text.local_declarations import drop_declarations
from rexcc.lowering.text.placing import comment_pragmas, insist_on_placed
from rexcc.lowering.text.qualified import lower_qualified
from rexcc.lowering.text.roots import lower_roots
from rexcc.lowering.text.runtime_arrays import MEMORY, lower_runtime_arrays
from rexcc.lowering.text.team import CALLER, SEQUENTIAL, Team, block, grid
from rexcc.lowering.text.this_pointer import lower_this
from rexcc.program.constructs import Construct
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, replace


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
    team = team_region(region, data) if region.has_inner_parallel else None
    lanes = lanes_of_teams(region, data, team) if team is not None else 0
    stem, base = names.stem(region), names.base(region)
    kernel = _outlined(region, data, facts, (stem, base), options, team, lanes)
    is_right = not lanes or is_of_lanes(kernel)
    return kernel if is_right else _outlined(region, data, facts, (stem, base), options, team, 0)


def _outlined(
    region: TargetRegion, data: RegionData, facts: MapFacts, names: tuple[str, str], options: OutlineOptions,
    team: TeamRegion | None, lanes: int,
) -> Kernel:  # fmt: skip
    """Return the kernel of a region; its teams are so many ``lanes`` of a warp, or blocks."""
    packs = function_packs(region, data)
    shared = team.shared if team else shared_directly(region, data)
    body = DeviceBody(region.unit, region.construct.file)
    together = _team_elements(region, data, body, options, bool(shared or packs))
    copies = {one.variable: one.copies for one in together}
    arguments, local_lines, sums, ahead = capture(region, data, facts, shared, options.reduction, copies)
    local_lines = (*local_lines, *variables_of_empty_packs(region, data))
    chunk = chunk_of(region)
    arguments = (*arguments, *bound_arguments(region), *filter(None, [chunk.argument]))
    _check_clauses(region)
    scan = region_scan(region)
    over_teams = scan is not None and _lower_scan(body, region, data, scan)
    drop_declarations(body, [region.body])
    lower_allocations(body, region.body)
    numbered = lower_conditional(body, region)
    members = read_members(region, data, bool(facts.mapper(region.construct, None)))
    _lower_language(body, region, data, team, members)
    write_pack_types(body, region, packs)
    start, end = statement_range(body.file, region.body)
    blank_conditionals(body, start, end, options.skipped.get(body.file.scan.source.path, []))
    mark_lines(body, start, end)
    shape = _shape(region, data, team, shared)
    in_columns = looked_up_arrays(region, body, shape.bound) if _is_direct(shape, shared, scan, options) else ()
    local_lines = (*local_lines, *(line for one in in_columns for line in one.memory))
    kernel = Kernel(*names, region, data, arguments, shape, local_lines)
    _pass_members(kernel, members)
    context = _cleanup_context(kernel, body, options)
    _tell_of_columns(context, in_columns)
    meet = bool(shared) or any(waits(p.prologue) for p in kernel.parameters)
    kernel.flushes = any(flushes(region.unit, part) for part in _parts(region, data))
    body.needs.lanes, body.needs.may_have_fours = lanes, not packs and may_have_fours(region, shape, options.wraps)
    bins = _bins(context, options, numbered, meet or kernel.flushes)
    body.needs.may_take_neighbours = not packs and not options.wraps and shape.bound != 1
    how, sequential = _lower_constructs(body, region, team, _parts(region, data))
    _change_together(context, together)
    _blank_inner_directives(region, body)
    if scan is not None:
        kernel.geometry = scanning(shape, scan) if over_teams else in_one_team(shape)
    kernel.row_loops = tuple(row_loops(facts, *region.constructs))
    kernel.sums, kernel.packs, kernel.ahead, kernel.sequential = sums, packs, ahead, sequential
    kernel.closures = closure_definitions(region, data, body.needs, partial(_lower_closure, region))
    kernel.synchronises, kernel.criticals = body.needs.synchronises or meet, frozenset(body.needs.criticals)
    kernel.together, kernel.entry = team.together if team else frozenset(), _entry(kernel, body)
    insist_on_placed(body, region.constructs[-1].descendants(), start, end)
    comment_pragmas(body, start, end)
    if region.loops:
        lower_loop(context, _loop_options(options), chunk, numbered, bins)
    else:
        _lower_without_loops(context, body)
    _choose_forms(context, body)
    _share_blocks(context, team, lanes, options)
    if packs:
        kernel.code, kernel.closures = with_packs(packs, (*kernel.closures, *kernel.code)), ()
    _explain(context, how, options)
    return kernel


def _explain(context: CleanupContext, how: tuple[Reason, ...], options: OutlineOptions) -> None:
    """Say what has been made of a kernel, and ``how`` its constructs are executed, where that is asked for."""
    if options.explains:
        kernel = context.kernel
        kernel.remarks = (kernel_remark(kernel, how), *tuned_remarks(kernel), *context.remarks)


def _pass_members(kernel: Kernel, members: tuple[ReadMember, ...]) -> None:
    """Note what the host reads of an object for a kernel, and what the device may have of it."""
    kernel.host_reads = tuple(member.host for member in members)
    kernel.looked_up = asked_first(kernel.region, members)


def _is_direct(shape: Geometry, shared: object, scan: Scan | None, options: OutlineOptions) -> bool:
    """Whether threads have a region's iterations at once, and its blocks no other memory of the region's."""
    return not shared and not shape.shared_bytes and scan is None and options.scheduler != "xomp"


def _lower_scan(body: DeviceBody, region: TargetRegion, data: RegionData, scan: Scan) -> bool:
    """Lower the region's prefix sums; return whether all teams share them."""
    if not is_over_teams(region, data, scan):
        lower_scan(body, region, data, scan)
        return False
    split_chunks(body, region, scan)
    return True


def _lower_without_loops(context: CleanupContext, body: DeviceBody) -> None:
    kernel, region = context.kernel, context.kernel.region
    lower_sequential(body, region)
    clean_up(context)
    place_lines(context)
    kernel.code = (body.user(*statement_range(body.file, region.body)),)


def _choose_forms(context: CleanupContext, body: DeviceBody) -> None:
    """Say which second form a kernel has, now that its loops are known."""
    kernel = context.kernel
    has_forms = body.needs.has_forms
    has_small = has_forms or has_small_grids(kernel.region, kernel.geometry)
    kernel.geometry = replace(kernel.geometry, has_small_grids=has_small, has_forms=has_forms)
    kernel.geometry = fitted_to_few_teams(kernel)
    kernel.aligned = aligned_pointers(context)


def _share_blocks(context: CleanupContext, team: TeamRegion | None, lanes: int, options: OutlineOptions) -> None:
    """Let several teams be a block where they are known to be a warp or less, or where the kernel can tell."""
    if lanes:
        _be_of_lanes(context.kernel, lanes)
    elif team is not None:
        _decide_by_rows(context, team, options.strict_aliasing)


def _be_of_lanes(kernel: Kernel, lanes: int) -> None:
    """Let several teams be a block, each of so many lanes."""
    told = Do(f"/* Teams of {lanes} threads share a block: in what follows its words are those of a team. */")
    kernel.locals = (told, Do(f"REX_TEAMS_OF_LANES({lanes})"), *kernel.locals)
    kernel.geometry = replace(kernel.geometry, lanes=lanes, bound=SEVERAL_TEAMS)


def _decide_by_rows(context: CleanupContext, team: TeamRegion, strict_aliasing: bool) -> None:
    """Let two teams that share short rows be a block, if the kernel can tell that they are."""
    kernel = context.kernel
    rows = rows_of_teams(kernel.region, kernel.data, team)
    if rows is None or not is_of_lanes(kernel, of_rows=True) or not has_rows(context, rows, strict_aliasing):
        return
    kernel.entry = (Do(f"REX_TEAMS_OF_ROWS({rows.ends.name}, {rows.count})"), *kernel.entry)
    context.tell(f"two teams are a block where the rows of '{rows.ends.name}' are short", None)


def _loop_options(options: OutlineOptions) -> LoopOptions:
    return LoopOptions(options.scheduler == "xomp", options.strict_aliasing)


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


def _change_together(context: CleanupContext, together: tuple[TeamElements, ...]) -> None:
    """Let the threads of a block change the elements of reduced arrays together."""
    place_changes(context.body, together)
    context.kernel.team_elements = frozenset(one.variable for one in together)
    for one in together:
        context.tell(f"the threads of a team change elements of '{one.variable.name}' together", None)


def _tell_of_columns(context: CleanupContext, arrays: tuple[LookedUpArray, ...]) -> None:
    for one in arrays:
        context.tell(f"'{one.name}' is in the block's memory: only the run knows its subscripts", one.declared)


def _bins(context: CleanupContext, options: OutlineOptions, numbered: bool, meet: bool) -> tuple[Bins, ...]:
    """Return the arrays whose elements the blocks add up first."""
    kernel, region = context.kernel, context.kernel.region
    if not region.loops or Optimisation.BINS in region.left_out or options.scheduler == "xomp":
        return ()
    meets = meet or synchronises(region.unit, region.body)
    strict = tells_types_apart(region.unit, options.strict_aliasing)
    found = find_bins(context, numbered, meets, strict)
    for bins in found:
        context.body.bins.update(bins.in_body)
        context.tell(f"each block adds to '{bins.array}' in its own memory first", None)
    if found and strict:
        context.unchanged = unchanged_inputs(context)
    additions = max((one.additions for one in found), default=1)
    kernel.geometry = replace(kernel.geometry, has_bins=bool(found), additions=additions)
    return found


def _shape(region: TargetRegion, data: RegionData, team: TeamRegion | None, shared: frozenset[Variable]) -> Geometry:
    """Return the geometry of the launch, with the bytes of shared memory that it asks for."""
    shape = geometry(region, data)
    if team is not None:
        return team.geometry(shape)
    limit = region.unit.target.limits.launched_bytes
    return replace(shape, shared_bytes=launched_bytes(captured_bytes(data, shared), limit))


def _lower_language(
    body: DeviceBody, region: TargetRegion, data: RegionData, team: TeamRegion | None, members: tuple[ReadMember, ...]
) -> None:
    """Edit what the device's language has no words for, or others than the user's."""
    lower_runtime_arrays(body, region.body, team.shared if team else frozenset())
    if not region.unit.is_cplusplus:
        lower_c(body, region.body)
    if region.owner.template is not None:
        resolve_conditions(body, region.device_parts)
        lower_value_types(body, region)
    spread_case_ranges(body, region.device_parts)
    cast_half_choices(body, region.device_parts)
    answer_questions(body, region.device_parts)
    if region.unit.is_cplusplus:
        write_constant_values(body, region, data.attributes)
    _lower_names(body, region, data, members)


def _lower_names(body: DeviceBody, region: TargetRegion, data: RegionData, members: tuple[ReadMember, ...]) -> None:
    """Edit what means another function or object on the device than where the user wrote it."""
    code = [*_headers(region), *region.device_parts]
    lower_pointer_calls(body, code)
    lower_virtual_calls(body, code)
    lower_member_constants(body, code, {a.variable for a in data.attributes if a.kind is not Kind.DEVICE_GLOBAL})
    named = member_names(region) | private_member_names(region) | device_member_names(region)
    named |= read_member_names(members)
    lower_this(body, data.references, named)
    lower_qualified(body, region, data)
    write_types(body, data)
    capture_globals(body, region, data)
    capture_this(body, region.body)
    mark_methods(body, region.body)
    lower_library_calls(body, body.start(region.body), body.end(region.body))
    is_instance = region.owner.template is not None  # instances have one text, and types of their own
    lower_extremes(body, body.start(region.body), body.end(region.body), has_values=not is_instance)
    if not is_instance:
        lower_choices(body, body.start(region.body), body.end(region.body))
    lower_roots(body, body.start(region.body), body.end(region.body))


def _lower_constructs(
    body: DeviceBody, region: TargetRegion, team: TeamRegion | None, parts: list[Node]
) -> tuple[tuple[Reason, ...], Node | None]:
    """Lower the constructs in the region, of whose ``parts`` some are lambdas from outside; return how a team's code
    was lowered, nothing where there is none, and the first statement that one of its threads executes alone."""
    unit, constructs = region.unit, _constructs(region)
    keeps_state = any(asks_for_team(unit, part, constructs) for part in parts)
    is_linked = not any(asks_for_team_alone(unit, part, constructs) for part in parts)
    body.needs.linked_state = keeps_state and is_linked
    body.needs.state |= keeps_state and not is_linked
    body.needs.synchronises |= any(synchronises(unit, part) for part in parts)
    inside = [c for c in region.constructs[-1].children if region_scan(region) is None or c.directive.name != "scan"]
    if team is not None:
        how = team.write(body, keeps_state)
        lower_calls(body, [region.body], SEQUENTIAL)
        return how
    lower_inside(body, inside, _team_of(region), [*_headers(region), *region.device_parts])
    return (), None


def _parts(region: TargetRegion, data: RegionData) -> list[Node]:
    """Return the region's statement and the lambdas from outside that it calls."""
    return [region.body, *(closure.definition for closure in data.closures)]


def _lower_closure(region: TargetRegion, body: DeviceBody, closure: Node) -> None:
    """Lower the constructs of a lambda that stands in front of the region, and OpenMP's routines: any team may call
    it."""
    start, end = body.start(closure), body.end(closure)
    is_local = closure.is_inside(region.owner.node)
    constructs = region.owner.walk() if is_local else all_constructs(region.unit)
    inside = [c for c in constructs if c.node.is_inside(closure)]
    outermost = [c for c in inside if c.parent is None or not c.parent.node.is_inside(closure)]
    lower_inside(body, outermost, CALLER, [closure])
    insist_on_placed(body, inside, start, end)
    comment_pragmas(body, start, end)


def _constructs(region: TargetRegion) -> tuple[Construct, ...]:
    return (*region.constructs, *region.constructs[-1].descendants())


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


def _entry(kernel: Kernel, body: DeviceBody) -> Code:
    """Return the code with which the body begins: the team's state, a barrier behind first values, and other names."""
    code: Code = ()
    if body.needs.state and body.needs.linked_state:  # what a leaf has asked for has a state behind it
        code += (Do("typedef rex_parallel rex_linked_parallel;"),)
    if body.needs.state or body.needs.linked_state:
        linked = "" if body.needs.state else "linked_"
        begin = Do(f"rex_{linked}team_begin({int(kernel.region.has_parallel)});")
        if copies_ask_for_team(kernel.region.unit, _constructs(kernel.region)):
            kernel.locals = (begin, *kernel.locals)  # they are made there
        else:
            code += (begin,)
    if body.needs.team_memory and MEMORY not in kernel.locals:
        code += (MEMORY,)
    if gives_team_values(kernel.locals) or any(gives_team_values(p.prologue) for p in kernel.parameters):
        code += (Barrier(),)
    return (*code, *body.aliases.values())


def _blank_inner_directives(region: TargetRegion, body: DeviceBody) -> None:
    """Directives merged into the region that stand inside its body's text cannot be there: the body is innermost."""
    start, end = body.start(region.body), body.end(region.body)
    for construct in region.merged:
        site = construct.probe.site
        if start <= site.start < end:
            raise AssertionError("a merged directive stands inside the innermost body")


def _check_clauses(region: TargetRegion) -> None:
    for construct in region.constructs:
        check_inductions(construct)
