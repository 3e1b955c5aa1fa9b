"""How many iterations of an inner loop load before the first of them computes.

In: a loop and what it loads. Out: a number. Each element of a turn needs a register of its own, or two. A kernel of one
thread has all registers that a thread can have, and nothing but the loads of this thread keeps memory busy, so its
turns are longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.tree import Node

ITERATIONS, REGISTERS = (8, 4), 32
"""How many iterations a turn has: the most of these whose elements need no more registers than that."""
_ALONE, _REGISTERS_ALONE, _MOST_NODES = (32, 16), 64, 1800
"""The same in kernels of one thread, and how many nodes of the tree all iterations of a turn have there."""


def words_of(found: Iterable[Sequence[Node]]) -> int:
    """Return how many registers the elements of an iteration need, of which each has one at least."""
    return sum(max(int(types.canonical(loads[0].type).get_size()) // 4, 1) for loads in found)


def iterations_of_turn(alone: bool, loop: CanonicalLoop, found: list[list[Node]], is_storing: bool) -> int:
    """Return how many iterations a turn has, 0 where its elements would need too many registers.

    ``alone``: the kernel has one thread. ``is_storing``: each iteration stores what may be what others load, whose
    addresses need some registers, too.
    """
    words = words_of(found)
    nodes = sum(1 for _ in loop.body.walk())
    longer = (n for n in _ALONE if alone and n * words <= _REGISTERS_ALONE and n * nodes <= _MOST_NODES)
    usual = (n for n in (ITERATIONS[1:] if is_storing else ITERATIONS) if n * words <= REGISTERS)
    return next(longer, 0) or next(usual, 0)
