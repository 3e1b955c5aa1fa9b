"""Values that clauses must not have (OpenMP 5.2, the restrictions of the clauses).

In: a construct. Out: errors at the expression: a count that is constant and not positive, a number that is negative or
no integer, an expression that had to be a constant. What is known only at run time is the runtime's to judge. The
``collapse`` of a region's own loops is read, and refused in the same words, by :mod:`rexcc.analysis.regions`.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.regions import COLLAPSE_RULE
from rexcc.analysis.rules.facts import is_known
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.openmp.model import Expression, ExpressionClause, ListClause, ScheduleClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

CODE = "omp-clause-value"

_COUNTS = {
    "num_teams": "the number of teams",
    "num_threads": "the number of threads",
    "thread_limit": "the number of threads",
    "collapse": "the number of loops",
    "ordered": "the number of loops",
    "simdlen": "the number of lanes",
    "safelen": "the distance of iterations",
    "grainsize": "the number of iterations",
    "num_tasks": "the number of tasks",
    "sizes": "the size of a tile",
    "partial": "the unroll factor",
}
_NOT_NEGATIVE = {"device": "a device number", "priority": "a priority"}
_CONSTANTS = frozenset({"collapse", "ordered", "simdlen", "safelen", "partial", "align", "hint"})
_LEAVE_OUT = "leave the clause out for the default"


def check_counts(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report constants that are not positive where a positive value is needed."""
    for name, what, expression in _positive(construct):
        value = construct.value_of(expression)
        if value is None or value > 0:
            continue
        if name == "collapse":
            sink.error("omp-collapse", COLLAPSE_RULE, expression.span)
        else:
            message = f"{what} in '{name}' must be positive and is {value} here; {_LEAVE_OUT}"
            sink.error(CODE, message, expression.span)


def _positive(construct: Construct) -> Iterator[tuple[str, str, Expression]]:
    for clause in construct.directive.clauses:
        if isinstance(clause, ExpressionClause) and clause.name in _COUNTS:
            for expression in clause.expressions:
                yield clause.name, _COUNTS[clause.name], expression
        elif isinstance(clause, ScheduleClause) and clause.chunk is not None:
            yield clause.name, "the chunk size", clause.chunk


def check_numbers(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report device numbers and priorities below 0; -1 and below name devices since OpenMP 5.2 (5.2, 1.5)."""
    for clause in construct.directive.of_type(ExpressionClause):
        what = _NOT_NEGATIVE.get(clause.name)
        value = construct.value_of(clause.expression) if what else None
        if value is not None and value < (0 if clause.name == "priority" else _LEAST_DEVICE):
            message = f"{what} cannot be negative and is {value} here; {_LEAVE_OUT}"
            sink.error(CODE, message, clause.expression.span)


_LEAST_DEVICE = -1
"""``omp_initial_device``."""


def check_integers(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report counts and numbers that are pointers, or have a fraction; objects may have a conversion."""
    for what, expression in _integers(construct):
        node = construct.node_of(expression)
        kind = types.kind_name(types.canonical(node.type)) if node is not None and is_known(node.type) else ""
        if kind in _NO_INTEGERS:
            message = f"{what} must be an integer; '{expression.text.strip()}' is {_NO_INTEGERS[kind]}"
            sink.error(CODE, message, expression.span)


def _integers(construct: Construct) -> Iterator[tuple[str, Expression]]:
    for clause in construct.directive.clauses:
        if isinstance(clause, ExpressionClause) and clause.name in _NUMBERS:
            for expression in clause.expressions:
                yield _NUMBERS[clause.name], expression
        elif isinstance(clause, ScheduleClause) and clause.chunk is not None:
            yield "the chunk size", clause.chunk
        elif isinstance(clause, ListClause) and clause.name == "linear" and clause.step is not None:
            yield "a linear step", clause.step


_COUNTED = ("num_teams", "num_threads", "thread_limit", "grainsize", "num_tasks")
_NUMBERS = {name: _COUNTS[name] for name in _COUNTED} | _NOT_NEGATIVE
_NO_INTEGERS = {
    "POINTER": "a pointer",
    "CONSTANTARRAY": "an array",
    "FLOAT": "a floating-point number",
    "DOUBLE": "a floating-point number",
    "LONGDOUBLE": "a floating-point number",
}


def check_alignments(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report alignments that are no powers of two; compilers take those above 0."""
    for clause in construct.directive.of_type(ListClause):
        value = construct.value_of(clause.step) if clause.name == "aligned" else None
        if clause.step is not None and value is not None and (value <= 0 or value & (value - 1)):
            report = sink.error if value <= 0 else sink.warning
            report(CODE, f"an alignment must be a power of two and is {value} here", clause.step.span)


def check_constants(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Report variables in clauses whose argument the compiler has to know."""
    for clause in construct.directive.of_type(ExpressionClause):
        if clause.name not in _CONSTANTS:
            continue
        for expression in clause.expressions:
            node = construct.node_of(expression)
            if node is not None and (name := _variable_in(node)) is not None:
                if clause.name == "collapse":
                    sink.error("omp-collapse", COLLAPSE_RULE, expression.span)
                    continue
                message = f"'{clause.name}' needs an integer constant; '{name}' is a variable"
                sink.error(CODE, message, expression.span)


def check_linear_steps(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Warn of variables that change by 0 in each iteration."""
    for clause in construct.directive.of_type(ListClause):
        if clause.name == "linear" and clause.step is not None and construct.value_of(clause.step) == 0:
            sink.warning(CODE, "a linear step of 0 changes nothing; the variable could be const", clause.step.span)


def _variable_in(node: Node) -> str | None:
    """Return the name of a variable in an expression that is not constant."""
    if evaluate_integer(node.cursor) is not None:
        return None
    for inner in node.walk():
        found = inner.referenced if inner.kind == "DECL_REF_EXPR" else None
        if found is not None and found.kind.name in ("VAR_DECL", "PARM_DECL") and not types.is_constant(found.type):
            return str(found.spelling)
    return None
