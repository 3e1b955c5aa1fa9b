"""What a launch costs between the generated block and LLVM's runtime, with a libomptarget that does nothing."""

from __future__ import annotations

import pytest
from runtime_workshop import LLVM, PROGRAMS, WARNINGS, Workshop


@pytest.fixture(scope="session")
def costs(shop: Workshop) -> dict[str, float]:
    folder = shop.folder / "omptarget"
    folder.mkdir()
    library = folder / "libomptarget.so"
    shop.call("gcc", "-O2", *WARNINGS, "-shared", "-fPIC", PROGRAMS / "fake_omptarget.c", "-o", library)
    shop.pretend_cubin("cost.sm_90.cubin", 90)
    shop.compile("gcc", "launch_cost.c", *WARNINGS, target="launch_cost.o")
    libraries = (f"-L{folder}", f"-Wl,-rpath,{folder}", "-lomptarget", f"-L{LLVM}", f"-Wl,-rpath,{LLVM}", "-lomp")
    shop.call("gcc", "launch_cost.o", shop.registration, *libraries, "-lstdc++", "-lm", "-o", "launch_cost")
    done = shop.call("./launch_cost", LD_LIBRARY_PATH=shop.fake_driver(), FAKE_CUDA="90", REX_COPY_THREADS="4")
    print(done.stdout)
    return {name: float(time) for name, time in map(str.split, done.stdout.splitlines())}


@pytest.mark.parametrize("case", ["empty", "small", "large", "implicit"])
def test_a_launch_costs_less_than_100_nanoseconds_before_the_runtime_has_it(costs: dict[str, float], case: str) -> None:
    assert costs[case] < 100
