"""Results read back, for ``rexcc bench --report``.

In: files ``results.json``. Out: their :class:`Results`, several joined to one: a campaign may have run in parts.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path

from rexcc.bench.results import Results, results_from_json
from rexcc.driver.command_line import UsageError


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
