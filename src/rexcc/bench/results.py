"""Results of a campaign, rows of variants with their figures, and the file ``results.json``.

In: the rows of a campaign. Out: the document, and the same read back for ``rexcc bench --report``; several are joined
to one, for a campaign may have run in parts. Every value of every round is kept, in seconds or the figure's own unit;
medians and ratios stand beside them for other readers and are computed again when the document is read.
``docs/bench.md`` describes the fields.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rexcc.bench.activity import Entry
from rexcc.bench.plan import DECIDERS, OURS, TunedKernel, tuned_from_json
from rexcc.bench.samples import Ratio, ratio, spread
from rexcc.driver.options.command_parts import UsageError

SCHEMA = 1
MOST_KERNELS = 12
NOT_PEERS = ("host",)
"""Variants that only say what is right."""


@dataclass(frozen=True)
class Series:
    """One figure of one variant: a value for each round, None where it has none; ``better`` is lower or higher."""

    unit: str
    better: str
    values: tuple[float | None, ...]


@dataclass(frozen=True)
class VariantResult:
    """How a variant did: ``state`` is ok, unchecked, different, failed, not built or not run; ``reason`` says why.

    ``figures`` are ``printed:NAME``, ``gpu``, ``kernel``, ``transfer`` and ``wall``; ``each`` has the seconds of every
    kernel in the recorded rounds, where kernels are tuned.
    """

    variant: str
    state: str
    reason: str = ""
    compared_with: str | None = None
    figures: dict[str, Series] = field(default_factory=dict)
    kernels: tuple[Entry, ...] = ()
    notes: tuple[str, ...] = ()
    each: dict[str, tuple[float | None, ...]] = field(default_factory=dict)

    @property
    def is_right(self) -> bool:
        """Whether it ran and nothing speaks against its output."""
        return self.state in ("ok", "unchecked")

    @property
    def is_timed(self) -> bool:
        """Whether it should have figures."""
        return self.is_right and self.variant not in NOT_PEERS


@dataclass(frozen=True)
class Row:
    """One job with all of its variants; ``seconds`` is what measuring it took."""

    name: str
    variants: tuple[VariantResult, ...]
    decides: str | None = None
    note: str = ""
    seconds: float = 0.0

    def of(self, variant: str) -> VariantResult | None:
        """Return a variant's result."""
        return next((found for found in self.variants if found.variant == variant), None)

    @property
    def was_run(self) -> bool:
        """Whether there was time to measure it, be it that nothing could be measured."""
        return all(found.state != "not run" and (found.figures or not found.is_timed) for found in self.variants)

    @property
    def peers(self) -> tuple[VariantResult, ...]:
        """The variants to compare ours with."""
        return tuple(v for v in self.variants if v.variant != OURS and v.variant not in NOT_PEERS)

    @property
    def deciding(self) -> str | None:
        """The figure that makes the verdict: the one asked for, else the first that ours and a peer have."""
        ours = self.of(OURS)
        wanted = (self.decides,) if self.decides else ("printed", "gpu", "wall")
        for kind in wanted:
            for name in ours.figures if ours else ():
                if name.partition(":")[0] == kind and any(name in peer.figures for peer in self.peers):
                    return name
        return None

    def ratio(self, peer: str, figure: str | None) -> Ratio | None:
        """Return ours against a peer by one figure."""
        mine, other = self.of(OURS), self.of(peer)
        if not figure or not mine or not other or not (mine.is_right and other.is_right):
            return None
        a, b = mine.figures.get(figure), other.figures.get(figure)
        return ratio(a.values, b.values, a.better) if a and b else None


@dataclass(frozen=True)
class Results:
    """A campaign: where and with what it ran, and its rows."""

    title: str
    device: str
    machine: dict[str, str]
    built: dict[str, str]
    settings: dict[str, float]
    rows: tuple[Row, ...]
    tuned: tuple[TunedKernel, ...] = ()

    @property
    def peers(self) -> tuple[str, ...]:
        """All peers of all rows, in the order they come."""
        return tuple(dict.fromkeys(peer.variant for row in self.rows for peer in row.peers))


def figure_order(names: Sequence[str]) -> list[str]:
    """Return figures in the order that tables have them."""
    return sorted(names, key=lambda name: DECIDERS.index(name.partition(":")[0]))


def results_to_json(results: Results) -> dict[str, Any]:
    """Return the document ``results.json``."""
    return {
        "schema": SCHEMA,
        "title": results.title,
        "device": results.device,
        "machine": results.machine,
        "built": results.built,
        "settings": results.settings,
        "programs": [_row_to_json(row) for row in results.rows],
        **({"tuned": [asdict(kernel) for kernel in results.tuned]} if results.tuned else {}),
    }


def _row_to_json(row: Row) -> dict[str, Any]:
    return {
        "name": row.name,
        "note": row.note,
        "decides": row.decides,
        "deciding": row.deciding,
        "seconds": row.seconds,
        "variants": {found.variant: _variant_to_json(found) for found in row.variants},
        "ratios": {peer.variant: _ratios_to_json(row, peer) for peer in row.peers},
    }


def _variant_to_json(found: VariantResult) -> dict[str, Any]:
    return {
        "state": found.state,
        "reason": found.reason,
        "compared_with": found.compared_with,
        "figures": {name: _series_to_json(series) for name, series in found.figures.items()},
        "kernels": [asdict(entry) for entry in found.kernels],
        "notes": list(found.notes),
        **({"each": {name: list(values) for name, values in found.each.items()}} if found.each else {}),
    }


def _series_to_json(series: Series) -> dict[str, Any]:
    middle = spread(series.values)
    return {
        "unit": series.unit,
        "better": series.better,
        **({"median": middle.median, "p10": middle.p10, "p90": middle.p90} if middle else {}),
        "values": list(series.values),
    }


def _ratios_to_json(row: Row, peer: VariantResult) -> dict[str, Any]:
    found = {name: row.ratio(peer.variant, name) for name in peer.figures}
    return {name: {**asdict(r.spread), "verdict": r.verdict} for name, r in found.items() if r}


def results_from_json(data: dict[str, Any]) -> Results:
    """Return the results of a document; raise ValueError for one that is none."""
    if data.get("schema") != SCHEMA:
        raise ValueError(f"not results of 'rexcc bench' (schema {data.get('schema')}, not {SCHEMA})")
    rows = tuple(_row_from_json(row) for row in data["programs"])
    tuned = tuple(map(tuned_from_json, data.get("tuned", ())))
    return Results(data["title"], data["device"], data["machine"], data["built"], data["settings"], rows, tuned)


def _row_from_json(data: dict[str, Any]) -> Row:
    variants = tuple(_variant_from_json(name, found) for name, found in data["variants"].items())
    return Row(data["name"], variants, data["decides"], data["note"], data["seconds"])


def _variant_from_json(name: str, data: dict[str, Any]) -> VariantResult:
    figures = {
        figure: Series(series["unit"], series["better"], tuple(series["values"]))
        for figure, series in data["figures"].items()
    }
    kernels = tuple(Entry(**entry) for entry in data["kernels"])
    notes = tuple(data["notes"])
    each = {kernel: tuple(values) for kernel, values in data.get("each", {}).items()}
    return VariantResult(name, data["state"], data["reason"], data["compared_with"], figures, kernels, notes, each)


def read_results(path: Path) -> Results:
    """Return the results in a file."""
    try:
        return results_from_json(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as problem:
        raise UsageError(f"{path}: not results of 'rexcc bench': {problem}") from None


def merged(parts: Sequence[Results]) -> Results:
    """Return one campaign of several; of a program in two of them the later counts, unless it was not run there."""
    first = parts[0]
    for other in parts[1:]:
        if (other.device, other.machine.get("gpu")) != (first.device, first.machine.get("gpu")):
            raise UsageError("bench --report: the results are of different devices")
    rows = {row.name: row for row in first.rows}
    for part in parts[1:]:
        for row in part.rows:
            if row.name not in rows or any(found.figures for found in row.variants):
                rows[row.name] = row
    return dataclasses.replace(first, rows=tuple(rows.values()))
