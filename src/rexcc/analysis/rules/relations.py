"""Clauses of one directive that are right alone and contradict each other (OpenMP 5.2, their restrictions).

In: a construct. Out: an error at the later of the two, with the other as a note.
"""

from __future__ import annotations

from rexcc.analysis.rules.facts import critical_name, in_target, statements
from rexcc.openmp.model import Clause, ExpressionClause, KeywordClause, ListClause, ReductionClause, ScheduleClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note

CODE = "omp-clause-conflict"


def check_lengths(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``simdlen`` is at most ``safelen`` (10.4)."""
    simdlen, safelen = _value(construct, "simdlen"), _value(construct, "safelen")
    if simdlen and safelen and simdlen[1] > safelen[1]:
        message = f"'simdlen' asks for {simdlen[1]} lanes, but iterations are independent up to {safelen[1]} only"
        _report(sink, message, simdlen[0], safelen[0])


def check_depths(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The loops of ``ordered(n)`` include those of ``collapse`` (4.4.4)."""
    ordered, collapse = _value(construct, "ordered"), _value(construct, "collapse")
    if ordered and collapse and ordered[1] < collapse[1]:
        message = f"'ordered' speaks of {ordered[1]} loops and 'collapse' of {collapse[1]}; it cannot be fewer"
        _report(sink, message, ordered[0], collapse[0])


def check_teams(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The lower bound of ``num_teams`` is at most the upper one (10.2.1)."""
    for clause in construct.directive.of_type(ExpressionClause):
        if clause.name != "num_teams" or len(clause.expressions) != 2:
            continue
        lower, upper = (construct.value_of(e) for e in clause.expressions)
        if lower is not None and upper is not None and lower > upper:
            message = f"at least {lower} teams and at most {upper} is no number of teams"
            sink.error(CODE, message, clause.expressions[0].span)


def check_linear_steps(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``ordered(n)`` and ``linear`` exclude each other (11.5.1)."""
    ordered = _value(construct, "ordered")
    for clause in construct.directive.of_type(ListClause):
        if clause.name == "linear" and ordered:
            _report(sink, "'linear' cannot be used on a loop with 'ordered(n)'", clause, ordered[0])


def check_schedules(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A schedule is monotonic or not, and ``nonmonotonic`` has no order (11.5.3)."""
    for clause in construct.directive.of_type(ScheduleClause):
        words = {m.name: m for m in clause.modifiers}
        if "monotonic" in words and "nonmonotonic" in words:
            note = Note("'monotonic' is here", words["monotonic"].span)
            sink.error(CODE, "a schedule is 'monotonic' or 'nonmonotonic'", words["nonmonotonic"].span, note)
        ordered = next(iter(construct.directive.named("ordered")), None)
        if "nonmonotonic" in words and ordered is not None:
            note = Note("'ordered' is here", ordered.span)
            sink.error(CODE, "'nonmonotonic' contradicts 'ordered'", words["nonmonotonic"].span, note)


def check_inscan(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A loop with a scan has no ``ordered`` (5.5.8), and its reductions all take part in it."""
    clauses = [c for c in construct.directive.of_type(ReductionClause) if c.name == "reduction"]
    scanning = [c for c in clauses if _is_inscan(c)]
    if not scanning:
        return
    for clause in construct.directive.named("ordered"):
        _report(sink, "'ordered' cannot be used together with an 'inscan' reduction", clause, scanning[0])
    for other in clauses:
        if not _is_inscan(other):
            _report(sink, "all reductions of a loop are 'inscan' or none is", other, scanning[0])


def _is_inscan(clause: ReductionClause) -> bool:
    return any(m.name == "inscan" for m in clause.modifiers)


def _value(construct: Construct, name: str) -> tuple[Clause, int] | None:
    """Return an expression clause with the constant that is its argument."""
    for clause in construct.directive.of_type(ExpressionClause):
        if clause.name == name and clause.expressions:
            value = construct.value_of(clause.expression)
            return (clause, value) if value is not None else None
    return None


def _report(sink: DiagnosticSink, message: str, clause: Clause, other: Clause) -> None:
    sink.error(CODE, message, clause.span, Note(f"'{other.name}' is here", other.span))


def check_concurrent_calls(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Iterations in any order call nothing of OpenMP's runtime (10.3)."""
    clause = next((c for c in construct.directive.of_type(KeywordClause) if c.name == "order"), None)
    for node in statements(construct) if clause is not None else ():
        called = node.referenced if node.kind == "CALL_EXPR" else None
        if clause is not None and called is not None and str(called.spelling).startswith("omp_"):
            message = f"'{called.spelling}' cannot be called in a loop with 'order(concurrent)'"
            sink.error("omp-concurrent-call", message, unit.span(node), Note("asked for here", clause.span))


def check_reduction_modifiers(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """``inscan`` is for loops that threads or lanes share, ``task`` for what forms threads that run tasks (5.5.8).

    In target regions the lowering of ``scan`` tells of ``inscan``.
    """
    leaves = set(construct.directive.leaves)
    for clause in construct.directive.of_type(ReductionClause):
        for modifier in clause.modifiers:
            if modifier.name == "inscan" and leaves.isdisjoint({"for", "simd"}) and not in_target(construct):
                message = f"'inscan' is for loops with a 'scan', and '{construct.directive.name}' is none"
                sink.error(CODE, message, modifier.span)
            if modifier.name == "task" and ("simd" in leaves or leaves.isdisjoint(_RUNNING_TASKS)):
                message = f"'task' is for parallel and worksharing constructs, not for '{construct.directive.name}'"
                sink.error(CODE, message, modifier.span)


_RUNNING_TASKS = frozenset({"parallel", "for", "sections", "scope"})


def check_alone(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A ``hint`` of ``critical`` needs a name (15.2), ``nowait`` of ``taskwait`` needs ``depend`` (15.5)."""
    directive = construct.directive
    hint = next((c for c in directive.of_type(ExpressionClause) if c.name == "hint"), None)
    is_unnamed = directive.name == "critical" and not critical_name(directive)
    if is_unnamed and hint is not None and construct.value_of(hint.expression) != 0:
        sink.error(CODE, "'hint' needs a name of the critical region, as in 'critical(name)'", hint.span)
    nowait = next(iter(directive.named("nowait")), None)
    if directive.name == "taskwait" and nowait is not None and not directive.has("depend"):
        sink.error(CODE, "'nowait' without 'depend' would wait for nothing at all", nowait.span)
