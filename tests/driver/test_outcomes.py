"""What the user is told after the compilers have run."""

from __future__ import annotations

import pytest

from rexcc.driver.outcomes import report_outcomes
from rexcc.driver.plan import Command, Stage
from rexcc.driver.run import Outcome
from rexcc.driver.workspace import Workspace
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
        "a.c:3: error: bad",
        "rexcc: error: compiling the kernels of a.c for the GPU failed",
        "b.c:3:1: error: bad",
        "rexcc: error: compiling the kernels of b.c for the CPU device failed",
    ]


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
