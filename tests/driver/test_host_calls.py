"""Calls of the host's functions in device code: which of nvcc's words are errors, and how the user reads them."""

from __future__ import annotations

import pytest

from rexcc.driver.host_calls import host_calls

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
    assert [call.text() for call in host_calls(printed, REACHED)] == expected
