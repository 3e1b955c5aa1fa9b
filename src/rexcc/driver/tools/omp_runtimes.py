"""The LLVM OpenMP runtimes of this machine: libomptarget with the libomp that belongs to it, and which one is taken.

In: the environment, the host compiler, and what ``--omp-runtime=`` says. Out: frozen descriptions, best first.
A program has one runtime: its objects are compiled for the version that is linked (:mod:`rexcc.target.llvm_abi`), with
rexcc's own ``omp.h``, and both libraries come from one description.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from rexcc.driver.tools.runtime_places import folders_below, folders_of_packages, user_folder
from rexcc.driver.tools.toolchain import MissingToolError, OpenMPRuntime, output_of
from rexcc.target.commands import HostCompiler
from rexcc.target.llvm_abi import NEWEST, OLDEST, PREFERRED

OPTION = "--omp-runtime"
_MULTIARCH = ("x86_64-unknown-linux-gnu", "x86_64-linux-gnu", "aarch64-unknown-linux-gnu", "aarch64-linux-gnu")
_BELOW = ("", *_MULTIARCH)


def find_runtimes(host: HostCompiler | None, environment: Mapping[str, str]) -> list[OpenMPRuntime]:
    """Return every LLVM OpenMP runtime that is not too old, each once, best first: LD_LIBRARY_PATH, then the preferred
    version, then the newest that is known, then those that are not known."""
    chosen = list(_runtimes_in(_split_path(environment.get("LD_LIBRARY_PATH", ""))))
    others = list(_runtimes_in(_usual_folders(host, environment)))
    others.sort(key=lambda r: (not r.is_known, r.version != PREFERRED, -r.version))
    each: dict[str, OpenMPRuntime] = {}
    for runtime in chosen + others:
        each.setdefault(os.path.realpath(runtime.omptarget), runtime)
    return list(each.values())


def find_runtime(
    host: HostCompiler | None, environment: Mapping[str, str], wish: str | None = None
) -> OpenMPRuntime | None:
    """Return the LLVM OpenMP runtime to link with: the one wished for, or the best; None where there is none at all.

    A wish is a version, a folder, or a libomptarget. What cannot be fulfilled is a MissingToolError.
    """
    if wish is None:
        return _best(host, environment)
    runtime = _of_version(find_runtimes(host, environment), int(wish)) if wish.isdecimal() else _at_place(Path(wish))
    if not runtime.is_known:
        known = f"rexcc knows the binary interfaces of LLVM {OLDEST} to {NEWEST}"
        raise MissingToolError(f"{OPTION}={wish} is LLVM {runtime.version}'s runtime; {known}")
    return runtime


def _best(host: HostCompiler | None, environment: Mapping[str, str]) -> OpenMPRuntime | None:
    """Return the first known one of :func:`find_runtimes`, without a look at places that come behind it."""
    chosen = _runtimes_in(_split_path(environment.get("LD_LIBRARY_PATH", "")))
    others = _runtimes_in(_usual_folders(host, environment))
    first = next((runtime for runtime in chosen if runtime.is_known), None)
    if first is None:
        first = next((runtime for runtime in others if runtime.version == PREFERRED), None)
    if first is not None:
        return first
    found = find_runtimes(host, environment)
    return next((runtime for runtime in found or _configured() if runtime.is_known), None)


def _configured() -> Iterator[OpenMPRuntime]:
    folder = output_of("llvm-config", "--libdir").strip()
    return _runtimes_in([Path(folder)] if folder else [])


def _of_version(found: list[OpenMPRuntime], version: int) -> OpenMPRuntime:
    for runtime in found:
        if runtime.version == version:
            return runtime
    here = ", ".join(str(runtime.version) for runtime in found) or "none"
    raise MissingToolError(f"no OpenMP runtime of LLVM {version} found ({OPTION}); here are: {here}")


def _at_place(place: Path) -> OpenMPRuntime:
    folder = place.parent if place.name.startswith("libomptarget") else place
    places = (folder, folder / "lib", folder / "lib64", *folders_of_packages([str(folder)]), *folders_below(folder))
    runtime = next(_runtimes_in(places, oldest=0), None)
    if runtime is None:
        raise MissingToolError(f"no libomptarget with its libomp in '{place}' ({OPTION})")
    return runtime


def _split_path(value: str) -> list[Path]:
    return [Path(part) for part in value.split(os.pathsep) if part]


def _usual_folders(host: HostCompiler | None, environment: Mapping[str, str]) -> Iterator[Path]:
    """Yield where it may be: the system's folders, the host compiler's, those of this Python, and the user's own."""
    yield from folders_below(Path("/"))
    if host and host.family == "clang":
        yield Path(host.cc).resolve().parent.parent / "lib"
    yield Path(sys.prefix) / "lib"  # conda
    yield from folders_of_packages(sys.path)
    own = user_folder(environment)
    if own:
        yield from folders_of_packages([str(own)])
        yield from folders_below(own)


def _runtimes_in(folders: Iterable[Path], oldest: int = OLDEST) -> Iterator[OpenMPRuntime]:
    for folder in folders:
        for below in _BELOW:
            found = _runtime_at(folder / below)
            if found and found.version >= oldest:
                yield found


def _runtime_at(folder: Path) -> OpenMPRuntime | None:
    if not folder.is_dir():
        return None
    omptarget = _library(folder, "libomptarget")
    if not omptarget:
        return None
    omp = next((f for f in (_library(place, "libomp") for place in _places_of_libomp(folder)) if f), None)
    if not omp:
        return None
    archive = omp.parent / "libomp.a"
    version = _llvm_version(omptarget)
    return OpenMPRuntime(str(folder), str(omptarget), str(omp), version, str(archive) if archive.exists() else "")


def _places_of_libomp(folder: Path) -> Iterator[Path]:
    """Yield where the dynamic loader finds the libomp of a libomptarget: beside it, or, as Debian has it for versions
    that share one (``/usr/lib/llvm-22/lib``), in the folder of the machine's libraries (``/usr/lib/x86_64-linux-gnu``).
    """
    yield folder
    if re.fullmatch(r"llvm-\d+", folder.parent.name):
        yield from (folder.parent.parent / name for name in _MULTIARCH)


def _library(folder: Path, name: str) -> Path | None:
    plain = folder / f"{name}.so"
    if plain.exists():
        return plain
    return next((path for path in sorted(folder.glob(f"{name}.so.*")) if path.exists()), None)


def _llvm_version(library: Path) -> int:
    real = library.resolve()
    for pattern, text in ((r"\.so\.(\d+)", real.name), (r"llvm[-/]?(\d+)", str(real))):
        found = re.search(pattern, text)
        if found and int(found[1]) >= 10:
            return int(found[1])
    return PREFERRED
