"""Remarks on accesses by which neighbouring threads do not reach neighbouring elements."""

from __future__ import annotations

import pytest

import support
from rexcc.source.diagnostics import Diagnostic

HEAD = (
    "typedef struct { double m, v[3]; float t; } body; typedef struct { float x, y; } point;\n"
    "void f(int n, int m, float *x, const float *y, body *b, point *p, const int *o, float t[][8], float u[][64]) {\n"
)
LOOP = "#pragma omp target teams distribute parallel for\nfor (int i = 0; i < n; i++) "
APART, READ = "far apart", "depends on data"


def told(text: str) -> list[Diagnostic]:
    found = support.translate_text(f"{HEAD}{text}\n}}\n", remarks=True)
    return [d for d in found.diagnostics if d.code == "rex-access"]


SIDE_BY_SIDE = {
    "the index": f"{LOOP}x[i] = y[i];",
    "with an offset": f"{LOOP}x[i + m] = y[n - i];",
    "one for all": f"{LOOP}x[i] = y[m] + y[3];",
    "a struct of one transfer": f"{LOOP}p[i].x = p[i].y;",
    "elements that lie close": f"{LOOP}x[2 * i] = y[4 * i];",
    "rows of one transfer": f"{LOOP}t[i][m] = 1;",
    "a local that is computed": f"{LOOP}{{ int k = i + 1; x[k] = y[k]; }}",
    "the last loop of a nest": "#pragma omp target teams distribute parallel for collapse(2)\n"
    "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) x[j * n + i] = y[j * n + i];",
    "groups share the inner loop": f"{LOOP}for (int j = 0; j < m; j++) x[i * m + j] = y[i * m + j];",
}


@pytest.mark.parametrize("text", SIDE_BY_SIDE.values(), ids=SIDE_BY_SIDE)
def test_nothing_is_told_of_what_lies_side_by_side(text: str) -> None:
    assert not [d.message for d in told(text)]


UNKNOWN = "'{}', in which they differ, is multiplied by what only the run knows"
BETWEEN = "{} bytes lie between them: they differ in '{}'"
APARTS = {
    "rows": (f"{LOOP}x[i * m] = 1;", "x[i * m]", UNKNOWN.format("i"), "i * m"),
    "a sum of a row": (
        f"{LOOP}{{ float s = 0; for (int j = 0; j < m; j++) s += y[i * m + j]; x[i] = s; }}",
        "y[i * m + j]", UNKNOWN.format("i"), "i * m + j",
    ),
    "a constant": (f"{LOOP}x[16 * i] = 1;", "x[16 * i]", BETWEEN.format(64, "i"), "16 * i"),
    "backwards": (f"{LOOP}x[n - 16 * i] = 1;", "x[n - 16 * i]", BETWEEN.format(64, "i"), "n - 16 * i"),
    "large structs": (f"{LOOP}b[i].t = 1;", "b[i].t", BETWEEN.format(40, "i"), "i"),
    "arrays in arrays": (f"{LOOP}u[i][3] = 1;", "u[i][3]", BETWEEN.format(256, "i"), "i"),
    "teams of one thread, which a kernel spreads": (
        "#pragma omp target teams distribute\nfor (int i = 0; i < n; i++) x[i * m] = 1;",
        "x[i * m]", UNKNOWN.format("i"), "i * m",
    ),
    "a step of the loop": (
        f"{LOOP.replace('i++', 'i += 32')}x[i] = 1;", "x[i]", BETWEEN.format(128, "i"), "i",
    ),
    "the first loop of a nest that is numbered as it is written": (
        "#pragma omp target teams distribute parallel for collapse(2)\n"
        "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) if (i > j) x[i * m + j] = 1;",
        "x[i * m + j]", UNKNOWN.format("i"), "i * m + j",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "access", "why", "where"), APARTS.values(), ids=APARTS)
def test_what_lies_apart(text: str, access: str, why: str, where: str) -> None:
    (found,) = told(text)
    assert found.message == f"neighbouring threads access '{access}' {APART}"
    assert found.span is not None and found.span.text == access
    ((note, span),) = [(n.message, n.span) for n in found.notes]
    assert (note, span.text if span else "") == (why, where)


def test_what_depends_on_data() -> None:
    (found,) = told(f"{LOOP}x[i] = y[o[i]] + y[o[i]];")
    assert found.message == f"how far apart neighbouring threads access 'y[o[i]]' {READ}"
    assert found.notes[0].span is not None and found.notes[0].span.text == "o[i]"


def test_nothing_is_told_of_a_schedule_of_the_users() -> None:
    """There neighbouring threads do not have neighbouring iterations."""
    assert not told(LOOP.replace("for\n", "for schedule(static, 4)\n") + "x[i * m] = 1;")
