"""No rule complains about the programs of the suite and the examples: they are right, and they run."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_tools import parsed

from rexcc.analysis.rules.table import check_rules
from rexcc.source.diagnostics import DiagnosticSink, Severity

ROOT = Path(__file__).parents[2]
FOLDERS = ("tests/programs", "tests/execution/programs", "examples")
PROGRAMS = sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*") if p.suffix in (".c", ".cpp"))
MEANT = {"sharing.c": ["omp-lost-result"]}
"""What programs do on purpose: that one shows that the value of a first-private variable never comes back."""


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.name)
def test_the_rules_find_nothing(path: Path) -> None:
    found = parsed(path.read_bytes(), path.name)
    sink = DiagnosticSink()
    check_rules(found.unit, sink)
    shown = [d for d in sink.found if d.severity is not Severity.REMARK]
    assert [d.code for d in shown] == MEANT.get(path.name, []), [d.message for d in shown]
