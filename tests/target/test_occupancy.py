"""Occupancy of multiprocessors, and what the assembler tells of kernels."""

from __future__ import annotations

import pytest

from rexcc.target.known import CPU, DEFAULT
from rexcc.target.nvptx_messages import NvccMessages
from rexcc.target.nvptx_multiprocessors import MULTIPROCESSORS
from rexcc.target.occupancy import Occupancy, Usage, better_width, occupancy

PRINTED = """\
ptxas info    : 48 bytes gmem
ptxas info    : Compiling entry function 'OUT__3__f__36__kernel__' for 'sm_90'
ptxas info    : Function properties for OUT__3__f__36__kernel__
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Function properties for helper
    32 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 30 registers, used 0 barriers
ptxas info    : Compile time = 12.349 ms
ptxas info    : Compiling entry function 'OUT__2__g__24__kernel__' for 'sm_80'
ptxas info    : Function properties for OUT__2__g__24__kernel__
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 400 bytes smem, 380 bytes cmem[0]
ptxas info    : Compiling entry function 'rex_bring_home' for 'sm_90'
ptxas info    : Function properties for rex_bring_home
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 22 registers, used 0 barriers
"""


def test_what_the_assembler_tells() -> None:
    """The last one is the runtime's, not one of the user's."""
    assert NvccMessages().usages(PRINTED) == (
        Usage("OUT__3__f__36__kernel__", "sm_90", 30, 0, 16, 8, 12),
        Usage("OUT__2__g__24__kernel__", "sm_80", 40, 400),
    )
    assert NvccMessages().usages("ptxas fatal : Unresolved extern function 'f'\n") == ()


def test_what_it_tells_is_no_message_for_the_user() -> None:
    assert NvccMessages().readable(PRINTED) == ""


@pytest.mark.parametrize(
    ("architecture", "registers", "shared", "threads", "expected"),
    [
        ("sm_90", 30, 400, 256, Occupancy(8, 64, 64, ("threads", "registers"))),
        ("sm_90", 64, 0, 256, Occupancy(4, 32, 64, ("registers",))),
        ("sm_90", 255, 0, 128, Occupancy(2, 8, 64, ("registers",))),
        ("sm_90", 24, 48 * 1024, 64, Occupancy(4, 8, 64, ("shared memory",))),
        ("sm_90", 24, 0, 32, Occupancy(32, 32, 64, ("blocks",))),
        ("sm_86", 24, 0, 1024, Occupancy(1, 32, 48, ("threads",))),
        ("sm_75", 24, 0, 33, Occupancy(16, 32, 32, ("threads", "blocks"))),
    ],
)
def test_occupancy(architecture: str, registers: int, shared: int, threads: int, expected: Occupancy) -> None:
    """The values are those of ``cuda_occupancy.h`` of CUDA 13.0."""
    room = DEFAULT.multiprocessor(architecture)
    assert room is not None
    assert occupancy(room, Usage("k", architecture, registers, shared), threads, 32) == expected


@pytest.mark.parametrize(
    ("registers", "shared", "threads", "expected"),
    [
        (168, 0, 256, 128),  # one block of 8 warps, three of 4
        (255, 0, 256, 256),  # 8 warps have all registers
        (56, 0, 256, 256),  # 32 warps, and 36: hardly more
        (32, 0, 256, 256),  # all warps find room
        (80, 0, 1024, 256),  # none, one of 16 warps, three of 8
        (24, 60 * 1024, 256, 256),  # narrower blocks take as much shared memory
        (24, 0, 64, 64),
    ],
)
def test_the_width_of_blocks_that_find_more_room(registers: int, shared: int, threads: int, expected: int) -> None:
    room = MULTIPROCESSORS[90]
    assert better_width(room, Usage("k", "sm_90", registers, shared), threads, 32) == expected


def test_a_launch_may_ask_for_more() -> None:
    room = MULTIPROCESSORS[90]
    usage = Usage("k", "sm_90", 32)
    assert occupancy(room, usage, 256, 32, launched=100_000).blocks == 2
    assert occupancy(room, usage, 256, 32).percent == 100


def test_architectures_without_figures() -> None:
    assert DEFAULT.multiprocessor("sm_90a") is DEFAULT.multiprocessor("sm_90")
    assert DEFAULT.multiprocessor("sm_1") is None
    assert CPU.multiprocessor("host") is None
