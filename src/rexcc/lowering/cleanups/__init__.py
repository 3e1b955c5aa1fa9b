"""Clean-ups of a lowered kernel body, one pass a file, each with its preconditions.

In: a kernel whose loop has been lowered. Out: more edits of its body. Locals for repeated elements come first, because
they save the most; hoisting out of inner loops next; then the loads that are left. A later pass leaves expressions
alone that an earlier one has rewritten.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.early_loads import load_before_divisions
from rexcc.lowering.cleanups.hoist_aggregates import hoist_aggregate_refs
from rexcc.lowering.cleanups.hoist_fields import hoist_field_reads
from rexcc.lowering.cleanups.ldg import rewrite_read_only_loads
from rexcc.lowering.cleanups.neighbours import join_neighbours
from rexcc.lowering.cleanups.reciprocals import multiply_by_reciprocals
from rexcc.lowering.cleanups.restrict_read_only import restrict_read_only_parameters
from rexcc.lowering.cleanups.restrict_unaliased import restrict_only_ways
from rexcc.lowering.cleanups.scalarize import scalarize_outer_accesses
from rexcc.lowering.cleanups.sine_and_cosine import join_sines_and_cosines
from rexcc.lowering.cleanups.unroll import unroll_innermost
from rexcc.lowering.model.remarks import Reason
from rexcc.program.optimisations import Optimisation

__all__ = ["PASSES", "CleanupContext", "run_cleanups"]

Pass = Callable[[CleanupContext], None]

PASSES: dict[Pass, Optimisation] = {
    scalarize_outer_accesses: Optimisation.ELEMENTS,
    hoist_aggregate_refs: Optimisation.HOISTING,
    hoist_field_reads: Optimisation.HOISTING,
    join_neighbours: Optimisation.NEIGHBOURS,
    rewrite_read_only_loads: Optimisation.READ_ONLY,
    restrict_read_only_parameters: Optimisation.RESTRICT,
    restrict_only_ways: Optimisation.RESTRICT,
    load_before_divisions: Optimisation.HOISTING,
    multiply_by_reciprocals: Optimisation.RECIPROCALS,
    join_sines_and_cosines: Optimisation.SINES,
}
"""The passes in their order, each with the name by which a user leaves it out."""


WHERE_THREADS_MEET: tuple[Pass, ...] = (join_neighbours, restrict_read_only_parameters, multiply_by_reciprocals)
"""Those that hold when threads wait for each other: then memory that is written changes between statements."""


MEETING = (
    "elements stay in memory and reads stay in their loops: the region's threads wait for each other, and what they "
    "read changes meanwhile"
)
"""What is told of a kernel for which most passes do not hold."""

_OF_OTHERS = "another file defines '{}', of which nothing is known here: it may change any memory"


def run_cleanups(context: CleanupContext, threads_meet: bool) -> None:
    """Run every pass that holds for the kernel."""
    if threads_meet and context.explains:
        why = (Reason(f"{_OF_OTHERS.format(name)}, and may make them wait") for name in context.unknown_functions())
        context.tell(MEETING, None, *why)
    context.threads_meet = threads_meet
    for run in WHERE_THREADS_MEET if threads_meet else PASSES:
        if PASSES[run] not in context.kernel.region.left_out:
            run(context)
    if not threads_meet:
        unroll_innermost(context)
