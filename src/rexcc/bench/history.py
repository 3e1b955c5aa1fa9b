"""The history of campaigns: a file with a line for each, and what has changed since the last one.

In: results, and the file. Out: the file with a line more, and words for each program whose ratio to a peer differs from
the last one by more than :data:`NOTABLE`. Compared are campaigns of one machine: the same GPU and CPU. A campaign may
have had some of the programs or variants, so the last one is that which has the program, the peer and the figure. A
ratio and not a time is compared: what is new on the machine, its driver or clock, meets the peer as well.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rexcc.bench.figures import in_words
from rexcc.bench.plan import OURS
from rexcc.bench.results import Results, Row, VariantResult
from rexcc.bench.samples import spread
from rexcc.bench.table import counted, shown_name
from rexcc.driver.options.command_parts import UsageError

SCHEMA = 1
NOTABLE = 0.03
COMMIT = "commit"
"""What the commit of rexcc is called among the versions of a campaign."""
_MACHINE = ("gpu", "gpus", "cpu", "cpus")
_KEYS = frozenset({COMMIT, "date", "device", "machine", "programs"})

Record = dict[str, Any]


def record_of(results: Results) -> Record:
    """Return the line of a campaign: medians of ratios, and of ours and the peers' figures, by program."""
    programs = {row.name: _program(row) for row in results.rows if row.was_run}
    machine = {key: value for key, value in results.machine.items() if key != "date"}
    return {
        "schema": SCHEMA,
        COMMIT: results.built.get(COMMIT, ""),
        "date": results.machine.get("date", ""),
        "title": results.title,
        "device": results.device,
        "machine": machine,
        "built": results.built,
        "programs": programs,
    }


def _program(row: Row) -> Record:
    figure = row.deciding
    ours = row.of(OURS)
    series = ours.figures.get(figure or "") if ours else None
    known = {peer.variant: row.ratio(peer.variant, figure) for peer in row.peers}
    return {
        "figure": figure,
        "unit": series.unit if series else "",
        "states": {found.variant: found.state for found in row.variants},
        "medians": {found.variant: _median(found, figure) for found in row.variants},
        "ratios": {peer: found.spread.median for peer, found in known.items() if found},
    }


def _median(found: VariantResult, figure: str | None) -> float | None:
    series = found.figures.get(figure or "")
    middle = spread(series.values) if series else None
    return middle.median if middle else None


def read(path: Path) -> list[Record]:
    """Return the lines of a history, none where there is no file."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as problem:
        raise UsageError(f"{path}: no history of 'rexcc bench': {problem}") from None
    return [_parsed(line, f"{path}:{number}") for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def _parsed(line: str, place: str) -> Record:
    try:
        found = json.loads(line)
    except ValueError as problem:
        raise UsageError(f"{place}: no line of a history of 'rexcc bench': {problem}") from None
    if not isinstance(found, dict) or found.get("schema") != SCHEMA or not _KEYS.issubset(found):
        raise UsageError(f"{place}: no line of a history of 'rexcc bench' (schema {SCHEMA})")
    return found


def add(path: Path, results: Results) -> list[str]:
    """Put a campaign into a history, if it is not there, and return what is to be said of it."""
    earlier, record = read(path), record_of(results)
    known = record in earlier
    if known:
        earlier = earlier[: earlier.index(record)]
    else:
        _append(path, record)
    changes, compared = list(_changes(earlier, record)), _number_compared(earlier, record)
    if not compared:
        return [f"history: nothing to compare with in {path}"]
    words = f"of {counted(compared, 'ratio')} {len(changes)} changed by more than {NOTABLE:.0%} since the last campaign"
    return [f"history: {words}", *(f"  {change}" for change in changes)]


def _append(path: Path, record: Record) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(record, ensure_ascii=False) + "\n")


def _number_compared(earlier: Sequence[Record], record: Record) -> int:
    return sum(1 for _ in _pairs(earlier, record))


def _pairs(earlier: Sequence[Record], record: Record) -> Iterator[tuple[str, str, Record, Record]]:
    """Yield programs with peers, the last campaign that has both and this figure, and this one's program."""
    same = [old for old in reversed(earlier) if _is_comparable(old, record)]
    for name, program in record["programs"].items():
        for peer in program["states"]:
            last = next((old for old in same if _has(old, name, peer, program["figure"])), None)
            if last is not None:
                yield name, peer, last, program


def _is_comparable(old: Record, new: Record) -> bool:
    machines = [[record["machine"].get(key) for key in _MACHINE] for record in (old, new)]
    return bool(old["device"] == new["device"] and machines[0] == machines[1])


def _has(record: Record, name: str, peer: str, figure: str | None) -> bool:
    """Whether a campaign has a ratio of a program to a peer; without a figure now, by whichever it had."""
    program = record["programs"].get(name)
    return program is not None and peer in program["ratios"] and figure in (None, program["figure"])


def _changes(earlier: Sequence[Record], record: Record) -> Iterator[str]:
    """Yield words on each ratio that has changed, the greatest loss first."""
    found: list[tuple[float, str]] = []
    for name, peer, last, program in _pairs(earlier, record):
        old = last["programs"][name]
        was, now = old["ratios"][peer], program["ratios"].get(peer)
        if now is None:
            bad = [f"{shown_name(v)} {state}" for v, state in program["states"].items() if v in (OURS, peer)]
            text = f"{name}: {shown_name(peer)} / ours is not known ({', '.join(bad)}), was {was:.2f}"
            found.append((-math.inf, f"{text} {_when(last)}"))
        elif abs(now / was - 1) > NOTABLE:
            times = ", ".join(_times(variant, old, program) for variant in (OURS, peer))
            text = f"{name}: {shown_name(peer)} / ours {now:.2f}, was {was:.2f} ({now / was - 1:+.1%}) {_when(last)}"
            found.append((now / was, f"{text}; {times}"))
    yield from (text for _, text in sorted(found, key=lambda one: one[0]))


def _times(variant: str, old: Record, new: Record) -> str:
    values = [program["medians"].get(variant) for program in (new, old)]
    now, was = ("?" if value is None else in_words(value, new["unit"]) for value in values)
    return f"{shown_name(variant)} {now}, was {was}"


def _when(record: Record) -> str:
    commit = f" at {record[COMMIT][:12]}" if record[COMMIT] else ""
    return f"on {record['date']}{commit}"
