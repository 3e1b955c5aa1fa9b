"""Names in the lists of ``declare target``."""

from __future__ import annotations

import pytest

import support
from rexcc.source.diagnostics import Severity

MAIN = "int main(void) {\n  int s = 0;\n#pragma omp target map(tofrom : s)\n  s = 1;\n  return s;\n}\n"


def _errors(text: str) -> list[tuple[str, str]]:
    found = support.translate_text(text + MAIN, "t.c").diagnostics
    return [(d.code, d.span.text if d.span else "") for d in found if d.severity is Severity.ERROR]


@pytest.mark.parametrize(
    "clause", ["link(nowhere)", "enter(nowhere)", "to(nowhere)", "enter(nowhere) device_type(any)"]
)
def test_an_undeclared_name(clause: str):
    assert _errors(f"#pragma omp declare target {clause}\n") == [("omp-bad-list-item", "nowhere")]


def test_an_undeclared_name_in_two_lists():
    text = "#pragma omp declare target (nowhere)\n#pragma omp declare target enter(nowhere)\n"
    assert {code for code, _ in _errors(text)} == {"omp-bad-list-item"}


def test_a_name_in_two_lists_that_exclude_each_other():
    assert _errors("int x;\n#pragma omp declare target enter(x) link(x)\n") == [("omp-bad-list-item", "x")]


@pytest.mark.parametrize(
    "text",
    [
        "int here;\n#pragma omp declare target link(here)\n",
        "#define MAKE(n) int made_##n;\nMAKE(1)\n#pragma omp declare target enter(made_1)\n",
        "#include <math.h>\n#pragma omp declare target enter(fabs)\n",
        "static int f(void) { return 1; }\n#pragma omp declare target (f)\n",
    ],
)
def test_declared_names(text: str):
    assert _errors(text) == []
