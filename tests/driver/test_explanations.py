"""Every code that is reported has an explanation, whose programs show the error and its mending."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rexcc
import support
from rexcc.driver.main import main
from rexcc.driver.options import explain
from rexcc.driver.options.command_parts import UsageError
from rexcc.source.diagnostics import Severity

SOURCE = Path(rexcc.__file__).parent
CODES = explain.known_codes()
ALWAYS_CODES = re.compile(r"(omp|unsupported)(-[a-z0-9]+)+")
"""No other texts of the compiler look like this."""
REPORTING = ("error", "warning")


@functools.cache
def _texts(path: Path) -> frozenset[tuple[str, bool]]:
    """Return each string of a module, and whether it is the first argument of a function that reports something."""
    return frozenset(_every_text(path))


def _every_text(path: Path) -> Iterator[tuple[str, bool]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value, False
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in REPORTING:
                yield str(node.args[0].value), True


def reported_codes() -> set[str]:
    """Return the codes that stand in the compiler's source."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        if path.parent.name not in ("driver", "bench"):
            found |= {text for text, is_code in _texts(path) if is_code or ALWAYS_CODES.fullmatch(text)}
    return found


def strings_of_the_source() -> set[str]:
    """Return all strings of the compiler's source."""
    return {text for path in SOURCE.rglob("*.py") for text, _ in _texts(path)}


def test_every_reported_code_is_explained() -> None:
    assert sorted(reported_codes() - set(CODES)) == []


def test_every_explained_code_is_reported() -> None:
    assert sorted(set(CODES) - strings_of_the_source()) == []


def found_codes(program: str, language: str) -> set[str]:
    version = re.search(r"-fopenmp-version=(\d+)", program)
    wanted = int(version[1]) if version else 0
    found = support.translate_text(program, f"t.{language}", openmp_version=wanted).diagnostics
    return {d.code for d in found if d.severity in (Severity.ERROR, Severity.WARNING)}


@pytest.mark.parametrize("code", CODES)
def test_the_programs_of_an_explanation_show_the_error_and_its_mending(code: str) -> None:
    found = explain.explanation(code)
    assert found.code == code
    assert found_codes(found.wrong, found.language) == {code}
    assert found_codes(found.right, found.language) == set()


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_fits_a_terminal(code: str) -> None:
    assert all(len(line) <= 120 for line in explain.explained(code).split("\n"))


def test_the_driver_prints_an_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--explain", "omp-repeated-clause"]) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert shown.out.startswith("omp-repeated-clause: ")
    assert "\nSpecification: OpenMP 5.2, " in shown.out
    assert "\nWrong:\n\n    void f(int n, int *p) {\n    #pragma omp target if(n > 1) if(n > 2)" in shown.out
    assert main(["--explain=omp-repeated-clause"]) == 0
    assert capsys.readouterr().out == shown.out


def test_the_driver_lists_all_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--explain", "all"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(CODES)


def test_a_reader_may_stop_early() -> None:
    command = [sys.executable, "-m", "rexcc.driver.main", "--explain", "all"]
    environment = os.environ | {"PYTHONPATH": str(SOURCE.parent)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


def test_an_unknown_code_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--explain", "omp-repeated-clase"]) == 2
    assert capsys.readouterr().err == (
        "rexcc: error: no error or warning has the code 'omp-repeated-clase'; did you mean 'omp-repeated-clause'?\n"
    )
    with pytest.raises(UsageError):
        explain.explanation("../omp")
