"""Medians, ratios of pairs and the rule for win, tie and loss."""

from __future__ import annotations

import pytest

from rexcc.bench.samples import geometric_mean, median, percentile, ratio, spread


def test_percentiles_are_linear_between_values():
    values = [5.0, 1.0, 3.0, 2.0, 4.0]
    assert [percentile(values, f) for f in (0, 0.1, 0.25, 0.5, 0.9, 1)] == pytest.approx([1, 1.4, 2, 3, 4.6, 5])
    assert median([4.0, 1.0]) == 2.5
    assert median([7.0]) == 7.0


def test_rounds_without_a_value_do_not_count():
    found = spread([1.0, None, 3.0])
    assert found is not None and (found.median, found.count) == (2.0, 2)
    assert spread([None, None]) is None
    assert spread([]) is None


def test_ratios_are_of_pairs_not_of_medians():
    """The machine is half as fast in the second half: each pair says 2, the medians say something else."""
    ours, peer = [1.0, 1.0, 2.0, 2.0, 2.0], [2.0, 2.0, 4.0, 4.0, 4.0]
    found = ratio(ours, peer)
    assert found is not None
    assert (found.spread.median, found.spread.p10, found.spread.p90, found.verdict) == (2.0, 2.0, 2.0, "win")


def test_a_round_that_one_side_lacks_is_no_pair():
    found = ratio([1.0, None, 1.0, 1.0], [2.0, 9.0, 2.0, None])
    assert found is not None and (found.spread.count, found.spread.median) == (2, 2.0)
    assert ratio([None], [1.0]) is None
    assert ratio([0.0], [1.0]) is None


def test_of_rates_the_higher_is_faster():
    found = ratio([4.0] * 3, [2.0] * 3, "higher")
    assert found is not None and (found.spread.median, found.verdict) == (2.0, "win")


@pytest.mark.parametrize(
    ("peer", "verdict"),
    [
        ([1.04, 1.05, 1.06, 1.07], "win"),
        ([1.03, 1.03, 1.03, 1.03], "tie"),
        ([0.90, 1.20, 1.20, 1.20, 1.20], "win"),  # one bad pair of five is below the quartile
        ([0.90, 0.90, 1.20, 1.20, 1.20], "tie"),
        ([1.00, 1.00, 0.99, 1.01], "tie"),
        ([0.97, 0.97, 0.97], "tie"),
        ([0.96, 0.95, 0.90, 0.96], "loss"),
        ([2.0, 2.0], "?"),
    ],
)
def test_the_rule(peer: list[float], verdict: str):
    found = ratio([1.0] * len(peer), peer)
    assert found is not None and found.verdict == verdict


def test_geometric_mean():
    assert geometric_mean([2.0, 8.0]) == pytest.approx(4.0)
    assert geometric_mean([]) is None
