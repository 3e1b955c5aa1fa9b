"""When nvcc is told that lambdas may be marked as device code."""

from __future__ import annotations

import pytest

from rexcc.target.commands import Around, CommandLine, HostCompiler, Job
from rexcc.target.nvptx import NVPTX
from rexcc.target.nvptx_lambdas import may_mark_lambdas

AROUND = Around("nvcc", HostCompiler("clang", "clang++", "clang"), "/rexcc/include", 19)
HEAD = '#include "rex_nvidia.h"\n#include <algorithm>\n#include <math.h>\n'


@pytest.mark.parametrize(
    "text",
    [
        "auto f = [] __device__ (int a) { return a; };",
        "auto f = [=](int a) mutable __host__ __device__ { return a; };",
        "auto f = [&] /* for both */ __host__ __device__ { };",
        "#define LAMBDA [=] __device__\n",
        "#define EVERYWHERE \\\n  __host__ __device__\n",
        "#ifdef __CUDACC_EXTENDED_LAMBDA__\n#endif\n",
        "#include <library.hpp>\n",
        "#include <library/forall.h>\n",
        '  # include "/opt/library/forall.h"\n',
        "#include HEADER\n",
    ],
)
def test_a_marked_lambda_may_be_there(text: str):
    assert may_mark_lambdas(HEAD + text)


@pytest.mark.parametrize(
    "text",
    [
        "__device__ static int f(int a) { return [=](int b) { return a + b; }(1); }",
        "template <class T> __host__ __device__ T g(T a[2]) { return a[0]; }",
        '#include <sys/time.h> // seconds\n#include <functional>\n#include "rex_device_half.h"\n',
        "",
    ],
)
def test_no_lambda_is_marked(text: str):
    assert not may_mark_lambdas(HEAD + text)


@pytest.mark.parametrize(("text", "is_cxx", "is_asked"), [
    ("auto f = [] __device__ {};", True, True),
    ("auto f = [] {};", True, False),
    ("auto f = [] __device__ {};", False, False),
])  # fmt: skip
def test_nvcc_is_asked_for_them_only_there(text: str, is_cxx: bool, is_asked: bool):
    job = Job("rex_lib_a.cu", "a.cubin", "sm_90", text=text)
    (step,) = NVPTX.tools.image(job, CommandLine(is_cxx=is_cxx), AROUND)
    assert ("--extended-lambda" in step.argv) == is_asked
