"""The history of campaigns: a line for each, and what has changed."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from rexcc.bench import history
from rexcc.bench.machine import commit_of
from rexcc.bench.results import Results, Row, Series, VariantResult, results_to_json
from rexcc.driver.main import main
from rexcc.driver.options.command_parts import UsageError


def variant(name: str, seconds: float) -> VariantResult:
    values = tuple(seconds * factor for factor in (1.0, 1.01, 0.99))
    return VariantResult(name, "ok", figures={"printed:time": Series("s", "lower", values)})


def results(date: str, machine: str = "GPU", **times: tuple[float, float]) -> Results:
    """Return a campaign: by program, our time and CUDA's."""
    rows = tuple(
        Row(name, (variant("rexcc", ours), variant("cuda", cuda)), "printed") for name, (ours, cuda) in times.items()
    )
    told = {"gpu": machine, "date": date, "load": date}
    return Results("T", "gpu", told, {"rexcc": "1", "commit": f"commit-{date}"}, {}, rows)


FIRST = results("day 1", heat=(1.0, 1.0), nn=(2.0, 1.0), wave=(1.0, 3.0))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A history with one campaign."""
    path = tmp_path / "below" / "history"
    assert history.add(path, FIRST) == [f"history: nothing to compare with in {path}"]
    return path


def test_a_line_has_what_a_later_campaign_needs(file: Path) -> None:
    (line,) = file.read_text().splitlines()
    record = json.loads(line)
    assert (record["commit"], record["date"], record["machine"]["gpu"]) == ("commit-day 1", "day 1", "GPU")
    assert record["programs"]["nn"] == {
        "figure": "printed:time",
        "unit": "s",
        "states": {"rexcc": "ok", "cuda": "ok"},
        "medians": {"rexcc": 2.0, "cuda": 1.0},
        "ratios": {"cuda": 0.5},
    }


def test_what_differs_by_more_than_three_percent_is_named_losses_first(file: Path) -> None:
    second = results("day 2", heat=(1.02, 1.0), nn=(1.0, 1.0), wave=(1.05, 3.0), fresh=(9.0, 1.0))
    assert history.add(file, second) == [
        "history: of 3 ratios 2 changed by more than 3% since the last campaign",
        "  wave: CUDA / ours 2.86, was 3.00 (-4.8%) on day 1 at commit-day 1; "
        "rexcc 1.05 s, was 1.00 s, CUDA 3.00 s, was 3.00 s",
        "  nn: CUDA / ours 1.00, was 0.50 (+100.0%) on day 1 at commit-day 1; "
        "rexcc 1.00 s, was 2.00 s, CUDA 1.00 s, was 1.00 s",
    ]
    assert history.add(file, replace(second, machine={**second.machine, "date": "day 3"})) == [
        "history: of 4 ratios 0 changed by more than 3% since the last campaign"
    ]


def test_what_cannot_be_compared_any_more_is_named(file: Path) -> None:
    failed = Row("nn", (VariantResult("rexcc", "different", "x"), variant("cuda", 1.0)), "printed")
    second = replace(results("day 2", heat=(1.0, 1.0)), rows=(failed,))
    assert history.add(file, second)[1:] == [
        "  nn: CUDA / ours is not known (rexcc different, CUDA ok), was 0.50 on day 1 at commit-day 1"
    ]


def test_a_campaign_of_some_programs_hides_no_earlier_one(file: Path) -> None:
    history.add(file, results("day 2", heat=(1.0, 1.0)))
    other_figure = Row("nn", tuple(replace(variant(n, 9.0), figures={"wall": Series("s", "lower", (9.0,))})
                                   for n in ("rexcc", "cuda")))  # fmt: skip
    history.add(file, replace(FIRST, machine={**FIRST.machine, "date": "day 3"}, rows=(other_figure,)))
    assert [line.split(" (")[0] for line in history.add(file, results("day 4", nn=(1.0, 1.0)))] == [
        "history: of 1 ratio 1 changed by more than 3% since the last campaign",
        "  nn: CUDA / ours 1.00, was 0.50",
    ]


@pytest.mark.parametrize("other", [{"machine": {"gpu": "another"}}, {"device": "cpu"}])
def test_other_machines_are_not_compared(file: Path, other: dict[str, str]) -> None:
    assert history.add(file, replace(FIRST, **other)) == [f"history: nothing to compare with in {file}"]  # type: ignore[arg-type]
    assert len(file.read_text().splitlines()) == 2


def test_the_same_results_are_one_line(file: Path) -> None:
    assert history.add(file, FIRST) == [f"history: nothing to compare with in {file}"]
    assert len(file.read_text().splitlines()) == 1


@pytest.mark.parametrize("line", ["{", "[]", '{"schema": 2}', '{"schema": 1}'])
def test_a_file_of_another_kind_is_refused(file: Path, line: str) -> None:
    before = f"{file.read_text()}\n{line}\n"
    file.write_text(before)
    with pytest.raises(UsageError, match=r"history:3: no line of a history"):
        history.add(file, FIRST)
    assert file.read_text() == before
    with pytest.raises(UsageError, match="no history of"):
        history.read(file.parent)


def test_the_command(file: Path, capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = tmp_path / "results.json"
    document.write_text(json.dumps(results_to_json(results("day 2", heat=(2.0, 1.0)))))
    assert main(["bench", "--report", str(document), "--history", str(file)]) == 0
    assert "  heat: CUDA / ours 0.50, was 1.00 (-50.0%) on day 1" in capfd.readouterr().out
    assert main(["bench", "--pack", "x", "--history", str(file)]) == 2
    assert "--history is for results" in capfd.readouterr().err
    file.write_text("no\n")
    assert main(["bench", str(tmp_path), "--history", str(file)]) == 2


def test_a_file_has_the_commit_of_its_own_checkout_alone(tmp_path: Path) -> None:
    git = ("git", "-C", str(tmp_path), "-c", "user.name=n", "-c", "user.email=e")
    (tmp_path / "own").touch()
    assert commit_of(tmp_path / "own") == ""
    for words in (("init", "-q"), ("add", "own"), ("commit", "-q", "--no-gpg-sign", "-m", "c")):
        subprocess.run([*git, *words], check=True)
    (tmp_path / "installed").touch()
    assert re.fullmatch("[0-9a-f]{12}", commit_of(tmp_path / "own")) and commit_of(tmp_path / "installed") == ""
