"""Every directive of a broad list parses without errors and survives unparse and parse."""

from __future__ import annotations

import pytest
from omp_tools import diagnose, parse, pragma

from fuzz.seeds import CANONICAL
from model_values import plain
from rexcc.openmp.lexer import tokenize
from rexcc.openmp.tables import CONSTRUCTS
from rexcc.openmp.unparse import unparse
from rexcc.source.diagnostics import DiagnosticSink

REWRITTEN = [
    ("target  map( to:a , b [0 : n] ) ,nowait", "target map(to: a, b [0 : n]) nowait"),
    ("target map(always to: x)", "target map(always, to: x)"),
    ("target map(mapper(m) close from: x)", "target map(mapper(m), close, from: x)"),
    ("target map(to, always: x)", "target map(always, to: x)"),
    ("target_data map(x)", "target data map(x)"),
    ("target_enter_data map(to: x)", "target enter data map(to: x)"),
    ("begin declare_target", "begin declare target"),
    ("target data map(x) if(target_data: c)", "target data map(x) if(target data: c)"),
    ("simd linear(val(x, y): 2)", "simd linear(x, y: val, step(2))"),
    ("simd linear(ref(x))", "simd linear(x: ref)"),
    ("simd linear(x: step(2))", "simd linear(x: 2)"),
    ("target allocate(omp_alloc: x) private(x)", "target allocate(allocator(omp_alloc): x) private(x)"),
    ("target defaultmap(tofrom)", "target defaultmap(tofrom: all)"),
    ("parallel reduction(or: x)", "parallel reduction(||: x)"),
    ("parallel, private(x), shared(y)", "parallel private(x) shared(y)"),
    ("target map(to: a[::2], b[0::3])", "target map(to: a[::2], b[0::3])"),
    ("target  map(to: a<:0:n:>)", "target map(to: a<:0:n:>)"),
    ("parallel if(x   ==\t'a  b')", "parallel if(x == 'a  b')"),
]


@pytest.mark.parametrize(("text", "canonical"), [*((text, text) for text in CANONICAL), *REWRITTEN])
def test_text_becomes_canonical_and_means_the_same(text: str, canonical: str) -> None:
    directive = parse(text)
    assert unparse(directive) == canonical
    assert plain(parse(canonical)) == plain(directive)


def test_every_directive_is_recognised_by_its_name() -> None:
    listed = {parse(text).name for text in CANONICAL}
    leaves = {name for name, construct in CONSTRUCTS.items() if len(construct.leaves) == 1}
    assert leaves - listed == set()


@pytest.mark.parametrize("text", CANONICAL)
def test_any_token_may_be_missing(text: str) -> None:
    stream = tokenize(pragma(text), DiagnosticSink())
    assert stream is not None
    for token in stream.tokens:
        shorter = text[: token.start()] + text[token.end() :]
        for diagnostic in diagnose(shorter):
            assert diagnostic.span is not None
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(shorter)


@pytest.mark.parametrize("name", [n for n, c in CONSTRUCTS.items() if len(c.leaves) > 1])
def test_combined_names(name: str) -> None:
    directive = parse(name)
    assert (directive.name, " ".join(directive.leaves)) == (name, name)
