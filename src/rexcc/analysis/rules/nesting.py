"""What must not stand in what (OpenMP 5.2, 17.1, Nesting of Regions, and the restrictions of the constructs).

In: a construct with what is around it in the same function. Out: an error at the inner directive, with the outer one as
a note. A construct alone in a function may be called from anywhere: nothing is said about it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.rules.facts import TRANSPARENT, closest, critical_name, leaf
from rexcc.clang.tree import Node
from rexcc.frontend.forms import METADIRECTIVES
from rexcc.openmp.directives import Association
from rexcc.openmp.model import ExpressionClause, KeywordClause, ReductionClause
from rexcc.openmp.tables import association_of
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import dataclass

CODE = "omp-nesting"

_SHARING_OUT = frozenset({"for", "sections", "section", "single", "loop"})
_TASKS = frozenset({"task", "taskloop"})
_ONE_THREAD = frozenset({"critical", "ordered", "masked", "master"})
_APART = _SHARING_OUT | _TASKS | _ONE_THREAD
_NOT_ALL = "not all threads of the team arrive here"
_IN_CONCURRENT = frozenset({"loop", "parallel", "simd"}) | TRANSPARENT
_CANCELLABLE = {
    "parallel": frozenset({"parallel"}),
    "for": frozenset({"for"}),
    "sections": frozenset({"sections", "section"}),
    "taskgroup": _TASKS,
}
_CANCELS = frozenset({"cancel", "cancellation point"})


@dataclass(frozen=True)
class _Forbidden:
    """Constructs that must not stand directly in others, and why."""

    inner: frozenset[str]
    outer: frozenset[str]
    why: str


_ROWS = (
    _Forbidden(frozenset({"for", "sections", "single", "scope", "barrier"}), _APART, _NOT_ALL),
    _Forbidden(frozenset({"masked", "master"}), _SHARING_OUT | _TASKS, "the thread that it asks for may not come here"),
    _Forbidden(
        frozenset({"ordered"}), _TASKS | {"critical"}, "an ordered region belongs to the iteration of an ordered loop"
    ),
)
_IN_TEAMS = frozenset({"parallel", "distribute", "loop", "atomic", "target"}) | TRANSPARENT
_IN_SIMD = frozenset({"ordered", "simd", "loop", "atomic", "scan"}) | TRANSPARENT


def check_nesting(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report a construct that must not stand where it does; one error each."""
    problem = next(_problems(unit, construct), None)
    if problem is not None:
        message, notes = problem
        sink.error(CODE, f"'{construct.directive.name}' {message}", construct.span, *notes)


_Problem = tuple[str, tuple[Note, ...]]


def _problems(unit: ParsedUnit, construct: Construct) -> Iterator[_Problem]:
    outer = closest(construct)
    if _is_variant(unit, construct, outer):
        return
    first = construct.directive.leaves[0]
    if outer is not None:
        yield from _forbidden(first, outer)
        yield from _concurrent(construct, first)
    if first == "critical":
        yield from _same_critical(construct)
    elif first in _CANCELS:
        yield from _cancel(construct, outer)
    elif first == "ordered":
        yield from _ordered(construct, outer)
    elif first == "section":
        yield from _section(outer)
    elif first == "scan":
        yield from _scan(construct, outer)
    elif first == "teams":
        yield from _teams(unit, construct, outer)
    elif first == "distribute" and outer is not None and leaf(outer) != "teams":
        yield from _must_be_in("teams", outer)
    elif first == "loop" and outer is not None and leaf(outer) != "teams" and construct.bound_to == "teams":
        yield "binds to teams and must stand directly in 'teams'", (_here(outer),)
    elif first == "loop" and outer is not None and leaf(outer) in _APART and construct.bound_to == "parallel":
        yield f"binds to parallel and cannot stand directly in '{leaf(outer)}': {_NOT_ALL}", (_here(outer),)


def _is_variant(unit: ParsedUnit, construct: Construct, outer: Construct | None) -> bool:
    """Whether a metadirective stands between a construct and the one around it: who knows what it becomes."""
    if any(c.directive.name in METADIRECTIVES for c in (construct, *construct.around())):
        return True
    function = unit.span(construct.function)
    start = outer.span.start if outer is not None else function.start if function is not None else 0
    return any(
        d.name in METADIRECTIVES
        and d.span.source is construct.span.source
        and start < d.span.start < construct.span.start
        for _, d in unit.declaratives
    )


def _here(outer: Construct, what: str = "") -> Note:
    return Note(what or f"the '{outer.directive.name}' region starts here", outer.span)


def _must_be_in(name: str, outer: Construct) -> Iterator[_Problem]:
    yield f"must stand directly in '{name}', not in '{outer.directive.name}'", (_here(outer),)


def _forbidden(first: str, outer: Construct) -> Iterator[_Problem]:
    last = leaf(outer)
    name = outer.directive.name
    if last == "atomic":
        yield f"must not stand in '{name}': an atomic operation is one statement", (_here(outer),)
    if last == "simd" and first not in _IN_SIMD:
        why = "the lanes of a loop can execute only 'atomic', 'loop', 'ordered simd', 'scan' and 'simd'"
        yield f"must not stand in '{name}': {why}", (_here(outer),)
    if last == "teams" and first.split(" ")[0] not in _IN_TEAMS:
        why = "only 'distribute', 'loop', 'parallel' and 'atomic' may stand directly in a teams region"
        yield f"must not stand in '{name}': {why}", (_here(outer),)
    for row in _ROWS:
        if first in row.inner and last in row.outer:
            yield f"must not stand in '{name}': {row.why}", (_here(outer),)


def _concurrent(construct: Construct, first: str) -> Iterator[_Problem]:
    """Report what iterations that run in any order must not contain."""
    if first in _IN_CONCURRENT:
        return
    for outer in construct.around():
        if "parallel" in outer.directive.leaves and not outer.directive.has("order"):
            return
        clause = next((c for c in outer.directive.of_type(KeywordClause) if c.name == "order"), None)
        if clause is not None:
            note = Note("its iterations may run in any order because of this", clause.span)
            yield "must not stand in a loop with 'order(concurrent)'", (note,)


def _same_critical(construct: Construct) -> Iterator[_Problem]:
    for outer in construct.around():
        same = critical_name(outer.directive) == critical_name(construct.directive)
        if outer.directive.leaves == ("critical",) and same:
            yield "inside a 'critical' of the same name waits for itself", (_here(outer, "the outer one is here"),)
        if outer.directive.leaves[0] == "target":
            return


def _cancel(construct: Construct, outer: Construct | None) -> Iterator[_Problem]:
    kind = next((c.name for c in construct.directive.clauses if c.name in _CANCELLABLE), None)
    if kind is None:
        return
    wanted = _CANCELLABLE[kind]
    if outer is None:
        yield f"must stand directly in the '{kind}' construct that it cancels", ()
        return
    if leaf(outer) not in wanted:
        what = "a task" if kind == "taskgroup" else f"a '{kind}' construct"
        yield f"of '{kind}' must stand directly in {what}, not in '{outer.directive.name}'", (_here(outer),)
        return
    loop = next((c for c in construct.around() if leaf(c) == kind), outer)
    for name in ("nowait", "ordered") if kind in ("for", "sections") and construct.directive.name == "cancel" else ():
        clause = next(iter(loop.directive.named(name)), None)
        if clause is not None:
            yield f"cannot cancel a '{kind}' construct with '{name}'", (Note(f"'{name}' is here", clause.span),)


def _ordered(construct: Construct, outer: Construct | None) -> Iterator[_Problem]:
    if outer is None:
        return
    alone = association_of(construct.directive) is Association.NONE
    if leaf(outer) == "simd" and not alone:
        if not construct.directive.has("simd"):
            yield "in a simd region needs the clause 'simd'", (_here(outer),)
        return
    if leaf(outer) in _TASKS | {"critical"}:
        return
    clause = next(iter(outer.directive.named("ordered")), None)
    if leaf(outer) not in ("for", "simd") or clause is None:
        advice = "add 'ordered' to it" if leaf(outer) == "for" else "only such a loop knows the order of its iterations"
        yield f"must stand directly in a loop with the clause 'ordered'; {advice}", (_here(outer),)
        return
    has_number = isinstance(clause, ExpressionClause) and bool(clause.expressions)
    note = Note("'ordered' is here", clause.span)
    if alone and not has_number:
        yield "with 'depend' or 'doacross' needs the number of loops in 'ordered(n)'", (note,)
    elif has_number and not alone:
        yield "with a statement needs a loop with 'ordered' without a number", (note,)


def _section(outer: Construct | None) -> Iterator[_Problem]:
    if outer is None:
        yield "must stand directly in 'sections'", ()
    elif leaf(outer) != "sections":
        yield from _must_be_in("sections", outer)


def _scan(construct: Construct, outer: Construct | None) -> Iterator[_Problem]:
    if any(c.directive.leaves[0] == "target" for c in construct.around()):
        return  # the lowering of 'scan' tells
    if outer is None or leaf(outer) not in ("for", "simd"):
        yield "must stand directly in a worksharing or simd loop", () if outer is None else (_here(outer),)
    elif not any(
        isinstance(c, ReductionClause) and any(m.name == "inscan" for m in c.modifiers) for c in outer.directive.clauses
    ):
        yield "needs a 'reduction' with the modifier 'inscan' on its loop", (_here(outer),)


def _teams(unit: ParsedUnit, construct: Construct, outer: Construct | None) -> Iterator[_Problem]:
    if outer is None:
        return
    if leaf(outer) != "target":
        yield from _must_be_in("target", outer)
        return
    other = _beside(outer, construct)
    if other is not None:
        note = Note("this statement is beside it", unit.span(other))
        yield "must be the only statement of its 'target' region", (note, _here(outer))


def _beside(outer: Construct, inner: Construct) -> Node | None:
    """Return a statement of a region that is not the one construct in it."""
    node = outer.body
    while node is not None and node.kind == "COMPOUND_STMT":
        others = [c for c in node.children if not c.start <= inner.node.start < c.end]
        if others:
            return others[0]
        node = next(iter(node.children), None)
    return None
