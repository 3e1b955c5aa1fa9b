"""When device code is compiled without the mathematical special functions of the C++ library."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.target.commands import NO_SPECIAL_FUNCTIONS, Around, CommandLine, HostCompiler, Job
from rexcc.target.cpu import CPU
from rexcc.target.model import Target
from rexcc.target.nvptx import NVPTX
from rexcc.target.special_functions import without_special_functions

AROUND = Around("nvcc", HostCompiler("clang", "clang++", "clang"), "/rexcc/include", 19)
HEAD = '#include "rex_nvidia.h"\n#include <algorithm>\n#include <cmath>\n#include <math.h>\n'
LIBRARY = Path("/usr/include/c++")


@pytest.mark.parametrize(
    "text",
    [
        "*p = std::cyl_bessel_j(0.0, x);",
        "using std::legendre;",
        "*p = sph_bessell(1, x);",
        "*p = expintf(x);",
        "*p = std::beta(x, y);",
        "*p = std :: beta (x, y);",
        "*p = beta(x, y);",
        "*p = apply(beta, x);",
        "*p = __gnu_cxx::airy_ai(x);",
        "#ifdef __cpp_lib_math_special_functions\n#endif",
        "#if __STDCPP_MATH_SPEC_FUNCS__ >= 201003L\n#endif",
        "#include <tr1/cmath>",
        "#include <library>",
        "#include <library/functions.hpp>",
        '#include "functions.h"',
        "#include_next <functions.h>",
        "#include HEADER",
    ],
)
def test_they_may_be_needed(text: str):
    assert not without_special_functions(HEAD + text, ())


@pytest.mark.parametrize(
    "text",
    [
        "",
        "*p = std::max(std::sqrt(x), erf(y));",
        "static void gemm(double alpha, double beta) { *p = alpha * x + beta * *p; }",
        "const float *__restrict__ beta = b;\n*p = beta[i];",
        '#include <vector>\n#include <sys/time.h>\n#include "rex_device_half.h"',
        "*p = alphabeta(x);",
    ],
)
def test_they_are_left_out(text: str):
    assert without_special_functions(HEAD + text, ("-DN=4", "-Ifolder")) == NO_SPECIAL_FUNCTIONS


@pytest.mark.parametrize(
    "word", ["-DF=std::legendre", "-include", "-imacros", "-D__STDCPP_WANT_MATH_SPEC_FUNCS__", "-optf", "@options"]
)
def test_options_may_need_them(word: str):
    assert not without_special_functions(HEAD, (word,))


@pytest.mark.parametrize("target", [NVPTX, CPU])
@pytest.mark.parametrize(("text", "is_left_out"), [("*p = std::sqrt(x);", True), ("*p = std::hermite(2, x);", False)])
@pytest.mark.parametrize("is_cxx", [True, False])
def test_a_device_file_is_asked(target: Target, text: str, is_left_out: bool, is_cxx: bool):
    job = Job("rex_lib_a.cu", "a.image", target.architectures.default, text=text)
    (step,) = target.tools.image(job, CommandLine(is_cxx=is_cxx), AROUND)
    assert (NO_SPECIAL_FUNCTIONS[0] in step.argv) == (is_left_out or not is_cxx)


def test_all_names_of_the_library_are_known():
    """libstdc++'s header that is left out defines nothing in ``std`` or for users that the rule has no name of."""
    headers = list(LIBRARY.glob("*/bits/specfun.h"))
    if not headers:
        pytest.skip("no libstdc++")
    for header in headers:
        text = header.read_text()
        found = {line.split("(")[0].strip() for line in text.splitlines() if line.startswith("  ") and "(" in line}
        names = {name for name in found if name.isidentifier() and not name.startswith(("__", "return"))}
        assert "cyl_bessel_j" in names and len(names) > 40
        assert [name for name in sorted(names) if without_special_functions(f"std::{name}(x)", ())] == []
