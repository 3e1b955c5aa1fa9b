"""The figures that programs print about themselves.

In: what a program printed and the patterns of the manifest. Out: one number for each figure, or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from rexcc.bench.plan import Printed
from rexcc.bench.samples import median

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
"""Units of time; a figure in any other unit is shown as it is."""

JOINED: dict[str, Callable[[Sequence[float]], float]] = {
    "median": median,
    "sum": sum,
    "first": lambda values: values[0],
    "last": lambda values: values[-1],
    "min": min,
}


def read(printed: Printed, text: str, variant: str) -> float | None:
    """Return a figure in seconds, or in its own unit if that is none of time; None where nothing matches."""
    pattern = printed.cuda_pattern if variant == "cuda" and printed.cuda_pattern else printed.pattern
    found = [match[1] for line in text.splitlines() for match in re.finditer(pattern, line)]
    values = [value for value in map(_number, found) if value is not None]
    if not values:
        return None
    return JOINED[printed.of](values) * SECONDS.get(printed.unit, 1.0)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def in_words(value: float, unit: str) -> str:
    """Return a figure for people: times with the unit that suits them, rates with their own."""
    if unit not in SECONDS:
        return f"{_digits(value)} {unit}"
    for name, factor in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if value >= factor:
            return f"{_digits(value / factor)} {name.replace('us', 'µs')}"
    return f"{_digits(value / 1e-9)} ns"


def _digits(value: float) -> str:
    """Return three significant digits, more only before the point."""
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"
