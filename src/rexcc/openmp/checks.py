"""Rules about the clauses of one directive together.

In: a construct and the clauses that were read for it. Out: errors for a clause that it does not take, one that is there
too often, two that exclude each other, and one that is missing; each shows the clause and points back at the first.
"""

from __future__ import annotations

from rexcc.openmp.clauses import ClauseRow, Unique
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.model import Clause, DefaultmapClause, MapClause
from rexcc.openmp.names import CONSTRUCT_FLAGS
from rexcc.openmp.tables import LEAF_ROWS, Construct, named_construct, takers
from rexcc.source.diagnostics import DiagnosticSink, Note, did_you_mean, respelt
from rexcc.source.spelling import nearest
from rexcc.source.text import Span

_SHORT = 4


def report_unknown_clause(construct: Construct, word: str, place: Span, known: list[str], sink: DiagnosticSink) -> None:
    """Report a word that is no clause, with the nearest clause of this directive, else of any."""
    hint = did_you_mean(word, construct.clauses) or did_you_mean(word, (k for k in known if k not in CONSTRUCT_FLAGS))
    fixes = respelt(place, word, nearest(word, construct.clauses))
    sink.error("omp-unknown-clause", f"unknown clause '{word}' on '{construct.name}'{hint}", place, fixes=fixes)


def report_not_allowed(construct: Construct, name: str, place: Span, sink: DiagnosticSink) -> None:
    """Report a clause of other directives, naming these when they are few."""
    own = [leaf for leaf in construct.leaves if name in LEAF_ROWS[leaf].clauses]
    others = takers(name)
    hint = did_you_mean(name, construct.clauses)
    if own:
        hint = f"; only a '{own[-1]}' of its own takes it"
    elif len(others) <= _SHORT:
        hint = f"; it belongs to {_listed(others)}"
    sink.error("omp-clause-not-allowed", f"clause '{name}' is not allowed on '{construct.name}'{hint}", place)


def _listed(names: tuple[str, ...]) -> str:
    quoted = [f"'{name}'" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"


def check_together(construct: Construct, clauses: list[Clause], sink: DiagnosticSink) -> None:
    """Report repeated and exclusive clauses, and map types that the directive does not allow."""
    first: dict[tuple[str, ...], Clause] = {}
    for clause in clauses:
        key = _identity(construct.clauses[clause.name], clause)
        if key and key in first:
            note = Note(f"the first '{clause.name}' is here", first[key].span)
            sink.error("omp-repeated-clause", f"clause '{clause.name}' is there twice", clause.span, note)
        elif key:
            first[key] = clause
        _check_map_type(construct, clause, sink)
    _check_conditions(clauses, sink)
    for group in construct.exclusive:
        _check_exclusive(group, clauses, sink)


def _check_conditions(clauses: list[Clause], sink: DiagnosticSink) -> None:
    """Report an ``if`` for all constructs beside one for a construct by name (5.2, 3.4)."""
    conditions = [clause for clause in clauses if clause.name == "if"]
    named = next((clause for clause in conditions if named_construct(clause)), None)
    for clause in conditions if named is not None else ():
        if named is not None and not named_construct(clause):
            message = "'if' without the name of a construct cannot be used together with one that has a name"
            note = Note(f"'if({named_construct(named)}: …)' is here", named.span)
            sink.error("omp-exclusive-clauses", message, clause.span, note)


def _identity(row: ClauseRow, clause: Clause) -> tuple[str, ...]:
    """Return what may be there once only; nothing for a clause that may be repeated."""
    if row.unique is Unique.NO:
        return ()
    category = clause.category if isinstance(clause, DefaultmapClause) else ""
    return (clause.name, category, named_construct(clause) or "")


def _check_exclusive(group: tuple[str, ...], clauses: list[Clause], sink: DiagnosticSink) -> None:
    present = [clause for clause in clauses if clause.name in group]
    for clause in present[1:]:
        if clause.name == present[0].name:
            continue
        note = Note(f"'{present[0].name}' is here", present[0].span)
        message = f"clause '{clause.name}' cannot be used together with '{present[0].name}'"
        sink.error("omp-exclusive-clauses", message, clause.span, note)


def _check_map_type(construct: Construct, clause: Clause, sink: DiagnosticSink) -> None:
    if not isinstance(clause, MapClause) or clause.is_default_type:
        return
    allowed = next((LEAF_ROWS[leaf].map_types for leaf in construct.leaves if LEAF_ROWS[leaf].map_types), ())
    if not allowed or clause.map_type in allowed:
        return
    message = f"map type '{clause.map_type}' is not allowed on '{construct.name}'; allowed: {', '.join(allowed)}"
    sink.error("omp-map-type-not-allowed", message, clause.span)


def check_needs(construct: Construct, clauses: list[Clause], has_list: bool, sink: DiagnosticSink) -> None:
    """Report clauses that need another one, and those behind a list that stands for all of them."""
    row = construct.row
    if not row.needs and not (row.list_alone and has_list):
        return
    names = {clause.name for clause in clauses}
    for clause in clauses:
        needed = next((other for name, other in row.needs if name == clause.name and other not in names), "")
        if needed:
            message = f"clause '{clause.name}' needs the clause '{needed}' on '{construct.name}'"
            sink.error("omp-missing-clause", message, clause.span)
        if row.list_alone and has_list:
            message = f"'{construct.name}' with a list takes no clauses: put the list in a clause 'enter'"
            sink.error("omp-clause-not-allowed", message, clause.span)


def check_required(
    construct: Construct, clauses: list[Clause], stream: TokenStream, after: int, sink: DiagnosticSink
) -> None:
    """Report, at the name that ends before a token, the groups of clauses of which none is there."""
    names = {clause.name for clause in clauses}
    for leaf in construct.leaves:
        for group in LEAF_ROWS[leaf].required:
            if names.isdisjoint(group):
                needed = f"one of the clauses {_listed(group)}" if len(group) > 1 else f"the clause '{group[0]}'"
                message = f"'{construct.name}' needs {needed}"
                sink.error("omp-missing-clause", message, stream.span(Part(0, after)))
