"""Each option that compilers are given, by each compiler that is given it: a small program is read with it.

The host compiler and the CPU device's check the syntax, libclang parses, nvcc says what it would start.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from clang.cindex import Diagnostic, Index

import rexcc.clang.binding  # noqa: F401  settings that have to be made before libclang is loaded
from rexcc.driver.commands import flags
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import To
from rexcc.driver.options.option_table import ROWS, Row, Shape
from rexcc.driver.options.parser import parse
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.driver.tools.toolchain import Toolchain
from rexcc.target.commands import Job
from rexcc.target.known import CPU, DEFAULT
from rexcc.target.model import Target
from rexcc.target.nvptx_options import SPELLINGS

HOST = "int main(void) { return (int)sizeof(void *) - 8; }\n"
KERNEL = 'extern "C" void k(int *p) { p[0] = 1; }\n'
VALUES = {
    "-D": "NAME=1", "-U": "NAME", "-I": ".", "-isystem": ".", "-iquote": ".", "-idirafter": ".", "-include": "h.h",
    "-imacros": "h.h", "-iprefix": "./", "-isysroot": "/", "-Xpreprocessor": "-DA", "-d": "D",
    "-O": "2", "-g": "", "-f": "inline-functions", "-m": "sse2", "-fmax-errors=": "3", "-Wa,": "--noexecstack",
    "-fpack-struct=": "2", "-mlong-double-": "80", "-ftrivial-auto-var-init=": "zero", "-fsanitize=": "undefined",
    "-fno-sanitize=": "undefined", "-fsanitize-": "recover=undefined", "-fno-sanitize-": "recover=undefined",
    "-fstack-protector": "-strong", "-fno-builtin": "", "-ffp-contract=": "on", "-fexcess-precision=": "fast",
    "-march=": "x86-64", "-mavx": "", "-msse": "4.2", "-target": "x86_64-linux-gnu", "--sysroot=": "/",
    "--sysroot": "/", "--gcc-toolchain=": "/usr", "-stdlib=": "libstdc++", "-B": ".", "--param": "ssp-buffer-size=8",
    "--param=": "ssp-buffer-size=8", "-mllvm": "-inline-threshold=100", "-Xclang": "-fno-pch-timestamp",
    "-Xassembler": "--noexecstack", "-Xarch_host": "-DA", "-dumpbase": "base", "-dumpdir": "dir", "-aux-info": "aux",
    "-Xnvcc": "-v", "-Xnvcc=": "-v", "-Xptxas": "-v", "-Xptxas=": "-v", "-Xcuda-ptxas": "-v", "--ptxas-options=": "-v",
    "--maxrregcount": "32", "--maxrregcount=": "32", "-maxrregcount": "32", "-maxrregcount=": "32", "-fmad=": "false",
    "--fmad=": "true", "-fprofile-update=": "atomic", "-fprofile-generate=": ".", "-fprofile-use=": ".",
    "-ffile-prefix-map=": "/a=/b",
    "-fdebug-prefix-map=": "/a=/b", "-fmacro-prefix-map=": "/a=/b", "-fdebug-compilation-dir=": "/a",
    "-ffile-compilation-dir=": "/a", "-wrapper": "env", "--config=": "./empty.cfg", "--config": "./empty.cfg",
    "--embed-dir=": ".",
}  # fmt: skip
"""A value for each row that takes one."""
OF_GCC = frozenset(
    {
        "-fwrapv-pointer",
        "-fmax-errors=",
        "-fexcess-precision=",
        "-aux-info",
        "-fprofile-use",
        "-fprofile-use=",
        "-dumpbase",
        "-wrapper",
        "--param",
        "--param=",
    }
)
"""Options that clang 19 does not have."""
NEEDS_MORE = {
    "-include-pch": "a precompiled header (tests of headers forced)",
    "-m32": "the 32-bit libraries, which no device has",
    "--gcc-install-dir=": "the folder of one version of gcc",
    "-specs=": "a file of gcc's own language",
    "-iprefix": "an -iwithprefix behind it",
}
GIVEN = [row for row in ROWS if row.spelling in SPELLINGS or row.to & (To.HOST | To.PARSE | To.CPU)]
TRIED = [row for row in GIVEN if row.spelling not in NEEDS_MORE]
TOOL = DEFAULT.tools.compiler


def words(row: Row) -> list[str]:
    if row.shape is Shape.FLAG:
        return [row.spelling]
    value = VALUES[row.spelling]
    return [row.spelling, value] if row.shape is Shape.SEPARATE else [f"{row.spelling}{value}"]


def test_every_row_with_a_value_has_one_here() -> None:
    assert {row.spelling for row in TRIED if row.shape is not Shape.FLAG} == {
        name for name in VALUES if name not in NEEDS_MORE
    }
    assert set(NEEDS_MORE) <= {row.spelling for row in GIVEN}


def is_refused(options: Options) -> bool:
    """Whether device code for GPUs cannot be compiled with options."""
    return any(spelling.is_refused for spelling, _ in options.lost_in_device_code)


def commands(options: Options, tools: Toolchain, folder: Path) -> dict[str, list[str]]:
    source = options.sources[0]
    host = [tools.host.cc, *flags.host_flags(options, tools, source), "-fsyntax-only", "-w", str(folder / "host.c")]
    line = flags.for_device_code(options, source.language)

    def image(target: Target, *words: str) -> list[str]:
        job = Job(str(folder / "k.cu"), str(folder / "k.image"), target.architectures.default)
        step, *_ = target.tools.image(job, line, tools.around(target))  # with -g the second one starts from PTX
        return [step.argv[0], *words, *step.argv[1:]]

    cpu = image(CPU, "-fsyntax-only", "-x", "c++")
    found = {"the host": host, "the CPU device": cpu}
    if is_refused(options) or shutil.which(TOOL) is None:
        return found
    return found | {"the GPU": image(DEFAULT, "--dryrun")}


@functools.cache
def answer(argv: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """Return the status of a command and what it says; most options are for one of the compilers only."""
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stderr


def behind(row: Row) -> str:
    """Return a macro that stands behind an option: the host's program asks whether the option takes it for a value."""
    return f"BEHIND_{ROWS.index(row)}"


def place(rows: Sequence[Row], folder: Path) -> None:
    asked = "".join(f"#ifndef {behind(row)}\n#error {row.spelling} takes a value\n#endif\n" for row in rows)
    folder.mkdir()
    (folder / "host.c").write_text(f"{asked}{HOST}", encoding="utf-8")
    (folder / "k.cu").write_text(KERNEL, encoding="utf-8")


def refusals(rows: Sequence[Row], folder: Path) -> list[str]:
    """Return what compilers that are the same for all say against options; where they say something, half of the
    options at a time, in the end each alone: some do not go together."""
    given = [word for row in rows for word in (*words(row), f"-D{behind(row)}")]
    options = parse([*given, "-c", "t.c"])
    host = toolchain.find_host_compiler("gcc" if rows[0].spelling in OF_GCC else None)
    tools = Toolchain(host=host, runtime=None, device=None, headers=HostAnswers())
    programs = folder / f"{behind(rows[0])}_{len(rows)}"
    place(rows, programs)
    said = []
    for who, argv in commands(options, tools, programs).items():
        status, text = answer(tuple(argv), folder)
        if status:
            said.append(f"{who}: {' '.join(argv)}\n{text[:500]}")
    unit = Index.create().parse("t.c", args=["-x", "c", *options.flags.parse], unsaved_files=[("t.c", "int a;\n")])
    wrong = [d.spelling for d in unit.diagnostics if d.severity >= Diagnostic.Error and "h.h" not in d.spelling]
    said += [f"libclang: {text}" for text in wrong]
    half = len(rows) // 2
    return refusals(rows[:half], folder) + refusals(rows[half:], folder) if said and half else said


@pytest.mark.builds
def test_compilers_take_what_they_are_given(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    for name, text in {"h.h": "\n", "empty.cfg": ""}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    by_compilers: dict[tuple[bool, bool], list[Row]] = {}
    for row in TRIED:
        key = row.spelling in OF_GCC, is_refused(parse([*words(row), "-c", "t.c"]))
        by_compilers.setdefault(key, []).append(row)
    assert {(True, False), (False, True), (False, False)} <= by_compilers.keys()
    refused = [text for rows in by_compilers.values() for text in refusals(rows, tmp_path)]
    assert not refused, "\n".join(refused)
