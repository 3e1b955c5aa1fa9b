"""Runs of statements in which kernels are queued: the queue is closed wherever the host may see what they have done."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

FOLDER = Path(__file__).parent / "queues"
COUNTED = "-Wl," + ",".join(f"--wrap=rex_batch_{name}" for name in ("begin", "end", "pause", "resume"))

pytestmark = pytest.mark.usefixtures("runtime")


def test_the_queue_is_closed_on_every_way_that_sees_kernels(bench: Bench) -> None:
    """The numbers are those of a build for the host alone; the program counts open queues where it looks at data."""
    program = bench.build({path.name: path.read_text() for path in FOLDER.iterdir()}, COUNTED)
    expected = "3 11 6 12 3 8 1 0 1 0 0 89 89\nwrong: 0\n"
    assert support.on_device(program) == support.on_host(program) == expected


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_functions_that_are_called_leave_the_queue_where_they_see_kernels(bench: Bench, compiler: str) -> None:
    """Each line ends with the queues that were opened and the times that one was left."""
    folder = FOLDER.parent / "called_functions"
    words = (f"--host-compiler={compiler}", "-Wl,--wrap=rex_batch_begin,--wrap=rex_batch_pause")
    program = bench.build({path.name: path.read_text() for path in folder.iterdir()}, *words)
    expected = (
        "nobody, and what happens once: 500, 1 1\nnobody: 1000, 1 0\none: 1500, 1 10\n"
        "two of which one launches: 3000, 11 10\nthrown: 1\none that throws: 3100, 1 2\nnobody again: 3600, 1 0\n"
        "nobody, in a lambda: 4600, 1 0\none, in a lambda: 5600, 1 20\ntold 41, once 1, steps 45, wrong 0\n"
    )
    assert support.on_device(program) == support.on_host(program) == expected


INLINED = r"""
#include <alloca.h>
#include <setjmp.h>
#include <stdio.h>
static int seen;
__attribute__((noinline)) int elsewhere(int n) { return seen += n; }
inline int itself(int n) { if (n > 3) { elsewhere(n); itself(n - 1); } return n; }
inline int first(int n);
inline int second(int n) { if (n > 3) { elsewhere(n); first(n - 1); } return n; }
inline int first(int n) { if (n > 2) { elsewhere(n); second(n - 1); } return n; }
static jmp_buf back;
inline int twice(int n) { if (n > 3) { if (setjmp(back) == 0) elsewhere(n); } return n; }
inline int framed(int n) { if (n > 3) { char *p = (char *)alloca(n << 12); *p = 1; elsewhere(*p); } return n; }
template <class T> T plain(T n) { if (n > 3) { elsewhere(n); } return n; }
struct made {
  int n;
  made(int m) : n(m) { if (m > 3) { elsewhere(m); } }
  friend int of(made m) { if (m.n > 4) { elsewhere(m.n); } return m.n; }
};
static int a[64];
int main() {
  int s = 0;
#pragma omp target data map(tofrom : a)
  for (int k = 0; k < 2000; k++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 64; i++) a[i] += k & 7;
    s += itself(k & 7);
    s += first(k & 7);
    s += twice(k & 7);
    s += framed(k & 7);
    s += plain(k & 7) + of(made(k & 7));
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 64; i++) a[i] += k & 3;
  }
  printf("%d %d %d\n", a[3], s, seen);
}
"""


@pytest.mark.parametrize("compiler", ["clang-19", "gcc"])
def test_functions_that_become_a_part_of_their_callers_can_be(bench: Bench, compiler: str) -> None:
    """Some of these a compiler refuses to inline; ``alloca`` must not take more of the stack for each call."""
    words = (f"--host-compiler={compiler}", "-O1", "-Werror=attributes")
    program = bench.build({"inlined.cpp": INLINED}, *words)
    assert support.on_device(program) == support.on_host(program) == bench.plain({"inlined.cpp": INLINED})
