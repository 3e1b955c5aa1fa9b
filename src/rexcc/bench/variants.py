"""The compilers of a campaign and their command lines.

In: what this machine has and what the user asked for. Out: :class:`Variant` values; one whose compiler is missing says
so, and becomes the reason in every row. All OpenMP variants but gcc's run on the same libomptarget.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rexcc import __version__
from rexcc.bench.manifest import Program
from rexcc.bench.plan import MANDATORY, OURS
from rexcc.driver.options.languages import Language, language_of
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.toolchain import OpenMPRuntime
from rexcc.target.commands import HostCompiler
from rexcc.target.llvm_abi import abi_of
from rexcc.target.tools import Compiler

TIMED = (OURS, "clang", "gcc", "cuda")
_GCC = ("gcc-14", "gcc-13", "gcc-12", "gcc")
_MKOFFLOAD = "accel/nvptx-none/mkoffload"
_GOMP = ("libgomp.so.1", "libgomp-plugin-nvptx.so.1")
_NO_OFFLOAD = {"OMP_TARGET_OFFLOAD": "DISABLED"}


@dataclass(frozen=True)
class Variant:
    """A compiler with its own flags, for C and for C++; ``missing`` says why it cannot be used.

    ``old_headers`` is set where embedded cubins need the header that old libomptargets read; ``libraries`` are what its
    programs load beside libomptarget's.
    """

    name: str
    cc: tuple[str, ...] = ()
    cxx: tuple[str, ...] = ()
    version: str = ""
    missing: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    old_headers: bool = False
    libraries: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Machine:
    """What the variants are made from; ``target`` is ``nvptx`` or ``host``."""

    target: str
    architecture: str
    runtime: OpenMPRuntime | None
    cuda: Compiler | None


def ours(machine: Machine, flags: Sequence[str]) -> Variant:
    """Return rexcc itself, as it runs now."""
    where = ("--target=host",) if machine.target == "host" else _gpu_target(machine)
    command = (sys.executable, "-m", "rexcc.driver.main", *where, *flags)
    return Variant(OURS, command, command, __version__, environment=dict(MANDATORY))


def _gpu_target(machine: Machine) -> tuple[str, ...]:
    return ("--target=nvptx", f"--offload-arch={machine.architecture}")


def native_clang(machine: Machine) -> Variant:
    """Return the clang of the runtime's version, offloading by itself."""
    if not machine.runtime:
        return Variant("clang", missing="no LLVM OpenMP runtime found")
    name = f"clang-{machine.runtime.version}"
    host = _compiler(name, f"clang++-{machine.runtime.version}")
    if not host:
        return Variant("clang", missing=f"{name} not found")
    flags = ("-fopenmp", *(_clang_host() if machine.target == "host" else _clang_gpu(machine)))
    return Variant(
        "clang",
        (host.cc, *flags),
        (host.cxx, *flags),
        _first_line(host.cc),
        environment=dict(MANDATORY),
        old_headers=not abi_of(machine.runtime.version).reads_cubins_of_cuda_13,
    )


def _clang_host() -> tuple[str, ...]:
    return ("-fopenmp-targets=x86_64-pc-linux-gnu",)


def _clang_gpu(machine: Machine) -> tuple[str, ...]:
    assert machine.runtime
    device = Path(machine.runtime.folder) / f"libomptarget-nvptx-{machine.architecture}.bc"
    flags = ["-fopenmp-targets=nvptx64-nvidia-cuda", "-Xopenmp-target", f"-march={machine.architecture}"]
    if machine.cuda:
        flags.append(f"--cuda-path={cuda_folder(machine.cuda)}")
    if device.exists():
        flags.append(f"--libomptarget-nvptx-bc-path={device}")
    return tuple(flags)


def gcc(machine: Machine) -> Variant:
    """Return gcc: offloading to the GPU, or plain host execution where the target is the CPU."""
    if machine.target == "host":
        return _plain("gcc", {})
    for name in _GCC:
        path = shutil.which(name)
        if path and _offloads(path):
            offload = ("-foffload=nvptx-none", f"-foffload-options=nvptx-none=-misa={_isa(machine)}")
            flags = ("-fopenmp", *offload, "-foffload-options=-lm")
            cxx = shutil.which(name.replace("gcc", "g++")) or path
            return Variant(
                "gcc",
                (path, *flags),
                (cxx, *flags),
                _first_line(path),
                environment=dict(MANDATORY),
                libraries=_libraries_of(path),
            )
    return Variant("gcc", missing="no gcc that offloads to nvptx (gcc-offload-nvptx)")


def _offloads(compiler: str) -> bool:
    """Whether a gcc has its compiler for nvptx; that it was configured for one does not say so."""
    found = toolchain.output_of(compiler, f"-print-file-name={_MKOFFLOAD}").strip()
    return found != _MKOFFLOAD and Path(found).exists()


def _libraries_of(compiler: str) -> tuple[Path, ...]:
    """Return gcc's OpenMP runtime and its plugin for the GPU, which ldd does not know of."""
    found = (toolchain.output_of(compiler, f"-print-file-name={name}").strip() for name in _GOMP)
    return tuple(Path(os.path.normpath(path)) for path in found if Path(path).is_absolute())


def _isa(machine: Machine) -> str:
    number = int(re.sub(r"\D", "", machine.architecture) or "80")
    return "sm_80" if number >= 80 else f"sm_{number}"


def host_only() -> Variant:
    """Return the OpenMP source without offloading, which only says what is right."""
    return _plain("host", _NO_OFFLOAD)


def _plain(name: str, environment: dict[str, str]) -> Variant:
    host = _compiler("gcc", "g++") or _compiler("clang", "clang++")
    if not host:
        return Variant(name, missing="gcc not found")
    flags = ("-fopenmp", "-foffload=disable") if Path(host.cc).name == "gcc" else ("-fopenmp",)
    return Variant(name, (host.cc, *flags), (host.cxx, *flags), _first_line(host.cc), environment=environment)


def cuda_version(machine: Machine) -> Variant:
    """Return nvcc for the hand-written CUDA versions."""
    if machine.target == "host":
        return Variant("cuda", missing="CUDA programs need a GPU")
    if not machine.cuda:
        return Variant("cuda", missing="nvcc not found")
    command = (machine.cuda.path, f"-arch={machine.architecture}")
    text = toolchain.output_of(machine.cuda.path, "--version")
    release = next((line.split(",")[-1].strip() for line in text.splitlines() if "release" in line), "")
    return Variant("cuda", command, command, f"nvcc {release}")


def another(written: str, environment: dict[str, str]) -> Variant:
    """Return a variant of the command line: ``NAME=COMPILER FLAG…``."""
    name, _, command = written.partition("=")
    words = tuple(shlex.split(command))
    return Variant(name, words, words, command, environment=environment)


def _compiler(cc: str, cxx: str) -> HostCompiler | None:
    path = shutil.which(cc)
    return HostCompiler(path, shutil.which(cxx) or path, "") if path else None


def _first_line(compiler: str) -> str:
    return toolchain.output_of(compiler, "--version").partition("\n")[0]


def cuda_folder(cuda: Compiler) -> str:
    """Return the CUDA installation of an nvcc, asked of nvcc itself, which may be a script."""
    text = toolchain.output_of(cuda.path, "--dryrun", "-E", "-x", "cu", os.devnull)
    top = re.search(r"^#\$ TOP=(.+)$", text, re.MULTILINE)
    return str(Path(top[1].strip() if top else Path(cuda.path).parent.parent).resolve())


def is_cxx(program: Program) -> bool:
    """Whether one of a program's sources is C++."""
    return any(language_of(str(source), None) is Language.CXX for source in program.sources)


def command(variant: Variant, program: Program, folder: Path, output: Path) -> tuple[str, ...]:
    """Return the command that builds a variant of a program, run in ``folder``."""
    if variant.name == "cuda":
        files, flags, libraries = program.cuda_sources, program.cuda_flags, program.cuda_libraries
    else:
        files, flags, libraries = program.sources, program.flags, program.libraries
    compiler = variant.cxx if is_cxx(program) else variant.cc
    sources = tuple(os.path.relpath(file, folder) for file in files)
    return (*compiler, *flags, *sources, *libraries, "-o", str(output))
