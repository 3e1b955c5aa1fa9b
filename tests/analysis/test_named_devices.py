"""Whether a file names devices itself, which the host file then says."""

from __future__ import annotations

import pytest

import support

SAID = "REX_NAMES_DEVICES\n"
REGION = "#pragma omp target map(tofrom: a) {}\n  a++;\n"
FILE = "#include <omp.h>\nvoid g(void *p, int d);\nint f(int a) {{\n  int d = 0;\n  {}\n  return a + d;\n}}\n"


def says(statement: str) -> bool:
    """Whether the host file of a function with a statement says so."""
    return SAID in support.compiled(FILE.format(statement)).host


@pytest.mark.parametrize("device", ["device(0)", "device(d)", "device(device_num: d)", "device(omp_get_num_devices())"])
def test_clauses_with_numbers(device: str) -> None:
    assert says(REGION.format(device))
    assert says(f"#pragma omp target enter data map(to: a) {device}\n")
    assert says(f"#pragma omp target data map(a)\n  {{\n{REGION.format(device)}  }}\n")


@pytest.mark.parametrize(
    "device", ["", "device(omp_get_default_device())", "device( (omp_get_default_device( )) )",
               "device(omp_get_initial_device())"]
)  # fmt: skip
def test_clauses_without_numbers(device: str) -> None:
    assert not says(REGION.format(device))


@pytest.mark.parametrize(
    "call",
    [
        "g(omp_target_alloc(8, 0), 0);",
        "g(omp_target_alloc(8, d), 0);",
        "g(omp_target_alloc(sizeof(int) * (4 + a), 1), omp_get_default_device());",
        "d = omp_target_is_present(&a, d);",
        "g(omp_get_mapped_ptr(&a, 0), 0);",
        "omp_target_memcpy(&a, &d, 4, 0, 0, d, 0);",
    ],
)
def test_routines_with_numbers(call: str) -> None:
    assert says(REGION.format("") + call)


@pytest.mark.parametrize(
    "call",
    [
        "g(omp_target_alloc(8, omp_get_default_device()), 0);",
        "d = omp_get_default_device(); g(omp_target_alloc(8, d), 0);",
        "d = omp_get_num_devices();",
        "/* omp_target_alloc(8, 0) */ // omp_target_alloc(8, 0)\n",
        'g("omp_target_alloc(8, 0)", 0);',
    ],
)
def test_routines_without_numbers(call: str) -> None:
    assert not says(REGION.format("") + call)
