"""What the tests of all generators ask of a few programs."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import support
from random_programs.compilers import COMPILERS, examine, source_of
from random_programs.series import B, Series


def unit_text(series: Series[B], numbers: Iterable[int], language: str) -> str:
    """Return a unit of the programs of these numbers."""
    return series.text([block for number in numbers for block in series.make(number, language)])


def check_unit(series: Series[B], numbers: Iterable[int], language: str, folder: Path, *options: str) -> None:
    """Assert that rexcc's program of a unit, compiled with further options of its own, prints what it must."""
    support.require_runtime()
    blocks = [block for number in numbers for block in series.make(number, language)]
    source = source_of(folder, "p", series.text(blocks), language)
    expected, complaint = series.expected(folder, source, blocks)
    assert expected is not None, complaint
    outcome = examine(COMPILERS["rexcc"], folder, source, expected, [*series.flags, *options], series.read)
    assert outcome.kind == "same", outcome


def check_seeds(series: type[Series[B]]) -> None:
    """Assert that programs depend on their seed alone."""
    first, again, other = (unit_text(series(seed), [3], "c") for seed in (4242, 4242, 4243))
    assert first == again != other


def missing(series: Series[B], units: Iterable[tuple[str, range]], wanted: Iterable[str]) -> list[str]:
    """Return what stands in no program of some units."""
    text = "".join(unit_text(series, numbers, language) for language, numbers in units)
    return [word for word in wanted if word not in text]
