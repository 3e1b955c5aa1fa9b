"""Objects of the C++ library without members have a place in device code where something refers to them."""

from __future__ import annotations

import pytest

from support import compiled

PROGRAM = """#include <tuple>
int g();
void f(int *r) {
#pragma omp target map(r[0:2])
  { %s; }
}
"""


@pytest.mark.parametrize("name", ["std::ignore", "::std::ignore", "std :: ignore"])
@pytest.mark.parametrize("use", ["%s = r[1]", "std::tie(r[0], %s) = std::make_tuple(1, 2)", "(%s = 3) = r[0]"])
def test_objects_that_are_referred_to_are_no_variables_of_the_host(use: str, name: str) -> None:
    device = compiled(PROGRAM % use % name, "t.cpp").device
    assert use % f"rex_empty_object<decltype({name})>()" in device
