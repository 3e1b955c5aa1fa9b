"""What reductions do, as values: how two values become one, what a private copy starts with, how threads join theirs.

In: nothing; these are values made by the lowering. Out: nodes of :mod:`rexcc.kernel.ir`, and as what simpler nodes
they are printed.
"""

from __future__ import annotations

from enum import Enum

from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Operator:
    """How two values become one.

    One of the language has a ``name`` in the functions of the device headers and, where C writes it between its
    operands, a ``symbol``; ``cast`` is the type to which its result is converted, if it has another one. One of the
    user's has a ``combiner``: ``combiner(a, b)`` makes ``a`` what both are together. It is the name of a function, or
    an object (``is_object``).
    """

    name: str = ""
    symbol: str = ""
    cast: str = ""
    combiner: str = ""
    is_object: bool = False

    def __str__(self) -> str:
        return self.symbol or self.name or self.combiner


@dataclass(frozen=True)
class Identity:
    """The value of a type that changes nothing when an operator of the language joins it to another."""

    operator: Operator
    type: str


Value = str | Identity
"""What a variable is given: an expression of the target's language, or an operator's identity."""


@dataclass(frozen=True)
class Operand:
    """A variable that threads have a private copy of: ``value`` is joined into what ``target`` points to.

    With a ``count`` both are the first of so many elements; ``index`` is the type that numbers them. ``is_named``:
    ``target`` is a name; ``is_cast``: ``value`` is a conversion, which parentheses go around. ``copies``: ``value`` is
    the first of so many that a team has together, empty where each thread has its own.
    """

    target: str
    value: str
    operator: Operator
    count: str = ""
    index: str = "unsigned long"
    is_named: bool = True
    is_cast: bool = False
    copies: str = ""


class Among(Enum):
    """Whose values become one."""

    ALONE = "by a thread alone"
    EACH = "by each thread while others do"
    TEAM = "by some threads of the block"
    BLOCK = "by all threads of the block"
    FOR_ALL = "by all threads of the block, each of which has an original"
    FOR_ALL_STRAIGHT = "by all threads of the block, each of which has an original, by straight code"
    GRID = "by all threads of all blocks"
    TEAMS = "by the first threads of all blocks"
    HOST = "by all threads of the block, for the host"


@dataclass(frozen=True)
class Reduce:
    """Private copies are joined into their originals.

    ``given`` is what that takes besides: the number of the ``TEAM``'s threads, memory for the blocks' results
    (``GRID``, ``TEAMS``), the number of these results (``HOST``).
    """

    operands: tuple[Operand, ...]
    among: Among
    given: str = ""


@dataclass(frozen=True)
class PrefixSum:
    """A team makes of its threads' values in ``value`` what comes before each, in the order of the threads' numbers.

    ``carry`` has what earlier rounds have contributed; ``is_exclusive``: without the thread's own value. ``threads`` is
    the team's size, empty for the whole block and ``0`` where the runtime knows it.

    ``of_teams``: all teams make them of the values in the array ``value``, and ``carry`` is the original; it is what
    the function for that gets besides, empty where one team makes them.
    """

    value: str
    carry: str
    operator: Operator
    is_exclusive: bool
    threads: str = ""
    of_teams: str = ""


BY_BLOCK = frozenset({Among.BLOCK, Among.FOR_ALL, Among.FOR_ALL_STRAIGHT, Among.GRID, Among.TEAMS, Among.HOST})
"""Where all threads of a block arrive."""
