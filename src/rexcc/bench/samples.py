"""Statistics of repeated measurements: medians with spread, ratios pair by pair, and the rule for win, tie and loss.

In: values of interleaved rounds, ``None`` where a round has none. Out: :class:`Spread` and :class:`Ratio`. The rule is
on pairs of one round, because what disturbs a machine disturbs both halves of a pair alike.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIN_ABOVE = 1.03
LOSS_BELOW = 0.97
FEWEST_PAIRS = 3
RULE = (
    "A ratio is the peer's time divided by ours, from pairs of runs of one round: above 1 we are faster. A win is a "
    f"row whose lower quartile of ratios is above {WIN_ABOVE}, a loss one whose upper quartile is below {LOSS_BELOW}, "
    "all else is a tie."
)

Values = Sequence[float | None]


@dataclass(frozen=True)
class Spread:
    """A distribution by its percentiles."""

    median: float
    p10: float
    p25: float
    p75: float
    p90: float
    count: int


@dataclass(frozen=True)
class Ratio:
    """Ours against a peer; ``verdict`` is ``win``, ``tie``, ``loss``, or ``?`` with fewer than three pairs."""

    spread: Spread
    verdict: str


def percentile(values: Sequence[float], fraction: float) -> float:
    """Return a percentile, linear between the two nearest values."""
    ordered = sorted(values)
    place = fraction * (len(ordered) - 1)
    low = math.floor(place)
    high = math.ceil(place)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def median(values: Sequence[float]) -> float:
    """Return the middle value, or the mean of the two in the middle."""
    return percentile(values, 0.5)


def spread(values: Values) -> Spread | None:
    """Return the distribution of those values that there are, None for none."""
    there = [value for value in values if value is not None]
    if not there:
        return None
    p10, p25, middle, p75, p90 = (percentile(there, fraction) for fraction in (0.1, 0.25, 0.5, 0.75, 0.9))
    return Spread(middle, p10, p25, p75, p90, len(there))


def ratio(ours: Values, peer: Values, better: str = "lower") -> Ratio | None:
    """Return how many times as long the peer takes, by pairs; None where there is no pair of positive values."""
    pairs = [_faster(a, b, better) for a, b in zip(ours, peer, strict=False) if a and b and a > 0 and b > 0]
    found = spread(pairs)
    return Ratio(found, verdict(found)) if found else None


def _faster(ours: float, peer: float, better: str) -> float:
    return ours / peer if better == "higher" else peer / ours


def verdict(ratios: Spread) -> str:
    """Return what the ratios say by the rule."""
    if ratios.count < FEWEST_PAIRS:
        return "?"
    if ratios.p25 > WIN_ABOVE:
        return "win"
    if ratios.p75 < LOSS_BELOW:
        return "loss"
    return "tie"


def geometric_mean(values: Sequence[float]) -> float | None:
    """Return the geometric mean of positive numbers, None for none."""
    if not values:
        return None
    return math.exp(sum(math.log(value) for value in values) / len(values))
