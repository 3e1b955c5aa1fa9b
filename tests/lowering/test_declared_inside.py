"""Declarative directives that stand in blocks of device code: they leave comments, and nothing else."""

from __future__ import annotations

import pytest

import support

_BODY = """#include <cstdio>
struct S {{ int *p; int n; }};
int main() {{
  int r = 0;
#pragma omp target {teams} map(tofrom : r)
  {{
    int before = 1;
#pragma omp {directive}
    int behind = before;
#pragma omp parallel for reduction(+ : behind)
    for (int i = 0; i < 4; i++) behind += i;
    r = behind;
  }}
  std::printf("%d\\n", r);
}}
"""
_DIRECTIVES = (
    "declare reduction(most : int : omp_out = omp_out > omp_in ? omp_out : omp_in) initializer(omp_priv = 0)",
    "declare reduction(most : int : omp_out += omp_in)",
    "declare mapper(S s) map(s.p[0 : s.n])",
    "nothing",
)


@pytest.mark.parametrize("teams", ["", "teams num_teams(1)"])
@pytest.mark.parametrize("directive", _DIRECTIVES)
def test_a_declaration_in_a_block_leaves_a_comment(directive: str, teams: str) -> None:
    device = support.compiled(_BODY.format(directive=directive, teams=teams), "t.cpp").device
    lines = [line.strip() for line in device.splitlines()]
    assert f"/* #pragma omp {directive} */" in lines
    assert "__host__" not in device
