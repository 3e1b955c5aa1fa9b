"""Clean-ups of a lowered kernel body (seed 000, step 5), one pass a file, each with its preconditions.

In: a kernel whose loop has been lowered. Out: more edits of its body. The order is the seed's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rexcc.analysis.loops import CanonicalLoop
from rexcc.lowering.body import DeviceBody
from rexcc.lowering.model import Kernel


@dataclass(frozen=True, eq=False)
class CleanupContext:
    """A kernel, the device text of its body, and the innermost distributed loop (None on the SPMD path)."""

    kernel: Kernel
    body: DeviceBody
    loop: CanonicalLoop | None


PASSES: tuple[Callable[[CleanupContext], None], ...] = ()


def run_cleanups(context: CleanupContext) -> None:
    """Run every pass."""
    for run in PASSES:
        run(context)
