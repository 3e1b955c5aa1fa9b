"""The two forms of tiled loops.

In: a loop or a nest over the grid, and what its iterations store. Out: the loop around the user's statement, which
evaluates part ``_dev_part`` of a tile. ``REX_TILE`` is 4 on a GPU and 1 on the CPU device. A single loop::

    const long long _dev_count = n;
    for (long long _dev_first = _dev_thread_id; _dev_first < _dev_count; _dev_first += REX_TILE * _dev_thread_num) {
      float *__rex_place_y[REX_TILE], __rex_value_y[REX_TILE];
      for (int _dev_part = 0; _dev_part < REX_TILE; _dev_part++) {
        const long long __rex_i = rex_part(_dev_first, _dev_part * _dev_thread_num, _dev_count);
        int i = (int)__rex_i;
        … places and values …
      }
      for (int _dev_part = 0; _dev_part < REX_TILE; _dev_part++)
        if (_dev_first + _dev_part * _dev_thread_num < _dev_count) *__rex_place_y[_dev_part] = __rex_value_y[_dev_part];
    }

The parts are as far apart as there are threads: whatever the grid, all threads have their share. A part that the loop
has not evaluates the first part's iteration once more, and stores nothing: no branch keeps the compiler from doing once
what all parts have in common (docs/decisions/026-tiles.md).

Of collapsed loops the parts are neighbours in the outermost index, so that one division does for all, and what they
load in common is loaded once. That takes a tile whose parts all exist; others are done one by one::

    for (long long _dev_iteration = …) {
      … _dev_above_j, __rex_j from _dev_iteration …
      const auto _dev_evaluate = [&](const long long __rex_i, const int _dev_part) { … places and values … };
      if (_dev_row + REX_TILE <= _dev_end) {
        for (int _dev_part = 0; …) _dev_evaluate(_dev_row + _dev_part, _dev_part);
        for (int _dev_part = 0; …) *__rex_place_y[_dev_part] = __rex_value_y[_dev_part];
      } else
        for (long long __rex_i = _dev_row; __rex_i < _dev_end; __rex_i++) {
          _dev_evaluate(__rex_i, 0);
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
from rexcc.source.records import dataclass

PART = "[_dev_part]"
PARTS = For("int _dev_part", "_dev_part", "0", "<", "REX_TILE", "++")
_ID, _NUM = "_dev_thread_id", "_dev_thread_num"


@dataclass(frozen=True)
class TileStore:
    """What a store needs across the tile: the arrays of its places and values."""

    name: str
    type: str

    @property
    def place(self) -> str:
        """The array of the places."""
        return f"__rex_place_{self.name}"

    @property
    def value(self) -> str:
        """The array of the values."""
        return f"__rex_value_{self.name}"

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
    position, offset = f"__rex_{loop.name}", f"_dev_part * {_NUM}"
    before = (*share.before, constant("_dev_count", iteration_count(loop, text)), ONE_BY_ONE)
    evaluated: Code = (
        constant(position, f"rex_part(_dev_first, {offset}, _dev_count)"),
        *positions_of((loop,), (loop,), position, text),
        UserSlot(),
        *closing,
    )
    body: Code = (
        *(store.declaration for store in stores),
        UNROLL,
        Block(PARTS, evaluated),
        UNROLL,
        Block(PARTS, (Guard(f"_dev_first + {offset} < _dev_count", tuple(store.store() for store in stores)),)),
    )
    header = counting("_dev_first", _ID, "_dev_count", f"+= REX_TILE * {_NUM}")
    return LoweredLoop(before, (header,), body)


def rows(
    loops: tuple[CanonicalLoop, ...],
    stores: Sequence[TileStore],
    closing: Code,
    divided: frozenset[str],
    text: Text,
    share: Share,
) -> LoweredLoop:
    """Return the form of collapsed loops; ``divided`` are those of whose extents the host has made divisors."""
    counts, product = nest_counts(loops, text)
    if not divided:
        counts.append(constant("_dev_count", product))
    inner = " * ".join(f"_dev_count_{loop.name}" for loop in loops[1:])
    count, position = f"_dev_count_{loops[0].name}", f"__rex_{loops[0].name}"
    quotients, row = quotients_of(loops, divided)
    before = (
        *share.before,
        *counts,
        constant("_dev_rows", f"rex_tile_rows(_dev_count, {inner}, {_NUM})"),
        constant("_dev_tiles", f"rex_tiles({count}, _dev_rows) * {inner}"),
        ONE_BY_ONE,
    )
    evaluate = f"const auto _dev_evaluate = [&](const long long {position}, const int _dev_part)"
    side_by_side: Code = (
        UNROLL,
        Block(PARTS, (Do("_dev_evaluate(_dev_row + _dev_part, _dev_part);"),), bare=True),
        UNROLL,
        Block(PARTS, tuple(store.store() for store in stores)),
    )
    each = counting(position, "_dev_row", "_dev_end", "++")
    one_by_one: Code = (Do(f"_dev_evaluate({position}, 0);"), *(store.store("[0]") for store in stores))
    end = Declare("_dev_end", "_dev_end", f"rex_row_end(_dev_row + _dev_rows, {count})")
    body: Code = (
        *quotients,
        DeclareAll("const long long", (Declare("_dev_row", "_dev_row", f"{row} * _dev_rows"), end)),
        *(store.declaration for store in stores),
        Block(evaluate, (*positions_of(loops, loops, position, text), UserSlot(), *closing), ";"),
        IfElse("_dev_row + REX_TILE <= _dev_end", side_by_side, (ONE_BY_ONE, Block(each, one_by_one))),
    )
    header = counting("_dev_iteration", _ID, "_dev_tiles", f"+= {_NUM}")
    return LoweredLoop(before, (header,), body)
