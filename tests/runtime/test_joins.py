"""What a kernel executes at its end to join its teams' results: few instructions, for they are fetched each time."""

from __future__ import annotations

import re

import pytest
from runtime_workshop import INCLUDE, PROGRAMS, WARNINGS, Workshop, tool


@pytest.fixture(scope="module")
def kernels(shop: Workshop) -> dict[str, str]:
    """The kernels of joins.cu as PTX, by name."""
    flags = ("-std=c++17", "-O3", "-arch=sm_90", "-ptx", INCLUDE)
    shop.call(tool("nvcc"), *flags, PROGRAMS / "joins.cu", "-o", "joins.ptx")
    parts = re.split(r"\.visible \.entry (\w+)\(", (shop.folder / "joins.ptx").read_text())
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_blocks_and_the_last_of_them_join_by_the_same_instructions(kernels: dict[str, str]) -> None:
    """A light value in straight steps, five for the lanes and five for the warps; several by a warp for each, after a
    loop of steps for all of them."""
    assert kernels["one"].count("shfl.sync") == 2 * 5 and kernels["one"].count("bar.sync") == 2
    assert kernels["four"].count("shfl.sync") == 4 * 2 + 5 * 2  # a double is two words
    assert kernels["four"].count("bar.sync") == 3 and "ld.local" not in kernels["four"]


def test_the_lanes_of_several_values_are_asked_before_any_of_them_is_joined(kernels: dict[str, str]) -> None:
    """So none waits for another."""
    step = kernels["four"][: [m.end() for m in re.finditer(r"shfl\.sync", kernels["four"])][4 * 2 - 1]]
    assert "add.f64" not in step[step.index("shfl.sync") :]


def test_results_for_all_threads_stay_in_registers(kernels: dict[str, str]) -> None:
    """Two barriers where blocks are whole warps, two more where the first warp joins for the others."""
    kernel = kernels["for_all"]
    assert kernel.count("bar.sync") == 2 + 2 and "ld.local" not in kernel and "st.local" not in kernel
    assert kernel.count("shfl.sync.idx") == 2 and "atom" not in kernel


def test_straight_code_for_whole_warps_stands_beside_that_for_other_blocks(kernels: dict[str, str]) -> None:
    """For up to eight bytes: two barriers, and three where the first warp joins for the others."""
    kernel = kernels["straight"]
    assert kernel.count("bar.sync") == 2 + 3 and "ld.local" not in kernel and "st.local" not in kernel
    assert kernel.count("shfl.sync.idx") == 2 and "atom" not in kernel
    assert kernels["straight_of_many"].count("bar.sync") == 2 + 2


def test_leaving_the_results_orders_memory_as_little_as_can_be(kernels: dict[str, str]) -> None:
    for kernel in (kernels["one"], kernels["four"]):
        assert kernel.count("fence.acq_rel.gpu") == 2
        assert "membar" not in kernel and "fence.sc" not in kernel


def test_the_originals_are_asked_for_before_the_results_are_joined(kernels: dict[str, str]) -> None:
    """They may lie in the host's memory, a long way off."""
    pointer = re.search(r"ld\.param\.u64\s+(%rd\d+), \[one_param_1\]", kernels["one"])
    assert pointer is not None
    address = re.search(rf"cvta\.to\.global\.u64\s+(%rd\d+), {pointer[1]};", kernels["one"])
    assert address is not None
    asked = re.search(rf"ld\.global\.\w+\s+\S+, \[{address[1]}\]", kernels["one"])
    assert asked is not None and asked.start() < kernels["one"].index("shfl.sync")


def test_functions_that_cuda_lacks_are_code_of_the_kernel(kernels: dict[str, str]) -> None:
    assert "clz.b64" in kernels["builtins"] and "popc.b32" in kernels["builtins"]
    assert "call" not in kernels["builtins"]


def test_comparisons_of_the_library_have_values(kernels: dict[str, str]) -> None:
    """nvcc stores nothing for functions of <cmath> whose builtins it does not have."""
    assert kernels["comparisons"].count("st.global") == 10 and "call" not in kernels["comparisons"]


def test_blocks_join_each_value_once(shop: Workshop) -> None:
    """By lanes that show each other values, in blocks and grids of any size."""
    flags = ("-std=gnu++17", "-O1", *WARNINGS, "-Wno-unknown-pragmas", INCLUDE)
    shop.call(tool("g++"), *flags, PROGRAMS / "joins.cpp", "-pthread", "-o", "joins")
    assert shop.call("./joins").stdout == "0 failures\n"


def test_teams_of_lanes_are_teams(shop: Workshop) -> None:
    """Several in a block, of 4 to 32 lanes: each has its number, its barriers and its sums."""
    flags = ("-std=gnu++17", "-O1", *WARNINGS, "-Wno-unknown-pragmas", INCLUDE)
    shop.call(tool("g++"), *flags, PROGRAMS / "lanes.cpp", "-pthread", "-o", "lanes")
    assert shop.call("./lanes").stdout == "all right\n"


def test_neighbours_of_a_loop_that_an_int_counts_are_counted_in_32_bits(kernels: dict[str, str]) -> None:
    """An unsigned bound may be above every int, so 64 bits count up to it, as for longer types."""

    def wide(bound: str) -> list[str]:
        return re.findall(r"setp\.[gl][et]\.[su]64", kernels[f"neighbours_of_{bound}"])

    assert not wide("int") and wide("unsigned") and wide("long")
