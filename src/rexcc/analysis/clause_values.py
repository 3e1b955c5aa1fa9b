"""Values that clauses must not have: counts and chunk sizes that are constant and not positive.

In: a construct. Out: errors at the expression. What is known only at run time is the runtime's to judge. The
``collapse`` of a region's own loops is read, and refused in the same words, by :mod:`rexcc.analysis.regions`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.regions import COLLAPSE_RULE
from rexcc.clang.library import evaluate_integer
from rexcc.frontend.unit import Construct
from rexcc.openmp.model import Expression, ExpressionClause, ScheduleClause
from rexcc.source.diagnostics import DiagnosticSink

_COUNTS = {
    "num_teams": "the number of teams",
    "num_threads": "the number of threads",
    "thread_limit": "the number of threads",
    "collapse": "the number of loops",
    "simdlen": "the number of lanes",
    "safelen": "the distance of iterations",
}


def check_values(construct: Construct, sink: DiagnosticSink) -> None:
    """Report constants that are not positive where a positive value is needed."""
    for name, what, expression in _positive(construct):
        node = construct.expressions.get(expression)
        value = evaluate_integer(node.cursor) if node is not None else None
        if value is None or value > 0:
            continue
        if name == "collapse":
            sink.error("omp-collapse", COLLAPSE_RULE, expression.span)
        else:
            message = f"{what} in '{name}' must be positive and is {value} here; leave the clause out for the default"
            sink.error("omp-clause-value", message, expression.span)


def _positive(construct: Construct) -> Iterator[tuple[str, str, Expression]]:
    for clause in construct.directive.clauses:
        if isinstance(clause, ExpressionClause) and clause.name in _COUNTS:
            for expression in clause.expressions:
                yield clause.name, _COUNTS[clause.name], expression
        elif isinstance(clause, ScheduleClause) and clause.chunk is not None:
            yield clause.name, "the chunk size", clause.chunk
