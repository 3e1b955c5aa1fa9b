"""Loops of one team, or of teams of one thread, that all threads of all teams share.

In: a region that is ``target parallel for`` or ``target teams distribute``. Out: the region as ``target teams
distribute parallel for``, where nothing can tell the difference. One team is one block of a GPU, a hundredth of it, and
a team of one thread leaves 31 of a warp's 32 idle.

What makes it invisible: threads of a parallel loop, and teams of a distributed one, may execute its iterations in any
order and at the same time, and neither which they are nor how many is anything the region asks for. It holds no
construct but ``atomic``, which works among all teams, and calls nothing that is not known here, so that no threads
meet; no variable is one for the threads of a team; and the program has not chosen how many teams or threads there are.
A thread waits for what another iteration does only in a loop: a region with a loop inside and ``atomic`` or a volatile
object stays as it is.
"""

from __future__ import annotations

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.sharing import region_data
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import types
from rexcc.lowering.arguments.private_copies import shared_directly
from rexcc.lowering.loops.scan import region_scan
from rexcc.lowering.model.geometry import condition_of
from rexcc.source.records import replace

_FEW = frozenset({("target", "parallel", "for"), ("target", "teams", "distribute")})
_ALL_THREADS = ("target", "teams", "distribute", "parallel", "for")
_CHOOSING = (
    "num_teams", "num_threads", "thread_limit", "ordered", "copyin", "lastprivate", "linear", "induction", "schedule",
    "dist_schedule", "safelen",
)  # fmt: skip
_ALLOWED = frozenset({"atomic"})
_OPEN = frozenset({"WHILE_STMT", "DO_STMT", "FOR_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT"})
"""What may execute statements again for as long as it takes."""


def spread(region: TargetRegion, declared: DeclareTarget) -> TargetRegion:
    """Return the region that is lowered in place of another one: for all threads where that cannot be noticed."""
    if region.owner.template is not None:  # one text launches the kernels of all instances
        return region
    if region.leaves not in _FEW or region.has_inner_parallel or any(region.clauses(*_CHOOSING)):
        return region
    if condition_of(region, "parallel") or condition_of(region, "teams") or region_scan(region) is not None:
        return region
    if can_tell_threads(region.unit, region.iteration, _ALLOWED) or _may_wait(region):
        return region
    wide = replace(region, leaves=_ALL_THREADS)
    shared = (shared_directly(one, region_data(one, declared)) for one in (region, wide))
    return region if any(shared) else wide


def _may_wait(region: TargetRegion) -> bool:
    """Whether an iteration may wait for what another one does."""
    nodes = list(region.iteration.walk())
    probes = {c.probe.offset for c in region.constructs[-1].descendants()}
    meets = bool(probes) or any(types.is_volatile(n.type) for n in nodes)
    return meets and any(n.kind in _OPEN and n.start not in probes for n in nodes)
