"""Threads that the program asks for in a parallel loop of a team, and that have no iteration of it.

In: a parallel of a region's team code, and the number of its threads. Out: whether the rest of them need not be
launched, where there are more than iterations (``rex_needed_threads``). All threads of a block wait at each barrier and
take a place on a multiprocessor, those without work too::

    #pragma omp target teams distribute
    for (int i = 0; i < n; i++) {
      float sum = 0;
    #pragma omp parallel for reduction(+ : sum) num_threads(1024)
      for (int j = 0; j < 16; j++) sum += a[i * 16 + j];

It cannot be noticed:

* The iterations of the loop have a thread each, before and after, and it is the same one whatever the schedule: blocks
  stay so wide. Other parallels of the region have the threads that they ask for, or one for each iteration, too.
* No code asks how many threads there are, and nothing of it is executed once for each thread: the parallel has nothing
  in it but its loop, its threads' own variables are numbers and pointers, and what they reduce begins with the neutral
  value of an operator of the language, so joining it changes nothing.

A loop with constructs inside keeps its threads: they may share the inner loops
(:mod:`rexcc.lowering.constructs.group_sums`).
"""

from __future__ import annotations

from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.lowering.generic.known_counts import Count
from rexcc.lowering.reductions.user_reductions import used_reductions
from rexcc.program.constructs import Construct, ResolvedItem

_CODE = frozenset({"parallel for", "parallel for simd", "distribute"})
_CLAUSES = frozenset({"num_threads", "collapse", "default", "shared", "proc_bind", "schedule"})
_OWN = frozenset({"reduction", "private", "firstprivate", "lastprivate"})
"""Clauses that give each thread a variable of its own."""


def can_spare_threads(region: TargetRegion, construct: Construct) -> bool:
    """Whether nothing can tell that threads of a parallel loop of a region have no iteration."""
    body = region.construct.body
    assert body is not None
    if region.owner.template is not None or any(True for _ in construct.descendants()):
        return False
    if any(c.name not in _CLAUSES | _OWN for c in construct.directive.clauses):
        return False
    if used_reductions(region.unit, (construct,)) or not all(map(_is_plain, construct.items(*_OWN))):
        return False
    return not can_tell_threads(region.unit, body, _CODE)


def _is_plain(item: ResolvedItem) -> bool:
    """Whether a thread's own variable is a number or a pointer, or an array of them that is no matter of the run's."""
    if item.variable is None:
        return False
    kind = types.canonical(types.without_reference(item.variable.cursor.type))
    inner = types.innermost(kind)
    return (types.is_scalar(inner) or types.is_pointer(inner)) and not types.is_variable_length(kind)


def needed_threads(count: Count, threads: str, most: int | None) -> str:
    """Return the threads that a block needs of those that a loop asks for, as a host expression; empty for all."""
    if most is not None and most <= _least_iterations(count):
        return ""
    return f"rex_needed_threads({count.text}, {threads})"


def _least_iterations(count: Count) -> int:
    """Return how many iterations loops with constant bounds have at least, 0 where bounds are not constant."""
    product = 1
    for loop in count.loops:
        lower, bound = evaluate_integer(loop.lower.cursor), evaluate_integer(loop.bound.cursor)
        if lower is None or bound is None or not loop.step.value:
            return 0
        product *= max(bound - lower if loop.increasing else lower - bound, 0) // loop.step.value
    return product
