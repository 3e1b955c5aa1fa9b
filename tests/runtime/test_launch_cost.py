"""What is done for a launch before LLVM's runtime, or the driver, has it; both do nothing here."""

from __future__ import annotations

import pytest
from runtime_workshop import LLVM, PROGRAMS, WARNINGS, Workshop

BLOCKS = {
    "libomptarget": {"empty": 115, "small": 200, "large": 245, "implicit": 385},
    "driver": {"empty": 190, "small": 365, "large": 365, "implicit": 700},
}
"""Basic blocks of one launch (launch_cost.c): half as many again as a launch takes."""
LOCKS = {"libomptarget": 0, "driver": 2}


@pytest.fixture(scope="session")
def program(shop: Workshop) -> str:
    folder = shop.folder / "omptarget"
    folder.mkdir()
    library = folder / "libomptarget.so"
    shop.call("gcc", "-O2", *WARNINGS, "-shared", "-fPIC", PROGRAMS / "fake_omptarget.c", "-o", library)
    shop.pretend_cubin("cost.sm_90.cubin", 90)
    shop.compile("gcc", "launch_cost.c", *WARNINGS, target="launch_cost.o")
    registration = shop.registration_with("-O1", "-fsanitize-coverage=trace-pc", target="register_counted.o")
    libraries = (f"-L{folder}", f"-Wl,-rpath,{folder}", "-lomptarget", f"-L{LLVM}", f"-Wl,-rpath,{LLVM}", "-lomp")
    shop.call("gcc", "launch_cost.o", registration, *libraries, "-lstdc++", "-lm", "-o", "launch_cost")
    return "./launch_cost"


@pytest.mark.extended
@pytest.mark.parametrize("way", BLOCKS)
def test_a_launch_costs_little(shop: Workshop, program: str, way: str) -> None:
    synchronous = "1" if way == "libomptarget" else "0"
    settings = {"FAKE_CUDA": "90", "REX_COPY_THREADS": "4", "REX_SYNCHRONOUS": synchronous}
    done = shop.call(program, LD_LIBRARY_PATH=shop.fake_driver(), **settings)
    costs = {name: [int(n) for n in counts] for name, *counts in map(str.split, done.stdout.splitlines())}
    assert costs.keys() == BLOCKS[way].keys()
    for name, (blocks, allocations, locks) in costs.items():
        assert BLOCKS[way][name] / 10 < blocks < BLOCKS[way][name], name
        assert (allocations, locks) == (0, LOCKS[way]), name
