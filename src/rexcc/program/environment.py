"""What variables are on the leaves of a construct (OpenMP 5.2, 5.1.1 and 17.2): the one reading of its lists.

In: a construct. Out: :class:`Environment`, a table from leaf and variable to :class:`Entry`. Clauses come first, then
what is predetermined for the iteration variables of its loops. Variables that neither speaks of have an attribute by
implicit rules, which :mod:`rexcc.analysis.data_sharing` knows, or none on this construct.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import Protocol

from rexcc.clang.tree import Node
from rexcc.openmp.model import Clause, Directive
from rexcc.program.loop_shape import counted_variables
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

LOOP_LEAVES = frozenset({"for", "distribute", "simd", "loop", "taskloop"})
"""The leaves whose associated loops' iteration variables have predetermined attributes."""


class Sharing(Enum):
    """What a variable is on a leaf construct; the value is the name of the clause that makes it so."""

    SHARED = "shared"
    PRIVATE = "private"
    FIRSTPRIVATE = "firstprivate"
    LASTPRIVATE = "lastprivate"
    FIRST_AND_LAST = "firstprivate and lastprivate"
    LINEAR = "linear"
    INDUCTION = "induction"
    REDUCTION = "reduction"
    IN_REDUCTION = "in_reduction"
    TASK_REDUCTION = "task_reduction"
    COPYIN = "copyin"
    USE_DEVICE_POINTER = "use_device_ptr"
    USE_DEVICE_ADDRESS = "use_device_addr"
    THREADPRIVATE = "threadprivate"

    @property
    def makes_copy(self) -> bool:
        """Whether the leaf's statement works on a copy of the variable."""
        return self in _COPIES

    @property
    def assigns(self) -> bool:
        """Whether the original gets a value at the construct's end."""
        return self in _ASSIGNING


class Item(Protocol):
    """A list item of a clause, as :class:`rexcc.program.constructs.ResolvedItem`."""

    @property
    def clause(self) -> Clause:
        """The clause it stands in."""

    @property
    def node(self) -> Node | None:
        """clang's view of it."""

    @property
    def variable(self) -> Variable | None:
        """The variable it belongs to."""


class Clauses(Protocol):
    """A directive with its statement, as :class:`rexcc.program.constructs.Construct`."""

    @property
    def directive(self) -> Directive:
        """The directive."""

    @property
    def node(self) -> Node:
        """The statement that stands for it in clang's tree."""

    @property
    def body(self) -> Node | None:
        """Its statement."""

    @property
    def depth(self) -> int:
        """How many loops belong to it."""

    def clauses_of(self, leaf: str, indices: frozenset[str] = ...) -> tuple[Clause, ...]:
        """Return the clauses that act on a leaf."""

    def items_of(self, *clauses: Clause) -> Iterator[Item]:
        """Return the list items of clauses."""


_ASSIGNING = frozenset(
    {Sharing.LASTPRIVATE, Sharing.FIRST_AND_LAST, Sharing.LINEAR, Sharing.INDUCTION, Sharing.REDUCTION,
     Sharing.IN_REDUCTION}
)  # fmt: skip
_COPIES = _ASSIGNING | {Sharing.PRIVATE, Sharing.FIRSTPRIVATE}
_LISTS = {sharing.value: sharing for sharing in Sharing if sharing is not Sharing.THREADPRIVATE}


@dataclass(frozen=True, eq=False)
class Entry:
    """What a variable is on a leaf: by the clause of ``item``, or, without one, as an iteration variable."""

    variable: Variable
    leaf: str
    sharing: Sharing
    item: Item | None = None


class Environment:
    """The attributes of variables on the leaves of one construct."""

    def __init__(self, construct: Clauses) -> None:
        self._construct = construct

    @cached_property
    def indices(self) -> tuple[Variable, ...]:
        """The iteration variables of associated loops that are declared outside of them, outermost loop first."""
        construct = self._construct
        if construct.body is None or LOOP_LEAVES.isdisjoint(construct.directive.leaves):
            return ()
        return tuple(dict.fromkeys(counted_variables(construct.body, construct.depth)))

    @cached_property
    def leaves(self) -> Mapping[str, Mapping[Variable, Entry]]:
        """The entries of each leaf, outer leaves first; on a leaf, those by clauses in their order, then indices."""
        return {leaf: self._entries(leaf) for leaf in self._construct.directive.leaves}

    @cached_property
    def _copies(self) -> Mapping[Variable, tuple[Entry, ...]]:
        found: dict[Variable, tuple[Entry, ...]] = {}
        for entries in self.leaves.values():
            for entry in entries.values():
                if entry.sharing.makes_copy:
                    found[entry.variable] = (*found.get(entry.variable, ()), entry)
        return found

    def copies(self, variable: Variable) -> tuple[Entry, ...]:
        """Return the entries of a variable on the leaves that work on a copy of it, outer leaves first."""
        return self._copies.get(variable, ())

    def assigning(self, variable: Variable) -> Entry | None:
        """Return the entry by whose clause a variable's original gets a value at the construct's end."""
        return next((e for e in self.copies(variable) if e.item is not None and e.sharing.assigns), None)

    def named(self, variable: Variable) -> bool:
        """Whether a clause makes a copy of a variable."""
        return any(entry.item is not None for entry in self.copies(variable))

    def copied(self) -> Iterator[Variable]:
        """Yield the variables of which the construct's statement sees a copy."""
        return iter(self._copies)

    def covers(self, use: Node) -> bool:
        """Whether a name stands where the construct's environment is the one around it."""
        places = (self._construct.node, self._construct.body)
        return any(p is not None and use.is_inside(p) for p in places)

    def _entries(self, leaf: str) -> dict[Variable, Entry]:
        found: dict[Variable, Entry] = {}
        names = frozenset(index.name for index in self.indices)
        for clause in self._construct.clauses_of(leaf, names):
            sharing = _LISTS.get(clause.name)
            if sharing is None:
                continue
            for item in self._construct.items_of(clause):
                variable = item.variable
                if variable is not None:
                    found[variable] = Entry(variable, leaf, _both(found.get(variable), sharing), item)
        if leaf in LOOP_LEAVES:
            for index in self.indices:
                found.setdefault(index, Entry(index, leaf, self._of_index(leaf)))
        return found

    def _of_index(self, leaf: str) -> Sharing:
        """What an iteration variable is where no clause names it."""
        if self._construct.directive.leaves == ("simd",):
            return Sharing.LINEAR if self._construct.depth == 1 else Sharing.LASTPRIVATE
        return Sharing.LASTPRIVATE if leaf == "loop" else Sharing.PRIVATE


def _both(before: Entry | None, sharing: Sharing) -> Sharing:
    if before is not None and {before.sharing, sharing} == {Sharing.FIRSTPRIVATE, Sharing.LASTPRIVATE}:
        return Sharing.FIRST_AND_LAST
    return sharing
