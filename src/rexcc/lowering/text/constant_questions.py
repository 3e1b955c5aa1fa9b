"""``__builtin_constant_p``, GNU's question whether a compiler knows a value.

In: device code. Out: edits that answer it with 1 where the operand is a constant, as the host's compiler does: the
answer may be the extent of an array, the value of an enumerator, or a label. Where the operand is none, the device's
headers answer with 0, which a compiler may always say; nvcc takes the question for a call of a host function.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang import library
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody

_ASKS = "__builtin_constant_p"


def answer_questions(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Write the answers of the questions below some nodes; ask for the expansion of macros that hide them."""
    for top in tops:
        for node in top.walk():
            if node.kind != "CALL_EXPR" or node.spelling != _ASKS or len(node.children) < 2:
                continue
            if not _is_known(node.children[-1]):
                continue
            if body.original(node).startswith(_ASKS):
                body.edits.rewrite(body.start(node), body.end(node), "1")
            else:
                body.expand(body.file.original(node.start))


def _is_known(operand: Node) -> bool:
    cursor = operand.cursor
    return library.evaluate_integer(cursor) is not None or library.evaluate_floating(cursor) is not None
