"""Comparisons that hold where a condition does.

In: the condition of an ``if``. Out: :class:`Comparison`, of which each holds whenever the condition does: where one
does not hold, the statement does nothing. ``i < n && (x[i] > most || (x[i] == most && i < at))`` implies ``i < n``, and
where that holds, ``x[i] >= most``.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import Node
from rexcc.lowering.atomics.operations import alike
from rexcc.source.records import dataclass, replace

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Comparison:
    """What holds where a condition does: how the value of an expression compares with a place's. The condition reads
    them where its ``guards`` hold: an index is in its range then, a pointer not null, a divisor not 0."""

    operator: str
    place: Node
    other: Node
    guards: tuple[Node, ...] = ()

    @property
    def read(self) -> tuple[Node, ...]:
        """What is read besides the place."""
        return (*self.guards, self.other)


def implied_comparisons(condition: Node, guards: tuple[Node, ...] = ()) -> Iterator[Comparison]:
    """Yield comparisons that hold where a condition does, which is read where some ``guards`` hold."""
    bare = condition.bare()
    if bare.operator in _MIRRORED:
        left, right = bare.children
        yield Comparison(bare.operator, right, left, guards)
        yield Comparison(_MIRRORED[bare.operator], left, right, guards)
    elif bare.operator == "&&":
        first, second = bare.children
        yield from implied_comparisons(first, guards)
        yield from implied_comparisons(second, (*guards, first))
    elif bare.operator == "||":
        first, second = bare.children
        for one in implied_comparisons(first, guards):
            is_always_read = one.guards == guards
            if is_always_read and any(_are(pair, one.place, one.other) for pair in _equal(second)):
                yield replace(one, operator=f"{one.operator.rstrip('=')}=")


def _equal(condition: Node) -> Iterator[tuple[Node, Node]]:
    """Yield what is equal where a condition holds."""
    bare = condition.bare()
    if bare.operator == "==":
        yield bare.children[0], bare.children[1]
    elif bare.operator == "&&":
        for operand in bare.children:
            yield from _equal(operand)


def _are(pair: tuple[Node, Node], first: Node, second: Node) -> bool:
    left, right = pair
    return (alike(left, first) and alike(right, second)) or (alike(left, second) and alike(right, first))
