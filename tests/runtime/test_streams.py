"""Streams beside a queue: kernels of tasks are behind all that they depend on, and beside the others.

The make-believe driver tells what is put into which stream. From that the tests find which kernels are in front of
which, as a GPU would execute them: in the order of their stream, and behind the events that the stream waits for.
"""

from __future__ import annotations

import random

import pytest
from runtime_workshop import Workshop


def in_front(told: str) -> dict[int, set[int]]:
    """Return for each kernel, by its place among the words, the kernels that are in front of it."""
    done: dict[int, set[int]] = {}
    events: dict[int, set[int]] = {}
    kernels: dict[int, set[int]] = {}
    for line in told.splitlines():
        words = line.split()
        if len(words) < 3 or not words[0].isdigit():
            continue
        stream, number = done.setdefault(int(words[0]), set()), int(words[-1])
        match words[1]:
            case "executes":
                kernels[number] = set(stream)
                stream.add(number)
            case "records":
                events[number] = set(stream)
            case "waits":
                stream |= events[number]
    return kernels


def depends(word: str, earlier: str) -> bool:
    """Whether a task depends on an earlier one (OpenMP 5.2, 15.9.5)."""
    locations = {c.lower(): c.isupper() for c in sorted(earlier[1:], key=str.isupper)}
    if "*" in word or ("*" in earlier and len(word) > 1):
        return len(earlier) > 1
    return any(c.lower() in locations and (c.isupper() or locations[c.lower()]) for c in word[1:])


def needed(words: list[str]) -> set[tuple[int, int]]:
    """Return which kernels have to be in front of which."""
    kernels = [place for place, word in enumerate(words) if word != "w"]
    return {
        (first, second)
        for second in kernels
        for first in kernels
        if first < second
        and ("w" in words[first:second] or "k" in words[first : second + 1] or depends(words[second], words[first]))
    }


def streams_of(shop: Workshop, queue: str, words: list[str]) -> str:
    return shop.call(queue, "beside", *words, LD_LIBRARY_PATH="queue_cuda", FAKE_STREAMS="1").stdout


@pytest.mark.parametrize("seed", range(12))
def test_kernels_of_tasks_are_behind_what_they_depend_on(shop: Workshop, queue: str, seed: int) -> None:
    """Whatever a program asks for: locations that are shared or not, waits, kernels in between, all memory."""
    some = random.Random(seed)
    letters, others = "abcdef"[: 2 + seed % 5], ["w", "k", "t", "t*"] if seed % 3 else ["t"]
    words = []
    for _ in range(150):
        chosen = some.sample(letters, some.randint(1, min(3, len(letters))))
        task = "t" + "".join(c.upper() if some.random() < 0.5 else c for c in chosen)
        words.append(some.choice(others) if some.random() < 0.15 else task)
    found = in_front(streams_of(shop, queue, words))
    assert set(found) == {place for place, word in enumerate(words) if word != "w"}
    for first, second in needed(words):
        assert first in found[second], (first, words[first], second, words[second])


def test_tasks_that_share_nothing_are_beside_each_other(shop: Workshop, queue: str) -> None:
    found = in_front(streams_of(shop, queue, ["tA", "tB", "tAc", "tBc", "tcd", "w", "tA", "tB"]))
    assert found[1] == set()
    assert (found[2], found[3]) == ({0}, {1})
    assert not found[4] & {2, 3}  # all three read the same
    assert found[7] == {0, 1, 2, 3, 4}


def test_a_chain_of_tasks_needs_no_events(shop: Workshop, queue: str) -> None:
    """Nor does one that is waited for in between."""
    told = streams_of(shop, queue, ["tA"] * 20 + ["w"] + ["tA"] * 20)
    assert "records" not in told
    assert len({line.split()[0] for line in told.splitlines() if "executes" in line}) == 1
