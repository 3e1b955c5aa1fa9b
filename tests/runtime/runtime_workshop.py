"""Builds the programs of this folder with plain compiler calls, in a folder of their own."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
from pathlib import Path

import pytest

import support
from support import QUICK_LINK

HERE = Path(__file__).parent
PROGRAMS = HERE / "programs"
RUNTIME = HERE.parents[1] / "src" / "rexcc" / "runtime"
INCLUDE = f"-I{RUNTIME / 'include'}"
STAGED = "-DREX_STAGING_KIND=REX_ON_CPU_DEVICE"
REGISTRATION = RUNTIME / "src" / "register_cubin.cpp"
LLVM = Path("/usr/lib/llvm-19/lib")
LIBRARIES = (f"-L{LLVM}", f"-Wl,-rpath,{LLVM}", "-lomp", "-lomptarget", "-lstdc++", "-lm", "-ldl", QUICK_LINK)
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter")
HOST_IMAGE = ("-O1", "-std=gnu++17", "-shared", "-fPIC", "-pthread", "-Wl,-Bsymbolic", "-Wl,-z,nodelete", "-x", "c++")

Word = str | Path
Done = subprocess.CompletedProcess[str]


def tool(name: str) -> str:
    """Return a compiler's name, or skip the test and say why."""
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    return name


class Workshop:
    """A folder in which programs are built and run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.registration = self._usual_registration()

    def _usual_registration(self) -> Path:
        """Compile the runtime's host part as rexcc does, which tests of other folders do, too: once for all, somewhat
        optimised and with warnings (``stand_in.sh``)."""
        path = self.folder / "register_cubin.o"
        words = ("-O2", "-std=c++17", "-fPIC", "-fvisibility=hidden", "-isystem", RUNTIME / "include")
        self.call(tool("g++"), *words, "-DREX_LLVM_VERSION=19", "-c", REGISTRATION, "-o", path)
        return path

    def visible_registration(self) -> Path:
        """Compile it with what a program may choose when it is linked, with copies to the CPU device that are carried
        as those to GPUs are, and by a compiler whose default is that names are visible; not optimised."""
        choices = ("-DREX_DEFAULT_INIT=overlap", "-DREX_DEFAULT_WAIT=block", STAGED)
        return self.registration_with("-O0", *choices, target="register_visible.o", compiler="clang++-19")

    def registration_with(self, *flags: str, target: str, compiler: str = "g++") -> Path:
        """Compile the runtime's host part with further flags."""
        words = (tool(compiler), "-std=c++17", "-O2", *WARNINGS, *flags, "-fPIC", "-c", REGISTRATION, INCLUDE)
        made = support.made_once(words, support.runtime_texts(), lambda path: self._make(*words, "-o", path))
        shutil.copyfile(made, self.folder / target)
        return self.folder / target

    def _make(self, *command: Word) -> None:
        self.call(*command)

    def fake_driver(self) -> str:
        """Build the make-believe driver and return its folder."""
        library = self.folder / "cuda" / "libcuda.so.1"
        if not library.exists():
            library.parent.mkdir()
            self.call("gcc", *WARNINGS, "-shared", "-fPIC", PROGRAMS / "fake_cuda.c", "-o", library)
        return str(library.parent)

    def call(self, *command: Word, status: int = 0, **environment: str) -> Done:
        """Run a command here and insist on its exit status."""
        ours = ("REX_", "OMP_", "LIBOMPTARGET", "CUDA", "FAKE_CUDA")
        plain = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        done = subprocess.run(
            [str(word) for word in command],
            cwd=self.folder,
            env=plain | environment,
            capture_output=True,
            text=True,
            timeout=support.PATIENCE,
            check=False,
        )
        assert done.returncode == status, f"{command}: status {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def host_image(self, name: str, *flags: Word, target: str = "", compiler: str = "g++") -> None:
        """Compile ``rex_host_NAME.cpp`` for the CPU device, once for all tests that want the same image."""
        words = (compiler, *HOST_IMAGE, *WARNINGS, *flags, INCLUDE, PROGRAMS / f"rex_host_{name}.cpp")
        made = support.made_once(words, support.runtime_texts(), lambda path: self._make(*words, "-o", path))
        shutil.copyfile(made, self.folder / (target or f"rex_lib_{name}.host.so"))

    def pretend_cubin(self, name: str, arch: int) -> None:
        """Write what looks like the cubin of CUDA 13 as far as its header goes, without any section."""
        header = b"\x7fELF\x02\x01\x01\x41\x08" + bytes(7)
        header += struct.pack("<HHIQQQIHHHHHH", 2, 190, 1, 0, 0, 0, arch << 8, 64, 0, 0, 64, 0, 0)
        (self.folder / name).write_bytes(header.ljust(64, b"\0"))

    def compile(self, compiler: str, source: str, *flags: Word, target: str) -> str:
        """Compile a host file."""
        words = compiler.split()
        common = ("-O2", "-fopenmp", "-fPIC", *flags, INCLUDE)
        self.call(tool(words[0]), *words[1:], *common, "-c", PROGRAMS / source, "-o", target)
        return target

    def link(self, *inputs: Word, target: str, compiler: str = "gcc") -> str:
        """Link a program or library and return how to run it."""
        self.call(tool(compiler), *inputs, "-o", target, *LIBRARIES)
        return f"./{target}"
