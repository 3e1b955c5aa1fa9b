"""Regions and loops that do nothing are lowered like any other."""

from __future__ import annotations

import pytest

from support import compiled

DIRECTIVES = (
    "target", "target parallel", "target teams", "target simd", "target parallel for", "target teams distribute",
    "target teams distribute parallel for", "target teams distribute parallel for collapse(2)", "target teams loop",
    "target parallel for schedule(dynamic)", "target teams distribute parallel for simd", "target parallel loop",
    "target teams distribute parallel for dist_schedule(static, 4)", "target teams distribute simd",
)  # fmt: skip
INNER = ("", "distribute", "distribute parallel for", "parallel", "parallel for", "for", "loop bind(thread)", "simd")
STATEMENTS = (";", "{}", "{ ; }", "{ {} }", "{ int unused; }", "{ if (n) ; }", "{ for (int k = 0; k < n; k++) ; }")


def _allowed(outer: str, inner: str) -> bool:
    if not inner:
        return True
    if inner.startswith("distribute"):
        return outer == "target teams"
    if outer == "target teams":
        return inner not in ("for", "simd")
    return outer == ("target parallel" if inner == "for" else "target")


@pytest.mark.parametrize("outer", DIRECTIVES)
def test_what_does_nothing(outer: str) -> None:
    has_loop = not {"target", "target teams", "target parallel"} & {outer}
    header = "for (int i = 0; i < n; i++)\n"
    nest = f"{header}for (int j = 0; j < n; j++)\n" if "collapse" in outer else header
    text = "void f(int n) {\n"
    for inner in (each for each in INNER if _allowed(outer, each)):
        for statement in STATEMENTS:
            text += f"#pragma omp {outer}\n{nest if has_loop else ''}"
            text += f"{'{'}\n#pragma omp {inner}\n{'' if inner == 'parallel' else header}" if inner else ""
            text += f"{statement}\n{'}' if inner else ''}\n"
    assert compiled(text + "}\n").kernels
