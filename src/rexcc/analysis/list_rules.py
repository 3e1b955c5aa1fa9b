"""Rules about the list items of one directive (OpenMP 5.2, 5.4, 5.4.7 and 13.9).

In: a construct. Out: errors for a variable with two data-sharing clauses, an item that ``target update`` shall move
both ways, and an ``is_device_ptr`` of something that holds no address.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.clang import spelling, types
from rexcc.openmp.model import Clause, ListClause, ListItem, MotionClause, ReductionClause
from rexcc.openmp.tables import named_construct
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note

_TAKING_PART = frozenset({"in_reduction", "task_reduction"})
_SHARING = _TAKING_PART | {
    "private",
    "firstprivate",
    "lastprivate",
    "shared",
    "linear",
    "induction",
    "reduction",
    "copyprivate",
}
_ONCE = _TAKING_PART | {"reduction", "linear", "induction"}
_TOGETHER = frozenset({"firstprivate", "lastprivate"})
_KNOWN_OTHERS = frozenset({"RECORD", "MEMBERPOINTER", "VECTOR", "EXTVECTOR"})


def check_lists(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report list items that contradict each other or their clause."""
    _check_sharing(construct, sink)
    if construct.directive.name == "target update":
        _check_motion(construct, sink)
    for clause in construct.directive.of_type(ListClause):
        if clause.name == "is_device_ptr":
            _check_device_pointers(construct, clause, sink)


def _check_sharing(construct: Construct, sink: DiagnosticSink) -> None:
    """A variable has one data-sharing clause, or ``firstprivate`` and ``lastprivate``, but on ``distribute``."""
    first: dict[Variable, tuple[Clause, ListItem]] = {}
    for clause, item, variable in _shared_items(construct):
        before, earlier = first.setdefault(variable, (clause, item))
        if earlier is item or not _clash(construct, before, clause):
            continue
        shown = item.whole.text.strip()
        message = f"'{shown}' is in '{clause.name}' and in '{before.name}'; leave it in one of them"
        if before.name == clause.name:
            message = f"'{shown}' is in '{clause.name}' a second time; leave one of them out"
        if before.name == clause.name and "[" in shown and shown != earlier.whole.text.strip():
            message = f"'{clause.name}' of a second section of one array, '{shown}', cannot be lowered yet; "
            message += "name one section that holds both"
        note = Note(f"'{before.name}' has it here", earlier.whole.span)
        sink.error("omp-data-sharing", message, item.whole.span, note)


def _clash(construct: Construct, first: Clause, second: Clause) -> bool:
    """Whether a variable may not be in both; ``private(s) private(s)`` says one thing twice."""
    if first.name == second.name:
        return first.name in _ONCE
    if not _TAKING_PART.isdisjoint((first.name, second.name)):
        return False
    return {first.name, second.name} != _TOGETHER or "distribute" in construct.directive.leaves


def _shared_items(construct: Construct) -> Iterator[tuple[Clause, ListItem, Variable]]:
    for clause in construct.directive.clauses:
        if clause.name not in _SHARING or not isinstance(clause, ListClause | ReductionClause):
            continue
        if named_construct(clause):  # OpenMP 6.0: the clause speaks of one leaf
            continue
        for item in clause.items:
            variable = construct.resolve(clause, item).whole_variable
            if variable is not None:
                yield clause, item, variable


def _check_motion(construct: Construct, sink: DiagnosticSink) -> None:
    first: dict[str, tuple[str, ListItem]] = {}
    for clause in construct.directive.of_type(MotionClause):
        for item in clause.items:
            name, earlier = first.setdefault(re.sub(r"\s", "", item.whole.text), (clause.name, item))
            if name != clause.name:
                message = f"'{item.whole.text.strip()}' cannot be moved both 'to' and 'from' the device by one update"
                note = Note(f"'{name}' has it here; write two updates in the order that is meant", earlier.whole.span)
                sink.error("omp-update-both-ways", message, item.whole.span, note)


def _check_device_pointers(construct: Construct, clause: ListClause, sink: DiagnosticSink) -> None:
    for item, named in ((found.item, found.named) for found in construct.items_of(clause)):
        if named is None:
            continue
        kind = named.type
        if types.is_scalar(kind) or types.kind_name(types.canonical(kind)) in _KNOWN_OTHERS:
            message = (
                f"'{item.whole.text.strip()}' has type '{spelling.spell(kind)}', which is neither pointer nor array; "
                "has_device_addr is for variables that are on the device themselves"
            )
            sink.error("omp-list-item-type", message, item.whole.span)
