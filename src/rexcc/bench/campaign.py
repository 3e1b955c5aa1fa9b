"""The campaign: all jobs of a plan, one after the other, written down after each.

In: a plan and a folder for the results. Out: ``results.json``, ``table.md`` and ``chart.svg``, lines on the terminal
and the exit status: 0, or 1 when a program of ours was not built, failed or had another output. A loss is no
failure, and a peer's failure is not ours.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rexcc.bench.chart import chart
from rexcc.bench.figures import in_words
from rexcc.bench.machine import describe
from rexcc.bench.measuring import Measuring, not_run
from rexcc.bench.plan import OURS, Job, Plan
from rexcc.bench.results import Results, Row, results_from_json, results_to_json
from rexcc.bench.running import Runner
from rexcc.bench.samples import spread
from rexcc.bench.table import figure_name, row_problems, shown_name, summary_line, table

Say = Callable[[str], None]
RESULTS, TABLE, CHART = "results.json", "table.md", "chart.svg"


@dataclass(frozen=True)
class Campaign:
    """Measures a plan whose paths are relative to ``folder``; ``limit`` is in seconds for everything.

    ``earlier`` are rows of a campaign that was cut short; those that were measured are not measured again.
    """

    plan: Plan
    folder: Path
    out: Path
    limit: float | None = None
    earlier: tuple[Row, ...] = ()

    def run(self, say: Say) -> Results:
        """Measure all jobs; the files are complete after each."""
        deadline = time.monotonic() + self.limit if self.limit else float("inf")
        measuring = Measuring(self.plan, self.folder, Runner(self.plan, self.folder).run, deadline)
        machine = describe()
        if self.plan.no_activity and self.plan.device == "gpu":
            say(f"GPU time will not be measured: {self.plan.no_activity}")
        rows: list[Row] = []
        results = self._results(machine, rows)
        for job in self.plan.jobs:
            known = next((row for row in self.earlier if row.name == job.name and row.was_run), None)
            row = known or self._row(measuring, job, deadline)
            rows.append(row)
            for line in [f"{job.name}: measured before"] if known else row_lines(row):
                say(line)
            results = self._results(machine, rows)
            write(results, self.out)
        return results

    def _row(self, measuring: Measuring, job: Job, deadline: float) -> Row:
        if time.monotonic() > deadline:
            return not_run(job)
        return measuring.measure(job)

    def _results(self, machine: dict[str, str], rows: list[Row]) -> Results:
        plan = self.plan
        settings = {"repeats": plan.repeats, "gpu_repeats": plan.gpu_repeats, "timeout": plan.timeout}
        return Results(plan.title, plan.device, machine, plan.built, settings, tuple(rows), plan.tuned)


def rows_in(out: Path) -> tuple[Row, ...]:
    """Return the rows of the results in a folder, none where there are no results."""
    try:
        return results_from_json(json.loads((out / RESULTS).read_text(encoding="utf-8"))).rows
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def write(results: Results, out: Path) -> None:
    """Write the three files into a folder; each is whole at any time."""
    out.mkdir(parents=True, exist_ok=True)
    document = json.dumps(results_to_json(results), indent=1, ensure_ascii=False) + "\n"
    for name, text in ((RESULTS, document), (TABLE, table(results)), (CHART, chart(results))):
        part = out / f"{name}.part"
        part.write_text(text, encoding="utf-8")
        part.replace(out / name)


def row_lines(row: Row) -> list[str]:
    """Return what the terminal says of a row."""
    figure = row.deciding
    ratios = [(peer.variant, row.ratio(peer.variant, figure)) for peer in row.peers]
    said = [f"{shown_name(peer)} {r.spread.median:.2f} {r.verdict}" for peer, r in ratios if r]
    values = [_value(row, variant, figure) for variant in (OURS, *(peer.variant for peer in row.peers))]
    known = ", ".join(value for value in values if value)
    first = f"{figure_name(figure)} {known}; {', '.join(said)}" if figure else "no ratio"
    return [f"{row.name}: {first} ({row.seconds:.0f} s)", *(f"  {line}" for line in row_problems(row))]


def _value(row: Row, variant: str, figure: str | None) -> str:
    found = row.of(variant)
    series = found.figures.get(figure or "") if found else None
    middle = spread(series.values) if series else None
    return f"{shown_name(variant)} {in_words(middle.median, series.unit)}" if series and middle else ""


def closing_lines(results: Results, out: Path) -> list[str]:
    """Return what the terminal says at the end."""
    lines = [summary_line(results, peer) for peer in results.peers]
    return [*lines, f"written: {out / RESULTS}, {TABLE}, {CHART}"]


def exit_status(results: Results) -> int:
    """Return 1 when a program of ours was not built, failed or computed something else."""
    bad = ("not built", "failed", "different")
    return int(any(found.state in bad for row in results.rows for found in [row.of(OURS)] if found))
