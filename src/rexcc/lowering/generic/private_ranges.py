"""Where, inside a parallel, a variable's name means a private copy.

In: a parallel construct. Out: :class:`PrivateRanges`: the places where clauses and associated loops make copies, and
the variables from outside that constructs assign at their end.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.nests import assigned_indices
from rexcc.analysis.references import variable_key
from rexcc.analysis.regions import collapse_depth
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct

_PRIVATE = frozenset({"private", "firstprivate", "lastprivate", "linear", "reduction"})
_WRITES_BACK = frozenset({"lastprivate", "linear", "reduction"})


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
        for item in construct.items(*_PRIVATE):
            if item.node is None or item.key is None:
                continue
            if item.clause.name in _WRITES_BACK and not _is_within(outer.get(item.key, ()), construct.node.start):
                self.written_back[item.key] = item.node
            self.ranges.setdefault(item.key, []).append(place)
        if "for" in construct.directive.leaves or "loop" in construct.directive.leaves:
            for key in assigned_indices(construct.body, collapse_depth(construct)):
                self.ranges.setdefault(key, []).append(place)

    def hides(self, use: Node, variable: Cursor) -> bool:
        """Whether a use means a private copy."""
        return _is_within(self.ranges.get(variable_key(variable), ()), use.start)


def _is_within(ranges: Iterable[tuple[int, int]], offset: int) -> bool:
    return any(start <= offset < end for start, end in ranges)
