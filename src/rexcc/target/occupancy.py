"""How many of a kernel's blocks find room on a multiprocessor at once, and what keeps more of them out.

In: what a multiprocessor has, and what a kernel takes of it. Out: :class:`Occupancy`, as NVIDIA's occupancy calculator
computes it (``cuda_occupancy.h`` of the CUDA toolkit): the ratio of the threads that find room to those that a
multiprocessor can have (CUDA C++ best practices guide, "Calculating Occupancy").
"""

from __future__ import annotations

from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Multiprocessor:
    """What a multiprocessor has: places for ``warps`` and ``blocks``, ``registers``, and bytes of ``shared`` memory.

    Registers are given to a warp in pieces of ``register_unit``, from one of ``parts`` with a share of them each,
    shared memory to a block in pieces of ``shared_unit`` bytes, with ``reserved`` bytes for the system.
    """

    warps: int
    blocks: int
    shared: int
    registers: int = 64 * 1024
    reserved: int = 0
    register_unit: int = 256
    shared_unit: int = 128
    parts: int = 4


@dataclass(frozen=True)
class Usage:
    """What a kernel takes on an architecture, as the device's assembler tells it.

    ``registers`` of each thread, ``shared`` bytes of each block, ``stack`` bytes of each thread in memory, of which
    values that found no register are stored and loaded with ``spill_stores`` and ``spill_loads`` bytes.
    """

    kernel: str
    architecture: str
    registers: int
    shared: int = 0
    stack: int = 0
    spill_stores: int = 0
    spill_loads: int = 0


@dataclass(frozen=True)
class Occupancy:
    """How many ``blocks`` and ``warps`` find room, of the ``most`` warps that do; ``limits`` names what is used up."""

    blocks: int
    warps: int
    most: int
    limits: tuple[str, ...]

    @property
    def percent(self) -> int:
        """The share of the warps."""
        return round(100 * self.warps / self.most)


def occupancy(room: Multiprocessor, usage: Usage, threads: int, warp: int, launched: int = 0) -> Occupancy:
    """Return the occupancy of a kernel with blocks of so many ``threads``, for which a launch asks for ``launched``
    bytes of shared memory."""
    warps = -(-threads // warp)
    bytes_of_block = _rounded(usage.shared + launched + room.reserved, room.shared_unit)
    each = _rounded(usage.registers * warp, room.register_unit)
    limits = {"threads": room.warps // warps, "blocks": room.blocks}
    if each:
        limits["registers"] = room.registers // room.parts // each * room.parts // warps
    if bytes_of_block:
        limits["shared memory"] = room.shared // bytes_of_block
    blocks = min(limits.values())
    return Occupancy(blocks, blocks * warps, room.warps, tuple(name for name, n in limits.items() if n == blocks))


NARROWEST = 64
"""Threads of the narrowest block that is looked at: a multiprocessor has few places for narrower ones."""
_MORE = 1.25
"""How many times as many warps have to find room for another width to be worth a try."""


def better_width(room: Multiprocessor, usage: Usage, threads: int, warp: int, launched: int = 0) -> int:
    """Return the threads of a block with which clearly more warps of a kernel find room, ``threads`` where none is.

    Blocks come and go whole, so wide ones leave registers and shared memory unused where the next one does not fit.
    Blocks half as wide, or a quarter, are looked at: the kernel is the same, and so is what each thread takes.
    """
    found = occupancy(room, usage, threads, warp, launched).warps
    widths = [width for width in (threads // 2, threads // 4) if width >= NARROWEST and width % warp == 0]
    warps = {width: occupancy(room, usage, width, warp, launched).warps for width in widths}
    best = max(widths, key=lambda width: warps[width], default=threads)
    return best if widths and warps[best] >= _MORE * found else threads


def _rounded(number: int, unit: int) -> int:
    return -(-number // unit) * unit
