"""The form of a nest whose threads go through it in strips: stores contiguous in one index, loads in another.

In: the loops of a nest, of which loads are contiguous in the last but one and stores in the last (:mod:`.nest_order`).
Out: the loop around the user's statement. A strip is 16 neighbouring iterations of the last loop. Neighbouring threads
have one each, the next ones the same strip further on in the last but one, of which each thread takes four iterations
side by side as in any tile (:mod:`.tile_forms`). So both stores and loads of a block are whole pieces of memory: what
one thread's loads leave of a piece its neighbours get from the cache. For ``b[j * n + i] = a[i * n + j]``::

    for (long long __rex_iteration = …) {
      … __rex_strip_number, __rex_tile_number, __rex_i from __rex_iteration …
      __rex_i += __rex_strip_number << __rex_strip_bits;
      if (__rex_i >= __rex_trips_i) { continue; }
      … as in :mod:`.tile_forms`: iterations __rex_j of a tile, side by side where all exist …
    }

The last strip may be narrower; threads beyond its end have no iteration. Any grid executes each iteration once: strips
and tiles are counted, and threads take them in turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.loops import CanonicalLoop
from rexcc.kernel.ir import (
    CONTINUE,
    ONE_BY_ONE,
    Code,
    Declare,
    DeclareAll,
    Do,
    If,
    Stmt,
)
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text, constant, counting
from rexcc.lowering.loops.numbered_loops import divisor, iteration_count, nest_counts, positions_of
from rexcc.lowering.loops.tile_counts import TileCounts
from rexcc.lowering.loops.tile_forms import TileStore, tile_of_rows, tiling
from rexcc.source.own_names import own_name, related
from rexcc.source.records import dataclass


def strips(
    loops: tuple[CanonicalLoop, ...],
    stores: Sequence[TileStore],
    closing: Code,
    counts: TileCounts,
    text: Text,
    share: Share,
) -> LoweredLoop:
    """Return the form; ``closing`` is behind the user's statement, ``counts`` says what the host has counted."""
    tiled, fastest = loops[-2:]
    told = f"strip of '{fastest.name}', each of them a tile: REX_TILE iterations of '{tiled.name}' side by side"
    before = (
        Do(f"/* Neighbouring threads take a {told}. */"),
        *share.before,
        *_counted(loops, counts, text, share),
        ONE_BY_ONE,
    )
    pieces = Pieces("__rex_tile_number", "__rex_row_tiles", counts.number, counts.divided)
    numbers, outermost = numbers_in_strips(loops, pieces)
    positions = positions_of(loops, loops, outermost, text)
    body: Code = (
        *numbers,
        *to_place_in_nest(fastest),
        *tile_of_rows(tiled, "__rex_tile_number", stores, closing, positions, counts.number),
    )
    header = counting("__rex_iteration", share.number, "__rex_tiles", f"+= {share.count}", kind=counts.number)
    return LoweredLoop(before, (header,), body)


def _counted(loops: tuple[CanonicalLoop, ...], counts: TileCounts, text: Text, share: Share) -> Code:
    """Return the declarations of all extents, of strips and of tiles."""
    *others, tiled, fastest = loops
    number, extent = counts.number, related("trips", fastest.name)
    row_tiles = constant("__rex_row_tiles", f"rex_tiles({related('trips', tiled.name)}, __rex_tile_rows)", number)
    bits = constant("__rex_strip_bits", f"rex_strip_bits({extent})", "int")
    in_row = constant("__rex_strips", f"rex_strips({extent}, __rex_strip_bits)", number)
    if counts.arguments:
        used = (*others[1:], tiled, fastest)
        extents = (constant(related("trips", x.name), iteration_count(x, text, number), number) for x in used)
        return (*extents, *tiling(number), row_tiles, bits, *((in_row,) if others else ()))
    known, product = nest_counts(loops, text, number)
    tiles = " * ".join(("__rex_row_tiles", *(related("trips", loop.name) for loop in others), "__rex_strips"))
    return (
        *known,
        constant("__rex_trips", product, number),
        constant("__rex_tile_rows", f"rex_strip_rows(__rex_trips, {share.count})", number),
        row_tiles,
        bits,
        in_row,
        constant("__rex_tiles", f"{tiles} << __rex_strip_bits", number),
    )


@dataclass(frozen=True)
class Pieces:
    """What of a nest in strips has numbers below each strip: its place, how many there are, and the numbers' type.

    ``divided`` are the names of loops for which the host has made divisors.
    """

    place: str
    extent: str
    number: str
    divided: frozenset[str]


def numbers_in_strips(loops: tuple[CanonicalLoop, ...], pieces: Pieces) -> tuple[Code, str]:
    """Return the code that takes ``__rex_iteration`` apart, and what is left for the outermost loop."""
    *others, tiled, fastest = loops
    if not others:
        return _in_strip("__rex_strip_number", tiled, fastest, pieces), own_name(tiled.name)
    rest, strip = related("above", tiled.name), "__rex_strip_number"
    found = [*_in_strip(rest, tiled, fastest, pieces)]
    places = [(strip, "__rex_strips", fastest)]
    places += [(own_name(loop.name), related("trips", loop.name), loop) for loop in reversed(others[1:])]
    for place, extent, loop in places:
        above, by = related("above", loop.name), f", {divisor(loop)}" if loop.name in pieces.divided else ""
        found += [_declared(pieces.number, above, place), Do(f"rex_divmod({rest}, {extent}{by}, &{above}, &{place});")]
        rest = above
    return tuple(found), rest


def to_place_in_nest(fastest: CanonicalLoop) -> Code:
    """Return the code that makes a place in a strip one of the loop, and leaves out those beyond its end."""
    place = own_name(fastest.name)
    beyond = If(f"{place} >= {related('trips', fastest.name)}", (CONTINUE,))
    return (Do(f"{place} += __rex_strip_number << __rex_strip_bits;"), beyond)


def _in_strip(rest: str, tiled: CanonicalLoop, fastest: CanonicalLoop, pieces: Pieces) -> tuple[Stmt, ...]:
    """Return the code that finds a thread's place in its strip, and its piece; ``rest`` numbers the strips."""
    place = own_name(fastest.name)
    by = f"{divisor(tiled)}, " if tiled.name in pieces.divided else ""
    found = (
        Do(f"{place} = rex_in_strip(__rex_iteration, __rex_strip_bits);"),
        Do(f"rex_divmod(__rex_iteration >> __rex_strip_bits, {pieces.extent}, {by}&{rest}, &{pieces.place});"),
    )
    return _declared(pieces.number, rest, pieces.place, place), *found


def _declared(number: str, *names: str) -> DeclareAll:
    return DeclareAll(number, tuple(Declare(name, name) for name in names))
