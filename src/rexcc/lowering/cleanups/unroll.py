"""Innermost loops of which several iterations stand in the kernel one behind the other.

In: a kernel's body, and how many iterations a file of ``--tuned`` chooses. Out: ``_Pragma("unroll N")`` in front of the
loops, which the device's compiler follows. It executes the same iterations in the same order. Without a choice that
compiler decides, as it does for loops with such a line of the user's, and for those that groups of threads share.
"""

from __future__ import annotations

import re

from rexcc.clang.tree import Node
from rexcc.kernel.ir import unrolled
from rexcc.lowering.cleanups.context import CleanupContext

_WORDS = {"FOR_STMT": "for", "CXX_FOR_RANGE_STMT": "for", "WHILE_STMT": "while", "DO_STMT": "do"}


def unroll_innermost(context: CleanupContext) -> None:
    """Put the line in front of the loops without loops inside."""
    iterations, loops = context.kernel.region.choice.unroll, context.inner_loops()
    for loop in loops if iterations else ():
        if not _is_taken(context, loop) and not any(inner in loops for inner in loop.walk() if inner is not loop):
            context.put_before(loop, unrolled(iterations))


def _is_taken(context: CleanupContext, loop: Node) -> bool:
    """Whether something else decides about a loop, or a line in front of it would not be."""
    body, word = context.body, _WORDS.get(loop.kind)
    is_here = loop.file == body.file.scan.source.path and word is not None
    if not is_here or loop is context.shared_loop or loop in context.guarded:
        return True
    start, end = body.file.original(loop.start), body.file.original(loop.end)
    if body.unit.macro_uses.holds(loop.file, start, end):
        return True
    before = body.text[: body.start(loop)].rstrip().rpartition("\n")[2].lstrip()
    return before.startswith("#") or re.match(rf"{word}\b", body.text[body.start(loop) :]) is None
