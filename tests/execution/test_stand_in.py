"""What builds the programs of the tests knows the flags of the driver: where it does not, it takes the long way."""

from __future__ import annotations

import pytest

import support
from support import Bench

PROGRAM = """\
int main(void) {
  int a = 1;
#pragma omp target map(tofrom : a)
  a--;
  return a;
}
"""


@pytest.mark.usefixtures("runtime")
@pytest.mark.parametrize(("host", "compiler"), [("clang-19", "clang++-19"), ("gcc", "g++")])
def test_images_have_their_headers_precompiled(bench: Bench, host: str, compiler: str) -> None:
    if host not in support.COMPILERS:
        pytest.skip(f"no {host}")
    folder = bench.place({"t.c": PROGRAM, "t.cpp": PROGRAM})
    assert support.rexcc(folder, f"--host-compiler={host}", "-c", "t.c", "t.cpp") == 0
    made = [path.name for path in (support.shared() / "bin").glob(f"{compiler}_-O0_*.gch")]
    assert {"REX_SOURCE_IS_C" in name for name in made} == {True, False}
