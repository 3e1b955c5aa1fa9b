"""Misspelt words have a mending, and the mended directive is right."""

from __future__ import annotations

import pytest
from omp_tools import diagnose

from rexcc.openmp.model import PragmaText
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import CLAUSE_ROWS, CONSTRUCTS
from rexcc.source.diagnostics import DiagnosticSink, render
from rexcc.source.text import SourceText

MENDED = {
    "taget map(to: x)": "target map(to: x)",
    "target teams distribut parallel for": "target teams distribute parallel for",
    "paralel fro": "parallel for",
    "parallelfor num_threads(2)": "parallel for num_threads(2)",
    "task loop": "taskloop",
    "target enter map(to: x)": "target enter data map(to: x)",
    "for nowiat schedule(static)": "for nowait schedule(static)",
    "target mpa(to: x) nowiat": "target map(to: x) nowait",
    "parallel privte(x) sharde(y)": "parallel private(x) shared(y)",
    "target map(toform: x)": "target map(tofrom: x)",
    "target map(alwys, to: x)": "target map(always, to: x)",
    "target map(mappr(m), to: x)": "target map(mapper(m), to: x)",
    "task depend(inn: x)": "task depend(in: x)",
    "for schedule(dynmic, 4)": "for schedule(dynamic, 4)",
    "for schedule(monotonc: static)": "for schedule(monotonic: static)",
    "parallel default(shard)": "parallel default(shared)",
    "parallel private(a);": "parallel private(a)",
    "parallel private(a),, shared(b)": "parallel private(a), shared(b)",
    "parallel private(a,,b)": "parallel private(a,b)",
    "parallel private(a,)": "parallel private(a)",
    "parallel private(,a)": "parallel private(a)",
    "target map(to x)": "target map(to: x)",
    "target update to(present x)": "target update to(present: x)",
    "task depend(in x)": "task depend(in: x)",
    "target device(ancestor 1)": "target device(ancestor: 1)",
    "target parallel for if(parallel x)": "target parallel for if(parallel: x)",
    "target defaultmap(tofrm: scalar)": "target defaultmap(tofrom: scalar)",
    "target defaultmap(tofrom: scaler)": "target defaultmap(tofrom: scalar)",
}


def mended(text: str) -> str:
    """Return a directive with all mendings done."""
    fixes = [fix for found in diagnose(text) for fix in found.fixes]
    for fix in sorted(fixes, key=lambda f: f.span.start, reverse=True):
        text = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
    return text


@pytest.mark.parametrize("wrong", MENDED)
def test_what_is_wrong_has_a_mending(wrong: str) -> None:
    assert mended(wrong) == MENDED[wrong]
    assert not diagnose(MENDED[wrong])


WORDS = frozenset(word for name in (*CONSTRUCTS, *CLAUSE_ROWS) for word in name.split())


def misspellings(word: str) -> set[str]:
    """Return a word with a letter missing, with a wrong one, and with two in the wrong order."""
    middle = len(word) // 2
    start, end = word[:middle], word[middle:]
    return {start + end[1:], f"{start}x{end[1:]}", start[:-1] + end[0] + start[-1] + end[1:]} - WORDS


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_misspelt_directive_is_answered_with_the_right_one(name: str) -> None:
    words = name.split()
    for index, word in enumerate(words):
        for wrong in misspellings(word):
            text = " ".join([*words[:index], wrong, *words[index + 1 :]])
            found = [d for d in diagnose(text) if d.code == "omp-unknown-directive"]
            assert len(found) == 1, text
            assert f"did you mean '{name}'?" in found[0].message
            assert mended(text) == name


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_misspelt_clause_is_answered_with_the_right_one(name: str) -> None:
    for clause in (c for c in CONSTRUCTS[name].clauses if len(c) > 2):
        for wrong in misspellings(clause):
            for text in (f"{name} {wrong}", f"{name} {wrong}(x)"):
                found = [d for d in diagnose(text) if d.code == "omp-unknown-clause"]
                assert len(found) == 1, text
                assert f"did you mean '{clause}'?" in found[0].message
                assert [fix.replacement for fix in found[0].fixes] == [clause]


def test_the_mending_stands_under_its_place() -> None:
    (found,) = diagnose("for nowiat schedule(static)")
    shown = render(found).splitlines()
    assert shown[1:] == [
        "    1 | for nowiat schedule(static)",
        "      |     ^~~~~~",
        "      |     nowait",
    ]
    (found,) = diagnose("paralel fr schedule(static)")
    assert render(found).splitlines()[3] == "      | parallel for"


def test_a_clause_that_the_directive_does_not_take_is_no_mending() -> None:
    (found,) = diagnose("parallel for nowiat")
    assert "did you mean 'nowait'" in found.message and not found.fixes


def test_a_word_out_of_a_macro_has_no_mending() -> None:
    source = SourceText("t.c", "MACRO(x)")
    sink = DiagnosticSink()
    parse_directive(PragmaText("target mpa(to: x)", source.span(0, 8), exact=False), sink)
    assert [(d.code, d.fixes) for d in sink.found] == [("omp-unknown-clause", ())]
