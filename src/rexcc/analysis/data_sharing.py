"""Data-sharing attributes on every construct, leaf by leaf (OpenMP 5.2, 5.1.1).

In: a construct. Out: for each of its leaves what the variables are that it uses: named in a clause that the leaf gets,
predetermined, or implicit by ``default`` and the rules of ``parallel``, ``teams`` and tasks. Leaves without an implicit
rule of their own, such as ``for``, leave the other variables as they are in the construct around them. How variables
reach a target region is :mod:`rexcc.analysis.sharing`'s.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.attributes import Origin, Reason
from rexcc.analysis.enclosing import is_shared_around, shares_by_default
from rexcc.analysis.ownership import is_only_measured, original_uses
from rexcc.analysis.references import References, collect
from rexcc.openmp.model import Clause
from rexcc.program.constructs import Construct
from rexcc.program.environment import Entry, Sharing
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass

_TASKS = frozenset({"task", "taskloop"})
_ENVIRONMENTS = _TASKS | {"parallel", "teams"}
"""The leaves with implicit rules of their own."""


_SECTIONS = {
    Sharing.SHARED: "5.4.2", Sharing.PRIVATE: "5.4.3", Sharing.FIRSTPRIVATE: "5.4.4", Sharing.LASTPRIVATE: "5.4.5",
    Sharing.LINEAR: "5.4.6", Sharing.INDUCTION: "6.0, 7.6.13",
    Sharing.REDUCTION: "5.5.8", Sharing.TASK_REDUCTION: "5.5.9",
    Sharing.IN_REDUCTION: "5.5.10", Sharing.COPYIN: "5.7.1", Sharing.USE_DEVICE_POINTER: "5.4.8",
    Sharing.USE_DEVICE_ADDRESS: "5.4.10",
}  # fmt: skip
_LISTS = {sharing.value: sharing for sharing in _SECTIONS}
_THREADPRIVATE = Reason(Origin.PREDETERMINED, "it is threadprivate", "5.1.1")
_INDEX = Reason(Origin.PREDETERMINED, "the iteration variable of an associated loop is private", "5.1.1")
_LAST_INDEX = Reason(Origin.PREDETERMINED, "the iteration variable of several loops of simd is lastprivate", "5.1.1")
_LOOP_INDEX = Reason(Origin.PREDETERMINED, "the iteration variable of a loop construct is lastprivate", "5.1.1")
_LINEAR_INDEX = Reason(Origin.PREDETERMINED, "the iteration variable of the only loop of simd is linear", "5.1.1")
_REASONS_OF_INDICES = {
    Sharing.PRIVATE: _INDEX, Sharing.LASTPRIVATE: _LAST_INDEX, Sharing.LINEAR: _LINEAR_INDEX
}  # fmt: skip
_SHARED = Reason(Origin.IMPLICIT, "without 'default', variables are shared in parallel and teams", "5.1.1")
_TASK_SHARED = Reason(Origin.IMPLICIT, "shared by all implicit tasks of the team, so shared in the task", "5.1.1")
_TASK_COPY = Reason(Origin.IMPLICIT, "not shared by the whole team, so firstprivate in the task", "5.1.1")


@dataclass(frozen=True, eq=False)
class DataSharing:
    """What a variable is on one leaf of a construct, and why."""

    variable: Variable
    leaf: str
    sharing: Sharing
    reason: Reason


def data_sharing(unit: ParsedUnit, construct: Construct) -> tuple[DataSharing, ...]:
    """Return the attributes of a construct's variables, outer leaves first, clauses before other variables.

    A variable that ``default(none)`` leaves without an attribute is not there, nor what is mapped: that is not sharing.
    """
    references = collect([construct.body]) if construct.body is not None else References()
    threadprivate = _threadprivate(unit)
    leaves = construct.directive.leaves
    return tuple(found for leaf in leaves for found in _Leaf(construct, leaf, references, threadprivate).run())


def _threadprivate(unit: ParsedUnit) -> frozenset[str]:
    items = (item for _, d in unit.declaratives if d.name == "threadprivate" for item in d.items)
    return frozenset(item.whole.text.strip() for item in items)


class _Leaf:
    """One leaf of a construct, being asked for its variables."""

    def __init__(self, construct: Construct, leaf: str, references: References, threadprivate: frozenset[str]) -> None:
        self.construct = construct
        self.leaf = leaf
        self.variables = references.variables
        self.threadprivate = threadprivate

    def run(self) -> list[DataSharing]:
        environment = self.construct.environment
        found = {variable: self._stated(entry) for variable, entry in environment.leaves[self.leaf].items()}
        if self.leaf in _ENVIRONMENTS:
            elsewhere = {*found, *environment.indices, *self._private_inside()}
            others = (v for v in self.variables.values() if v not in elsewhere)
            used = (v for v in others if original_uses(self.construct, v) and not is_only_measured(v))
            found |= {v: made for v in used if (made := self._implicit(v)) is not None}
        return list(found.values())

    def _stated(self, entry: Entry) -> DataSharing:
        """A variable that a clause names, or that counts a loop's iterations."""
        if entry.item is None:
            return DataSharing(entry.variable, self.leaf, entry.sharing, self._reason_of_index(entry.sharing))
        clause = entry.item.clause
        reason = Reason(Origin.EXPLICIT, self._rule(clause), _SECTIONS[_LISTS[clause.name]], clause)
        return DataSharing(entry.variable, self.leaf, entry.sharing, reason)

    def _private_inside(self) -> Iterator[Variable | None]:
        """Return what ``private`` makes new in a leaf further in: this leaf has no use for it."""
        return (item.variable for item in self.construct.items("private"))

    def _rule(self, clause: Clause) -> str:
        written = next((c for c in self.construct.directive.clauses if c.span == clause.span), clause)
        if written.name == clause.name:
            return f"named in '{clause.name}'"
        return f"named in '{written.name}', which makes it {clause.name} on '{self.leaf}'"

    def _reason_of_index(self, sharing: Sharing) -> Reason:
        if self.leaf == "loop":
            return _LOOP_INDEX
        return _REASONS_OF_INDICES[sharing]

    def _implicit(self, variable: Variable) -> DataSharing | None:
        if variable.name in self.threadprivate and variable.is_global:
            return DataSharing(variable, self.leaf, Sharing.THREADPRIVATE, _THREADPRIVATE)
        default = self.construct.default(self.leaf)
        if default is not None and (default.keyword == "shared" or not shares_by_default(variable)):
            if default.keyword == "none":
                return None
            reason = Reason(Origin.IMPLICIT, f"default({default.keyword})", "5.4.1", default)
            return DataSharing(variable, self.leaf, _LISTS[default.keyword], reason)
        if self.leaf not in _TASKS:
            return DataSharing(variable, self.leaf, Sharing.SHARED, _SHARED)
        if is_shared_around(self.construct, self.leaf, variable):
            return DataSharing(variable, self.leaf, Sharing.SHARED, _TASK_SHARED)
        return DataSharing(variable, self.leaf, Sharing.FIRSTPRIVATE, _TASK_COPY)
