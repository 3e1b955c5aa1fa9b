"""Headers that stand in the code between collapsed loops.

In: a nest with code between its loops; one iteration of them all executes that code. Out: edits: a block with the
index takes the place of each inner loop's header::

    for (int j = 0; j < m; j++) { … }        { int j = (int)__rex_j; … }

A ``continue`` of the innermost loop still goes to the code behind that loop, so there the block is one that it leaves::

    for (int j = 0; j < m; j++) { … }        do { int j = (int)__rex_j; … } while (false);
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers, iteration_of
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import Block
from rexcc.lowering.loops.grid_loops import Text, inner_index
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_header


def replace_inner_headers(body: DeviceBody, loops: tuple[CanonicalLoop, ...], text: Text) -> None:
    """Make blocks of the loops whose headers stand in the nest's iteration."""
    for loop in inner_headers(loops):
        first = (inner_index(loop, text),) if loop.declares else ()
        leaves = loop is loops[-1] and _continues(loop.body) and _is_followed(loop.statement, iteration_of(loops))
        start, end = body.start(loop.statement), header_end(body.file, loop.statement)
        block = Block("do", (*first, *USER), " while (false);") if leaves else Block("", (*first, *USER))
        place_header(body, start, end, block, loop.body)


def _continues(body: Node) -> bool:
    """Whether a loop's body has a ``continue`` of that loop."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "CONTINUE_STMT":
            return True
        if node.kind not in LOOP_KINDS and not node.is_called_code:
            stack.extend(node.children)
    return False


def _is_followed(loop: Node, iteration: Node) -> bool:
    """Whether code stands behind a loop in the statement that one iteration executes."""
    below = loop
    while below is not iteration and below.parent is not None:
        if below.parent.children[-1] is not below:
            return True
        below = below.parent
    return False
