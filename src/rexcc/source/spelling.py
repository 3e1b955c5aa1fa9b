"""The word that was probably meant.

In: a word and the known ones. Out: the nearest: first those that are one slip of a finger away (a letter too few, too
many, wrong, or two swapped), then the most alike.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable


def is_one_slip(written: str, meant: str) -> bool:
    """Whether one letter too few, too many or wrong, or two swapped ones, make one word of another."""
    if abs(len(written) - len(meant)) > 1:
        return False
    same = 0
    while same < min(len(written), len(meant)) and written[same] == meant[same]:
        same += 1
    first, second = written[same:], meant[same:]
    swapped = first[:2] == second[:2][::-1] and first[2:] == second[2:]
    return swapped or first[1:] == second[1:] or first[1:] == second or first == second[1:]


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word most like ``word``, or None when none is close; ties go to the first.

    Of words one slip away, those with two letters swapped come first, then those with one more, then those of the same
    length.
    """
    words, written = list(known), word.lower()
    slips = [other for other in words if is_one_slip(written, other)]
    if slips:
        return min(slips, key=lambda other: (sorted(other) != sorted(written), len(written) - len(other) + 1))
    matches = importlib.import_module("difflib").get_close_matches(written, words, n=1, cutoff=cutoff)
    return str(matches[0]) if matches else None
