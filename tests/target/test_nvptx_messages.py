"""nvcc's messages: what is left out, which of its words are errors, and how the user reads them."""

from __future__ import annotations

import pytest

from rexcc.target.messages import Reached
from rexcc.target.nvptx_messages import NvccMessages
from support import translate_text

MESSAGES = NvccMessages()
REACHES = "which device code reaches [host-function]"
SHARED = "from a __host__ __device__ function"
REACHED = Reached((("a.cpp", 4, 6),))


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            f'a.cpp(6): warning #20011-D: calling a __host__ function("f(int)") {SHARED}("S::g") is not allowed',
            [f"a.cpp:6: error: 'f(int)' has no device code, but is called by 'S::g', {REACHES}"],
        ),
        (f'a.cpp(9): warning #20011-D: calling a __host__ function("f") {SHARED}("S::h") is not allowed', []),
        (
            f'/l/m.h(6): warning #20011-D: calling a __host__ function("part<T>::part") {SHARED}("whole<int> ::whole") '
            "is not allowed",
            [f"/l/m.h:6: error: 'part<T>::part' has no device code, but is called by 'whole<int>::whole', {REACHES}"],
        ),
        (f'/l/m.h(6): warning #20011-D: calling a __host__ function("f") {SHARED}("unused") is not allowed', []),
        (
            f'/c++/12/tuple(9): warning #20011-D: calling a __host__ function("f") {SHARED}("tuple<int> ::g") '
            "is not allowed",
            [],
        ),
        (f'a.cpp(9): warning #20011-D: calling a __host__ function("f") {SHARED}("S<int> ::h") is not allowed', []),
        (f'b.cpp(6): warning #20011-D: calling a __host__ function("f") {SHARED}("S::h") is not allowed', []),
        (
            "a.cpp:9: error: calling a __host__ "
            'function("std::vector<int, ::std::allocator<int> > ::operator [](int)") '
            'from a __global__ function("OUT__1__main__5__kernel__") is not allowed',
            ["a.cpp:9: error: 'std::vector<int, std::allocator<int>>::operator[](int)' has no device code, but is "
             "called by a target region [host-function]"],
        ),
        (
            f"a.cpp:5: warning #20014-D: calling a __host__ function {SHARED} is not allowed\n"
            f'a.cpp:5: warning #20011-D: calling a __host__ function("atoi") {SHARED}("S::draw const") is not allowed',
            [f"a.cpp:5: error: 'atoi' has no device code, but is called by 'S::draw', {REACHES}"],
        ),
        ("a.cpp(5): warning #177-D: variable was declared but never referenced", []),
    ],
)  # fmt: skip
def test_what_device_code_executes_is_an_error(printed: str, expected: list[str]) -> None:
    assert list(MESSAGES.wrong_calls(printed, REACHED)) == expected


def test_functions_of_the_host_are_each_told_once_with_their_names() -> None:
    kernel = 'from a __global__ function("OUT__1__f__8__kernel__") is not allowed'
    names = ("strlen", "memcmp(const void *)", "std::pair<    ::In, int> ::pair<int> (T1 &&)")
    printed = "".join(
        f'a.c(9): error: calling a __host__ function("{name}") {kernel}\n'
        f'a.c(9): error: identifier "{name.partition("(")[0]}" is undefined in device code\n'
        for name in names
    )
    shown = ("strlen", "memcmp(const void *)", "std::pair<In, int>::pair<int> (T1 &&)")
    told = "has no device code, but is called by a target region [host-function]"
    assert MESSAGES.errors(printed, REACHED) == tuple(f"a.c:9: error: '{name}' {told}" for name in shown)


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


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        (
            "ptxas error   : Entry function 'OUT__1__my_f__15__kernel__' uses too much shared data (0x157c0 bytes, "
            "0xc000 max)\n",
            ["error: the kernel in 'my_f', line 15, needs 88000 bytes that the threads of a team share; a block has "
             "49152: map large arrays instead [team-memory]"],
        ),
        (
            "error: nvJitLink: ptxas error   : Entry function 'OUT__1__f__5__kernel__' uses too much local data "
            "(0x100 bytes, 0x80 max); ptxas fatal   : Ptx assembly aborted due to errors",
            ["error: the kernel in 'f', line 5, needs 256 bytes for the variables of each thread; a thread has 128: "
             "map large arrays instead"],
        ),
        (
            "ptxas /tmp/tmpxft_0_rex_lib_f.ptx, line 30; error   : Unknown modifier '.foo'\n"
            "ptxas /tmp/tmpxft_0_rex_lib_f.ptx, line 34; error   : Unknown modifier '.foo'\n"
            "ptxas fatal   : Ptx assembly aborted due to errors\n",
            ["error: NVIDIA's assembler does not take an instruction of the device code: Unknown modifier '.foo'; an "
             "inline assembly statement may have it"],
        ),
        (
            "ptxas fatal   : Unresolved extern function 'f'",
            ["error: NVIDIA's assembler does not take the device code: Unresolved extern function 'f'"],
        ),
        ("ptxas info    : 0 bytes gmem\nptxas warning : Value of threads per SM", []),
    ],
)  # fmt: skip
def test_errors_of_the_assembler_are_said_in_words_of_ours(printed: str, expected: list[str]) -> None:
    assert list(MESSAGES.errors(printed, Reached())) == expected


def test_what_only_nvcc_knows_is_said_in_words_of_ours():
    stack = (
        "warning : Stack size for entry function 'OUT__1__my_f__12__double__kernel__' cannot be statically determined"
    )
    (line,) = MESSAGES.readable(f"ptxas {stack}\nnvlink {stack}\n").splitlines()
    assert line.startswith("warning: how much stack the kernel in 'my_f', line 12, needs cannot be told")


BAD_INSTRUCTION = "ptxas /tmp/t/rex_lib_f.ptx, line 30; error   : Parsing error near 'cvt': syntax error\n"


@pytest.mark.parametrize(
    ("places", "begin"),
    [
        (("a.c:3:5",), "a.c:3:5: error: NVIDIA's assembler does not take this statement: Parsing error near 'cvt'"),
        (("a.c:3:5", "b.h:7:1"), "a.c:3:5: error: NVIDIA's assembler does not take this statement (or one of those at "
         "b.h:7:1): "),
    ],
)  # fmt: skip
def test_errors_in_inline_assembly_have_its_place(places: tuple[str, ...], begin: str) -> None:
    (found,) = MESSAGES.errors(BAD_INSTRUCTION, Reached(assembly=places))
    assert found.startswith(begin) and found.endswith("(PTX) [unsupported-declaration]")


def test_inline_assembly_of_regions_and_of_what_they_call_is_known() -> None:
    function = 'static int one(void) {\n  int x;\n  __asm__("mov.u32 %0, 1;" : "=r"(x));\n  return x;\n}\n'
    region = 'void f(int *a) {\n#pragma omp target map(a[0:1])\n  { __asm__ volatile(""); a[0] = one(); }\n}\n'
    found = translate_text(function + region, "t.c")
    assert found.reached.assembly == ("t.c:8:5", "t.c:3:3")
