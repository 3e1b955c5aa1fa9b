"""What a launch costs before LLVM's runtime, or the driver, has it; both do nothing here."""

from __future__ import annotations

import pytest
from runtime_workshop import LLVM, PROGRAMS, WARNINGS, Workshop

Costs = dict[str, dict[str, float]]
"""Multiples of some other work (launch_cost.c), which takes 50 ns on a server of 2024."""


@pytest.fixture(scope="session")
def costs(shop: Workshop) -> Costs:
    folder = shop.folder / "omptarget"
    folder.mkdir()
    library = folder / "libomptarget.so"
    shop.call("gcc", "-O2", *WARNINGS, "-shared", "-fPIC", PROGRAMS / "fake_omptarget.c", "-o", library)
    shop.pretend_cubin("cost.sm_90.cubin", 90)
    shop.compile("gcc", "launch_cost.c", *WARNINGS, target="launch_cost.o")
    libraries = (f"-L{folder}", f"-Wl,-rpath,{folder}", "-lomptarget", f"-L{LLVM}", f"-Wl,-rpath,{LLVM}", "-lomp")
    shop.call("gcc", "launch_cost.o", shop.registration, *libraries, "-lstdc++", "-lm", "-o", "launch_cost")
    return {way: run(shop, value) for way, value in (("libomptarget", "1"), ("driver", "0"))}


def run(shop: Workshop, synchronous: str) -> dict[str, float]:
    settings = {"FAKE_CUDA": "90", "REX_COPY_THREADS": "4", "REX_SYNCHRONOUS": synchronous}
    done = shop.call("./launch_cost", LD_LIBRARY_PATH=shop.fake_driver(), **settings)
    print(done.stdout)
    return {line.split()[0]: float(line.split()[1]) for line in done.stdout.splitlines()}


@pytest.mark.parametrize("case", ["empty", "small", "large", "implicit"])
def test_a_launch_costs_little_before_the_runtime_has_it(costs: Costs, case: str) -> None:
    assert costs["libomptarget"][case] < 3.2


@pytest.mark.parametrize("case", ["empty", "small", "large", "implicit"])
def test_a_launch_of_present_data_costs_little_beside_the_driver(costs: Costs, case: str) -> None:
    assert costs["driver"][case] < 6.4
