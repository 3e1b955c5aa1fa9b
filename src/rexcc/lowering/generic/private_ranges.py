"""Where, inside a parallel, a variable's name means a private copy.

In: a parallel construct. Out: :class:`PrivateRanges`: the places where clauses and associated loops make copies, and
the variables from outside that constructs assign at their end.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.references import variable_key
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct


class PrivateRanges:
    """Which uses inside a parallel mean private copies; ``written_back`` are variables that constructs assign at their
    end."""

    def __init__(self, construct: Construct) -> None:
        self.ranges: dict[int, list[tuple[int, int]]] = {}
        self.written_back: dict[int, Node] = {}
        every = (construct, *construct.descendants())
        for inner in every:
            if inner.body is not None:
                self._read(inner)

    def _read(self, construct: Construct) -> None:
        assert construct.body is not None
        place = (construct.node.start, construct.body.end)
        outer = {key: list(places) for key, places in self.ranges.items()}
        for key in construct.environment.copied():
            self.ranges.setdefault(key, []).append(place)
            for entry in construct.environment.copies(key):
                item = entry.item
                if item is None or item.node is None or not entry.sharing.assigns:
                    continue
                if not _is_within(outer.get(key, ()), construct.node.start):
                    self.written_back[key] = item.node

    def hides(self, use: Node, variable: Cursor) -> bool:
        """Whether a use means a private copy."""
        return _is_within(self.ranges.get(variable_key(variable), ()), use.start)


def _is_within(ranges: Iterable[tuple[int, int]], offset: int) -> bool:
    return any(start <= offset < end for start, end in ranges)
