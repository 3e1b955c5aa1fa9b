"""The two forms of tiled loops.

In: a loop or a nest over the grid, and what its iterations store. Out: the loop around the user's statement, which
evaluates part ``__rex_part`` of a tile. ``REX_TILE`` is 4 on a GPU and 1 on the CPU device. A single loop::

    const long long __rex_trips = n;
    for (long long __rex_first = _dev_thread_id; __rex_first < __rex_trips; __rex_first += REX_TILE * _dev_thread_num) {
      float *__rex_place_y[REX_TILE], __rex_value_y[REX_TILE];
      for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++) {
        const long long __rex_i = rex_part(__rex_first, __rex_part * _dev_thread_num, __rex_trips);
        int i = (int)__rex_i;
        … places and values …
      }
      for (int __rex_part = 0; __rex_part < REX_TILE; __rex_part++)
        if (__rex_first + __rex_part * _dev_thread_num < __rex_trips)
          *__rex_place_y[__rex_part] = __rex_value_y[__rex_part];
    }

The parts are as far apart as there are threads: whatever the grid, all threads have their share. A part that the loop
has not evaluates the first part's iteration once more, and stores nothing: no branch keeps the compiler from doing once
what all parts have in common (docs/decisions/026-tiles.md).

Of collapsed loops the parts are neighbours in the outermost index, so that one division does for all, and what they
load in common is loaded once. That takes a tile whose parts all exist; others are done one by one. Numbers have 64 bits
here, and may have 32 (:mod:`.tile_counts`)::

    for (long long __rex_iteration = …) {
      … __rex_above_j, __rex_j from __rex_iteration …
      const auto __rex_evaluate = [&](const long long __rex_i, const int __rex_part) { … places and values … };
      if (__rex_tile_row + REX_TILE <= __rex_tile_end) {
        for (int __rex_part = 0; …) __rex_evaluate(__rex_tile_row + __rex_part, __rex_part);
        for (int __rex_part = 0; …) *__rex_place_y[__rex_part] = __rex_value_y[__rex_part];
      } else
        for (long long __rex_i = __rex_tile_row; __rex_i < __rex_tile_end; __rex_i++) {
          __rex_evaluate(__rex_i, 0);
          *__rex_place_y[0] = __rex_value_y[0];
        }
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.loops import CanonicalLoop
from rexcc.kernel.ir import (
    ONE_BY_ONE,
    UNROLL,
    Assign,
    Block,
    Code,
    Declare,
    DeclareAll,
    Do,
    For,
    Guard,
    IfElse,
    UserSlot,
)
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text, constant, counting
from rexcc.lowering.loops.numbered_loops import iteration_count, nest_counts, positions_of, quotients_of
from rexcc.lowering.loops.tile_counts import TILING, TileCounts
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass

PART = "[__rex_part]"
A_TILE = Do(
    "/* A thread takes a tile: REX_TILE iterations side by side, all their values before the first is stored. */"
)
PARTS = For("int __rex_part", "__rex_part", "0", "<", "REX_TILE", "++")
_ID, _NUM = "_dev_thread_id", "_dev_thread_num"


@dataclass(frozen=True)
class TileStore:
    """What a store needs across the tile: the arrays of its places and values."""

    name: str
    type: str

    @property
    def place(self) -> str:
        """The array of the places."""
        return related("place", self.name)

    @property
    def value(self) -> str:
        """The array of the values."""
        return related("value", self.name)

    def store(self, part: str = PART) -> Assign:
        """Return the store of a part."""
        return Assign(f"*{self.place}{part}", f"{self.value}{part}")

    @property
    def declaration(self) -> DeclareAll:
        """The declaration of both."""
        places = Declare(f"*{self.place}[REX_TILE]", self.place)
        return DeclareAll(self.type, (places, Declare(f"{self.value}[REX_TILE]", self.value)))


def strides(loop: CanonicalLoop, stores: Sequence[TileStore], closing: Code, text: Text, share: Share) -> LoweredLoop:
    """Return the form of a single loop; ``closing`` is behind the user's statement."""
    position, offset = own_name(loop.name), f"__rex_part * {_NUM}"
    before = (A_TILE, *share.before, constant("__rex_trips", iteration_count(loop, text)), ONE_BY_ONE)
    evaluated: Code = (
        constant(position, f"rex_part(__rex_first, {offset}, __rex_trips)"),
        *positions_of((loop,), (loop,), position, text),
        UserSlot(),
        *closing,
    )
    body: Code = (
        *(store.declaration for store in stores),
        UNROLL,
        Block(PARTS, evaluated),
        UNROLL,
        Block(
            PARTS,
            (Guard(f"__rex_first + {offset} < __rex_trips", tuple(store.store() for store in stores)),),
        ),
    )
    header = counting("__rex_first", _ID, "__rex_trips", f"+= REX_TILE * {_NUM}")
    return LoweredLoop(before, (header,), body)


def rows(
    loops: tuple[CanonicalLoop, ...],
    stores: Sequence[TileStore],
    closing: Code,
    counts: TileCounts,
    text: Text,
    share: Share,
) -> LoweredLoop:
    """Return the form of collapsed loops; ``counts`` says what the host has counted."""
    quotients, row = quotients_of(loops, counts.divided, counts.number)
    before = (A_TILE, *share.before, *_counted_rows(loops, counts, text), ONE_BY_ONE)
    positions = positions_of(loops, loops, own_name(loops[0].name), text)
    body: Code = (*quotients, *tile_of_rows(loops[0], row, stores, closing, positions, counts.number))
    header = counting("__rex_iteration", _ID, "__rex_tiles", f"+= {_NUM}", kind=counts.number)
    return LoweredLoop(before, (header,), body)


def _counted_rows(loops: tuple[CanonicalLoop, ...], counts: TileCounts, text: Text) -> Code:
    """Return the declarations of all extents, of the rows of a tile and the number of tiles."""
    number = counts.number
    if counts.is_asked:
        return _asked_rows(loops, number, text)
    if counts.arguments:
        # where an extent that counts from 0 is negative, there are no tiles
        extents = (constant(related("trips", x.name), iteration_count(x, text, number), number) for x in loops)
        return (*extents, *tiling(number))
    known, product = nest_counts(loops, text, number)
    inner = " * ".join(related("trips", loop.name) for loop in loops[1:])
    return (
        *known,
        constant("__rex_trips", product, number),
        constant("__rex_tile_rows", f"rex_tile_rows(__rex_trips, {inner}, {_NUM})", number),
        constant("__rex_tiles", f"rex_tiles({related('trips', loops[0].name)}, __rex_tile_rows) * {inner}", number),
    )


def _asked_rows(loops: tuple[CanonicalLoop, ...], number: str, text: Text) -> Code:
    """Return the same where the host has counted them for launches in which its bounds are the device's."""
    known, product = nest_counts(loops, text, number)
    outer, *others = (related("trips", loop.name) for loop in loops)
    inner = " * ".join(others)
    rows = f"rex_tile_rows_of<{number}>({TILING}, {product}, {inner}, {_NUM})"
    tiles = f"rex_tiles_of<{number}>({TILING}, {outer}, __rex_tile_rows, {inner})"
    return (*known, constant("__rex_tile_rows", rows, number), constant("__rex_tiles", tiles, number))


def tiling(number: str) -> Code:
    """Return the declarations of what the host has chosen: the iterations of a loop in a tile, the number of tiles."""
    return (
        constant("__rex_tile_rows", f"rex_tiling_rows({TILING})", number),
        constant("__rex_tiles", f"rex_tiling_tiles({TILING})", number),
    )


def tile_of_rows(
    loop: CanonicalLoop, row: str, stores: Sequence[TileStore], closing: Code, positions: Code, number: str
) -> Code:
    """Return the code of a tile of neighbours in a loop, the ``row``th one; ``positions`` declares all indices."""
    count, position = related("trips", loop.name), own_name(loop.name)
    evaluate = f"const auto __rex_evaluate = [&](const {number} {position}, const int __rex_part)"
    side_by_side: Code = (
        UNROLL,
        Block(PARTS, (Do("__rex_evaluate(__rex_tile_row + __rex_part, __rex_part);"),), bare=True),
        UNROLL,
        Block(PARTS, tuple(store.store() for store in stores)),
    )
    each = counting(position, "__rex_tile_row", "__rex_tile_end", "++", kind=number)
    one_by_one: Code = (Do(f"__rex_evaluate({position}, 0);"), *(store.store("[0]") for store in stores))
    end = Declare("__rex_tile_end", "__rex_tile_end", f"rex_row_end(__rex_tile_row + __rex_tile_rows, {count})")
    first = Declare("__rex_tile_row", "__rex_tile_row", f"{row} * __rex_tile_rows")
    return (
        DeclareAll(f"const {number}", (first, end)),
        *(store.declaration for store in stores),
        Block(evaluate, (*positions, UserSlot(), *closing), ";"),
        IfElse("__rex_tile_row + REX_TILE <= __rex_tile_end", side_by_side, (ONE_BY_ONE, Block(each, one_by_one))),
    )
