"""A region with parallels in it: placement of its variables, launch, and the edits of its team code.

In: a region with its attributes and the device text of its body. Out: :class:`TeamRegion`, from which outlining makes
the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.arguments.private_copies import is_on_device, is_read_in_place, kept_together
from rexcc.lowering.generic.launch import Launch, launch_of
from rexcc.lowering.generic.plan import Form, Part, Planner
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.generic.team_arrays import shared_bytes
from rexcc.lowering.generic.team_calls import calls_of_one_thread
from rexcc.lowering.generic.team_functions import TeamFunction, TeamFunctions
from rexcc.lowering.generic.walker import TeamWriter
from rexcc.lowering.model.launch import Geometry
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.records import dataclass, replace

_BY_VALUE = frozenset({Kind.VALUE, Kind.POINTER, Kind.DEVICE_POINTER, Kind.PRIVATE, Kind.CONSTANT, Kind.ALLOCATOR})


@dataclass(frozen=True, eq=False)
class TeamRegion:
    """The team code of a region: its parts, its variables' places, its launch, the functions that all threads call."""

    region: TargetRegion
    data: RegionData
    top: Part
    scope: TeamScope
    launch: Launch
    functions: tuple[TeamFunction, ...] = ()

    @property
    def shared(self) -> frozenset[Variable]:
        """The variables of which the team has one copy."""
        return frozenset(self.scope.shared)

    @property
    def together(self) -> frozenset[Place]:
        """The places of the functions that all threads of a team call together."""
        return frozenset(one.place for function in self.functions for one in function.every)

    def geometry(self, shape: Geometry) -> Geometry:
        """Return the launch geometry with the block's threads and memory."""
        return replace(
            shape,
            threads=self.launch.threads,
            bound=self.launch.bound,
            one_thread=False,
            has_light_loops=self.launch.has_light_loops,
            shared_loop=self.launch.shared_loop,
            shared_bytes=shared_bytes(self.region, self.data, self.scope, self._room()),
        )

    def _room(self) -> int:
        """Return what the team's variables leave of a block's shared memory, 0 where that is not known."""
        sizes = [kind.get_size() for kind in _shared_variables(self.data, self.scope)]
        return 0 if min(sizes, default=0) < 0 else self.region.unit.target.limits.launched_bytes - sum(sizes)

    def write(self, body: DeviceBody, keeps_state: bool) -> tuple[tuple[Reason, ...], Node | None]:
        """Make the edits; return how the region was lowered and why, and the first statement that one thread executes
        while the others wait, None where there is none."""
        writer = TeamWriter(body, self.scope, self.launch, keeps_state)
        writer.write(self.top, bool(self.region.loops), any(a.reduction or a.last for a in self.data.attributes))
        if not writer.guards:
            return (Reason("all threads of a team execute this region together (SPMD)"),), None
        first = writer.guards[0]
        why = (
            Reason("one thread executes the sequential statements of this region, the others wait (generic)"),
            Reason("because this statement has effects that must happen once", first),
        )
        return why, first


def team_region(region: TargetRegion, data: RegionData, is_final: bool = True) -> TeamRegion:
    """Return the analysis of a region's team code; raises CompileError for what cannot be lowered.

    Unless it ``is_final``, it is not yet known of all functions that threads may call together whether they can: then
    fewer parallels may be those of whole blocks.
    """
    _check_clauses(region)
    if region.owner.template is None and region.unit.kept(TeamFunctions).any_named(region.body):
        try:
            found = _planned(region, data, region.unit.kept(TeamFunctions), is_final)
            _check_shared(region, data, found.scope, sum(one.bytes for one in found.functions))
            if is_final:
                found.write(DeviceBody(region.unit, region.construct.file), False)  # statements taken apart for calls
        except CompileError:
            pass  # the functions are called by the initial thread alone
        else:
            return found
    found = _planned(region, data, None, is_final)
    _check_shared(region, data, found.scope)
    return found


def calls_together(region: TargetRegion, data: RegionData) -> bool:
    """Whether all threads of a region's teams call functions together, if they walk through its code."""
    try:
        return bool(team_region(region, data).functions)
    except CompileError:
        return False


def _planned(region: TargetRegion, data: RegionData, functions: TeamFunctions | None, is_final: bool) -> TeamRegion:
    indices = {loop.index for loop in (*region.loops, *region.sequential)}
    by_value = frozenset(a.variable for a in data.attributes if _is_by_value(region, a)) | indices
    inner = tuple(region.constructs[-1].children)
    apart: frozenset[Node] = frozenset()
    while True:
        planner = Planner(region.unit, inner, functions.finder(apart)) if functions else Planner(region.unit, inner)
        top = planner.plan_iteration(region.loops, region.body)
        constructs = [p.construct for p in top.walk() if p.form is Form.PARALLEL and p.construct is not None]
        called = functions.called_in(top) if functions else ()
        launch = launch_of(region, data, constructs, [c for one in called for c in one.parallels])
        scope = TeamScope(region.unit, top, by_value, kept_together(data), launch.whole)
        alone = calls_of_one_thread(top, scope)
        if functions is not None and is_final:
            alone |= functions.unwritable_in(top)
        if not alone:
            return TeamRegion(region, data, top, scope, launch, called)
        apart |= alone


def _is_by_value(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether each thread has a variable of its own when the kernel starts."""
    if is_read_in_place(region, attribute) or is_on_device(region, attribute):
        return False
    if attribute.kind in _BY_VALUE or attribute.copied or attribute.reduction or attribute.last:
        return True
    is_address = types.is_pointer(attribute.variable.cursor.type) or attribute.variable.decays
    return is_address and any(item.sections for _, item, _ in attribute.map_items)


def _check_clauses(region: TargetRegion) -> None:
    for placed in region.clauses("linear", "induction"):
        raise error(
            "unsupported-clause",
            f"'{placed.clause.name}' on a loop around parallels cannot be lowered yet; "
            "compute the variable from the loop's index",
            placed.clause.span,
        )


def _check_shared(region: TargetRegion, data: RegionData, scope: TeamScope, of_functions: int = 0) -> None:
    total, most = of_functions, region.unit.target.limits.team_bytes
    for kind in _shared_variables(data, scope):
        total += max(0, kind.get_size())
    if total > most:
        raise error(
            "team-memory",
            f"the variables that the threads of a team share here take {total} bytes; a block has {most}",
            region.construct.span,
        )


def _shared_variables(data: RegionData, scope: TeamScope) -> Iterator[Type]:
    """Yield the type of each variable of the team that has a fixed place in shared memory."""
    for variable in scope.shared:
        declaration = scope.declared.get(variable)
        attribute = data.of(variable)
        kind = declaration.type if declaration is not None else attribute.variable.type if attribute else None
        if kind is not None and not types.is_variable_length(kind):
            yield types.canonical(kind)
