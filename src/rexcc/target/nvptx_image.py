"""What nvcc makes images for, and the images themselves.

Architectures are named ``sm_90``, also with the letters of features that later ones have not. An image is a cubin with
the ELF header that old libomptargets want: three fields of what nvcc wrote are rewritten. CUDA 13 writes ELF ABI
version 8, which they take for incompatible with every GPU (:mod:`rexcc.target.llvm_abi`); the rest of the file is what
they expect.
For a cubin of CUDA 12 the rewritten fields equal the old ones.
"""

from __future__ import annotations

import struct

from rexcc.source.records import dataclass
from rexcc.target.commands import Finish, NotAnImageError
from rexcc.target.llvm_abi import CUDA_12, CUDA_13
from rexcc.target.model import Architectures

_MAGIC = b"\x7fELF\x02"
_NVIDIA = 190
_HEADER_SIZE = 64
_OS_ABI_AT = 7
_FLAGS_AT = 48
_OLD_OS_ABI = 0x33
_OLD_FLAGS = 0x500
_ACCELERATED = 0x800


def _old_identity() -> bytes:
    return bytes((_OLD_OS_ABI, CUDA_12))


def _old_flags(architecture: str) -> bytes:
    number = number_of(architecture)
    accelerated = _ACCELERATED if architecture.endswith("a") else 0
    return struct.pack("<I", number << 16 | _OLD_FLAGS | accelerated | number)


def with_old_header(data: bytes, architecture: str) -> bytes:
    """Return a cubin with the header of CUDA 12."""
    if len(data) < _HEADER_SIZE or data[:5] != _MAGIC or struct.unpack_from("<H", data, 18)[0] != _NVIDIA:
        raise NotAnImageError(f"not a cubin ({len(data)} bytes)")
    patched = bytearray(data)
    patched[_OS_ABI_AT : _OS_ABI_AT + 2] = _old_identity()
    patched[_FLAGS_AT : _FLAGS_AT + 4] = _old_flags(architecture)
    return bytes(patched)


def with_old_headers_inside(data: bytes) -> bytes:
    """Return an executable of another compiler in which every cubin of CUDA 13 has the header of CUDA 12.

    The architecture is read from the flags of the new header.
    """
    patched = bytearray(data)
    at = data.find(_MAGIC)
    while at >= 0:
        header = data[at : at + _HEADER_SIZE]
        if len(header) == _HEADER_SIZE and _is_new(header):
            number = struct.unpack_from("<I", header, _FLAGS_AT)[0] >> 8 & 0xFF
            patched[at + _OS_ABI_AT : at + _OS_ABI_AT + 2] = _old_identity()
            patched[at + _FLAGS_AT : at + _FLAGS_AT + 4] = _old_flags(f"sm_{number}")
        at = data.find(_MAGIC, at + 1)
    return bytes(patched)


def _is_new(header: bytes) -> bool:
    return struct.unpack_from("<H", header, 18)[0] == _NVIDIA and header[_OS_ABI_AT + 1] == CUDA_13


def shell_commands(quoted_path: str, architecture: str) -> tuple[str, str]:
    """Return shell commands that do the same without rexcc, for ``-###`` and generated makefiles."""
    fields = ((_old_identity(), _OS_ABI_AT), (_old_flags(architecture), _FLAGS_AT))
    first, second = (
        f"printf '{''.join(f'{chr(92)}{b:03o}' for b in data)}' | "
        f"dd of={quoted_path} bs=1 seek={at} conv=notrunc status=none"
        for data, at in fields
    )
    return first, second


@dataclass(frozen=True)
class OldHeader(Finish):
    """Gives the cubin of an architecture the header that old runtimes know."""

    architecture: str
    note = "The two printf give a cubin of CUDA 13 the header that LLVM's libomptarget up to 21 knows."

    def applied(self, data: bytes) -> bytes:
        """Return the cubin with the old header."""
        return with_old_header(data, self.architecture)

    def shell(self, quoted_path: str) -> tuple[str, ...]:
        """Return the commands that write the fields."""
        return shell_commands(quoted_path, self.architecture)


SM = Architectures(pattern=r"sm_(\d+)[af]?", form="sm_NN", default="sm_90")


def number_of(architecture: str) -> int:
    """Return 90 for ``sm_90`` and ``sm_90a``."""
    if not SM.is_known(architecture):
        raise ValueError(f"not a GPU architecture: {architecture}")
    return SM.number(architecture)
