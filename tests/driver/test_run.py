"""Running plans: order, concurrency, failures."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rexcc.driver.commands.embedded_files import EmbeddedFiles
from rexcc.driver.commands.plan import Command, Stage
from rexcc.driver.commands.run import run_command, run_plan
from rexcc.source.records import replace
from rexcc.target.nvptx import NVPTX
from rexcc.target.nvptx_image import OldHeader


def shell(script: str, inputs: tuple[str, ...] = (), output: str | None = None) -> Command:
    return Command(Stage.HOST, ("sh", "-c", script), inputs, output)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_command_waits_for_its_inputs():
    commands = [
        shell("cat a b > c", ("a", "b"), "c"),
        shell("sleep 0.05; echo a > a", (), "a"),
        shell("echo b > b", (), "b"),
    ]
    outcomes = run_plan(commands)
    assert [o.command for o in outcomes] == commands
    assert Path("c").read_text() == "a\nb\n"


def test_a_failure_stops_what_needs_it_and_nothing_else():
    commands = [
        shell("echo sorry >&2; exit 3", (), "a"),
        shell("touch b", (), "b"),
        shell("touch c", ("a",), "c"),
    ]
    outcomes = run_plan(commands)
    assert [o.status for o in outcomes] == [3, 0]
    assert outcomes[0].stderr == b"sorry\n"
    assert Path("b").exists()
    assert not Path("c").exists()


def test_a_program_that_cannot_start():
    outcome = run_command(Command(Stage.LINK, ("/no/such/tool", "x"), (), None))
    assert outcome.status != 0
    assert b"/no/such/tool" in outcome.stderr


def test_a_gpu_image_that_is_none():
    argv = (sys.executable, "-c", "open('x', 'w')")
    command = Command(Stage.IMAGE, argv, (), "x", "a.c", target=NVPTX, finish=OldHeader("sm_90"))
    outcome = run_command(command)
    assert outcome.status == 1
    assert b"not a cubin" in outcome.stderr


def test_a_rule_of_a_compiler_that_knows_no_embed():
    """It is written although the line is called an error, and gets the files; the shell's command does the same."""
    lists = "printf 'd/x.o: x.c \\\\\\n a.h\\na.h:\\n' > rule; echo 'no #embed' >&2; exit 1"
    files = EmbeddedFiles(("raw.bin", "a|b$&/c #.bin"))
    command = replace(shell(lists, (), "rule"), finish=files, may_fail=True)
    outcome = run_command(command)
    assert (outcome.status, outcome.stderr) == (0, b"")
    made = Path("rule").read_text()
    assert made == "d/x.o: raw.bin a|b$$&/c\\ \\#.bin x.c \\\n a.h\na.h:\n"
    Path("rule").unlink()
    assert run_command(shell(command.shell())).status == 0
    assert Path("rule").read_text() == made
    assert run_command(replace(shell("exit 1", (), "none"), may_fail=True)).status == 1
