"""Parser of OpenMP directives.

In: the text of one pragma. Out: a :class:`Directive`, with everything that is wrong reported at its exact token. The
tables decide what is known; :mod:`rexcc.openmp.value_clauses` and :mod:`rexcc.openmp.list_clauses` read the arguments.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.openmp.arguments import read_argument
from rexcc.openmp.checks import check_needs, check_required, check_together, report_not_allowed, report_unknown_clause
from rexcc.openmp.clauses import ClauseRow, Need, Shape
from rexcc.openmp.lexer import Part, TokenStream, tokenize
from rexcc.openmp.list_clauses import (
    read_aligned,
    read_allocate,
    read_allocators,
    read_depend,
    read_induction,
    read_linear,
    read_list_clause,
    read_map,
    read_motion,
    read_reduction,
)
from rexcc.openmp.model import Clause, Directive, FlagClause, PragmaText
from rexcc.openmp.names import NameMatch, match_name
from rexcc.openmp.site import Site
from rexcc.openmp.tables import CLAUSE_ROWS, Construct
from rexcc.openmp.text_clauses import read_attribute, read_directives, read_initializer, read_operations, read_other
from rexcc.openmp.value_clauses import (
    read_bounds,
    read_defaultmap,
    read_expression,
    read_flag,
    read_keyword,
    read_schedule,
)
from rexcc.openmp.variants import read_match, read_when
from rexcc.source.diagnostics import DiagnosticSink

Reader = Callable[[Site], "Clause | None"]

READERS: dict[Shape, Reader] = {
    Shape.FLAG: read_flag,
    Shape.KEYWORD: read_keyword,
    Shape.EXPRESSION: read_expression,
    Shape.BOUNDS: read_bounds,
    Shape.LIST: read_list_clause,
    Shape.LINEAR: read_linear,
    Shape.INDUCTION: read_induction,
    Shape.ALIGNED: read_aligned,
    Shape.ALLOCATE: read_allocate,
    Shape.ALLOCATORS: read_allocators,
    Shape.MAP: read_map,
    Shape.MOTION: read_motion,
    Shape.REDUCTION: read_reduction,
    Shape.SCHEDULE: read_schedule,
    Shape.DEPEND: read_depend,
    Shape.DEFAULTMAP: read_defaultmap,
    Shape.MATCH: read_match,
    Shape.WHEN: lambda site: read_when(site, parse_directive),
    Shape.DIRECTIVES: read_directives,
    Shape.OPERATIONS: read_operations,
    Shape.ATTRIBUTE: read_attribute,
    Shape.INITIALIZER: read_initializer,
    Shape.OTHER: read_other,
}


def parse_directive(pragma: PragmaText, sink: DiagnosticSink) -> Directive | None:
    """Return the directive of a pragma with the clauses that are right; all errors go to the sink.

    None when brackets do not match or the directive itself is unknown or misspelt.
    """
    stream = tokenize(pragma, sink)
    match = match_name(stream, sink) if stream is not None else None
    if stream is None or match is None:
        return None
    before = len(sink.found)
    argument, items = read_argument(stream, match, sink)
    clauses = _read_clauses(stream, match, sink)
    construct = match.construct
    check_together(construct, clauses, sink)
    check_needs(construct, clauses, bool(items), sink)
    if match.correct and len(sink.found) == before:
        check_required(construct, clauses, stream, match.after, sink)
    if not match.correct:
        return None
    span = stream.span(Part(0, len(stream)))
    return Directive(construct.name, construct.leaves, tuple(clauses), span, argument, items)


def _read_clauses(stream: TokenStream, match: NameMatch, sink: DiagnosticSink) -> list[Clause]:
    """Read the clauses, separated by commas or nothing, after a directive's name and argument."""
    group = stream.group_at(match.after)
    index = group.stop + 1 if group else match.after
    clauses: list[Clause] = []
    while index < len(stream):
        if not stream.is_word(index):
            index = _skip_separator(stream, index, match.construct, sink)
            continue
        group = stream.group_at(index + 1)
        clause = _read_clause(stream, index, group, match.construct, sink)
        clauses += [clause] if clause else []
        index = group.stop + 1 if group else index + 1
    return clauses


def _skip_separator(stream: TokenStream, index: int, construct: Construct, sink: DiagnosticSink) -> int:
    """Return the index of the next word; report anything but one comma in front of it."""
    stop = index
    while stop < len(stream) and not stream.is_word(stop):
        stop = max(stop, stream.partner[stop]) + 1
    if stream.text(index) == "," and stop == index + 1 < len(stream):
        return stop
    wrong = index + 1 if stream.text(index) == "," and index + 1 < len(stream) else index
    message = f"unexpected '{stream.text(wrong)}' in directive '{construct.name}'"
    fixes = stream.removal(wrong) if stream.partner[wrong] < 0 else ()
    sink.error("omp-junk", message, stream.span(Part(wrong, wrong + 1)), fixes=fixes)
    return stop


def _read_clause(
    stream: TokenStream, index: int, group: Part | None, construct: Construct, sink: DiagnosticSink
) -> Clause | None:
    """Read the clause that starts at a word."""
    word = stream.text(index)
    row = construct.clauses.get(word)
    if row is None:
        place = stream.span(Part(index, index + 1))
        if word in CLAUSE_ROWS:
            report_not_allowed(construct, word, place, sink)
        else:
            report_unknown_clause(construct, word, place, list(CLAUSE_ROWS), sink)
        return None
    site = Site(stream, sink, construct, row, index, group)
    if not _has_right_form(site, row):
        return None
    if group is None and row.argument is Need.MAY and row.shape is not Shape.WHEN:
        return FlagClause(row.name, site.span)
    return READERS[row.shape](site)


def _has_right_form(site: Site, row: ClauseRow) -> bool:
    """Whether parentheses are there just when the clause needs or allows them."""
    if row.argument is Need.MUST and site.argument is None:
        place = Part(site.at, site.at + 1)
        site.error("omp-missing-argument", f"clause '{row.name}' needs an argument in parentheses", place)
        return False
    if row.argument is Need.NEVER and site.argument is not None:
        place = Part(site.at + 1, site.argument.stop + 1)
        site.error("omp-unexpected-argument", f"clause '{row.name}' takes no argument", place)
        return False
    return True
