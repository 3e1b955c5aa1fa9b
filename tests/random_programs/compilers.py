"""Compiling and running a unit: without OpenMP, with other compilers, with rexcc; and what came of it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from support import STUBS

SUFFIXES = {"c": ".c", "c++": ".cpp"}
RUNTIME = "/usr/lib/llvm-19/lib"
ERROR = re.compile(r"^[^\s:]+:(\d+):\d+: error: (.*)$", re.MULTILINE)
HEADING = re.compile(r"^p\d+[a-z]?$", re.MULTILINE)
"""The line with which a block begins its output: its name."""

CODE = re.compile(r"\[[a-z][a-z-]*\]$")


@dataclass(frozen=True)
class Compiler:
    """A compiler to compare with plain execution: its commands for C and C++, and the environment of its programs.

    ``without``: text that it does not bear, removed before it compiles.
    """

    name: str
    commands: dict[str, tuple[str, ...]]
    environment: dict[str, str] = field(default_factory=dict)
    without: str = ""


_HOST = {"LD_LIBRARY_PATH": RUNTIME, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "5"}
# LLVM 19's hidden helper threads come to a standstill now and then.
_NOWAIT = r"(?<=#pragma omp target)(.*) nowait\b"
_OFFLOAD = "-fopenmp-targets=x86_64-pc-linux-gnu"
_VERSION = "-fopenmp-version=52"


def _both(c: str, cpp: str, *arguments: str) -> dict[str, tuple[str, ...]]:
    return {"c": (c, *arguments), "c++": (cpp, *arguments)}


COMPILERS = {
    "gcc": Compiler("gcc", _both("gcc", "g++", "-fopenmp", "-foffload=disable"), _HOST | {"LD_LIBRARY_PATH": ""}),
    "clang": Compiler(
        "clang", _both("clang-19", "clang++-19", "-fopenmp"), _HOST | {"OMP_TARGET_OFFLOAD": "DISABLED"}, _NOWAIT
    ),
    "offload": Compiler(
        "offload",
        _both("clang-19", "clang++-19", "-fopenmp", _VERSION, _OFFLOAD),
        _HOST | {"OMP_TARGET_OFFLOAD": "MANDATORY"},
        _NOWAIT,
    ),
    "rexcc": Compiler(
        "rexcc",
        _both(str(Path(sys.executable).parent / "rexcc"), str(Path(sys.executable).parent / "rexcc"), "--target=host"),
        {"LD_LIBRARY_PATH": RUNTIME, "OMP_TARGET_OFFLOAD": "MANDATORY"},
    ),
}


@dataclass(frozen=True)
class Outcome:
    """What came of a unit: ``same``, ``refused``, ``build``, ``crash``, ``hang``, ``different``, ``plain``.

    ``lines``: where its errors are; ``blamed``: the blocks in whose output it goes wrong.
    """

    kind: str
    detail: str = ""
    lines: tuple[int, ...] = ()
    blamed: tuple[str, ...] = ()

    @property
    def signature(self) -> str:
        """The outcome without what differs from program to program."""
        detail = re.sub(r"/\S*/|\b0x[0-9a-f]+\b|\bp\d+[a-z]_", "", self.detail.split("\n")[0])
        return f"{self.kind}: {re.sub(r'[0-9]+', 'N', detail)[:150]}" if self.kind != "different" else self.kind


def _environment(extra: dict[str, str]) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("OMP_", "REX_", "LIBOMPTARGET", "KMP_"))}
    return kept | extra


def _execute(command: list[str], folder: Path, extra: dict[str, str], limit: int) -> tuple[int, str, str]:
    try:
        done = subprocess.run(
            command, cwd=folder, env=_environment(extra), capture_output=True, timeout=limit, check=False
        )
    except subprocess.TimeoutExpired as late:
        return 124, (late.stdout or b"").decode(errors="replace"), f"no end after {limit} s"
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def source_of(folder: Path, name: str, text: str, language: str) -> Path:
    """Write a unit's text to its file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (name + SUFFIXES[language])
    path.write_text(text)
    return path


def plain_output(folder: Path, source: Path, flags: Sequence[str], seconds: int = 20) -> tuple[str | None, str]:
    """Return what a unit prints when its directives are ignored, or None and the reason."""
    compiler = "gcc" if source.suffix == ".c" else "g++"
    program = str(folder / f"{source.stem}.plain")
    command = [compiler, *flags, "-w", "-ffp-contract=off", "-I", str(STUBS), source.name, "-o", program]
    status, _, complaint = _execute(command, folder, {}, 60)
    if status:
        return None, complaint
    status, output, complaint = _execute([program], folder, {}, seconds)
    return (output, "") if status == 0 else (None, f"status {status} {complaint}")


def examine(
    compiler: Compiler,
    folder: Path,
    source: Path,
    expected: str,
    flags: Sequence[str],
    read: Callable[[str], str],
) -> Outcome:
    """Compile and run a unit with a compiler, and compare what ``read`` makes of its output."""
    program = str(folder / f"{source.stem}.{compiler.name}")
    command = compiler.commands["c" if source.suffix == ".c" else "c++"]
    arguments = [*flags, "-w"] if compiler.name == "rexcc" else [*flags, "-w", "-ffp-contract=off"]
    if compiler.without:
        source.write_text(re.sub(compiler.without, r"\1", source.read_text()))
    status, _, complaint = _execute([*command, *arguments, source.name, "-o", program], folder, {}, 120)
    if status:
        if compiler.name == "rexcc" and "frontend command failed" in complaint and _clang_crashes(folder, source):
            return Outcome("refused", "clang itself crashes")
        return _build_failure(compiler, complaint)
    status, output, complaint = _execute([program], folder, compiler.environment, 30)
    if status == 124:
        return Outcome("hang", complaint)
    if status:
        last = tuple(HEADING.findall(output)[-1:])
        return Outcome("crash", f"status {status}: {complaint.strip()[-300:]}", blamed=last)
    output = read(output)
    if output == expected:
        return Outcome("same")
    got, wanted = output.split("\n"), expected.split("\n")
    wrong = [f"{w!r}, not {g!r}" for g, w in zip(got, wanted, strict=False) if g != w]
    return Outcome("different", "; ".join(wrong[:5]) or "length", blamed=_owners(got, wanted))


def _owners(got: list[str], wanted: list[str]) -> tuple[str, ...]:
    """Return the names of the blocks that print a wrong line."""
    found, name = [], ""
    for have, want in zip(got, wanted, strict=False):
        name = want if HEADING.fullmatch(want) else name
        if have != want:
            found.append(name)
    return tuple(dict.fromkeys(found)) if len(got) == len(wanted) else ()


def _clang_crashes(folder: Path, source: Path) -> bool:
    """Tell whether the host compiler crashes on the user's text as well."""
    command = COMPILERS["clang"].commands["c" if source.suffix == ".c" else "c++"]
    _, _, complaint = _execute([*command, "-O1", "-w", "-c", source.name, "-o", f"{source.stem}.o"], folder, {}, 120)
    return "frontend command failed" in complaint


def _build_failure(compiler: Compiler, complaint: str) -> Outcome:
    found = ERROR.findall(complaint)
    if found and "Traceback" not in complaint and (compiler.name != "rexcc" or CODE.search(found[0][1])):
        return Outcome("refused", found[0][1], tuple(int(n) for n, _ in found))
    if compiler.name == "offload" and "linker command failed" in complaint:
        return Outcome("refused", "host variables of file scope in tasks")
    last = [t for t in complaint.strip().split("\n") if "error" in t or "Error" in t] or [complaint[-300:]]
    return Outcome("build", f"{last[0]}\n{complaint[-3000:]}", tuple(int(n) for n, _ in found))
