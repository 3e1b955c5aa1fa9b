"""Numbers with units, as people read them, on one line."""

from __future__ import annotations

_GAP = "\N{NO-BREAK SPACE}"


def bytes_text(number: int) -> str:
    """Return a number of bytes, of large ones three digits."""
    if number < 10_000:
        return f"{number}{_GAP}B"
    value, units = float(number), iter(("KiB", "MiB", "GiB", "TiB"))
    unit = "B"
    while value >= 1000 and (unit_next := next(units, "")):
        value, unit = value / 1024, unit_next
    return f"{value:.3g}{_GAP}{unit}"


def seconds_text(seconds: float) -> str:
    """Return a time in the unit in which it has digits in front of the point."""
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "µs")):
        if seconds * factor >= 1 or unit == "µs":
            return f"{seconds * factor:.3g}{_GAP}{unit}"
    raise AssertionError
