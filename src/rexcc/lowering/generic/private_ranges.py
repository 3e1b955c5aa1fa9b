"""Where, inside a parallel, a variable's name means a private copy.

In: a parallel construct. Out: :class:`PrivateRanges`: the places where clauses and associated loops make copies, and
the variables from outside that constructs assign at their end.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable


class PrivateRanges:
    """Which uses inside a parallel mean private copies; ``written_back`` are variables that constructs assign at their
    end."""

    def __init__(self, construct: Construct) -> None:
        self.ranges: dict[Variable, list[tuple[int, int]]] = {}
        self.written_back: dict[Variable, Node] = {}
        every = tuple(construct.walk())
        for inner in every:
            if inner.body is not None:
                self._read(inner)

    def _read(self, construct: Construct) -> None:
        assert construct.body is not None
        place = (construct.node.start, construct.body.end)
        outer = {variable: list(places) for variable, places in self.ranges.items()}
        for variable in construct.environment.copied():
            self.ranges.setdefault(variable, []).append(place)
            for entry in construct.environment.copies(variable):
                item = entry.item
                if item is None or item.node is None or not entry.sharing.assigns:
                    continue
                if not _is_within(outer.get(variable, ()), construct.node.start):
                    self.written_back[variable] = item.node

    def hides(self, use: Node, variable: Variable) -> bool:
        """Whether a use means a private copy."""
        return _is_within(self.ranges.get(variable, ()), use.start)


def _is_within(ranges: Iterable[tuple[int, int]], offset: int) -> bool:
    return any(start <= offset < end for start, end in ranges)
