"""The form of a nest that reduces and whose threads go through it in strips: loads contiguous in one index, or another.

In: the loops of a nest whose loads are contiguous in the last but one or in the last (:mod:`.nest_order`), and what the
host makes for it. Out: the loop around the user's statement, of which a thread executes one iteration after another.
Iterations are numbered along strips (:mod:`.strips`), so that a block has a square of the last two loops: what one
thread's loads leave of a piece of memory its neighbours find in the cache, in both directions. For
``s += a[i * n + j] * b[j * n + i]``::

    for (long long __rex_iteration = …; __rex_iteration < __rex_trips; …) {
      … __rex_strip_number, __rex_i, __rex_j from __rex_iteration …
      __rex_j += __rex_strip_number << __rex_strip_bits;
      if (__rex_j >= __rex_trips_j) { continue; }
      …

Each iteration has one number, those beyond the end of the last strip have no iteration, and any grid deals out all
numbers. There are at most twice as many numbers as iterations, and what is divided, the number of a place along the
strips, is less than the number of iterations, for which the host's divisors are made.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.kernel.ir import UserSlot
from rexcc.lowering.loops.loop_forms import WIDE, LoweredLoop, Share, Text, constant, counting
from rexcc.lowering.loops.nests import Divided, divisor_argument, is_constant, is_counted_by_host
from rexcc.lowering.loops.numbered_loops import nest_counts, positions_of
from rexcc.lowering.loops.strips import Pieces, numbers_in_strips, to_place_in_nest
from rexcc.lowering.loops.tile_counts import divisor_of_strips
from rexcc.lowering.model.launch import Kernel
from rexcc.source.own_names import own_name, related


def strip_divisors(kernel: Kernel, loops: tuple[CanonicalLoop, ...]) -> Divided:
    """Return what the host makes for a nest in strips: divisors for what the kernel divides by, if the host can."""
    *others, tiled, fastest = loops
    if not is_counted_by_host(kernel):
        return Divided()
    whole = [loop for loop in (tiled, *others[1:]) if not is_constant(loop)]
    arguments = [divisor_argument(kernel, loop) for loop in whole]
    divided = {loop.name for loop in whole}
    if others and not is_constant(fastest):
        arguments.append(divisor_of_strips(kernel, fastest))
        divided.add(fastest.name)
    return Divided(tuple(arguments), frozenset(divided))


def lower_in_strips(loops: tuple[CanonicalLoop, ...], divided: Divided, share: Share, text: Text) -> LoweredLoop:
    """Return the form; the last of the loops is the one that strips are pieces of."""
    *others, tiled, fastest = loops
    extent = related("trips", fastest.name)
    known, _ = nest_counts(loops, text)
    rows = " * ".join(related("trips", loop.name) for loop in (*others, tiled))
    before = (
        *share.before,
        *known,
        constant("__rex_strip_bits", f"rex_strip_bits({extent})", "int"),
        constant("__rex_strips", f"rex_strips({extent}, __rex_strip_bits)"),
        constant("__rex_trips", f"{rows} * __rex_strips << __rex_strip_bits"),
    )
    pieces = Pieces(own_name(tiled.name), related("trips", tiled.name), WIDE, divided.names)
    numbers, outermost = numbers_in_strips(loops, pieces)
    header = counting("__rex_iteration", share.number, "__rex_trips", f"+= {share.count}")
    body = (*numbers, *to_place_in_nest(fastest), *positions_of(loops, loops, outermost, text), UserSlot())
    return LoweredLoop(before, (header,), body)
