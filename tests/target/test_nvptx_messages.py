"""nvcc's messages: what is left out, which of its words are errors, and how the user reads them."""

from __future__ import annotations

import pytest

from rexcc.target.nvptx_messages import NvccMessages

MESSAGES = NvccMessages()
SHARED = "from a __host__ __device__ function"
REACHED = (("a.cpp", 4, 6),)


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            f'a.cpp(6): warning #20011-D: calling a __host__ function("f(int)") {SHARED}("S::g") is not allowed',
            ["a.cpp:6: error: 'f(int)' has no device code, but is called by 'S::g', which device code reaches"],
        ),
        (f'a.cpp(9): warning #20011-D: calling a __host__ function("f") {SHARED}("S::h") is not allowed', []),
        (f'b.cpp(6): warning #20011-D: calling a __host__ function("f") {SHARED}("S::h") is not allowed', []),
        (
            "a.cpp:9: error: calling a __host__ "
            'function("std::vector<int, ::std::allocator<int> > ::operator [](int)") '
            'from a __global__ function("OUT__1__main__5__kernel__") is not allowed',
            ["a.cpp:9: error: 'std::vector<int, std::allocator<int>>::operator[](int)' has no device code, but is "
             "called by a target region"],
        ),
        (
            f"a.cpp:5: warning #20014-D: calling a __host__ function {SHARED} is not allowed\n"
            f'a.cpp:5: warning #20011-D: calling a __host__ function("atoi") {SHARED}("S::draw const") is not allowed',
            ["a.cpp:5: error: 'atoi' has no device code, but is called by 'S::draw', which device code reaches"],
        ),
        ("a.cpp(5): warning #177-D: variable was declared but never referenced", []),
    ],
)  # fmt: skip
def test_what_device_code_executes_is_an_error(printed: str, expected: list[str]) -> None:
    assert list(MESSAGES.wrong_calls(printed, REACHED)) == expected


NVCC = """In file included from head.h:3:
head.h:4:2: warning: #warning old [-Wcpp]
    4 | #warning old
      |  ^~~~~~~
head.h:4:2: note: here
nn.c(12): error: identifier "x" is undefined
  z[i] = x;
         ^
          detected during instantiation of "f"

nn.c(14): warning #177-D: variable "y" was declared but never referenced
    int y;
        ^

Remark: The warnings can be suppressed with "-diag-suppress <warning-number>"

Warning #20014-D: calling a __host__ function from a __host__ __device__ function is not allowed
          detected during instantiation of "g"

nvcc warning : Support for offline compilation for architectures prior to sm_75 will be removed
ptxas error   : Entry function 'OUT__1__f__3__kernel__' uses too much shared data (0x2 bytes, 0x1 max)
1 error detected in the compilation of "/tmp/x/rex_lib_nn.cu".
ptxas info    : 0 bytes gmem
"""


def test_nvcc_output_is_reduced_to_errors():
    assert MESSAGES.readable(NVCC).splitlines() == [
        'nn.c:12: error: identifier "x" is undefined',
        "  z[i] = x;",
        "         ^",
        '          detected during instantiation of "f"',
        "ptxas error   : Entry function 'OUT__1__f__3__kernel__' uses too much shared data (0x2 bytes, 0x1 max)",
    ]


def test_what_only_nvcc_knows_is_said_in_words_of_ours():
    stack = (
        "warning : Stack size for entry function 'OUT__1__my_f__12__double__kernel__' cannot be statically determined"
    )
    (line,) = MESSAGES.readable(f"ptxas {stack}\nnvlink {stack}\n").splitlines()
    assert line.startswith("warning: how much stack the kernel in 'my_f', line 12, needs cannot be told")
