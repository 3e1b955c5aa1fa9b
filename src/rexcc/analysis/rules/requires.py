"""Where ``requires`` directives stand and what they say (OpenMP 5.2, 8.2), and where ``assumes`` ones do (8.3).

In: a parsed unit. Out: errors for those inside of functions; for ``requires`` behind the first construct that they
concern, two different default memory orders, and arguments of the run (OpenMP 6.0 has constant ones).
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.requirements import requires_directives
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.openmp.model import Clause, ExpressionClause, KeywordClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.text import Span

CODE = "omp-requires"
_OF_DEVICES = frozenset(
    {"reverse_offload", "unified_address", "unified_shared_memory", "self_maps", "dynamic_allocators"}
)
_ASSUMED = frozenset({"assumes", "begin assumes", "end assumes"})
_ORDER = "atomic_default_mem_order"
_ORDERS = ("seq_cst", "acq_rel", "acquire", "release", "relaxed")
_KNOWN = ("0", "1", "true", "false")


def check_requires(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """A ``requires`` directive stands at the scope of a file, namespace or class, in front of what it concerns."""
    orders: list[KeywordClause] = []
    for _, directive in requires_directives(unit):
        if any(_stands_in_function(unit, top, directive.span) for top in unit.declarations):
            sink.error(CODE, "'requires' must not stand in a function; put it at the file's beginning", directive.span)
            continue
        for clause in directive.clauses:
            _check_argument(clause, sink)
            first = next(_earlier(unit, clause), None)
            if first is not None:
                note = Note(f"'{first.directive.name}' stands here", first.span)
                sink.error(CODE, f"'requires {clause.name}' must stand in front of what it concerns", clause.span, note)
        orders += [clause for clause in directive.of_type(KeywordClause) if clause.name == _ORDER]
    for clause in orders[1:]:
        note = Note("the first is here", orders[0].span)
        sink.error(CODE, "there is one default memory order in a file", clause.span, note)


def check_assumes(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """What is assumed of a file, or of the functions between two directives, is said outside of functions."""
    for _, directive in unit.declaratives:
        if directive.name not in _ASSUMED or not any(
            _stands_in_function(unit, top, directive.span) for top in unit.declarations
        ):
            continue
        message = f"'{directive.name}' must not stand in a function; 'assume' says it of a block"
        sink.error("omp-nesting", message, directive.span)


def _stands_in_function(unit: ParsedUnit, node: Node, place: Span) -> bool:
    """Whether a place is inside of a function that a declaration is, or that is declared in it."""
    span = unit.span(node)
    if span is None or span.source is not place.source or not span.start <= place.start < span.end:
        return False
    if node.kind in FUNCTION_KINDS:
        return any(child.kind == "COMPOUND_STMT" for child in node.children)
    return any(_stands_in_function(unit, child, place) for child in node.children)


def _earlier(unit: ParsedUnit, clause: Clause) -> Iterator[Construct]:
    """Yield the constructs in front of a clause that it concerns."""
    for construct in all_constructs(unit):
        directive = construct.directive
        if construct.span.source is not clause.span.source or construct.span.start > clause.span.start:
            continue
        if clause.name in _OF_DEVICES and directive.leaves[0].startswith("target"):
            yield construct
        if clause.name == _ORDER and directive.leaves == ("atomic",) and not directive.named(*_ORDERS):
            yield construct


def _check_argument(clause: Clause, sink: DiagnosticSink) -> None:
    if isinstance(clause, ExpressionClause) and clause.expression.text.strip() not in _KNOWN:
        message = f"the argument of '{clause.name}' must be 'true' or 'false'"
        sink.error(CODE, message, clause.expression.span)
