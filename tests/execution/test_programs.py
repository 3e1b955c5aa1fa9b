"""Programs that print what their regions computed: on the CPU device, as host version, and with OpenMP ignored."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from support import Bench

HERE = Path(__file__).parent
NAMES = sorted(p.name for p in (HERE / "programs").iterdir())
REDUCING = [n for n in NAMES if n.startswith("reduc")]
REPORTED = sorted(p.name for p in (HERE / "reported").iterdir())
OPEN: dict[str, str] = {}

pytestmark = pytest.mark.usefixtures("runtime")


@pytest.fixture(scope="module")
def runtime() -> None:
    support.require_runtime()


def read(folder: str, name: str) -> dict[str, str]:
    return {name: (HERE / folder / name).read_text()}


def compare(bench: Bench, files: dict[str, str], *arguments: str) -> None:
    expected = bench.plain(files)
    program = bench.build(files, *arguments)
    assert support.on_device(program).splitlines() == expected.splitlines()
    assert support.on_host(program).splitlines() == expected.splitlines()


@pytest.mark.parametrize("name", NAMES)
def test_device_host_version_and_plain_execution_agree(bench: Bench, name: str) -> None:
    compare(bench, read("programs", name), "-w")


@pytest.mark.parametrize("name", ["tiles.c", "tiles.cpp", "loops.c", "nests.c", "templates.cpp"])
def test_tiles_as_large_as_on_a_gpu_run_the_same_iterations(bench: Bench, name: str) -> None:
    files = read("programs", name)
    program = bench.build(files, "-w", "-DREX_TILE=4")
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


@pytest.mark.parametrize("name", REDUCING)
def test_every_way_to_reduce_has_the_same_results(bench: Bench, name: str) -> None:
    files = read("programs", name)
    expected = bench.plain(files)
    for strategy in ("reproducible", "atomic"):
        program = bench.build(files, "-w", f"--rex-reduction={strategy}")
        assert support.on_device(program).splitlines() == expected.splitlines(), strategy


@pytest.mark.parametrize("name", ["loops.c", "nests.c", "between_loops.c"])
def test_the_xomp_scheduler_runs_the_same_iterations(bench: Bench, name: str) -> None:
    files = read("programs", name)
    program = bench.build(files, "-w", "-O0", "--rex-scheduler=xomp")
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


@pytest.mark.parametrize(
    "name", ["members.c", "templates.cpp", "between_loops.c", "attributes.c", "attributes.cpp", "transformations.c"]
)
def test_gcc_as_host_compiler(bench: Bench, name: str) -> None:
    files = read("programs", name)
    program = bench.build(files, "-w", "--host-compiler=gcc")
    assert support.on_device(program).splitlines() == bench.plain(files).splitlines()


def _reported(name: str) -> object:
    marks = [pytest.mark.xfail(strict=True, reason=OPEN[name])] if name in OPEN else []
    return pytest.param(name, marks=marks)


@pytest.mark.parametrize("name", [_reported(n) for n in REPORTED])
def test_what_once_went_wrong(bench: Bench, name: str) -> None:
    compare(bench, read("reported", name), "-w")
