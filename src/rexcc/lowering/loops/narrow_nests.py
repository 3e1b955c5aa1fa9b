"""Which nests have a kernel whose iterations have numbers of 32 bits.

In: a nest over the grid whose threads take one iteration each, or tiles (:mod:`.tile_counts`). Out: the type of the
numbers. Where all extents are constants, they say whether 32 bits are enough. Where the host counts the iterations, the
kernel has two forms, of which the launch chooses one by that count (``rex_is_wide``). Their code is one template, of
the type of the numbers::

    template <class __rex_nest_number> REX_KERNEL_CODE void …code__(…) { … }
    … …kernel__(…) { …code__<rex_narrow_number>(…); }
    … …wide__kernel__(…) { …code__<long long>(…); }

Up to 2^30 iterations no number and no step of the nest leaves 32 bits: the grid is the launch's own, so it has at most
a block more threads than that, and each extent is at most the product. Where the product is 0 extents may be anything,
but there is no iteration. An index is made of its number by additions and multiplications, which 32 bits get right for
an index that has no more.

Short iterations (:mod:`.short_iterations`) gain by it, as many of their instructions find the indices, and so do those
whose loops all have constant bounds and few turns, which are unrolled. Others may lose: where other loops stand in an
iteration, ptxas has made slower code of the narrow indices (docs/decisions/082-numbers-of-nests.md).
"""

from __future__ import annotations

import math

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang.library import evaluate_integer
from rexcc.lowering.loops.last_values import last_items
from rexcc.lowering.loops.loop_forms import WIDE
from rexcc.lowering.loops.short_iterations import length_of_iteration
from rexcc.lowering.loops.single_iteration import has_chosen_grid, is_known_to_host
from rexcc.lowering.model.launch import Kernel

NUMBER = "__rex_nest_number"
"""The type of the numbers where there are two forms: the parameter of the template."""

_MOST = 1 << 30
_MOST_NODES = 300
"""Of an iteration that is worth a second kernel, and twice as many with those of the functions that it calls."""


def number_type(kernel: Kernel) -> str:
    """Return the type of the numbers of a nest whose threads take iterations in turn."""
    length = _length(kernel) if has_chosen_grid(kernel) else None
    if length is None:
        return WIDE
    count = math.prod(map(_iterations, kernel.region.loops))
    if count:
        return "unsigned" if count <= _MOST else WIDE
    return NUMBER if length <= 2 * _MOST_NODES and may_have_two_forms(kernel) else WIDE


def is_short_nest(kernel: Kernel) -> bool:
    """Whether a nest is worth two forms for its numbers alone, whatever says which of them a launch has."""
    length = _length(kernel)
    return length is not None and length <= 2 * _MOST_NODES and may_have_two_forms(kernel)


def _length(kernel: Kernel) -> int | None:
    """Return how long an iteration is of a nest whose indices have 32 bits, None where it may be of any length."""
    region = kernel.region
    if not all(_is_small(kernel, loop) for loop in region.loops) or last_items(region):
        return None
    return length_of_iteration(region)


def may_have_two_forms(kernel: Kernel) -> bool:
    """Whether a kernel is worth a second form, and its code may stand in a template."""
    region = kernel.region
    if kernel.packs or kernel.closures or region.constructs[-1].children:
        return False
    if region.keeps_objects:
        return False
    return sum(1 for _ in region.iteration.walk()) <= _MOST_NODES


def _is_small(kernel: Kernel, loop: CanonicalLoop) -> bool:
    """Whether an index has no more than 32 bits, and the host counts as many iterations of its loop as the kernel."""
    return (
        loop.is_integer
        and not loop.is_wide
        and not loop.type_text
        and is_known_to_host(kernel.region, kernel.data, loop)
    )


def _iterations(loop: CanonicalLoop) -> int:
    """Return how many iterations a loop has at most by its constants, 0 where they do not say so.

    A negative one may be a large number in the type in which the loop compares.
    """
    lower, bound = evaluate_integer(loop.lower.cursor), evaluate_integer(loop.bound.cursor)
    if lower is None or bound is None or min(lower, bound) < 0:
        return 0
    return abs(bound - lower) + (loop.relation in ("<=", ">="))
