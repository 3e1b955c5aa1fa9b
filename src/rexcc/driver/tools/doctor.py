"""``rexcc doctor``: what is here, what is missing, and the command that installs it.

In: this machine. Out: one line for each part, and an exit status of 1 if something needed for compiling is missing.
``rexcc doctor --install`` gives the command for LLVM's runtime first, where that is missing, into the user's folder.
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import metadata
from pathlib import Path

from rexcc import __version__
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.tools import omp_runtimes, packages, toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.packages import Part
from rexcc.driver.tools.pip_command import in_this_environment
from rexcc.driver.tools.toolchain import MissingToolError, OpenMPRuntime
from rexcc.target.commands import HostCompiler
from rexcc.target.known import TARGETS
from rexcc.target.llvm_abi import NEWEST, OLDEST
from rexcc.target.tools import Finding, ToolChain

_OLDEST_PYTHON = (3, 10)


_INSTALL = "--install"
_OTHER_FOLDER = f"name the library's folder in LD_LIBRARY_PATH, or another runtime with {omp_runtimes.OPTION}="
_LOADED = "import ctypes, sys; [ctypes.CDLL(name, ctypes.RTLD_GLOBAL) for name in sys.argv[1:]]"


def main(arguments: Sequence[str] = ()) -> int:
    """Print the findings and return the exit status."""
    if arguments not in ([], [_INSTALL]):
        raise UsageError(f"rexcc doctor takes {_INSTALL} or nothing")
    if arguments:
        install_runtime()
    findings = list(examine())
    width = max(len(finding.part) for finding in findings)
    for finding in findings:
        print(f"{_MARKS[finding.state]} {finding.part:<{width}}  {finding.detail}")
        if finding.remedy:
            print(f"  {'':<{width}}  -> {in_this_environment(finding.remedy)}")
    missing = [finding.part for finding in findings if finding.state == "missing"]
    print(f"\nrexcc cannot compile yet: {', '.join(missing)}" if missing else "\nrexcc is ready.")
    return int(bool(missing))


_MARKS = {"ok": "[ok]     ", "missing": "[missing]", "without": "[without]"}


def install_runtime() -> None:
    """Bring LLVM's runtime into the user's folder, where there is none."""
    found = omp_runtimes.find_runtimes(None, os.environ)
    if any(runtime.is_known for runtime in found):
        return
    means = packages.means(os.environ)
    if not means.pip:
        raise MissingToolError(f"nothing for this machine is on PyPI; {packages.remedy(Part.RUNTIME, means)}")
    command = packages.runtime_command(means)
    print(shlex.join(command), flush=True)
    if subprocess.run(command, check=False).returncode:
        raise MissingToolError(f"pip has failed; {packages.remedy(Part.RUNTIME, means)}")


def examine() -> Iterator[Finding]:
    """Look at each part in turn."""
    yield Finding("rexcc", "ok", f"{__version__}  {Path(toolchain.__file__).parents[2]}")
    yield _python()
    yield _libclang()
    host, finding = _host_compiler()
    yield finding
    if host:
        yield _cxx_compiler(host)
    yield from _openmp_runtimes(host)
    for target in TARGETS:
        yield from _tools(target.tools)


def _python() -> Finding:
    detail = f"{platform.python_version()}  {sys.executable}"
    if sys.version_info < _OLDEST_PYTHON:
        return Finding("Python", "missing", detail, "Python 3.10 or later is needed")
    return Finding("Python", "ok", detail)


def _libclang() -> Finding:
    remedy = "pip install libclang==18.1.1"
    found = importlib.util.find_spec("clang")
    library = _libclang_file(list(found.submodule_search_locations or ())) if found else None
    if not library:
        return Finding("libclang", "missing", "not found", remedy)
    try:
        ctypes.CDLL(str(library))
    except OSError as problem:
        return Finding("libclang", "missing", f"cannot be loaded: {problem}", remedy)
    try:
        version = metadata.version("libclang")
    except metadata.PackageNotFoundError:
        version = "unknown version"
    return Finding("libclang", "ok", f"{version}  {library}")


def _libclang_file(folders: list[str]) -> Path | None:
    named = os.environ.get("LIBCLANG_PATH")
    if named:
        return Path(named)
    return next((f for folder in folders for f in sorted(Path(folder).glob("native/libclang.*"))), None)


def _host_compiler() -> tuple[HostCompiler | None, Finding]:
    try:
        host = toolchain.find_host_compiler(None)
    except MissingToolError:
        return None, Finding("C compiler", "missing", "not found", _remedy(Part.COMPILERS))
    return host, Finding("C compiler", "ok", f"{_first_line(host.cc, '--version')}  {host.cc}")


def _cxx_compiler(host: HostCompiler) -> Finding:
    detail = f"{_first_line(host.cxx, '--version')}  {host.cxx}"
    if not any("c++" in folder for folder in HostAnswers().folders(host.cxx, "c++", ())):
        return Finding("C++ compiler", "missing", f"{detail}: no C++ headers", _remedy(Part.COMPILERS))
    return Finding("C++ compiler", "ok", detail)


def _openmp_runtimes(host: HostCompiler | None) -> Iterator[Finding]:
    """Tell of all of them: the first that is known is the one that programs are linked with."""
    part = "OpenMP runtime"
    found = omp_runtimes.find_runtimes(host, os.environ)
    known = [runtime for runtime in found if runtime.is_known]
    if not known:
        wanted = f"no libomptarget of LLVM {OLDEST} to {NEWEST}"
        yield Finding(part, "missing", wanted, _remedy(Part.RUNTIME))
    for runtime in found:
        problem = _loading_problem(runtime)
        if not runtime.is_known:
            yield Finding(part, "without", f"{runtime}: later than {NEWEST}, whose binary interface rexcc knows", "")
        elif problem:
            state = "missing" if runtime == known[0] else "without"
            yield Finding(part, state, f"{runtime}: programs cannot load it: {problem}", _OTHER_FOLDER)
        else:
            choice = "" if runtime == known[0] else f"  ({omp_runtimes.OPTION}={_name_of(runtime, known)})"
            yield Finding(part, "ok", f"{runtime}{choice}")


def _loading_problem(runtime: OpenMPRuntime) -> str:
    """Return what a program would be told that is linked with a runtime, if a library is missing to that."""
    told = toolchain.output_of(sys.executable, "-c", _LOADED, runtime.omp, runtime.omptarget)
    return told.strip().rpartition("\n")[2].removeprefix("OSError: ")


def _remedy(part: Part) -> str:
    return packages.remedy(part, packages.means(os.environ))


def _name_of(runtime: OpenMPRuntime, known: list[OpenMPRuntime]) -> str:
    """Return what chooses a runtime: its version, where that is the first of this version, else its folder."""
    first = next(other for other in known if other.version == runtime.version)
    return str(runtime.version) if runtime == first else runtime.folder


def _tools(tools: ToolChain) -> Iterator[Finding]:
    """Look at the tools of a target, and at its devices."""
    found = toolchain.find_compiler(tools, None, os.environ)
    yield from tools.examined(found, toolchain.output_of(found.path, "--version") if found else "")
    if found is not None and tools.linker:
        yield _device_linker(tools, toolchain.find_linker(tools, found))
    yield from tools.examined_devices(toolchain.find_devices(tools))


def _device_linker(tools: ToolChain, library: str) -> Finding:
    """Say whether functions that device code calls in other files can be inlined."""
    if library:
        return Finding("device linker", "ok", library)
    missing = f"no {tools.linker}: {tools.compiler} links device code of several files, without inlining"
    return Finding("device linker", "without", missing, tools.linker_remedy)


def _first_line(*argv: str) -> str:
    return toolchain.output_of(*argv).partition("\n")[0] or "does not run"
