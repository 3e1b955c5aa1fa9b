"""A region with parallels in it: placement of its variables, launch, and the edits of its team code.

In: a region with its attributes and the device text of its body. Out: :class:`TeamRegion`, from which outlining makes
the kernel.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.arguments.private_copies import is_on_device, is_read_in_place, kept_together
from rexcc.lowering.generic.launch import Launch, launch_of
from rexcc.lowering.generic.plan import Form, Part, Planner
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.generic.team_arrays import shared_bytes
from rexcc.lowering.generic.walker import TeamWriter
from rexcc.lowering.model.launch import Geometry
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass, replace

_BY_VALUE = frozenset({Kind.VALUE, Kind.POINTER, Kind.DEVICE_POINTER, Kind.PRIVATE, Kind.CONSTANT, Kind.ALLOCATOR})


@dataclass(frozen=True, eq=False)
class TeamRegion:
    """The team code of a region: its parts, its variables' places, its launch."""

    region: TargetRegion
    data: RegionData
    top: Part
    scope: TeamScope
    launch: Launch

    @property
    def shared(self) -> frozenset[Variable]:
        """The variables of which the team has one copy."""
        return frozenset(self.scope.shared)

    def geometry(self, shape: Geometry) -> Geometry:
        """Return the launch geometry with the block's threads and memory."""
        return replace(
            shape,
            threads=self.launch.threads,
            bound=self.launch.bound,
            one_thread=False,
            has_short_loops=self.launch.has_short_loops,
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


def team_region(region: TargetRegion, data: RegionData) -> TeamRegion:
    """Return the analysis of a region's team code; raises CompileError for what cannot be lowered."""
    _check_clauses(region)
    top = Planner(region.unit, tuple(region.constructs[-1].children)).plan_iteration(region.loops, region.body)
    indices = {loop.index for loop in (*region.loops, *region.sequential)}
    by_value = frozenset(a.variable for a in data.attributes if _is_by_value(region, a)) | indices
    constructs = [p.construct for p in top.walk() if p.form is Form.PARALLEL and p.construct is not None]
    launch = launch_of(region, data, constructs)
    scope = TeamScope(region.unit, top, by_value, kept_together(data), launch.whole)
    _check_shared(region, data, scope)
    return TeamRegion(region, data, top, scope, launch)


def _is_by_value(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether each thread has a variable of its own when the kernel starts."""
    if is_read_in_place(region, attribute) or is_on_device(region, attribute):
        return False
    if attribute.kind in _BY_VALUE or attribute.copied or attribute.reduction or attribute.last:
        return True
    is_address = types.is_pointer(attribute.variable.cursor.type) or attribute.variable.decays
    return is_address and any(item.sections for _, item, _ in attribute.map_items)


def _check_clauses(region: TargetRegion) -> None:
    for placed in region.clauses("linear"):
        raise error(
            "unsupported-clause",
            "'linear' on a loop around parallels cannot be lowered yet",
            placed.clause.span,
        )


def _check_shared(region: TargetRegion, data: RegionData, scope: TeamScope) -> None:
    total, most = 0, region.unit.target.limits.team_bytes
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
