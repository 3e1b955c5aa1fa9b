"""Where the statements of an instantiation stand, if they have pack expansions in them.

In: an instantiation and its pattern. Out: ranges of the instantiation's statements. clang's range of what it makes of
``(f(args) + ...)`` is that of an operand; the pattern's statement has the whole.
"""

from __future__ import annotations

from rexcc.clang.tree import Node

_HOLDING = frozenset(
    {"COMPOUND_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT", "CASE_STMT",
     "DEFAULT_STMT", "LABEL_STMT", "FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "FUNCTION_TEMPLATE"}
)  # fmt: skip
"""What has statements as children, as many in an instantiation as in the pattern."""


def take_places(instance: Node, pattern: Node) -> None:
    """Give the statements of an instantiation the ranges of the pattern's."""
    mine, theirs = _last(instance), _last(pattern)
    if len(mine) != len(theirs):
        return
    for made, written in zip(mine, theirs, strict=True):
        if written.start <= made.start and made.end <= written.end:
            made.widen(written.start, written.end)
        if made.kind == written.kind and made.kind in _HOLDING:
            take_places(made, written)


def _last(node: Node) -> list[Node]:
    """Return the children that can be statements; of a function, whose packs are several parameters, its body."""
    if node.kind in _HOLDING and node.kind.endswith("STMT"):
        return list(node.children)
    return [c for c in node.children if c.kind == "COMPOUND_STMT"]
