"""The choices that have won, from the results of ``rexcc bench --tune``.

In: results with the seconds of each kernel. Out: entries of a file of ``--tuned``, and lines for the terminal. A choice
wins for a kernel where it does by the rule of ``rexcc bench`` (:mod:`.samples`) and its slowest round is quicker than
the quickest of the usual choices: many are tried, and one of them might be lucky once. Of several the one with the
greatest middle ratio is taken. A variant that failed or printed something else, in one run of a program, is out for all
of its kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rexcc.bench.plan import OURS, TunedKernel
from rexcc.bench.results import Results, Row
from rexcc.bench.samples import Ratio, median, ratio
from rexcc.driver.options.command_parts import UsageError
from rexcc.program.tuned import Entry, KernelKey, choice_of_words, tuned_text

HOST = "host"
"""The architecture of results that are of no GPU."""
_DIGITS = 2
_MICRO = 1e6


@dataclass(frozen=True)
class Winner:
    """A variant that is quicker for a kernel, by a ratio; the middle times are in seconds."""

    kernel: TunedKernel
    variant: str
    ratio: Ratio
    usual: float
    best: float


def winners(results: Results) -> tuple[Winner, ...]:
    """Return the winner of each kernel that has one."""
    found = (_winner(kernel, _rows(results, kernel.program)) for kernel in results.tuned)
    return tuple(winner for winner in found if winner is not None)


def entries(results: Results) -> tuple[Entry, ...]:
    """Return what a later compile is to read."""
    architecture = results.built.get("for", HOST)
    return tuple(_entry(winner, architecture) for winner in winners(results))


def write(results: Results, file: Path) -> list[str]:
    """Write the entries; return what the terminal says: each winner, and the variants that are out."""
    if not results.tuned:
        raise UsageError("bench --tune: these results have no choices; they come from bench --tune, or its --pack")
    file.write_text(tuned_text(entries(results)), encoding="utf-8")
    return [*_lines(results), f"written: {file}"]


def _lines(results: Results) -> list[str]:
    found = winners(results)
    measured = sum(any(_total(_rows(results, kernel.program), OURS, kernel)) for kernel in results.tuned)
    said = [
        f"{w.kernel.program}: {w.kernel.key['function']}, directive {w.kernel.key['directive']}: {w.variant} "
        f"{w.best * _MICRO:.1f} us, usual {w.usual * _MICRO:.1f} us ({w.ratio.spread.median:.2f})"
        for w in found
    ]
    out = [
        f"{row.name}: {found.variant} is out: {found.state}: {found.reason}"
        for row in results.rows
        for found in row.variants
        if found.variant != OURS and not found.is_right
    ]
    return [*out, *said, f"tuned: {len(found)} of {measured} kernels are quicker with another choice"]


def _entry(winner: Winner, architecture: str) -> Entry:
    measured = (round(winner.usual * _MICRO, _DIGITS), round(winner.best * _MICRO, _DIGITS))
    choice = choice_of_words(winner.kernel.choices[winner.variant])
    return Entry(KernelKey(**winner.kernel.key), architecture, choice, measured)


def _rows(results: Results, program: str) -> list[Row]:
    """Return the rows of a program: one for each of its runs."""
    return [row for row in results.rows if row.name.partition("/")[0] == program]


def _winner(kernel: TunedKernel, rows: list[Row]) -> Winner | None:
    usual = _total(rows, OURS, kernel)
    tried: list[Winner] = []
    for variant in kernel.choices:
        values = _total(rows, variant, kernel)
        found = ratio(values, usual) if values and usual else None
        if found is not None and found.verdict == "win" and max(_known(values)) < min(_known(usual)):
            tried.append(Winner(kernel, variant, found, median(_known(usual)), median(_known(values))))
    return max(tried, key=lambda winner: winner.ratio.spread.median, default=None)


def _total(rows: Iterable[Row], variant: str, kernel: TunedKernel) -> list[float | None]:
    """Return a kernel's seconds in each round, in all runs together; nothing where a run is not right."""
    series = [_series(row, variant, kernel) for row in rows if _series(row, OURS, kernel)]
    return _sums(series) if all(series) else []


def _sums(series: Sequence[Sequence[float | None]]) -> list[float | None]:
    """Return the sums of each round, None where one of the values is not known."""
    rounds = ([value for value in values if value is not None] for values in zip(*series, strict=False))
    return [sum(values) if len(values) == len(series) else None for values in rounds]


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]


def _series(row: Row, variant: str, kernel: TunedKernel) -> list[float | None]:
    """Return a kernel's seconds in each round of a run."""
    result = row.of(variant)
    if result is None or not result.is_right:
        return []
    each = [result.each[name] for name in kernel.names if name in result.each]
    return _sums(each)
