"""Target tasks: they overlap, also outside of parallel regions, with each host compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent / "tasks"
COMPILERS = ("clang", "gcc")

pytestmark = pytest.mark.usefixtures("runtime")


@pytest.fixture(scope="module")
def runtime() -> None:
    support.require_runtime()


def built(bench: Bench, name: str, compiler: str) -> Path:
    options = ("--host-compiler=gcc",) if compiler == "gcc" else ()
    return bench.build({name: (HERE / name).read_text()}, "-w", *options)


@pytest.mark.parametrize("compiler", COMPILERS)
def test_tasks_overlap_with_each_other_and_with_the_thread_that_made_them(bench: Bench, compiler: str) -> None:
    program = built(bench, "meeting.c", compiler)
    met = [f"{where}: 1 1 1" for where in ("outside", "one thread", "single", "task")]
    assert support.on_device(program).splitlines() == met
