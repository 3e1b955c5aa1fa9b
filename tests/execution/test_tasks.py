"""Target tasks overlap, also outside of parallel regions; constructs run on the device they ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent
COMPILERS = support.sampled(("gcc", "clang"), 2)
ENDED = "begin\nend of a child\nend of a child with tasks\nchildren: 7 8\n0 wrong\n"

pytestmark = pytest.mark.usefixtures("runtime")


def built(bench: Bench, folder: str, name: str, compiler: str) -> Path:
    options = ("--host-compiler=gcc",) if compiler == "gcc" else ()
    return bench.build({name: (HERE / folder / name).read_text()}, "-w", *options)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_tasks_overlap_with_each_other_and_with_the_thread_that_made_them(bench: Bench, compiler: str) -> None:
    program = built(bench, "tasks", "meeting.c", compiler)
    met = [f"{where}: 1 1 1" for where in ("outside", "one thread", "single", "task")]
    assert support.on_device(program).splitlines() == met


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_program_ends_when_its_tasks_have(bench: Bench, compiler: str) -> None:
    program = built(bench, "tasks", "ending.c", compiler)
    assert support.run(program, OMP_TARGET_OFFLOAD="MANDATORY") == "3 0\n"
    assert support.run(program, "exit", OMP_TARGET_OFFLOAD="MANDATORY") == "3 7\n"


def test_tasks_of_threads_that_openmp_does_not_know(bench: Bench) -> None:
    """libomp's threads for target tasks would abort in most of these runs, and its children would wait for them."""
    program = built(bench, "tasks", "threads.c", "clang")
    for _ in range(8):
        assert support.run(program, OMP_TARGET_OFFLOAD="MANDATORY") == ENDED
    ended = "^status 1\nbegin\n\nrex: threads.c:42 stay: this kernel has not ended after 1 second, so the program ends"
    with pytest.raises(AssertionError, match=ended):
        support.run(program, "stay", REX_WATCHDOG="1")


@pytest.mark.parametrize(("name", "lines"), [("devices.c", 13), ("conditions.c", 9)])
@pytest.mark.parametrize("compiler", COMPILERS)
def test_each_construct_runs_on_the_device_that_it_asks_for(bench: Bench, compiler: str, name: str, lines: int) -> None:
    found = support.on_device(built(bench, "devices", name, compiler)).splitlines()
    assert len(found) == lines
    assert [line for line in found if not line.endswith(": 1")] == []


def test_a_device_that_does_not_exist_ends_the_program(bench: Bench) -> None:
    source = '#include <stdlib.h>\nint main(void) {\n  int x = 0, d = atoi(getenv("NUMBER"));\n'
    source += "#pragma omp target device(d) map(x)\n  x = 1;\n  return x;\n}\n"
    program = bench.build({"t.c": source}, "-w")
    for number in ("1000", "-2"):
        with pytest.raises(AssertionError, match=f"'{number}' out of range"):
            support.on_device(program, NUMBER=number)
