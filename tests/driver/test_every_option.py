"""Each option that compilers are given, by each compiler that is given it: a small program is read with it.

The host compiler and the CPU device's check the syntax, libclang parses, nvcc says what it would start.
"""

from __future__ import annotations

import functools
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
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


def commands(options: Options, tools: Toolchain, folder: Path) -> dict[str, list[str]]:
    source = options.sources[0]
    host = [tools.host.cc, *flags.host_flags(options, tools, source), "-fsyntax-only", "-w", str(folder / "t.c")]
    line = flags.for_device_code(options, source.language)

    def image(target: Target, *words: str) -> list[str]:
        job = Job(str(folder / "k.cu"), str(folder / "k.image"), target.architectures.default)
        step, *_ = target.tools.image(job, line, tools.around(target))  # with -g the second one starts from PTX
        return [step.argv[0], *words, *step.argv[1:]]

    cpu = image(CPU, "-fsyntax-only", "-x", "c++")
    found = {"the host": host, "the CPU device": cpu}
    if any(spelling.is_refused for spelling, _ in options.lost_in_device_code) or shutil.which(TOOL) is None:
        return found
    return found | {"the GPU": image(DEFAULT, "--dryrun")}


@functools.cache
def answer(argv: tuple[str, ...], folder: Path) -> tuple[int, str]:
    """Return the status of a command and what it says; most options are for one of the compilers only."""
    done = subprocess.run(argv, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    return done.returncode, done.stderr


def refusals(row: Row, folder: Path) -> list[str]:
    """Return what compilers say against an option."""
    compiler = "gcc" if row.spelling in OF_GCC else None
    options = parse([*words(row), "-c", "t.c"])
    host = toolchain.find_host_compiler(compiler)
    tools = Toolchain(host=host, runtime=None, device=None, headers=HostAnswers())
    said = []
    for who, argv in commands(options, tools, folder).items():
        status, text = answer(tuple(argv), folder)
        if status:
            said.append(f"{who}: {' '.join(argv)}\n{text[:500]}")
    unit = Index.create().parse("t.c", args=["-x", "c", *options.flags.parse], unsaved_files=[("t.c", "int a;\n")])
    wrong = [d.spelling for d in unit.diagnostics if d.severity >= Diagnostic.Error and "h.h" not in d.spelling]
    return said + [f"libclang: {text}" for text in wrong]


@pytest.mark.builds
def test_compilers_take_what_they_are_given(tmp_path: Path) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    texts = {"t.c": HOST, "k.cu": KERNEL, "h.h": "\n", "empty.cfg": ""}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with ThreadPoolExecutor(4) as pool:
        found = dict(
            zip((row.spelling for row in TRIED), pool.map(lambda r: refusals(r, tmp_path), TRIED), strict=True)
        )
    refused = {name: said for name, said in found.items() if said}
    assert not refused, "\n".join(f"{name}: {text}" for name, said in refused.items() for text in said)
