"""What the parser puts into the model."""

from __future__ import annotations

from omp_tools import parse

from model_values import plain
from rexcc.openmp.model import (
    DefaultmapClause,
    DependClause,
    Directive,
    ExpressionClause,
    FlagClause,
    KeywordClause,
    ListClause,
    MapClause,
    MotionClause,
    OtherClause,
    PragmaText,
    ReductionClause,
    ScheduleClause,
)
from rexcc.openmp.parser import parse_directive
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.text import SourceText


def clause_of(text: str) -> object:
    """Return the only clause of a directive."""
    (clause,) = parse(text).clauses
    return clause


def test_leaves_and_names() -> None:
    directive = parse("target teams distribute parallel for simd")
    assert directive.leaves == ("target", "teams", "distribute", "parallel", "for", "simd")
    assert parse("target enter data map(to: x)").leaves == ("target enter data",)


def test_map() -> None:
    clause = clause_of("target map(mapper(m), always, to: a[0:n], b)")
    assert isinstance(clause, MapClause)
    assert (clause.map_type, clause.is_default_type) == ("to", False)
    assert [(m.name, plain(m.argument)) for m in clause.modifiers] == [("mapper", "m"), ("always", None)]
    assert [item.base.text for item in clause.items] == ["a", "b"]


def test_map_without_a_type() -> None:
    clause = clause_of("target map(present: a)")
    assert isinstance(clause, MapClause)
    assert (clause.map_type, clause.is_default_type, clause.modifiers[0].name) == ("tofrom", True, "present")


def sections_of(item: str) -> list[tuple[object, object, object, bool]]:
    """Return the sections of a mapped item."""
    clause = clause_of(f"target map(to: {item})")
    assert isinstance(clause, MapClause)
    return [(plain(s.lower), plain(s.length), plain(s.stride), s.is_index) for s in clause.items[0].sections]


def test_sections() -> None:
    assert sections_of("a[:]") == [(None, None, None, False)]
    assert sections_of("a[:n]") == [(None, "n", None, False)]
    assert sections_of("a[l:]") == [("l", None, None, False)]
    assert sections_of("a[l:n:s]") == [("l", "n", "s", False)]
    assert sections_of("a[::2]") == [(None, None, "2", False)]
    assert sections_of("a[0::2]") == [("0", None, "2", False)]
    assert sections_of("a[i][0:n]") == [("i", None, None, True), ("0", "n", None, False)]
    assert sections_of("a[c ? 1 : 2 : n]") == [("c ? 1 : 2", "n", None, False)]
    assert sections_of("a[ns::k]") == [("ns::k", None, None, True)]
    assert sections_of("a[b[i]:f(x, y)]") == [("b[i]", "f(x, y)", None, False)]
    assert sections_of("*p") == []


def test_a_pointer_with_a_shape_is_a_section_of_all_elements() -> None:
    assert sections_of("([n])p") == [(None, "n", None, False)]
    assert sections_of("([n][m + 1])s.p->q") == [(None, "(n) * (m + 1)", None, False)]
    clause = clause_of("target map(([n][2])s.p, (p)[0:2])")
    assert isinstance(clause, MapClause)
    assert [item.base.text for item in clause.items] == ["s.p", "(p)"]
    assert clause.items[0].whole.text == "([n][2])s.p"


def test_bases() -> None:
    clause = clause_of("target map(p->q.r[0:n], (*s).x, a[i].b[0:n], this[:1], a[i].x, *p[i], (T*)q[i])")
    assert isinstance(clause, MapClause)
    bases = [item.base.text for item in clause.items]
    assert bases == ["p->q.r", "(*s).x", "a[i].b", "this", "a[i].x", "*p[i]", "(T*)q[i]"]
    assert [item.is_section for item in clause.items] == [True, False, True, True, False, False, False]


def test_reductions() -> None:
    clause = clause_of("parallel for reduction(inscan, &&: x, y[0:n])")
    assert isinstance(clause, ReductionClause)
    assert (clause.operator, clause.modifiers[0].name, len(clause.items)) == ("&&", "inscan", 2)


def test_expressions() -> None:
    bounds = clause_of("teams num_teams(a ? 1 : 2 : 8)")
    assert isinstance(bounds, ExpressionClause)
    assert ([e.text for e in bounds.expressions], bounds.expression.text) == (["a ? 1 : 2", "8"], "8")
    condition = clause_of("target teams distribute parallel for if(teams: x)")
    assert isinstance(condition, ExpressionClause)
    assert condition.modifiers[0].name == "teams"
    assert parse("target device(ancestor: 1)").expression("device") is not None


def test_other_shapes() -> None:
    schedule = clause_of("for schedule(nonmonotonic: dynamic, n / 4)")
    assert isinstance(schedule, ScheduleClause)
    assert (schedule.kind, plain(schedule.chunk), schedule.modifiers[0].name) == ("dynamic", "n / 4", "nonmonotonic")
    depend = clause_of("task depend(iterator(k=0:n), in: a[k])")
    assert isinstance(depend, DependClause)
    assert (depend.depend_type, plain(depend.modifiers[0].argument)) == ("in", "k=0:n")
    assert isinstance(clause_of("target update to(present: x)"), MotionClause)
    defaultmap = clause_of("target defaultmap(none)")
    assert isinstance(defaultmap, DefaultmapClause)
    assert (defaultmap.behavior, defaultmap.category) == ("none", "all")
    assert isinstance(clause_of("for ordered"), FlagClause)
    assert isinstance(clause_of("for ordered(2)"), ExpressionClause)
    assert isinstance(clause_of("loop order(reproducible: concurrent)"), KeywordClause)
    assert isinstance(clause_of("metadirective when(user={condition(x)}: nothing)"), OtherClause)
    linear = clause_of("simd linear(x: val, step(2))")
    assert isinstance(linear, ListClause)
    assert ([m.name for m in linear.modifiers], plain(linear.step)) == (["val"], "2")


def test_arguments_of_directives() -> None:
    directive = parse("declare target(f, ns::g)")
    assert [item.base.text for item in directive.items] == ["f", "ns::g"]
    mapper = parse("declare mapper(default: T v) map(v)")
    assert (plain(mapper.argument), mapper.items) == ("default: T v", ())


def parse_at(before: str, text: str, exact: bool) -> Directive:
    """Parse a directive that stands behind other text of its line."""
    source = SourceText("t.c", before + text)
    pragma = PragmaText(text, source.span(len(before), len(before + text)), exact)
    directive = parse_directive(pragma, DiagnosticSink())
    assert directive is not None
    return directive


def test_places() -> None:
    directive = parse_at("#pragma omp", " target map(to: a[0:n])", exact=True)
    clause = directive.clauses[0]
    assert isinstance(clause, MapClause)
    assert (directive.span.column, directive.span.text) == (13, "target map(to: a[0:n])")
    assert (clause.span.text, clause.items[0].whole.span.text) == ("map(to: a[0:n])", "a[0:n]")
    length = clause.items[0].sections[0].length
    assert length is not None
    assert (length.span.column, length.span.text) == (32, "n")


def test_places_of_a_pragma_without_text_of_its_own() -> None:
    directive = parse_at("RUN", " target map(to: a)", exact=False)
    assert directive.span == directive.clauses[0].span
    assert directive.span.column == 4
