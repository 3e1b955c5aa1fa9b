"""What differs between the versions of LLVM's offload runtime that programs are linked with.

In: the version of a libomptarget. Out: what it reads and has. The C side of the same facts is
``runtime/include/rex_llvm_abi.h``; ``tests/runtime/test_llvm_abi.py`` compares both, and what is installed, version by
version. Nothing else in Python knows a version.
"""

from __future__ import annotations

from rexcc.source.records import dataclass

OLDEST, PREFERRED, NEWEST = 17, 19, 22
"""The versions that are known, and the one that is taken where several are here."""
CUDA_12, CUDA_13 = 7, 8
"""Versions of the ABI in the ELF header of a cubin, by the CUDA that writes them."""


@dataclass(frozen=True)
class LlvmAbi:
    """What one version reads of a program, and has.

    ``packet`` is the version in a launch's packet, in which the kernel's launch environment is the first argument;
    ``entry_size`` are the bytes of a row of the entries, which clang lists in ``entry_section``. ``cubin`` is the
    newest ELF ABI of cubins that it takes for its GPU's. ``plugins`` are the libraries that it loads for devices: none
    where they are parts of itself. ``routines`` are those that not all versions have.
    """

    version: int
    packet: int
    entry_size: int
    entry_section: str
    cubin: int
    plugins: tuple[str, ...]
    routines: frozenset[str]

    @property
    def reads_cubins_of_cuda_13(self) -> bool:
        """Whether a cubin of CUDA 13 needs no other label."""
        return self.cubin >= CUDA_13


def is_known(version: int) -> bool:
    """Whether programs can be made for a version."""
    return OLDEST <= version <= NEWEST


def abi_of(version: int) -> LlvmAbi:
    """Return what a version reads and has; raise ValueError for one that is not known."""
    if not is_known(version):
        raise ValueError(f"LLVM {version}: not from {OLDEST} to {NEWEST}")
    return LlvmAbi(
        version=version,
        packet=3,
        entry_size=56 if version >= 20 else 32,
        entry_section="llvm_offload_entries" if version >= 20 else "omp_offloading_entries",
        cubin=CUDA_13 if version >= 22 else CUDA_12,
        plugins=() if version >= 19 else ("libomptarget.rtl.cuda.so", "libomptarget.rtl.x86_64.so"),
        routines=frozenset({"omp_target_is_accessible"} if version >= 21 else ()),
    )
