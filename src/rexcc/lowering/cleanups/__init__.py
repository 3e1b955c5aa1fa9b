"""Clean-ups of a lowered kernel body (seed 000, step 5), one pass a file, each with its preconditions.

In: a kernel whose loop has been lowered. Out: more edits of its body. The order is the seed's: locals for repeated
elements first, because they save the most; hoisting out of inner loops next; then the loads that are left. An
expression that one pass has rewritten is out of bounds for the later ones.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.hoist_aggregates import hoist_aggregate_refs
from rexcc.lowering.cleanups.hoist_fields import hoist_field_reads
from rexcc.lowering.cleanups.ldg import rewrite_read_only_loads
from rexcc.lowering.cleanups.scalarize import scalarize_outer_accesses

__all__ = ["PASSES", "CleanupContext", "run_cleanups"]

PASSES: tuple[Callable[[CleanupContext], None], ...] = (
    scalarize_outer_accesses,
    hoist_aggregate_refs,
    hoist_field_reads,
    rewrite_read_only_loads,
)


def run_cleanups(context: CleanupContext) -> None:
    """Run every pass."""
    for run in PASSES:
        run(context)
