"""Which diagnostics are shown, in which order, and as what: ``-W`` options, limits, JSON and SARIF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rexcc.driver.main import main
from rexcc.driver.messages.documents import json_document, sarif_document
from rexcc.driver.messages.findings import Entry, entries_of_text, entry_of
from rexcc.driver.messages.report import Wanted, wanted
from rexcc.driver.options.command_parts import UsageError
from rexcc.driver.options.parser import parse
from rexcc.source.diagnostics import Diagnostic, FixIt, Note, Severity, render
from rexcc.source.text import SourceText, readable

SOURCE = SourceText.from_bytes("t.c", "/* größe */ int ab;\nint c;\nint d;\n".encode())
WARNING = "declare-target-host"
ERRORS = """void f(int n, int *p) {
#pragma omp target mpa(tofrom: p[0:n]) nowiat
  p[0] = n;
#pragma omp target if(n) if(n > 1)
  p[0] = m;
}
"""
WARNS = """int g;
#pragma omp declare target enter(g) device_type(host)
void f(int n, int *p) {
#pragma omp target map(tofrom: p[0:n])
  p[0] = n;
}
"""


def place(text: str) -> tuple[int, int]:
    start = SOURCE.text.index(text)
    return start, start + len(text)


def found(severity: Severity, code: str, text: str | None) -> Diagnostic:
    return Diagnostic(severity, code, "message", SOURCE.span(*place(text)) if text else None)


MIXED = (
    found(Severity.ERROR, "omp-nesting", "int d"),
    found(Severity.WARNING, WARNING, "int c"),
    found(Severity.REMARK, "rex", "int c"),
    found(Severity.ERROR, "omp-collapse", "ab"),
    found(Severity.ERROR, "omp-scan", None),
)


def shown(*arguments: str) -> list[tuple[str, str]]:
    return [(d.severity.value, d.code) for d in result(*arguments).shown]


def result(*arguments: str) -> Wanted:
    return wanted(parse(["t.c", *arguments]), MIXED)


E1, E2, E3 = ("error", "omp-scan"), ("error", "omp-collapse"), ("error", "omp-nesting")


def test_findings_are_sorted_by_place() -> None:
    assert shown() == [E1, E2, ("warning", WARNING), E3]
    assert shown("-Rrex") == [E1, E2, ("warning", WARNING), ("remark", "rex"), E3]


@pytest.mark.parametrize(
    ("arguments", "codes"),
    [
        ([], []),
        (["-Rrex"], ["rex"]),
        (["-Rrex=lowering"], ["rex"]),
        (["-Rrex=map"], ["rex-map"]),
        (["-Rrex=map", "-Rrex"], ["rex", "rex-map"]),
        (["-Rrex=all"], ["rex", "rex-map"]),
        (["-Rrex=memory"], []),
        (["-Rpass=map"], ["rex-map"]),
    ],
)
def test_remarks_have_groups(arguments: list[str], codes: list[str]) -> None:
    both = [found(Severity.REMARK, "rex", "ab"), found(Severity.REMARK, "rex-map", "ab")]
    assert [d.code for d in wanted(parse(["t.c", *arguments]), both).shown] == codes


def test_an_unknown_group_of_remarks_is_an_error() -> None:
    with pytest.raises(UsageError, match="did you mean 'map'"):
        parse(["t.c", "-Rrex=maps"])


@pytest.mark.parametrize(
    ("arguments", "severity"),
    [
        ([], "warning"),
        (["-w"], ""),
        (["-w", "-Werror"], ""),
        ([f"-Wno-{WARNING}"], ""),
        ([f"-Wno-{WARNING}", f"-W{WARNING}"], "warning"),
        (["-Werror"], "error"),
        (["-Werror", "-Wno-error"], "warning"),
        (["-Werror", f"-Wno-error={WARNING}"], "warning"),
        ([f"-Wno-error={WARNING}", "-Werror"], "warning"),
        ([f"-Werror={WARNING}"], "error"),
        ([f"-Werror={WARNING}", f"-Wno-{WARNING}"], ""),
        (["-Werror=omp-nesting"], "warning"),
        (["-Werror", "-Wno-omp-nesting"], "error"),
        (["-Wno-unused", "-Wall"], "warning"),
    ],
)
def test_options_decide_about_warnings(arguments: list[str], severity: str) -> None:
    options = parse(["t.c", *arguments])
    got = wanted(options, [found(Severity.WARNING, WARNING, "ab")])
    assert [d.severity.value for d in got.shown] == ([severity] if severity else [])
    assert got.failed == (severity == "error")
    assert [f for f in options.flags.host if "omp-" in f or WARNING in f] == []


def test_the_host_compiler_gets_its_own_warning_options() -> None:
    options = parse(["-Wall", "-Wno-unused", "-Werror=format", f"-Wno-{WARNING}", "-Werror", "t.c"])
    assert options.flags.host == ("-Wall", "-Wno-unused", "-Werror=format", "-Werror")


def test_a_promoted_warning_tells_why() -> None:
    got = wanted(parse(["t.c", f"-Werror={WARNING}"]), [found(Severity.WARNING, WARNING, "ab")])
    assert [n.message for n in got.shown[0].notes] == [f"a warning, and an error because of -Werror={WARNING}"]


@pytest.mark.parametrize(("limit", "codes", "hidden"), [(1, [E1], 2), (2, [E1, E2, ("warning", WARNING)], 1)])
def test_the_number_of_errors_is_limited(limit: int, codes: list[tuple[str, str]], hidden: int) -> None:
    got = result(f"-ferror-limit={limit}")
    assert [(d.severity.value, d.code) for d in got.shown] == codes
    assert (got.hidden_errors, got.failed) == (hidden, True)


def test_the_limit_is_twenty_and_can_be_lifted() -> None:
    many = [found(Severity.ERROR, f"omp-{i}", "ab") for i in range(25)]
    assert wanted(parse(["t.c"]), many).hidden_errors == 5
    assert len(wanted(parse(["t.c", "-ferror-limit=0"]), many).shown) == 25
    assert len(wanted(parse(["t.c", "-fmax-errors=3"]), many).shown) == 3


def test_the_caret_stands_under_its_token_in_lines_that_are_not_ascii() -> None:
    line, caret = render(found(Severity.ERROR, "x", "ab")).splitlines()[1:3]
    assert readable(line).index("ab") == caret.index("^~")


@pytest.mark.parametrize("argument", ["-Wno-omp-nestin", "-Werror=omp-nestin", "-ferror-limit=x", "--diagnostics=jsn"])
def test_a_misspelt_value_is_refused(argument: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([argument, "t.c"]) == 2
    text = capsys.readouterr().err
    assert text.startswith("rexcc: error: ") and ("did you mean" in text or "0 shows all" in text)


# ---- documents -------------------------------------------------------------------------------------------------------

FULL = Diagnostic(
    Severity.ERROR,
    "omp-unknown-clause",
    "unknown clause",
    SOURCE.span(*place("ab")),
    (Note("here", SOURCE.span(*place("c;"))), Note("nowhere")),
    (FixIt(SOURCE.span(*place("ab")), "abc"),),
)
CLANG = """In file included from t.c:3:
t.h:4:7: warning: unused variable 'x' [-Wunused-variable]
    4 |   int x;
      |       ^
t.c:3:1: note: included here
t.c(7): dropped by nobody
clang: error: linker command failed
rexcc: note: 3 more errors are not shown
1 warning generated.
"""


def test_the_json_form_is_gccs() -> None:
    (entry,) = json.loads(json_document([entry_of(FULL)]))
    assert entry["kind"] == "error" and entry["option"] == "omp-unknown-clause"
    (at,) = entry["locations"]
    assert {k: at["caret"][k] for k in ("file", "line", "column")} == {"file": "t.c", "line": 1, "column": 17}
    assert at["finish"]["column"] == 18
    assert [n["message"] for n in entry["children"]] == ["here", "nowhere"]
    (fix,) = entry["fixits"]
    assert (fix["start"]["column"], fix["next"]["column"], fix["string"]) == (17, 19, "abc")


def test_the_output_of_compilers_is_read() -> None:
    warning, other, failed, note = entries_of_text(CLANG)
    assert (warning.kind, warning.code, warning.message) == ("warning", "-Wunused-variable", "unused variable 'x'")
    assert warning.region is not None and (warning.region.file, warning.region.line) == ("t.h", 4)
    assert [n.message for n in warning.notes] == ["included here"]
    assert other == Entry("note", "t.c(7): dropped by nobody")
    assert failed == Entry("error", "clang: linker command failed")
    assert note == Entry("note", "3 more errors are not shown")


def check_sarif(text: str) -> dict[str, Any]:
    """Insist on what SARIF 2.1.0 requires of the parts that are used; return the only run."""
    log = json.loads(text)
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "rexcc"
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(set(ids)) == len(ids)
    assert all(isinstance(i["executionSuccessful"], bool) for i in run["invocations"])
    for found in run["results"]:
        assert found["message"]["text"] and found["level"] in ("none", "note", "warning", "error")
        assert ids[found["ruleIndex"]] == found["ruleId"]
        for at in (*found.get("locations", ()), *(x for x in found.get("relatedLocations", ()) if len(x) > 2)):
            check_region(at["physicalLocation"]["region"])
            assert at["physicalLocation"]["artifactLocation"]["uri"]
        for fix in found.get("fixes", ()):
            for change in fix["artifactChanges"]:
                assert change["artifactLocation"]["uri"]
                for replacement in change["replacements"]:
                    check_region(replacement["deletedRegion"])
    return dict(run)


def check_region(region: dict[str, Any]) -> None:
    assert 1 <= region["startLine"] <= region["endLine"]
    assert region["startLine"] < region["endLine"] or 1 <= region["startColumn"] <= region["endColumn"]


def test_a_sarif_log_has_rules_results_and_notifications() -> None:
    entries = [entry_of(FULL), *entries_of_text(CLANG)]
    run = check_sarif(sarif_document(entries, ["-c", "t.c"], 1))
    assert [r["ruleId"] for r in run["results"]] == ["omp-unknown-clause", "-Wunused-variable"]
    first = run["results"][0]
    region = first["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (1, 17, 19)
    assert [x["message"]["text"] for x in first["relatedLocations"]] == ["here", "nowhere"]
    assert first["fixes"][0]["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"] == "abc"
    rule = next(r for r in run["tool"]["driver"]["rules"] if r["id"] == "omp-unknown-clause")
    assert "Right:" in rule["help"]["text"]
    texts = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert "clang: linker command failed" in texts


@pytest.mark.parametrize("form", ["json", "sarif"])
def test_standard_error_is_the_document(project: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.c").write_text(ERRORS)
    Path("warn.c").write_text(WARNS)
    assert main(["--target=host", "-c", "bad.c", "warn.c", "missing.c", f"--diagnostics={form}"]) == 1
    shown = capsys.readouterr()
    codes = ["omp-unknown-clause", "omp-unknown-clause", "omp-repeated-clause", "base-language", WARNING]
    assert shown.out == ""
    if form == "json":
        entries = json.loads(shown.err)
        assert [e.get("option") for e in entries] == [*codes, None]
        assert entries[-1]["message"] == "no such file: 'missing.c'"
        return
    run = check_sarif(shown.err)
    assert [r["ruleId"] for r in run["results"]] == codes
    assert run["invocations"][0]["exitCode"] == 1


def test_the_document_has_what_the_host_compiler_says(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("warn.c").write_text(WARNS.replace("int *p) {", "int *p) {\n  int unused;"))
    assert main(["--target=host", "-c", "-Wall", "warn.c", "--diagnostics=json"]) == 0
    entries = json.loads(capsys.readouterr().err)
    assert [e["option"] for e in entries] == [WARNING, "-Wunused-variable"]
    assert entries[1]["locations"][0]["caret"]["line"] == 4


def test_an_internal_error_is_in_the_document(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*arguments: object) -> object:
        raise KeyError("x")

    assert main(["--target=host", "-c", "kernel.c", "--diagnostics=sarif"], broken) == 70
    run = check_sarif(capsys.readouterr().err)
    texts = [n["message"]["text"] for n in run["invocations"][0]["toolExecutionNotifications"]]
    assert any("internal error while compiling kernel.c" in text for text in texts)


def test_errors_over_the_limit_are_counted(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.c").write_text(ERRORS)
    assert main(["--target=host", "-c", "bad.c", "-ferror-limit=1"]) == 1
    assert "rexcc: note: 3 more errors are not shown (-ferror-limit=1; 0 shows all)\n" in capsys.readouterr().err
