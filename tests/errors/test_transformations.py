"""Loop transformations in target regions that OpenMP forbids, or that cannot be lowered yet: code, place and message.

A mark ``«…»`` is around the characters that the diagnostic shows.
"""

from __future__ import annotations

import pytest

import support
from rexcc.source.diagnostics import Severity
from support import marked

FORM = "omp-loop-form"
YET = "unsupported-construct"
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) p[i] = j;"
REFUSED = {
    "no loop": (FORM, "the statement after 'reverse' must be a for loop", "reverse\n«p[0] = 1»;"),
    "one loop": (
        FORM,
        "'interchange' needs 2 loops with nothing but braces between them; this is not loop 2",
        "interchange\nfor (int i = 0; i < n; i++) «p[i] = i»;",
    ),
    "code between": (
        FORM,
        "'tile' needs 2 loops with nothing but braces between them; this is not loop 2",
        "tile sizes(2, 2)\nfor (int i = 0; i < n; i++) «{ p[i] = 0; for (int j = 0; j < n; j++) p[i] += j; }»",
    ),
    "no rectangle": (
        FORM,
        "'interchange' needs loops with bounds of their own; this one depends on 'i'",
        "interchange\nfor (int i = 0; i < n; i++) for (int j = 0; j < «i»; j++) p[i] = j;",
    ),
    "no rectangle of tiles": (
        FORM,
        "'tile' needs loops with bounds of their own; this one depends on 'i'",
        "tile sizes(2, 2)\nfor (int i = 0; i < n; i++) for (int j = «i»; j < n; j++) p[i] = j;",
    ),
    "a loop that ends early": (FORM, "'break' leaves the loop", "reverse\nfor (int i = 0; i < n; i++) «break»;"),
    "a test without bound": (FORM, "not a canonical loop", "reverse\nfor (int i = 0; «p[i]»; i++) p[i] = 0;"),
    "a first value that changes": (
        FORM,
        "'x' is part of the loop's first value and is changed here",
        "reverse\nfor (int i = x; i < n; i++) «x» = 1;",
    ),
    "a loop twice": ("omp-clause-value", "each of the loops 1 to 2 once", f"interchange «permutation(1, 1)»\n{NEST}"),
    "a loop that is not there": ("omp-clause-value", "each of the loops", f"interchange «permutation(1, 3)»\n{NEST}"),
    "an order of the run": ("omp-clause-value", "by constants", f"interchange «permutation(x, 1)»\n{NEST}"),
    "an empty tile": ("omp-clause-value", "'sizes'", "tile sizes(«0»)\nfor (int i = 0; i < n; i++) p[i] = i;"),
    "a hidden name": (
        YET,
        "reads a 'j' which another's index hides",
        "«interchange»\nfor (int i = 0; i < j; i++) for (int j = 0; j < n; j++) p[i] = j;",
    ),
    "an index of no integer": (FORM, "floating-point type", "reverse\nfor (double «x» = 0; x < n; x++) p[0] = 0;"),
    "apply": (
        YET,
        "'reverse' inside a 'target' region",
        "«reverse apply(reverse)»\nfor (int i = 0; i < n; i++) p[i] = i;",
    ),
    "the last value of an index": (
        YET,
        "'lastprivate' of the loop variable 'j' above 'reverse'",
        "parallel for lastprivate(j)\n#pragma omp «reverse»\nfor (j = 0; j < n; j++) p[j] = j;",
    ),
}


def translated(statement: str) -> tuple[support.Translation, str, int, int]:
    source = (
        "void f(int n, int x, int *p) {\nint j = 0;\n#pragma omp target map(tofrom: p[0:n])\n{\n"
        f"#pragma omp {statement}\n}}\n}}\n"
    )
    text, line, column, token = marked(source)
    return support.translate_text(text, "t.c"), token, line, column


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_in_a_region(name: str) -> None:
    code, message, statement = REFUSED[name]
    done, token, line, column = translated(statement)
    found = [d for d in done.diagnostics if d.severity is Severity.ERROR]
    assert [d.code for d in found] == [code], [d.message for d in found]
    assert message in found[0].message
    span = found[0].span
    assert span is not None and (span.text, span.line, span.column) == (token, line, column)


@pytest.mark.parametrize(
    ("collapse", "directives", "message"),
    [
        (3, "tile sizes(2, 2)", "'collapse' takes 2 of these loops at most"),
        (4, "tile sizes(2, 2)", "write 'collapse(2)'"),
        (2, "tile sizes(2)", "'collapse' takes 1 of these loops at most"),
        (2, "unroll partial(2)", "'collapse' takes 1 of these loops at most"),
        (2, "tile sizes(2)\n#pragma omp unroll partial(2)", "which 'tile' or 'unroll partial' makes"),
        (2, "unroll", "'unroll' without 'partial' leaves no loop"),
        (1, "unroll full", "write 'unroll partial(n)'"),
    ],
)
def test_collapse_takes_no_loop_of_a_tile(collapse: int, directives: str, message: str) -> None:
    source = (
        "void f(int *p) {\n#pragma omp target teams distribute parallel for map(p[0:9]) "
        f"collapse({collapse})\n#pragma omp {directives}\n"
        "for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) p[i] = j;\n}\n"
    )
    (found,) = support.translate_text(source, "t.c").diagnostics
    assert found.code == FORM and message in found.message


def test_other_errors_show_in_the_same_run() -> None:
    source = (
        "void f(int n, int *p) {\n#pragma omp target map(tofrom: p[0:n])\n{\n#pragma omp interchange\n"
        "for (int i = 0; i < n; i++) p[i] = i;\n#pragma omp reverse\np[0] = 1;\n}\n}\n"
    )
    found = support.translate_text(source, "t.c").diagnostics
    assert [d.span.line for d in found if d.span is not None] == [5, 7]


def test_a_newer_directive_than_was_asked_for_is_told_of() -> None:
    source = (
        "void f(int n, int *p) {\n#pragma omp target\n#pragma omp reverse\nfor (int i = 0; i < n; i++) p[i] = i;\n}\n"
    )
    (found,) = support.translate_text(source, "t.c", openmp_version=51).diagnostics
    assert (found.code, found.span.line if found.span else 0) == ("omp-version", 3)


def test_a_unit_without_regions_is_left_to_the_host_compiler() -> None:
    source = "void f(int n, int *p) {\n#pragma omp reverse\nfor (int i = 0; i < n; i++) p[i] = i;\n}\n"
    done = support.translate_text(source, "t.c")
    assert not done.has_offload and not done.diagnostics


def test_loops_of_the_host_that_cannot_be_read_stay_as_they_are() -> None:
    source = (
        "void f(int (&a)[8], int *p) {\n#pragma omp tile sizes(2)\nfor (int &x : a) x = 1;\n"
        "#pragma omp target map(p[0:1])\np[0] = 0;\n}\n"
    )
    done = support.translate_text(source, "t.cpp")
    assert done.host is not None and "#pragma omp tile sizes(2)\nfor (int &x : a)" in done.host.text
