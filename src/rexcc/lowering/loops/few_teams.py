"""How wide blocks may be where the program asks for few teams and leaves open how many threads they have.

In: a kernel whose loops are lowered. Out: its geometry with the most threads of such a block. Blocks of the usual width
leave most of a GPU idle where they are few (``num_teams(128)``), so the launch makes them wider, as long as there are
iterations for their threads and threads of the GPU for them (rule 21 of ``runtime/include/rex_geometry.h``).

A kernel is compiled for the widest block that it may have, which bounds its registers. Short iterations have as many
registers as they want in blocks of 1024 threads, so their kernel is compiled for these. Where loops stand in an
iteration, more registers are worth more than more threads, and most launches may have usual blocks: such a kernel has a
second form, of blocks of 512 threads, or the one that it has for small grids (:mod:`.small_grids`) is for blocks of
1024, whose threads have as many registers as before (docs/decisions/121-few-teams-have-wide-blocks.md). Very long
iterations need more registers than the threads of a wide block can have.

How many threads a team has is the implementation's choice where no clause says it (OpenMP 5.2, 10.1.1). Code that may
ask for it keeps the usual blocks, and so do kernels with memory of a block that depends on its threads.
"""

from __future__ import annotations

from itertools import chain, islice

from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS
from rexcc.lowering.loops.short_iterations import length_of_iteration
from rexcc.lowering.model.geometry import constant_value, threads_of_shared_loop
from rexcc.lowering.model.host_values import Number
from rexcc.lowering.model.launch import Geometry, Kernel
from rexcc.lowering.reductions.shared_elements import array_rows
from rexcc.program.optimisations import Optimisation
from rexcc.source.records import replace

_OF_ONE = frozenset({"simd", "atomic"})
"""Constructs that the thread which comes to them executes alone, and waits for no other."""
_SHARED = frozenset({"parallel for", "parallel for simd"})
"""Constructs whose iterations the threads of a team share."""
_MANY = 2048
"""Teams that fill any GPU with blocks of the usual width."""
_LARGE = 512
"""Threads of the widest block whose threads may have 128 registers."""
_MOST_NODES = 300
"""Of an iteration that has the registers that it wants in blocks of all threads that a block can have."""
_MOST_OF_LARGE = 1500
"""Of an iteration, with the functions that it calls, whose kernel has a second form for wide blocks."""


def fitted_to_few_teams(kernel: Kernel) -> Geometry:
    """Return the geometry with the most threads of a block where teams are few, and whether a form is for these.

    Where the program may ask for few teams and nothing can be gained, they are the usual ones.
    """
    shape = kernel.geometry
    if shape.shared_loop:
        return _with_wide_teams(kernel)
    if not _may_ask_for_few(kernel):
        return shape
    if not _may_be_wider(kernel):
        return replace(shape, most=shape.limit)
    region = kernel.region
    threads = region.unit.target.limits.threads
    if shape.has_small_grids or _is_short(kernel):
        return replace(shape, most=threads)
    if _has_more_than(_MOST_OF_LARGE, region):
        return replace(shape, most=shape.limit)
    return replace(shape, most=_LARGE, has_large=True)


def _with_wide_teams(kernel: Kernel) -> Geometry:
    """Return the geometry where the region's iterations are a team's work each, which may be few: a light loop needs so
    few registers that a multiprocessor has all threads that it can in blocks of as many as a block can have."""
    shape, region = replace(kernel.geometry, shared_loop=""), kernel.region
    if not shape.has_small_grids or not shape.has_light_loops or region.choice.threads or region.choice.registers:
        return shape
    if shape.has_bins or shape.shared_bytes or kernel.team_elements or _has_memory_of_threads(kernel):
        return shape
    if can_tell_threads(region.unit, region.body, _OF_ONE | _SHARED, _OF_ONE):
        return shape
    limits, count = region.unit.target.limits, kernel.geometry.shared_loop
    limit = f"rex_limit_of_few_iterations(__rex_tripcount, {count}, {shape.limit}, {limits.threads}, {limits.resident})"
    threads = Number(threads_of_shared_loop(count, shape.has_light_loops, limit))
    registers = limits.registers // limits.resident
    return replace(shape, threads=threads, most=limits.threads, registers=registers, shared_loop=count)


def _may_ask_for_few(kernel: Kernel) -> bool:
    """Whether the program says how many teams there are, which may be few, and not how many threads they have."""
    shape, region = kernel.geometry, kernel.region
    teams = region.expression("num_teams") if region.has_teams else None
    if teams is None or not kernel.fits_threads_to_teams or shape.threads is not None or not shape.tripcount:
        return False
    if Optimisation.SMALL_GRIDS in region.left_out or region.choice.threads or region.choice.registers:
        return False
    value = constant_value(*teams)
    return value is None or 0 < value < _MANY


def _may_be_wider(kernel: Kernel) -> bool:
    """Whether nothing in a kernel depends on how many threads a block has, or can tell it."""
    shape, region = kernel.geometry, kernel.region
    if kernel.uses_xomp or shape.team_chunk or shape.scans or shape.grouped or shape.has_wide or shape.registers:
        return False
    if shape.has_bins or shape.shared_bytes or kernel.team_elements or _has_memory_of_threads(kernel):
        return False
    return not can_tell_threads(region.unit, region.iteration, _OF_ONE, _OF_ONE)


def _has_memory_of_threads(kernel: Kernel) -> bool:
    """Whether a block has memory for the elements that each of its threads reduces, or the launch for the arrays of
    each thread."""
    reduced = (a.variable.cursor.type for a in kernel.data.attributes if a.reduction)
    if array_rows(kernel.region) or any(types.is_array(types.canonical(types.without_reference(k))) for k in reduced):
        return True
    return any("_threads_per_block_" in argument.row.size.text for argument in kernel.arguments)


def _is_short(kernel: Kernel) -> bool:
    """Whether an iteration is short and has no loops, nor have the functions that it calls."""
    length = length_of_iteration(kernel.region)
    has_loop = any(node.kind in LOOP_KINDS for node in kernel.region.iteration.walk())
    return length is not None and length <= _MOST_NODES and not has_loop


def _has_more_than(most: int, region: TargetRegion) -> bool:
    """Whether an iteration and the functions that it calls, each counted once, have more nodes than so many."""
    bodies = chain([region.iteration], called_bodies(region.unit.tree, [region.iteration]))
    nodes = (node for body in bodies for node in body.walk())
    return next(islice(nodes, most, None), None) is not None
