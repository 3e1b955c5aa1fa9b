"""What ``-Rrex`` tells of a region's path, kernel and launch.

In: a kernel and how its team code was lowered. Out: one remark, whose reasons say where blocks and threads come from:
a clause of the user's, the trip count, the number of multiprocessors. The rules are those of
:mod:`rexcc.lowering.host.launch_geometry`, which prints the same choices.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.regions import TargetRegion, effective_leaves
from rexcc.analysis.tuned_kernels import stale_entry
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.remarks import Reason, Remark
from rexcc.lowering.model.topics import Topic
from rexcc.program.optimisations import names_of
from rexcc.program.tuned import Choice
from rexcc.source.text import Span


def kernel_remark(kernel: Kernel, team: tuple[Reason, ...]) -> Remark:
    """Return the remark; ``team`` tells how the code around a region's parallels was lowered, empty without any."""
    region = kernel.region
    path, how = _path(kernel, team)
    name = " + ".join(f"'{c.directive.name}'" for c in region.constructs)
    message = f"{name} becomes the kernel {kernel.stem}kernel__ on the {path} path"
    reasons = (*how, *_counted(kernel), _threads(kernel), _blocks(kernel), *_second(kernel))
    return Remark(Topic.KERNEL, message, None, reasons)


def tuned_remarks(kernel: Kernel) -> tuple[Remark, ...]:
    """Return what there is to tell of the choices of a file of ``--tuned``."""
    region = kernel.region
    stale = stale_entry(region.unit, region.construct)
    if stale is not None:
        text = "the entry of --tuned for this region is of an earlier text: the usual choices are made"
        return (Remark(Topic.KERNEL, text, None, (Reason("rexcc bench --tune measures it again"),)),)
    chosen = (*_chosen(region.choice), *_kept_clauses(kernel))
    return (Remark(Topic.KERNEL, "--tuned chooses for this kernel", None, chosen),) if chosen else ()


def _chosen(choice: Choice) -> Iterator[Reason]:
    if choice.threads:
        yield Reason(f"a block has {choice.threads} threads at most")
    if choice.registers:
        yield Reason(f"a thread has {choice.registers} registers at most")
    if choice.unroll:
        yield Reason(f"{choice.unroll} iterations of innermost loops stand one behind the other")
    if choice.left_out:
        yield Reason(f"the kernel does without {', '.join(names_of(choice.left_out))}")


def _kept_clauses(kernel: Kernel) -> tuple[Reason, ...]:
    """Return why the number of threads is not the chosen one, nothing where it is."""
    if not kernel.region.choice.threads or kernel.geometry.threads is None:
        return ()
    places = (_clause(kernel, name) for name in ("num_threads", "thread_limit", "if"))
    return (Reason("the number of threads stays: a clause says it", next(filter(None, places), None)),)


def _path(kernel: Kernel, team: tuple[Reason, ...]) -> tuple[str, tuple[Reason, ...]]:
    region = kernel.region
    if team:
        return "team", team
    if kernel.uses_xomp:
        text = "the XOMP scheduler hands out the iterations: a schedule with chunks, or --rex-scheduler=xomp"
        return "XOMP", (Reason(text, _clause(kernel, "schedule")),)
    if region.loops:
        who = "all threads of all teams" if region.has_teams and region.has_parallel else _sharers(kernel)
        why = ": nothing in the region can tell which they are, or how many" if _is_spread(region) else ""
        return "direct", (Reason(f"{who} share the iterations of the loop{why}"),)
    who = f"{'each' if region.has_parallel else 'one'} thread of {'each' if region.has_teams else 'one'} team"
    return "direct", (Reason(f"{who} executes the region"),)


def _is_spread(region: TargetRegion) -> bool:
    """Whether the program has one team, or teams of one thread, and the kernel has not."""
    written = {leaf for construct in region.constructs for leaf in effective_leaves(construct)}
    return not written.issuperset(region.leaves)


def _sharers(kernel: Kernel) -> str:
    return "the threads of one team" if kernel.region.has_parallel else "teams of one thread"


def _counted(kernel: Kernel) -> Iterator[Reason]:
    """Yield how many iterations there are, where loops are shared."""
    loops = kernel.region.loops
    if not loops:
        return
    if kernel.geometry.tripcount:
        yield Reason(f"the host computes the trip count before the launch: {_as_written(kernel)}")
    else:
        yield Reason("the trip count is not known before the launch: a bound depends on the region", loops[0].bound)


def _as_written(kernel: Kernel) -> str:
    """Return the trip count with what the user wrote in the places of our names for it."""
    text = kernel.geometry.tripcount
    for bound in sorted(kernel.region.host_bounds, key=lambda b: len(b.name), reverse=True):
        text = text.replace(bound.name, " ".join(kernel.region.unit.user_text(bound.node).split()))
    return text


def _second(kernel: Kernel) -> Iterator[Reason]:
    """Yield what the second kernel of a region is for, if it has one, and whether its teams share blocks."""
    if kernel.geometry.lanes:
        yield Reason(f"several teams of {kernel.geometry.lanes} threads are a block")
    if kernel.geometry.has_small_grids:
        yield Reason(
            f"grids of no more than half of the GPU's threads have {kernel.stems[-1]}kernel__, with more registers"
        )
    if kernel.geometry.has_large:
        yield Reason(f"blocks of more than {kernel.geometry.limit} threads have {kernel.stems[-1]}kernel__")
    if kernel.geometry.is_by_threads:
        yield Reason(f"blocks of more than 256 threads, or more than 2^30 iterations, have {kernel.stems[-1]}kernel__")
    elif kernel.geometry.has_wide:
        yield Reason(f"more iterations than 32 bits count have {kernel.stems[-1]}kernel__")


def _threads(kernel: Kernel) -> Reason:
    shape, region = kernel.geometry, kernel.region
    if shape.one_thread:
        ordered = _clause(kernel, "ordered")
        why = "'ordered' iterations follow each other" if ordered else "the region has no 'parallel'"
        return Reason(f"1 thread a block: {why}", ordered)
    if shape.threads is not None:
        return _chosen_threads(kernel, shape.threads.text, "team" if shape.lanes else "block")
    if region.has_inner_parallel or not region.loops:
        return Reason(f"{shape.bound} threads a block by default: no clause says how many")
    if not shape.tripcount:
        return Reason(f"{shape.bound} threads a block by default: no clause says how many")
    if shape.most > shape.limit:
        return Reason(
            f"{shape.limit} threads a block by default, or fewer where the teams need fewer, "
            f"up to {shape.most} where teams are few"
        )
    if kernel.fits_threads_to_teams:
        return Reason(f"{shape.bound} threads a block by default, or fewer where the teams need fewer")
    if shape.one_team:
        return Reason(f"{shape.bound} threads a block by default, or whole warps for fewer iterations")
    return Reason(f"{shape.bound} threads a block by default, or fewer where multiprocessors would be idle")


def _chosen_threads(kernel: Kernel, threads: str, whose: str) -> Reason:
    for name in ("num_threads", "thread_limit", "if"):
        place = _clause(kernel, name)
        if place is not None:
            return Reason(f"{threads} threads a {whose}, because of '{name}'", place)
    return Reason(f"{threads} threads a {whose}: as many as the widest of its parallels wants")


def _blocks(kernel: Kernel) -> Reason:
    shape, region = kernel.geometry, kernel.region
    if shape.one_team:
        ordered = _clause(kernel, "ordered")
        why = "'ordered' iterations follow each other" if ordered else "the region has no 'teams'"
        return Reason(f"1 block: {why}", ordered)
    if shape.teams is not None:
        return Reason(f"{shape.teams.text} blocks, because of 'num_teams'", _clause(kernel, "num_teams"))
    if not region.loops:
        return Reason("a block for each multiprocessor by default: no clause says how many")
    if shape.team_chunk and shape.tripcount:
        return Reason("a block for each chunk of iterations", _clause(kernel, "dist_schedule"))
    if not shape.tripcount:
        return Reason("8 blocks for each multiprocessor by default: they take turns with the iterations")
    if region.has_inner_parallel:
        return Reason("a block for each iteration, which is one team's work")
    if shape.grouped and not shape.reduces:
        return Reason("as many blocks as give each iteration a group of threads, which share its inner loop")
    if shape.reduces:
        return Reason(
            "a thread for each iteration, but no more blocks than find room at once, or join results for few iterations"
        )
    if shape.has_bins:
        return Reason(
            "a thread for each iteration, but at most 8 blocks for each multiprocessor: each has sums of its own"
        )
    if shape.tile > 1:
        return Reason(f"a thread for each {shape.tile} iterations, but not fewer blocks than fill the GPU")
    return Reason("as many blocks as give each iteration a thread")


def _clause(kernel: Kernel, name: str) -> Span | None:
    """Return the place of the innermost clause of a name."""
    return next((p.clause.span for p in reversed(list(kernel.region.clauses(name)))), None)
