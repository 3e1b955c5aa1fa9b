"""What the multiprocessors of NVIDIA's GPUs have.

By architecture: CUDA C++ programming guide, "Compute Capabilities", table "Technical Specifications per Compute
Capability". The units are those of ``cuda_occupancy.h``, which comes with CUDA 13.0; a compute capability from 8.0 on
keeps 1 KiB of each block's shared memory for the system.
"""

from __future__ import annotations

from rexcc.target.occupancy import Multiprocessor

_KIB = 1024


def _older(warps: int, blocks: int, shared: int) -> Multiprocessor:
    return Multiprocessor(warps, blocks, shared * _KIB, shared_unit=256)


def _newer(warps: int, blocks: int, shared: int) -> Multiprocessor:
    return Multiprocessor(warps, blocks, shared * _KIB, reserved=_KIB)


MULTIPROCESSORS = {
    70: _older(64, 32, 96),
    72: _older(64, 32, 96),
    75: _older(32, 16, 64),
    80: _newer(64, 32, 164),
    86: _newer(48, 16, 100),
    87: _newer(48, 16, 164),
    89: _newer(48, 24, 100),
    90: _newer(64, 32, 228),
    100: _newer(64, 32, 228),
    101: _newer(48, 24, 228),
    103: _newer(64, 32, 228),
    110: _newer(48, 24, 228),
    120: _newer(48, 24, 100),
    121: _newer(48, 24, 100),
}
"""By the number of the architecture."""
