"""Which loops over the grid have a kernel besides for launches that have a thread for each of their iterations.

In: a kernel with its geometry, of whose threads only the run knows how many a block has (``thread_limit(n)``). Out:
whether it has two forms, of which the launch chooses one by that number (``rex_may_come_around``). Their code is one
template, as that of nests is (:mod:`.narrow_nests`)::

    for (unsigned __rex_i = _dev_thread_id; __rex_i < __rex_trips;
         __rex_i = rex_next_count<__rex_nest_number>(__rex_i, _dev_thread_num)) …

In the first form no thread comes around again, and no loop is left of it. The second is what the kernel would be with
one form; the index has 64 bits in both where it has them there.

It cannot be seen: the two forms differ only in a step that no thread of the first would use. A block has all threads
that a launch asks for where these are 1 to 256, since a thread has at most 255 registers, and a GPU of the targets has
65536 for a block. The launch has as many blocks as so many threads need, which up to 2^30 iterations are fewer than the
2^31 of a grid, and no variable of the environment changes either (rule 4 of ``runtime/include/rex_geometry.h``). The
host counts the iterations as the kernel does (:mod:`.single_iteration`). All other launches have the second form:
larger blocks, which libomptarget may cut to what the kernel's registers allow, what is no number of threads and is
replaced, and more iterations.

A nest has numbers of 32 bits in the first form and of 64 in the second, as one has whose numbers may need them::

    for (__rex_nest_number __rex_iteration = _dev_thread_id; __rex_iteration < __rex_nest_trips;
         __rex_iteration = rex_next_count<__rex_nest_number>(__rex_iteration, _dev_thread_num)) …

Two forms are compiled twice. What the first gains is what the compiler makes of loops of the user's that would stand
in another one, so the iteration or a function that it calls has to have a loop, and all of that has to be short. A nest
gains by its numbers (docs/decisions/117-one-iteration-where-the-run-names-threads.md).
"""

from __future__ import annotations

from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import LOOP_KINDS
from rexcc.lowering.loops.narrow_nests import is_short_nest, may_have_two_forms
from rexcc.lowering.loops.single_iteration import chooses_blocks, is_counted_with_32_bits
from rexcc.lowering.model.launch import Kernel

_MOST_NODES = 600
"""Of an iteration with the functions that it calls, each counted once."""


def has_form_by_threads(kernel: Kernel) -> bool:
    """Whether a kernel has a form for launches whose threads have one iteration each, and one for all others."""
    if not _chooses_blocks_alone(kernel) or not is_counted_with_32_bits(kernel):
        return False
    if kernel.region.owner.template is not None:  # instances choose by a nest's iterations alone
        return False
    return may_have_two_forms(kernel) and _has_loop_and_is_short(kernel.region)


def nest_has_form_by_threads(kernel: Kernel) -> bool:
    """The same of a nest whose threads take one iteration after another."""
    return len(kernel.region.loops) > 1 and _chooses_blocks_alone(kernel) and is_short_nest(kernel)


def _chooses_blocks_alone(kernel: Kernel) -> bool:
    """Whether the launch chooses how many blocks there are, and only the run knows the threads of one."""
    shape = kernel.geometry
    is_of_run = shape.threads is not None and not shape.constant_threads and not shape.bound
    return is_of_run and chooses_blocks(kernel)


def _has_loop_and_is_short(region: TargetRegion) -> bool:
    count, has_loop = 0, False
    for body in (region.iteration, *called_bodies(region.unit.tree, [region.iteration])):
        for node in body.walk():
            count += 1
            has_loop = has_loop or node.kind in LOOP_KINDS
    return has_loop and count <= _MOST_NODES
