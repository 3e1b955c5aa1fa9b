"""What the user sees: filtered compiler output, colours, internal errors."""

from __future__ import annotations

import pytest

from rexcc.driver.messages import crash, report
from rexcc.driver.options.parser import parse
from rexcc.source.diagnostics import CompileError, Diagnostic, Severity, error, render
from rexcc.source.text import SourceText


def test_generated_files_are_recognised():
    text = "/tmp/t/rex_lib_nn.cu:3: error: a\nIn file included from rose_nn.c:2:\nnn.c:3: b '/tmp/t/rex_lib_nn.cu'"
    assert report.generated_names(text) == ("/tmp/t/rex_lib_nn.cu", "rose_nn.c")


def diagnostic() -> Diagnostic:
    source = SourceText("nn.c", "int a;\n#pragma omp target reductoin(+:s)\n")
    return error("omp-unknown-clause", "unknown clause 'reductoin'", source.span(26, 35)).diagnostic


def test_colours_change_nothing_but_the_colour(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]):
    plain = render(diagnostic())
    shown = report.coloured(plain)
    assert "\033[1;31merror: \033[0m" in shown
    assert "\033[1;32m^~~~~~~~~\033[0m" in shown
    for colour in ("0", "1", "1;31", "1;32"):
        shown = shown.replace(f"\033[{colour}m", "")
    assert shown == plain
    report.say(plain)
    assert capfd.readouterr().err == plain + "\n"


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        ((), {}, False),  # no terminal here
        (("-fcolor-diagnostics",), {}, True),
        (("-fdiagnostics-color",), {}, True),
        (("-fdiagnostics-color=always",), {"NO_COLOR": "1"}, True),
        (("-fcolor-diagnostics", "-fno-color-diagnostics"), {"CLICOLOR_FORCE": "1"}, False),
        (("-fno-diagnostics-color", "-fdiagnostics-color=auto"), {"CLICOLOR_FORCE": "1"}, True),
        (("-fdiagnostics-color=never",), {"CLICOLOR_FORCE": "1"}, False),
        ((), {"CLICOLOR_FORCE": "1"}, True),
        ((), {"CLICOLOR_FORCE": "0"}, False),
        ((), {"CLICOLOR_FORCE": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_colours_as_options_and_the_environment_ask(
    words: tuple[str, ...], environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
):
    for name in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    report.choose_colours(parse([*words, "a.c"]).colours)
    try:
        assert report.has_colours() == coloured
    finally:
        report.choose_colours(report.AUTO)


@pytest.mark.parametrize(
    ("environment", "coloured"), [({}, True), ({"CLICOLOR": "0"}, False), ({"TERM": "dumb"}, False)]
)
def test_colours_on_a_terminal(environment: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch):
    for name in ("NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    for name, value in ({"TERM": "xterm"} | environment).items():
        monkeypatch.setenv(name, value)
    assert report.has_colours() == coloured


def test_source_lines_come_out_as_the_bytes_they_were(capfdbinary: pytest.CaptureFixture[bytes]):
    source = SourceText.from_bytes("ä.c", "int größe;\n".encode())
    report.say(render(Diagnostic(Severity.NOTE, "x", "here", source.span(4, 11))))
    assert "int größe;".encode() in capfdbinary.readouterr().err


def lowering(problem: Exception) -> Exception:
    """Raise and return an exception as if a stage of the compiler had raised it."""
    scope: dict[str, object] = {"__name__": "rexcc.lowering.loops", "problem": problem}
    try:
        exec("def lower():\n    raise problem\nlower()", scope)
    except Exception as raised:
        return raised
    raise AssertionError


def test_an_internal_error_names_file_and_stage(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("REXCC_DEBUG", raising=False)
    text = crash.describe(lowering(KeyError("x")), "nn.c")
    assert "internal error while compiling nn.c (stage lowering.loops): KeyError: 'x'" in text
    assert "please report" in text
    assert "Traceback" not in text
    monkeypatch.setenv("REXCC_DEBUG", "1")
    assert "Traceback" in crash.describe(lowering(KeyError("x")), "nn.c")


def test_an_internal_error_names_the_line_where_it_knows():
    try:
        try:
            raise CompileError(diagnostic())
        except CompileError as first:
            raise RuntimeError("later") from first
    except RuntimeError as problem:
        assert "while compiling nn.c:2:20 " in crash.describe(problem, "nn.c")
