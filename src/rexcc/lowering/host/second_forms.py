"""Which of a region's two kernels a launch takes.

In: a kernel, and the names of the launch's blocks and threads. Out: the host's condition for the second one, empty
where there is one kernel. In a template all instances have one launch, and each its own kernels: there the key chooses
(:mod:`.template_keys`).
"""

from __future__ import annotations

from rexcc.lowering.loops.small_grids import is_over_grid, may_have_small_grids
from rexcc.lowering.model.geometry import DEFAULT_THREADS
from rexcc.lowering.model.launch import Kernel
from rexcc.program.optimisations import Optimisation

BLOCKS, THREADS = "_num_blocks_", "_threads_per_block_"
"""The names that a launch block has for them."""


def second_if(kernel: Kernel, blocks: str = BLOCKS, threads: str = THREADS) -> str:
    """Return the condition under which a launch takes the region's second kernel, empty where there is none."""
    shape = kernel.geometry
    if len(kernel.stems) == 1:
        return ""
    if shape.is_by_threads:
        return f"rex_may_come_around(__rex_tripcount, {threads})"
    if shape.has_wide:
        return "rex_is_wide(__rex_tripcount)"
    if shape.has_large:
        return f"{threads} > {shape.limit}"
    narrow = "" if shape.bound and not shape.shared_loop else f"{threads} <= {DEFAULT_THREADS} && "
    return f"{narrow}rex_is_small_grid({blocks}, {threads})"


def is_chosen_by_key(kernel: Kernel) -> bool:
    """Whether a template's region is one of which some instances may have two kernels: the same for all of them."""
    if kernel.region.owner.template is None:
        return False
    return bool(kernel.geometry.most) or may_have_small_grids(kernel.region) or is_chosen_by_count(kernel)


def is_chosen_by_count(kernel: Kernel) -> bool:
    """Whether a template's region is a nest of which some instances may have a kernel for more iterations than 32 bits
    count, or for threads that come around: the same for all of them."""
    region = kernel.region
    is_instance = region.owner.template is not None and Optimisation.DIVISIONS not in region.left_out
    return is_instance and len(region.loops) > 1 and is_over_grid(region) and bool(kernel.geometry.tripcount)
