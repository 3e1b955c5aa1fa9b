"""What a unit knows of host statements that cannot see whether the kernels they launch have ended.

In: a parsed unit. Out: its runs of such statements, and the functions that other files may call in theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.batchable_ranges import RunSearch, has_region
from rexcc.analysis.quiet_elsewhere import CommonFunction, called_elsewhere
from rexcc.analysis.quiet_runs import QuietRun
from rexcc.analysis.requirements import requirements
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
    further = RunSearch(unit, names)
    if names:
        runs += further.found()
    functions = tuple(search.quiet_functions()) if has_regions and not alone else ()
    has_assertions = bool(search.assertions or further.assertions)
    return QuietParts(tuple(runs), functions, has_assertions and bool(runs or functions))


def _declared_elsewhere(unit: ParsedUnit) -> Iterator[str]:
    """Yield the names of the functions that the user declares here and may define in other files."""
    waiting = list(unit.declarations)
    while waiting:
        node = waiting.pop()
        if node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            waiting += node.children
        elif node.kind == "FUNCTION_DECL" and called_elsewhere(unit, node.cursor) is not None:
            yield str(node.spelling)
