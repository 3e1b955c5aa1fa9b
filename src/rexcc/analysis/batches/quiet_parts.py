"""What a unit knows of host statements that cannot see whether the kernels they launch have ended.

In: a parsed unit. Out: its runs of such statements, and the functions that other files may call in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.batches.batchable_ranges import MEMBERS, RunSearch, has_region
from rexcc.analysis.batches.quiet_elsewhere import CommonFunction, called_elsewhere
from rexcc.analysis.batches.quiet_runs import QuietRun
from rexcc.analysis.requirements import requirements
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.program.optimisations import Optimisation
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class QuietParts:
    """The ``runs``, and the ``functions`` with kernels that other files may call in theirs; ``asserts`` tells that an
    ``assert`` that fails has to wait."""

    runs: tuple[QuietRun, ...] = ()
    functions: tuple[CommonFunction, ...] = ()
    asserts: bool = False


def quiet_parts(unit: ParsedUnit, alone: bool) -> QuietParts:
    """Return what is quiet in a unit, each run for its place in the text; ``alone`` tells that there is no other unit.

    A run that calls functions of other files may stand around those that do not: the inner ones are left to count where
    the functions turn out to see more.
    """
    if requirements(unit) or Optimisation.QUEUES in unit.left_out:
        return QuietParts()
    has_regions = any(has_region(function) for function in unit.functions)
    search = RunSearch(unit)
    runs = search.found() if has_regions else []
    names = frozenset() if alone else frozenset(_declared_elsewhere(unit))
    if not alone and search.called is not None and search.called.met_elsewhere:
        names |= {MEMBERS}
    further = RunSearch(unit, names)
    if names:
        runs += further.found()
    functions = [*search.quiet_functions()] if has_regions and not alone else []
    functions += [] if alone else search.quiet_members()
    has_assertions = bool(search.assertions or further.assertions)
    return QuietParts(tuple(_apart(runs)), tuple(functions), has_assertions and bool(runs or functions))


def _apart(runs: list[QuietRun]) -> list[QuietRun]:
    """Return the runs but for those that are interrupted in a function which leaves the queue itself: what interrupts
    would be inside of what it leaves the queue for, or the other way round, or neither."""
    pausing = {(pause.file, _function_of(pause.statement)) for run in runs for pause in run.uses.pauses}
    places = [(file, function.start, function.end) for file, function in pausing]
    return [run for run in runs if not (run.interruptions and any(_meet(run.place, place) for place in places))]


def _function_of(node: Node) -> Node:
    while node.parent is not None and node.kind not in FUNCTION_KINDS:
        node = node.parent
    return node


def _meet(one: tuple[str, int, int], other: tuple[str, int, int]) -> bool:
    return one[0] == other[0] and one[1] < other[2] and other[1] < one[2]


def _declared_elsewhere(unit: ParsedUnit) -> Iterator[str]:
    """Yield the names of the functions that the user declares here and may define in other files."""
    waiting = list(unit.declarations)
    while waiting:
        node = waiting.pop()
        if node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            waiting += node.children
        elif node.kind == "FUNCTION_DECL" and called_elsewhere(unit, node.cursor) is not None:
            yield str(node.spelling)
