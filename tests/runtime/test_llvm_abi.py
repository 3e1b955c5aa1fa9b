"""The versions of LLVM's offload runtime: what we say of each, in Python, in C, and of the libraries that are here."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from runtime_workshop import INCLUDE, tool

from rexcc.driver.tools import omp_runtimes, toolchain
from rexcc.driver.tools.toolchain import OpenMPRuntime
from rexcc.target.llvm_abi import NEWEST, OLDEST, PREFERRED, abi_of, is_known

VERSIONS = range(OLDEST, NEWEST + 1)
INSTALLED = (PREFERRED, NEWEST)
"""Those that tests of programs are run with, where they are here."""


def installed(version: int) -> OpenMPRuntime:
    """Return the runtime of a version; skip where this machine has none."""
    for runtime in omp_runtimes.find_runtimes(toolchain.find_host_compiler(None), os.environ):
        if runtime.version == version:
            return runtime
    pytest.skip(f"no OpenMP runtime of LLVM {version}")


def symbols(library: str) -> set[str]:
    """Return what a library defines."""
    done = subprocess.run([tool("nm"), "-D", "--defined-only", library], capture_output=True, text=True, check=True)
    return {line.split()[2].split("@")[0] for line in done.stdout.splitlines() if len(line.split()) == 3}


@pytest.mark.parametrize("version", VERSIONS)
def test_the_header_lays_out_what_the_version_reads(tmp_path: Path, version: int) -> None:
    abi = abi_of(version)
    text = f"""
#define REX_KMP_INTERNAL
#include "rex_llvm_abi.h"
static_assert(sizeof(__tgt_offload_entry) == {abi.entry_size}, "row of the entries");
static_assert(REX_KERNEL_ARGS_VERSION == {abi.packet}, "version of the packet");
static_assert(sizeof(__tgt_kernel_arguments) == 8 * 4 + 3 * 8 + 6 * 8, "the packet");
static_assert(__builtin_offsetof(__tgt_kernel_arguments, tripcount) == 56, "the packet's pointers");
static_assert(__builtin_offsetof(__tgt_kernel_arguments, teams) == 72, "the packet's geometry");
static_assert(REX_CUBIN_ABI == {abi.cubin}, "label of cubins");
char name;
__tgt_offload_entry row = REX_ENTRY(&name, "kernel", 4, REX_ENTRY_REQUIRES, 8);
int main() {{ return !(row.address == &name && row.size == 4 && row.flags == REX_ENTRY_REQUIRES && row.data == 8); }}
"""
    source, program = tmp_path / "abi.cpp", tmp_path / "abi"
    source.write_text(text)
    words = (tool("g++"), "-std=c++17", f"-DREX_LLVM_VERSION={version}", INCLUDE, str(source), "-o", str(program))
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert subprocess.run([program], check=False).returncode == 0


@pytest.mark.parametrize("version", INSTALLED)
def test_the_library_has_what_we_say_of_its_version(version: int) -> None:
    runtime, abi = installed(version), abi_of(version)
    found = symbols(runtime.omptarget)
    assert {"__tgt_target_kernel", "__tgt_register_lib", "llvm_omp_target_alloc_host", *abi.routines} <= found
    assert not (abi_of(NEWEST).routines - abi.routines) & found
    assert all((Path(runtime.folder) / name).exists() for name in abi.plugins)
    assert abi.plugins or not list(Path(runtime.folder).glob("libomptarget.rtl.*"))


@pytest.mark.parametrize("version", INSTALLED)
def test_the_libraries_of_a_runtime_belong_together(version: int) -> None:
    """What libomptarget asks of libomp is there, in the libomp that it is linked with."""
    runtime = installed(version)
    done = subprocess.run(
        [tool("nm"), "-D", "--undefined-only", runtime.omptarget], capture_output=True, text=True, check=True
    )
    wanted = {word.split("@")[0] for word in done.stdout.split() if word.startswith(("__kmpc_", "omp_"))}
    assert wanted
    assert wanted <= symbols(runtime.omp)


def test_a_version_that_is_not_known_has_no_facts() -> None:
    assert not is_known(NEWEST + 1)
    with pytest.raises(ValueError, match=f"LLVM {NEWEST + 1}"):
        abi_of(NEWEST + 1)
