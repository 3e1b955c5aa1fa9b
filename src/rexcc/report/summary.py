"""A construct in one row: of the table at a page's beginning, and of the index of a program's pages.

In: a unit's report and its figures, or the record of a page that was written before. Out: :class:`Summary`; the record
is JSON, for the index and for programs that want the figures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rexcc.report.figures import Figures, occupancy_of
from rexcc.report.findings import findings
from rexcc.report.model import ConstructReport, UnitReport
from rexcc.report.units import seconds_text
from rexcc.source.records import dataclass
from rexcc.source.text import readable

VERSION = 1


@dataclass(frozen=True)
class Taken:
    """What a kernel takes on an architecture; ``occupancy`` in percent, None where that is not known."""

    kernel: str
    architecture: str
    threads: int
    registers: int
    shared: int
    stack: int
    spilled: int
    occupancy: int | None


@dataclass(frozen=True)
class Summary:
    """A construct: its place, what it is, its kernels, and what to look at. ``seconds`` None: nothing was measured."""

    file: str
    line: int
    function: str
    name: str
    kernels: tuple[str, ...]
    threads: tuple[int, ...]
    taken: tuple[Taken, ...]
    look_at: tuple[str, ...]
    seconds: float | None = None

    @property
    def place(self) -> str:
        """File and line."""
        return f"{self.file}:{self.line}"


def summaries(unit: UnitReport, figures: Figures) -> tuple[Summary, ...]:
    """Return a row for each construct of a unit."""
    return tuple(_summary(unit, construct, figures) for construct in unit.constructs)


def _summary(unit: UnitReport, construct: ConstructReport, figures: Figures) -> Summary:
    taken = []
    for kernel in construct.kernels:
        for usage in figures.of(kernel):
            room = occupancy_of(unit.target, usage, kernel)
            spilled = usage.spill_stores + usage.spill_loads
            numbers = usage.registers, usage.shared + kernel.launch.shared, usage.stack, spilled
            share = None if room is None else room.percent
            taken.append(Taken(usage.kernel, usage.architecture, kernel.threads, *numbers, share))
    timed = figures.timed(construct)
    return Summary(
        readable(construct.place.path),
        construct.place.line,
        readable(construct.function),
        construct.name,
        tuple(kernel.names[0] for kernel in construct.kernels),
        tuple(kernel.threads for kernel in construct.kernels),
        tuple(taken),
        tuple(readable(found.fact) for found in findings(unit.target, construct, figures)),
        None if timed is None else timed.seconds,
    )


def column_heads(is_timed: bool) -> tuple[str, ...]:
    """Return the heads of the columns behind the first."""
    time = ("Time",) if is_timed else ()
    return ("Function", "Construct", "Threads a block", "Registers", "Occupancy", *time, "What to look at first")


def cells(summary: Summary, is_timed: bool) -> list[str]:
    """Return the cells of a row behind the first."""
    shares = [taken.occupancy for taken in summary.taken if taken.occupancy is not None]
    row = [summary.function, summary.name, _span(list(summary.threads)), _span([t.registers for t in summary.taken])]
    row.append(f"{_span(shares)} %" if shares else "–")
    if is_timed:
        row.append("–" if summary.seconds is None else seconds_text(summary.seconds))
    more = f" (and {len(summary.look_at) - 1} more)" if len(summary.look_at) > 1 else ""
    return [*row, f"{summary.look_at[0]}{more}" if summary.look_at else "–"]


def _span(numbers: list[int]) -> str:
    """Return the least and the most of some numbers."""
    if not numbers:
        return "–"
    least, most = min(numbers), max(numbers)
    return str(most) if least == most else f"{least} to {most}"


def record_of(summary: Summary) -> dict[str, Any]:
    """Return a summary as JSON."""
    taken = [dict(zip(_TAKEN, _values(one, _TAKEN), strict=True)) for one in summary.taken]
    found = dict(zip(_SUMMARY, _values(summary, _SUMMARY), strict=True))
    return {**found, "kernels": list(summary.kernels), "threads": list(summary.threads), "taken": taken,
            "look_at": list(summary.look_at)}  # fmt: skip


_TAKEN = ("kernel", "architecture", "threads", "registers", "shared", "stack", "spilled", "occupancy")
_SUMMARY = ("file", "line", "function", "name", "seconds")


def _values(of: object, names: tuple[str, ...]) -> list[Any]:
    return [getattr(of, name) for name in names]


def summary_of(record: Mapping[str, Any]) -> Summary:
    """Return the summary in a record of :func:`record_of`."""
    taken = tuple(Taken(*(one[name] for name in _TAKEN)) for one in record["taken"])
    file, line, function, name, seconds = (record[key] for key in _SUMMARY)
    lists = tuple(record["kernels"]), tuple(record["threads"])
    return Summary(file, line, function, name, *lists, taken, tuple(record["look_at"]), seconds)
