"""Leaving out parts of a failing program, many at a time at first."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def fewest(parts: Sequence[T], fails: Callable[[list[T]], bool], until: float) -> list[T]:
    """Return parts, of which none can be left out, with which a program still fails.

    The last are tried first, because the first often make what the others use.
    """
    kept = list(parts)
    size = max(1, len(kept) // 2)
    while True:
        better, end = False, len(kept)
        while end > 0 and time.monotonic() < until:
            start = max(0, end - size)
            fewer = [*kept[:start], *kept[end:]]
            if fails(fewer):
                kept, better = fewer, True
            end = start
        if (not better and size == 1) or time.monotonic() >= until:
            return kept
        size = size if better else max(1, size // 2)
