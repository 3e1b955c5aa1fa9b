"""The frame of the generators: failing programs are made smaller, and a run goes on where it stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from data_generator.run import Environments
from generator.run import Regions
from loop_generator.run import Loops
from random_programs.compilers import Compiler, Outcome
from random_programs.reducing import fewest
from random_programs.run import Run
from random_programs.series import Series

NEVER = 1e12


@pytest.mark.parametrize(
    ("series", "number", "wanted"),
    [(Regions(4242), 6, "reduction("), (Loops(4242), 1, "num_teams("), (Environments(4242), 3, "target update")],
    ids=("regions", "loops", "environments"),
)
def test_programs_are_reduced_to_what_fails(series: Series, number: int, wanted: str) -> None:
    blocks = series.make(number, "c")
    before = series.text(blocks)

    def fails(candidate: list) -> bool:
        return wanted in series.text(candidate)

    assert wanted in before
    small = series.reduced(blocks, fails, NEVER)
    assert fails(small)
    assert len(series.text(small).splitlines()) < len(before.splitlines()) - 20
    assert series.text(blocks) == before


def test_no_part_that_is_left_can_go() -> None:
    assert fewest(range(100), lambda kept: {3, 50, 51, 99} <= set(kept), NEVER) == [3, 50, 51, 99]
    assert fewest(range(9), lambda kept: True, NEVER) == []
    assert fewest(range(9), lambda kept: True, time.monotonic() - 1) == list(range(9))


class Judged(Run):
    """A run whose compiler refuses or breaks what has certain names."""

    def __init__(self, folder: Path, fate: Callable[[str], str]) -> None:
        super().__init__(folder, Compiler("none", {}), Loops(1), 1, 0)
        self.fate, self.units = fate, 0

    def judge(self, name: str, blocks: list, language: str) -> Outcome:
        self.units += 1
        fates = {b.name: self.fate(b.name) for b in blocks}
        bad = [n for n, fate in fates.items() if fate != "same"]
        return Outcome(fates[bad[0]], "why", blamed=tuple(bad[:1])) if bad else Outcome("same")


def test_what_fails_is_found_kept_and_not_tried_again(tmp_path: Path) -> None:
    fates = {"p3": "different", "p7": "refused"}
    run = Judged(tmp_path, lambda name: fates.get(name, "same"))
    run.batch(list(range(10)))
    assert {n: k for n, k in run.tally.done.items() if k != "same"} == fates
    assert len(run.tally.done) == 10
    assert [p.name for p in sorted((tmp_path / "failures").iterdir())] == ["none_p3.c", "none_p3_whole.c"]
    again = Judged(tmp_path, lambda name: "crash")
    assert again.tally == run.tally
    again.batch(list(range(11)))
    assert again.units == 1
    assert again.tally.done["p10"] == "crash"
    assert len([json.loads(line) for line in (tmp_path / "done.jsonl").read_text().splitlines()]) == 11


def test_a_folder_is_the_same_wherever_compilers_are_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run = Judged(Path("here"), lambda name: "same")
    (tmp_path / "other").mkdir()
    monkeypatch.chdir("other")
    run.batch([1])
    assert (tmp_path / "here" / "done.jsonl").read_text().count("\n") == 1
