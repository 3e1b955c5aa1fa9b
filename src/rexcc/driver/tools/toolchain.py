"""What this machine has: host compilers, the compilers of device code; LLVM's runtime is ``omp_runtimes``'s to find.

In: the environment and the user's wishes. Out: frozen descriptions. Looking is cheap (files first, processes only where
a file does not tell) and each part is looked for only when it is needed, because this runs once per compiled file.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.source.later import later
from rexcc.source.records import dataclass, field
from rexcc.target.commands import Around, HostCompiler
from rexcc.target.llvm_abi import PREFERRED, is_known
from rexcc.target.model import Target
from rexcc.target.options import Meaning
from rexcc.target.tools import Compiler, DeviceReport, Place, ToolChain, Where

if TYPE_CHECKING:
    import ctypes
else:
    ctypes = later("ctypes")

RUNTIME_SOURCES = Path(__file__).resolve().parents[2] / "runtime"
HELPER = "register_cubin.cpp"
"""The source of the runtime's helper, which is linked into every program."""
CHECKER = "rex_check.cpp"
"""The source of the checking runtime, for programs that are built with ``--check``."""
HEAP = "rex_memory.cpp"
"""The source of a heap that a GPU shares (``managed_memory``)."""
REQUIRED_HEAP = "required"
"""The heap of a program that asks for one only by what its files require."""
ARCHIVES = {
    "librexcheck.a": f"check/{CHECKER}",
    "librexmanaged.a": f"memory/{HEAP}",
    "librexpinned.a": f"memory/{HEAP}",
    "librexrequired.a": f"memory/{HEAP}",
    "librexcc.a": f"src/{HELPER}",
}
"""What is linked into programs and made where it is not in the cache: an archive of one source each, in the order in
which they need each other."""
_HOST_CANDIDATES = ("clang-19", "clang", "gcc", "cc")
_CXX_NAMES = (
    ("clang", "clang++"),
    ("gcc", "g++"),
    ("icx", "icpx"),
    ("nvc", "nvc++"),
    ("mpicc", "mpicxx"),
    ("cc", "c++"),
)
LINKER = (
    "import gc, sys; gc.disable(); sys.path[:] = filter(None, sys.path); "
    "from rexcc.driver.link.device_linker import main; sys.exit(main(sys.argv[1:]))"
)
"""The program that links device code of several files. It starts without the current folder among those of modules:
files of the user's there are none of ours."""
_LINKER_FOLDERS = ("lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib")


class MissingToolError(Exception):
    """Something that the work needs is not on this machine; the text says what and how to get it."""


def how_to_install(part: str) -> str:
    """Return the command that installs a part, by its name in ``packages``, which is loaded where one is missing."""
    packages = importlib.import_module("rexcc.driver.tools.packages")
    return str(packages.remedy(packages.Part[part], packages.means(os.environ)))


@dataclass(frozen=True)
class OpenMPRuntime:
    """libomptarget in a folder, the libomp that it loads, and the LLVM version of libomptarget; ``archive`` is a static
    libomp."""

    folder: str
    omptarget: str
    omp: str
    version: int
    archive: str = ""

    @property
    def omp_folder(self) -> str:
        """The folder of libomp: mostly that of libomptarget."""
        return str(Path(self.omp).parent)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders in which a program looks for its libraries."""
        return tuple(dict.fromkeys((self.folder, self.omp_folder)))

    @property
    def is_known(self) -> bool:
        """Whether programs can be made for this version."""
        return is_known(self.version)

    def __str__(self) -> str:
        apart = f", {self.omp}" if self.omp_folder != self.folder else ""
        return f"LLVM {self.version}  {self.omptarget}{apart}"


@dataclass(frozen=True)
class Toolchain:
    """What a plan is made for. ``device`` is the compiler of the command's device, None where it is not here;
    ``has_usual_host`` whether ``gcc`` and ``g++`` are found by these names, ``linker`` the library that links device
    code."""

    host: HostCompiler
    runtime: OpenMPRuntime | None
    device: Compiler | None
    archiver: str = "ar"
    sources: Path = RUNTIME_SOURCES
    has_usual_host: bool = True
    linker: str = ""
    headers: HostAnswers = field(default_factory=HostAnswers, compare=False)

    @property
    def include(self) -> str:
        """The folder of rexcc's headers."""
        return str(self.sources / "include")

    @property
    def llvm_version(self) -> int:
        """The version the host files are compiled for."""
        return self.runtime.version if self.runtime else PREFERRED

    def around(self, target: Target) -> Around:
        """Return what a target's tools work with; the name of its compiler stands for one that is not here."""
        tools = target.tools
        found = self.device.path if self.device else tools.compiler
        compiler = self.host.cxx if tools.is_hosts else found
        linker = (sys.executable, "-c", LINKER, target.name, self.linker) if self.linker and tools.linker else ()
        further = tuple(word for name in tools.option_variables for word in os.environ.get(name, "").split())
        return Around(compiler, self.host, self.include, self.llvm_version, self.has_usual_host, linker, further)


def find_host_compiler(wish: str | None) -> HostCompiler:
    """Return the host compiler: ``wish``, or the first of clang-19, clang, gcc and cc."""
    for name in (wish,) if wish else _HOST_CANDIDATES:
        path = shutil.which(name)
        if path and wish:
            _refuse_other_programs(path, wish)
        if path:
            return HostCompiler(path, _sibling(path), _family(path))
    if wish:
        raise MissingToolError(f"host compiler '{wish}' not found; 'rexcc doctor' shows those that are here")
    looked_for = f"looked for {', '.join(_HOST_CANDIDATES)}"
    raise MissingToolError(f"no C compiler found ({looked_for}); {how_to_install('COMPILERS')}")


def _refuse_other_programs(path: str, wish: str) -> None:
    """Raise MissingToolError for a program that does not tell its macros as C compilers do."""
    if _is_known(path) or "#define" in output_of(path, "-E", "-dM", "-x", "c", os.devnull):
        return
    raise MissingToolError(f"'{wish}' is no host compiler: it does not print its macros (-E -dM), as clang and gcc do")


def _is_known(path: str) -> bool:
    name = Path(path).name
    return "clang" in name or "gcc" in name


def _sibling(cc: str) -> str:
    folder, name = os.path.split(cc)
    for c_name, cxx_name in _CXX_NAMES:
        if c_name in name and cxx_name not in name:
            path = shutil.which(str(Path(folder) / name.replace(c_name, cxx_name)))
            return path or cc
    return cc


def _family(cc: str) -> str:
    name = Path(cc).name if _is_known(cc) else output_of(cc, "--version").lower()
    return "clang" if "clang" in name else "gcc" if "gcc" in name or "free software" in name else "other"


def output_of(*argv: str) -> str:
    """Return what a program prints on both streams, nothing if it cannot be run."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, errors="replace", timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def find_compiler(tools: ToolChain, wish: str | None, environment: Mapping[str, str]) -> Compiler | None:
    """Return the compiler of device code; raise MissingToolError when the folder the user named has none."""
    if wish:
        option = next(option.spelling for option in tools.own_options if option.meaning is Meaning.FOLDER).rstrip("=")
        path = _in_folder(tools, Path(wish))
        if not path:
            raise MissingToolError(f"no {tools.compiler} in '{wish}' ({option})")
        return Compiler(path, option)
    return next(candidates(tools, environment), None)


def candidates(tools: ToolChain, environment: Mapping[str, str]) -> Iterator[Compiler]:
    """Yield the compilers in the places of a tool chain, best first; Python's packages come last, path by path."""
    packages = [place for place in tools.places if place.where is Where.PACKAGE]
    for place in tools.places:
        if place.where is not Where.PACKAGE and (path := _at(tools, place, environment)):
            yield Compiler(path, place.found_by)
    for entry in sys.path:
        for place in packages:
            for folder in sorted(Path(entry or ".").glob(place.name), reverse=True):
                if path := _in_folder(tools, folder):
                    yield Compiler(path, place.found_by)


def _at(tools: ToolChain, place: Place, environment: Mapping[str, str]) -> str | None:
    if place.where is Where.PATH:
        return shutil.which(place.name)
    folder = environment.get(place.name) if place.where is Where.VARIABLE else place.name
    return _in_folder(tools, Path(folder)) if folder else None


def _in_folder(tools: ToolChain, folder: Path) -> str | None:
    return shutil.which(str(folder / "bin" / tools.compiler))


def find_linker(tools: ToolChain, compiler: Compiler | None) -> str:
    """Return the library that links device code of several files: of the compiler's installation, else of Python's
    packages; empty where there is none."""
    if not tools.linker or compiler is None:
        return ""
    packages = [place.name for place in tools.places if place.where is Where.PACKAGE]
    roots = [Path(compiler.path).resolve().parent.parent]
    entries = [Path(entry or ".") for entry in sys.path]
    roots += [root for entry in entries for name in packages for root in sorted(entry.glob(name), reverse=True)]
    folders = (root / name for root in roots for name in _LINKER_FOLDERS)
    return str(next((path for folder in folders for path in sorted(folder.glob(tools.linker))), ""))


def has_usual_host() -> bool:
    """Whether ``gcc`` and ``g++`` are found by these names."""
    return bool(shutil.which("g++") and shutil.which("gcc"))


def find_devices(tools: ToolChain) -> DeviceReport:
    """Return the devices that a tool chain's driver offers."""
    return tools.devices(ctypes.CDLL)


def native_architectures(tools: ToolChain) -> tuple[str, ...]:
    """Return the architectures of this machine's devices, each once."""
    return tuple(dict.fromkeys(device.architecture for device in find_devices(tools).devices))
