"""For how much of a kernel a multiprocessor has room: what the runtime reads in a cubin, and what it makes of it."""

from __future__ import annotations

import re
from itertools import product

import pytest
from runtime_workshop import INCLUDE, PROGRAMS, RUNTIME, WARNINGS, Workshop, tool

from rexcc.target.nvptx_multiprocessors import MULTIPROCESSORS
from rexcc.target.occupancy import Usage, occupancy

_REGISTERS = (16, 24, 32, 33, 40, 48, 64, 65, 72, 96, 128, 168, 255)
_SHARED = (0, 2048, 17408, 33792)


@pytest.fixture(scope="module")
def room(shop: Workshop) -> str:
    """The program of room.cpp."""
    flags = ("-std=c++17", "-O1", *WARNINGS, INCLUDE, f"-I{RUNTIME / 'src'}", "-DREX_LLVM_VERSION=19")
    shop.call(tool("g++"), *flags, PROGRAMS / "room.cpp", "-o", "room", "-ldl")
    return "./room"


def test_a_cubin_tells_what_its_kernels_take(shop: Workshop, room: str) -> None:
    flags = ("-std=c++17", "-O3", "-arch=sm_90", "-cubin", "-Xptxas", "-v", INCLUDE)
    told = shop.call(tool("nvcc"), *flags, PROGRAMS / "joins.cu", "-o", "joins.cubin").stderr
    pattern = re.compile(r"Function properties for (\w+)\n.*\n.*Used (\d+) registers.*?(?:, (\d+) bytes smem|$)", re.M)
    expected = {name: (int(registers), int(shared or 0)) for name, registers, shared in pattern.findall(told)}
    lines = [line.split() for line in shop.call(room, "joins.cubin").stdout.splitlines()]
    found = {name: (int(registers), int(shared)) for name, registers, shared in lines}
    assert {"one", "four", "for_all", "comparisons"} <= expected.keys() == found.keys()
    for name, (registers, shared) in expected.items():
        assert found[name][0] == registers and found[name][1] - shared in (0, 1024)  # the driver's, in newer ones


def test_kernels_learn_for_how_much_of_them_there_is_room(shop: Workshop, room: str) -> None:
    """From the image that the GPU runs, or from the file that REX_CUBIN names; what is no kernel stays as it is."""
    flags = ("-std=c++17", "-O3", "-arch=sm_90", "-cubin", INCLUDE)
    shop.call(tool("nvcc"), *flags, PROGRAMS / "joins.cu", "-o", "learnt.cubin")
    first, second = shop.call(room, "learnt.cubin", "90").stdout.splitlines()
    assert first == second and re.fullmatch(r"[1-9]\d* [1-9]\d* 0 0", first)
    assert shop.call(room, "learnt.cubin", "100").stdout.splitlines() == ["0 0 0 0", second]


def test_what_finds_room_is_what_the_occupancy_calculator_says(shop: Workshop, room: str) -> None:
    """Registers to the block; of shared memory a KiB too much may be counted."""
    cases = list(product((80, 86, 90, 100), _REGISTERS, _SHARED))
    words = []
    for arch, registers, shared in cases:
        has = MULTIPROCESSORS[arch]
        words += [str(n) for n in (32 * has.warps, has.registers, has.shared, registers, shared)]
    lines = shop.call(room, *words).stdout.splitlines()
    assert len(lines) == len(cases)
    for (arch, registers, shared), line in zip(cases, lines, strict=True):
        warps, blocks = map(int, line.split())
        for threads in (96, 128, 224, 256, 512):
            usage = Usage("kernel", f"sm_{arch}", registers, shared)
            expected = occupancy(MULTIPROCESSORS[arch], usage, threads, 32)
            assert min(warps // (threads // 32), blocks, MULTIPROCESSORS[arch].blocks) == expected.blocks


def test_blocks_have_no_more_threads_than_find_room(shop: Workshop, room: str) -> None:
    """A kernel of 72 registers has blocks of 28 warps; of a kernel of which nothing is known all are asked for."""
    cases = [(28, 1024, 896), (28, 896, 896), (28, 100, 100), (64, 1024, 1024), (0, 1024, 1024)]
    words = [str(number) for warps, asked, _ in cases for number in (warps, asked)]
    assert shop.call(room, "threads", *words).stdout.split() == [str(given) for *_, given in cases]


def test_nothing_is_said_where_something_is_not_known(shop: Workshop, room: str) -> None:
    unknown = [(0, 65536, 1024, 32, 0), (2048, 0, 1024, 32, 0), (2048, 65536, 1024, 0, 0)]
    words = [str(number) for case in unknown for number in case]
    assert shop.call(room, *words).stdout == "0 0\n" * 3
    shop.pretend_cubin("empty.cubin", 90)
    assert shop.call(room, "empty.cubin").stdout == ""
