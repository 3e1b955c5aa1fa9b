"""What the user sees: filtered compiler output, colours, internal errors."""

from __future__ import annotations

import pytest

from rexcc.driver import crash, report
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
