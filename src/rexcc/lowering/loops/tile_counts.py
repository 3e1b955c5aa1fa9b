"""What the host counts for a nest in tiles, and the type of the numbers that its threads go by.

In: a nest over the grid that is tiled, in its order. Out: arguments of its kernel, which the host makes before the
launch: how many tiles there are, with how many iterations of a loop in each (one, where tiles would leave threads
without work), and divisors (:mod:`.nests`) for what the kernel finds the indices with. For rows (:mod:`.tile_forms`)::

    const unsigned long long __rex_tiling = rex_unpack<unsigned long long>(__rex_packed_tiling);
    const long long __rex_tile_rows = rex_tiling_rows(__rex_tiling), __rex_tiles = rex_tiling_tiles(__rex_tiling);

The host has the launch's threads and all extents at hand; a kernel would find the same anew in each thread. Any size of
a tile is right with any grid, so the kernel does not rely on having the threads that the host counted on.

The numbers have 32 bits where :mod:`.narrow_nests` says so. Tiles are no more than iterations, those of strips no more
than twice as many, for the last strip of a row may be narrower; so up to 2^30 iterations their number fits, and so does
what a thread comes to when it takes the next one, as a grid has at most a block more threads than there are iterations.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.loops import CanonicalLoop
from rexcc.lowering.loops.asked_bounds import divided_by_form
from rexcc.lowering.loops.loop_forms import WIDE
from rexcc.lowering.loops.narrow_nests import NUMBER, number_type
from rexcc.lowering.loops.nest_order import NestOrder
from rexcc.lowering.loops.nests import WORD, Divided, divided_nest, divisor_argument, is_counted_by_host
from rexcc.lowering.loops.numbered_loops import divisor
from rexcc.lowering.model.geometry import host_tripcount
from rexcc.lowering.model.launch import Argument, Kernel, by_value
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

TILING = "__rex_tiling"
"""The constant of a kernel with the number of its tiles and their size, as the host has chosen them."""

PACKED_TILING = "__rex_packed_tiling"
"""The parameter that brings it."""

_THREADS = "(__INT64_TYPE__)_num_blocks_ * _threads_per_block_"


@dataclass(frozen=True)
class TileCounts:
    """The type of a kernel's numbers, the arguments that it gets for its tiles, the names of loops with divisors."""

    number: str = WIDE
    arguments: tuple[Argument, ...] = ()
    divided: frozenset[str] = frozenset()
    is_asked: bool = False


def tile_counts(kernel: Kernel, order: NestOrder, is_asked: bool = False) -> TileCounts:
    """Return what the host counts for a loop in tiles: nothing for a single one, and where it cannot. ``is_asked``: it
    counts for launches whose bounds are the host's (:mod:`.asked_bounds`), or nothing."""
    if len(order.loops) < 2:
        return TileCounts()
    if is_asked:
        divided = divided_by_form(kernel, order.loops)
        return TileCounts() if order.in_strips else _row_counts(kernel, order.loops, divided, NUMBER, is_asked)
    number = number_type(kernel)
    if order.in_strips:
        return _strip_counts(kernel, order.loops, number)
    divided = divided_nest(kernel, order.loops)
    if not divided.names:
        return TileCounts(number)
    return _row_counts(kernel, order.loops, divided, number)


def _row_counts(
    kernel: Kernel, loops: tuple[CanonicalLoop, ...], divided: Divided, number: str, is_asked: bool = False
) -> TileCounts:
    inner = _product(kernel, loops[1:])
    tiling = f"rex_tiling(__rex_tripcount, {host_tripcount(kernel.region, loops[0])}, {inner}, {_THREADS})"
    return TileCounts(number, (_tiling_argument(tiling), *divided.arguments[1:]), divided.names, is_asked)


def _strip_counts(kernel: Kernel, loops: tuple[CanonicalLoop, ...], number: str) -> TileCounts:
    if not is_counted_by_host(kernel):
        return TileCounts(number)
    *others, tiled, fastest = loops
    counts = [host_tripcount(kernel.region, loop) for loop in (tiled, fastest)]
    tiling = f"rex_strip_tiling(__rex_tripcount, {_product(kernel, others)}, {', '.join(counts)}, {_THREADS})"
    by_tiles = f"rex_ceiling({counts[0]}, rex_strip_rows(__rex_tripcount, {_THREADS}))"
    arguments = [_tiling_argument(tiling), _divisor_of(tiled, by_tiles)]
    if others:
        arguments.append(divisor_of_strips(kernel, fastest))
        arguments += [divisor_argument(kernel, loop) for loop in others[1:]]
    names = frozenset(loop.name for loop in (tiled, *((fastest, *others[1:]) if others else ())))
    return TileCounts(number, tuple(arguments), names)


def divisor_of_strips(kernel: Kernel, loop: CanonicalLoop) -> Argument:
    """Return the argument by which a kernel divides by the number of strips of a loop."""
    return _divisor_of(loop, f"rex_strips({host_tripcount(kernel.region, loop)})")


def _product(kernel: Kernel, loops: Sequence[CanonicalLoop]) -> str:
    first, *rest = [host_tripcount(kernel.region, loop) for loop in loops] or ["1"]
    for count in rest:
        first = f"rex_collapse({first}, {count})"
    return first


def _tiling_argument(value: str) -> Argument:
    return by_value(TILING, "unsigned long long", value, "tiles of the nest", PACKED_TILING, WORD)


def _divisor_of(loop: CanonicalLoop, value: str) -> Argument:
    """Return the argument that divides by a number of pieces of a loop."""
    name = divisor(loop)
    value = f"rex_extent_bytes({value}, __rex_tripcount)"
    return by_value(
        name, "rex_divisor", value, f"divisor of the pieces of '{loop.name}'", related("packed", name), WORD
    )
