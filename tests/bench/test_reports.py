"""Results as JSON, table and chart."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import pytest

from rexcc.bench.activity import Entry
from rexcc.bench.campaign import exit_status, row_lines, write
from rexcc.bench.chart import chart
from rexcc.bench.results import (
    Results,
    Row,
    Series,
    VariantResult,
    merged,
    read_results,
    results_from_json,
    results_to_json,
)
from rexcc.bench.table import summary_line, table
from rexcc.driver.options.command_parts import UsageError

KERNEL = Entry("kernel", 3, 3000, 900, 1100, 0, 10, 256, 32, 0, "k<float, 3>(int)")


def variant(name: str, seconds: float, **more: object) -> VariantResult:
    figures = {
        "printed:time": Series("s", "lower", tuple(seconds * f for f in (1.0, 1.01, 0.99, 1.0))),
        "wall": Series("s", "lower", (1.0, 1.0, 1.0, 1.0)),
    }
    return VariantResult(name, "ok", "", "cuda", figures, (KERNEL,), **more)  # type: ignore[arg-type]


def failed(name: str, reason: str) -> VariantResult:
    return VariantResult(name, "not built", reason)


ROWS = (
    Row("faster<&>", (variant("rexcc", 0.001), variant("clang", 0.003), variant("cuda", 0.001)), note="a | b"),
    Row("slower", (variant("rexcc", 0.002), variant("clang", 0.001), failed("cuda", "x_1.cu: error: `a` | *b*"))),
    Row("missing", (failed("rexcc", "no"), variant("clang", 0.001))),
)
RESULTS = Results(
    "Title & more", "gpu", {"gpu": "GPU", "date": "2026-01-02"}, {"rexcc": "1"}, {"repeats": 4, "gpu_repeats": 3}, ROWS
)


def test_the_document_has_everything_and_comes_back():
    document = json.loads(json.dumps(results_to_json(RESULTS)))
    assert results_from_json(document) == RESULTS
    first = document["programs"][0]
    assert first["deciding"] == "printed:time"
    assert first["ratios"]["clang"]["printed:time"]["verdict"] == "win"
    assert first["ratios"]["clang"]["printed:time"]["median"] == pytest.approx(3.0)
    assert first["ratios"]["cuda"]["printed:time"]["verdict"] == "tie"
    assert first["variants"]["rexcc"]["figures"]["printed:time"]["median"] == pytest.approx(0.001)
    assert document["programs"][2]["ratios"] == {"clang": {}}


def test_the_table():
    text = table(RESULTS)
    assert (
        "| faster<&> | printed time | 1.00 ms | 3.00 ms | 1.00 ms | 3.00 (3.00–3.00) **win** | 1.00 (1.00–1.00) tie |"
        in text
    )
    assert "| slower | printed time | 2.00 ms | 1.00 ms | not built | 0.50 (0.50–0.50) **loss** | – |" in text
    assert "| missing | – | not built | – | – | – | – |" in text
    assert "* against native clang: 1 win, 0 ties, 1 loss; geometric mean of the ratios 1.22 over 2 programs" in text
    assert "* against CUDA: 0 wins, 1 tie, 0 losses; geometric mean of the ratios 1.00 over 1 program" in text
    assert "* slower: CUDA: not built: x\\_1.cu: error: \\`a\\` \\| \\*b\\*" in text
    assert "lower quartile of ratios is above 1.03" in text
    widths = {line.count(" | ") for line in text.splitlines() if line.startswith("| ") and "CUDA / ours" not in line}
    assert widths == {6}


def test_times_of_the_cpu_say_so():
    assert "All times are of the CPU" in table(replace(RESULTS, device="cpu"))
    assert "All times are of the CPU" not in table(RESULTS)
    assert "times of the CPU" in chart(replace(RESULTS, device="cpu"))


def test_the_chart_is_an_svg_with_a_bar_for_each_ratio():
    root = ElementTree.fromstring(chart(RESULTS))
    space = "{http://www.w3.org/2000/svg}"
    assert root.tag == f"{space}svg"
    titles = [title.text or "" for title in root.iterfind(f"{space}g/{space}title")]
    assert [title.split(":")[0] for title in titles] == [
        "faster<&>, printed time, against native clang",
        "faster<&>, printed time, against CUDA",
        "slower, printed time, against native clang",
    ]
    bars = [bar.find(f"{space}rect") for bar in root.iterfind(f"{space}g")]
    places = [(float(b.get("x", "")), float(b.get("width", ""))) for b in bars if b is not None]
    one = places[2][0] + places[2][1]
    assert places[0][0] == pytest.approx(one, abs=0.2) and places[0][1] > 50 < places[2][1]
    width, height = float(root.get("width", "")), float(root.get("height", ""))
    assert all(
        0 <= float(t.get("x", "")) <= width and 0 <= float(t.get("y", "")) <= height for t in root.iter(f"{space}text")
    )


def test_nothing_measured_is_a_report_too():
    empty = replace(RESULTS, rows=(ROWS[2],))
    assert "nothing to compare" in table(empty)
    assert ElementTree.fromstring(chart(empty)) is not None
    assert summary_line(empty, "clang") == "against native clang: nothing to compare"


def test_exit_status_is_of_our_programs_only():
    assert exit_status(replace(RESULTS, rows=ROWS[:2])) == 0
    assert exit_status(RESULTS) == 1


def test_what_the_terminal_says():
    lines = row_lines(ROWS[1])
    assert lines[0] == "slower: printed time rexcc 2.00 ms, native clang 1.00 ms; native clang 0.50 loss (0 s)"
    assert lines[1].startswith("  CUDA: not built: x_1.cu")


def test_what_all_variants_share_is_said_once():
    row = Row("x", tuple(VariantResult(name, "not run", "no time was left") for name in ("rexcc", "clang")))
    assert row_lines(row) == ["x: no ratio (0 s)", "  not run: no time was left"]


def test_results_of_parts_are_joined(tmp_path: Path):
    write(replace(RESULTS, rows=ROWS[:1]), tmp_path / "a")
    write(replace(RESULTS, rows=ROWS[1:]), tmp_path / "b")
    parts = [read_results(tmp_path / name / "results.json") for name in "ab"]
    assert [row.name for row in merged(parts).rows] == ["faster<&>", "slower", "missing"]
    with pytest.raises(UsageError, match="different devices"):
        merged([parts[0], replace(parts[1], device="cpu")])


def test_other_files_are_refused(tmp_path: Path):
    for text in ("{", "[]", '{"schema": 99}', '{"schema": 1}'):
        (tmp_path / "x.json").write_text(text)
        with pytest.raises(UsageError, match="not results of 'rexcc bench'"):
            read_results(tmp_path / "x.json")
