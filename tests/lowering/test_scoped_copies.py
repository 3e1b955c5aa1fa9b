"""Copies of variables that constructs name with a scope in front: the statement means the copy, not the original."""

from __future__ import annotations

import re

import pytest

from support import expect_error, translate_text

SOURCE = """
#pragma omp declare target
namespace n { static int y; }
#pragma omp end declare target
static void f(int *out) {
  n::y = 3;
  %s
  out[64] = n::y;
}
void g(int *out) {
  #pragma omp target map(tofrom: out[0:65])
  f(out);
}
"""
CONSTRUCTS = {
    "a reduction": "#pragma omp parallel for reduction(+: n::y)\n  for (int i = 0; i < 64; i++) n::y += 1;",
    "a private copy": "#pragma omp parallel for private(n::y)\n  for (int i = 0; i < 64; i++) out[i] = n::y = i;",
    "a first value": "#pragma omp parallel for firstprivate(n::y)\n  for (int i = 0; i < 64; i++) out[i] = n::y++;",
    "the last value": "#pragma omp parallel for lastprivate(n::y)\n  for (int i = 0; i < 64; i++) n::y = i;",
    "a loop variable": "#pragma omp parallel for\n  for (n::y = 0; n::y < 64; n::y++) out[n::y] = 1;",
}
LINKED = """
int z;
#pragma omp declare target link(z)
static void f(int *out) {
  %s
}
#pragma omp declare target to(f)
void g(int *out) {
  #pragma omp target map(tofrom: out[0:64], z)
  f(out);
}
"""


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_statements_of_constructs_in_functions_mean_the_copy(name: str) -> None:
    device = translate_text(SOURCE % CONSTRUCTS[name], "t.cpp").device
    assert device is not None
    loops = re.findall(r"for \((?:int [iy] = threadIdx|n::y|y|int i = 0).*", device.text)
    assert loops
    assert not any("n::y" in loop for loop in loops)


@pytest.mark.parametrize(
    "construct",
    [
        "#pragma omp parallel for firstprivate(«z»)\nfor (int i = 0; i < 64; i++) out[i] = z++;",
        "#pragma omp parallel for reduction(+: «z»)\nfor (int i = 0; i < 64; i++) z += out[i];",
        "#pragma omp «parallel for»\nfor (z = 0; z < 64; z++) out[z] = 1;",
    ],
)
def test_copies_of_what_pointers_reach_are_refused_in_functions(construct: str) -> None:
    expect_error(LINKED % construct, "unsupported-clause", "copy it to a local variable first")
