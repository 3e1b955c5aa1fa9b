"""Findings in directives that macros make are shown where the user wrote the token."""

from __future__ import annotations

from pathlib import Path

import pytest

from rexcc.driver.main import main
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import Diagnostic, Severity
from rexcc.source.expansion_notes import as_written
from rexcc.source.text import SourceText

DEFINED = """#define STR(x) #x
#define PRAGMA(x) _Pragma(STR(x))
#define LOOP(n) _Pragma("omp target parallel for mapp(tofrom: a[0:n])")
#define EACH(c) PRAGMA(omp target parallel for c) for (int i = 0; i < n; i++)
void f(int n, float *a) {
"""


def findings(folder: Path, body: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """Return the heads of what is said of a function with this body, and the lines with carets."""
    (folder / "m.c").write_text(f"{DEFINED}{body}\n}}\n")
    assert main(["--emit=ast", "-o", str(folder / "tree"), str(folder / "m.c")]) == 1
    lines = capsys.readouterr().err.replace(f"{folder}/", "").splitlines()
    return [line for line in lines if line.startswith("m.c:") or "| " in line]


def test_a_token_of_an_argument(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = findings(tmp_path, "  EACH(map(a[0:n]) num_treads(4)) a[i] = i;", capsys)
    assert found[0].startswith("m.c:6:20: error: unknown clause 'num_treads'")
    assert found[1:3] == [
        "    6 |   EACH(map(a[0:n]) num_treads(4)) a[i] = i;",
        "      |                    ^~~~~~~~~~",
    ]
    assert found[3].strip() == "|                    num_threads"


def test_a_token_of_a_definition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = findings(tmp_path, "  LOOP(n)\n  for (int i = 0; i < n; i++) a[i] = i;", capsys)
    assert found[0].startswith("m.c:6:3: error: unknown clause 'mapp'")
    assert found[2] == "      |   ^~~~~~~"
    assert found[3].startswith("m.c:3:50: note: expanded from the macro defined here")
    assert found[5].endswith(" ^~~~")


def test_a_token_behind_a_use(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "  PRAGMA(omp parallel) { } PRAGMA(omp target parallel map(a[0:n]) whilst(n)) { a[0] = 1; }"
    found = findings(tmp_path, body, capsys)
    assert found[0].startswith("m.c:6:67: error: unknown clause 'whilst'")


def test_a_place_in_rewritten_text_is_the_users() -> None:
    source = rewrite(
        SourceText("m.c", "f(x); g(y);"), [Replacement(0, 0, ("struct made {}; ",)), Replacement(8, 9, ("made",))]
    )
    for word, users in (("made {}", "f"), ("f(x)", "f"), ("g(", "g")):
        start = source.text.index(word)
        shown = as_written(Diagnostic(Severity.ERROR, "code", "message", source.span(start, start + 1)))
        assert shown.span is not None
        assert shown.span.source.text == "f(x); g(y);"
        assert shown.span.source.text[shown.span.start] == users
        assert shown.notes == ()


def test_a_long_expansion_is_shown_around_the_token(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sections = ", ".join(f"a[{i}:1]" for i in range(40))
    body = (
        f"#define JOIN(a, b) a##b\n#define SECTIONS {sections}\n"
        "#define MANY(n) PRAGMA(omp target teams map(to: SECTIONS) num_teams(JOIN(0, n)) map(to: SECTIONS))\n"
        "MANY(0)\n{ }"
    )
    (tmp_path / "m.c").write_text(f"{DEFINED}{body}\n}}\n")
    assert main(["--emit=ast", "-o", str(tmp_path / "tree"), str(tmp_path / "m.c")]) == 1
    (note,) = [line for line in capsys.readouterr().err.splitlines() if "expands to" in line]
    assert note.startswith("rexcc: note: 'MANY' expands to '… ") and note.endswith(" …'")
    assert "num_teams(00)" in note and len(note) < 220
