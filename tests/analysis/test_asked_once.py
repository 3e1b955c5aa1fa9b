"""What several stages ask is found once for each loop, region and declaration."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import support
from rexcc.analysis import loop_reader, regions
from rexcc.clang.tree import Node

PROGRAM = """
void f(int n, double *a, double (*b)[8]) {
  double s = 0;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 8; k++) a[i] += k;
  }
#pragma omp target teams distribute parallel for collapse(2) map(to: b[0:n]) reduction(+: s)
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 8; k++) s += b[i][k];
  a[0] = s;
}
"""


def test_loops_and_regions_are_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    loops: Counter[Node] = Counter()
    joined: Counter[Any] = Counter()
    read, join = loop_reader._LoopReader.read, regions._joined

    def reading(self: Any) -> Any:
        loops[self.statement] += 1
        return read(self)

    def joining(unit: Any, owner: Any, construct: Any) -> Any:
        joined[construct] += 1
        return join(unit, owner, construct)

    monkeypatch.setattr(loop_reader._LoopReader, "read", reading)
    monkeypatch.setattr(regions, "_joined", joining)
    support.compiled(PROGRAM)
    assert len(loops) == 4 and set(loops.values()) == {1}
    assert len(joined) == 2 and set(joined.values()) == {1}
