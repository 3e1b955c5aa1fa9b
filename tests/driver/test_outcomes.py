"""What the user is told after the compilers have run."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.driver.commands.outcomes import report_outcomes, report_usages
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import Outcome
from rexcc.driver.commands.workspace import Workspace
from rexcc.driver.options.parser import parse
from rexcc.source.records import replace
from rexcc.target.cpu import CPU
from rexcc.target.model import Target
from rexcc.target.nvptx import NVPTX


def outcome(of: Stage | Target, status: int = 0, said: str = "", source: str = "a.c") -> Outcome:
    """Return what came of a command of a stage, or of one for a target's image."""
    stage, target = (of, None) if isinstance(of, Stage) else (Stage.IMAGE, of)
    return Outcome(Command(stage, ("tool",), (), None, source, target=target), status, b"", said.encode())


def told(outcomes: list[Outcome], capfd: pytest.CaptureFixture[str], skipped: int = 0) -> tuple[int, str]:
    commands = [o.command for o in outcomes] + [Command(Stage.LINK, ("ld",), (), None)] * skipped
    status = report_outcomes(commands, outcomes, Workspace("/t", keep=False))
    return status, capfd.readouterr().err


def test_a_warning_for_two_architectures_is_said_once(capfd: pytest.CaptureFixture[str]):
    warning = (
        "nvlink warning : Stack size for entry function 'OUT__1__f__3__kernel__' cannot be statically determined\n"
    )
    status, text = told([outcome(NVPTX, said=warning), outcome(NVPTX, said=warning)], capfd)
    assert (status, text.count("warning: how much stack the kernel in 'f', line 3, needs"), text.count("\n")) == (
        0,
        1,
        1,
    )


def test_warnings_of_nvcc_are_left_out(capfd: pytest.CaptureFixture[str]):
    assert told([outcome(NVPTX, said="a.c(3): warning #177-D: unused\n    int x;\n        ^\n")], capfd) == (0, "")


def test_an_error_for_two_devices_is_said_once_for_each_file(capfd: pytest.CaptureFixture[str]):
    images = [
        outcome(NVPTX, 1, "a.c(3): error: bad\n"),
        outcome(CPU, 1, "a.c:3:1: error: also bad\n"),
        outcome(CPU, 1, "b.c:3:1: error: bad\n", source="b.c"),
    ]
    status, text = told(images, capfd, skipped=1)
    assert status == 1
    assert text.splitlines() == [
        "a.c:3: error: nvcc does not take this in device code: bad; write it in another way, or build for the CPU "
        "device alone (--target=host) [unsupported-declaration]",
        "b.c:3:1: error: bad",
        "rexcc: error: compiling the kernels of b.c for the CPU device failed",
    ]


BAD = {
    'x.c(3): error: identifier "sqroot" is undefined': ("3:10", "'sqroot' is declared nowhere for the device"),
    'x.c(3): error: zero-sized variable "z" is not allowed in device code': ("3:38", "zero-sized variable 'z'"),
    'x.c(4): error: unknown register name "ax"': ("4:3", "has to be the GPU's (PTX)"),
    "x.c(4): error: unknown asm constraint letter 'z'": ("4:3", "has to be the GPU's (PTX)"),
    "x.c(3): error: template constraint not satisfied": ("3:3", "nvcc does not take this in device code: template"),
    'x.c(3): error: calling a __host__ function("sqroot") from a __global__ function("OUT__1__f__2__kernel__") is not '
    "allowed": ("3:10", "'sqroot' has no device code, but is called by a target region"),
}


@pytest.mark.parametrize("said", BAD)
def test_errors_of_nvcc_have_words_of_ours_and_the_users_line(
    said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    lines = ["void f(double *a) {", "#pragma omp target map(a[0:3])", "  { a[0]=sqroot(a[0]); a[1] = 2; int z[0]; }"]
    (tmp_path / "x.c").write_text("\n".join([*lines, '  __asm__("cpuid" ::: "eax");', "}", ""]))
    status, text = told(
        [outcome(NVPTX, 1, f"{said}\n      __rex_a[0]=sqroot(__rex_a[0]);\n  ^\n\n", source="x.c")], capfd
    )
    place, words = BAD[said]
    first, shown, caret = text.splitlines()
    assert status == 1 and first.startswith(f"x.c:{place}: error: ") and words in first and first.endswith("]")
    assert shown.endswith(("int z[0]; }", '"eax");')) and "^" in caret
    assert "rex_" not in text and "OUT__" not in text


LIMIT = "nvcc knows C++20 at most, and the program is in C++23"
HOST_CALL = 'calling a __host__ function("f") from a __global__ function("OUT__1__f__2__kernel__") is not allowed'


@pytest.mark.parametrize(
    ("said", "is_told"),
    [
        ('a.cpp(3): error: namespace "std" has no member "to_underlying"\n', True),
        ('a.cpp(3): error: identifier "self" is undefined\n', True),
        ("/t/rex_lib_a.cu(3): error: expected a type specifier\n", True),
        (f"a.cpp(2): error: {HOST_CALL}\na.cpp(3): error: expected a type specifier\n", True),
        (f"a.cpp(2): error: {HOST_CALL}\n", False),
        ("a.cpp(2): error: static assertion failed with \"rexcc: the host lays out 'S' differently\"\n", False),
        ("a.cpp(3): error: template constraint not satisfied\n", True),
        ('a.cpp(4): error: unknown register name "ax"\n', False),
        ("a.cpp(4): error: asm operand type size(4) does not match type/size implied by constraint 'l'\n", False),
        ("nvcc fatal   : Unsupported gpu architecture 'compute_12'\n", False),
        (
            "ptxas error   : Entry function 'OUT__1__f__3__kernel__' uses too much local data (0x2 bytes, 0x1 max)",
            False,
        ),
    ],
)
def test_what_nvcc_does_not_know_of_a_standard_is_said_behind_errors_that_may_come_from_it(
    said: str, is_told: bool, capfd: pytest.CaptureFixture[str]
):
    failed = outcome(NVPTX, 1, said, "a.cpp")
    status, text = told([replace(failed, command=replace(failed.command, limit=LIMIT))], capfd)
    notes = [line for line in text.splitlines() if LIMIT in line]
    assert status == 1 and "error: " in text.partition(LIMIT)[0]
    assert notes == [f"rexcc: note: {LIMIT}; --target=host compiles it for the CPU device"] * is_told


def test_errors_of_nvcc_in_generated_text_stay_as_they_are(capfd: pytest.CaptureFixture[str]):
    _, text = told([outcome(NVPTX, 1, "/t/rex_lib_a.cu(3): error: bad\n")], capfd)
    assert "/t/rex_lib_a.cu:3: error: bad" in text and "generated files are kept" in text


def test_an_architecture_that_nvcc_does_not_know(capfd: pytest.CaptureFixture[str]):
    _, text = told([outcome(NVPTX, 1, "nvcc fatal   : Unsupported gpu architecture 'compute_12'\n")], capfd)
    (line,) = text.splitlines()
    assert line.startswith("rexcc: error: this nvcc does not know the GPU architecture 'sm_12'")


def test_what_the_host_compiler_says_too_is_said_once(capfd: pytest.CaptureFixture[str]):
    warning = "warning: optimization level '-O9' is not supported; using '-O3' instead\n"
    _, text = told([outcome(CPU, said=warning), outcome(Stage.HOST, said=warning)], capfd)
    assert text == warning


USAGE = """ptxas info    : Compiling entry function 'OUT__1__fill__2__double__kernel__' for 'sm_80'
ptxas info    : Function properties for OUT__1__fill__2__double__kernel__
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 32 registers, 272 bytes smem, 400 bytes cmem[0]
"""


@pytest.mark.parametrize("words", [("-Xptxas", "-v"), ("-Xptxas=-O3,-v",), ("--ptxas-options=--verbose",), ()])
def test_what_kernels_take_is_a_table_where_it_is_asked_for(words: tuple[str, ...], capfd: pytest.CaptureFixture[str]):
    report_usages(parse([*words, "a.c"]), [outcome(NVPTX, said=USAGE), outcome(NVPTX, said=USAGE)])
    lines = [line.split() for line in capfd.readouterr().err.splitlines()]
    assert [line[:2] for line in lines] == (
        [["a.c", "architecture"], ["a", "thread"], ["fill,", "line"]] if words else []
    )
    assert not words or lines[2] == ["fill,", "line", "2", "(double)", "sm_80", "32", "272", "8", "4", "4"]


def test_a_compiler_that_is_killed(capfd: pytest.CaptureFixture[str]):
    assert told([outcome(Stage.HOST, -9)], capfd) == (
        1,
        "rexcc: error: compiling a.c for the host was killed by signal 9\n",
    )


def test_a_skipped_command_is_a_failure(capfd: pytest.CaptureFixture[str]):
    assert told([], capfd, skipped=1) == (1, "")


def test_a_link_that_lacks_libatomic_says_so(capfd: pytest.CaptureFixture[str]):
    lacks = "rose_a.c:(.text+0x64b): undefined reference to `__atomic_load'\n"
    status, text = told([outcome(Stage.LINK, 1, lacks)], capfd)
    assert status == 1
    assert "link with -latomic" in text
    _, other = told([outcome(Stage.LINK, 1, lacks.replace("__atomic", "_atomic"))], capfd)
    assert "libatomic" not in other
