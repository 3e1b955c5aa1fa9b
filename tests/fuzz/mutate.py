"""Mutations of text: characters and tokens deleted, doubled, swapped, replaced, inserted; two texts joined.

In: a text, words to insert, and a seeded random source. Out: the mutated text. Equal seeds give equal texts.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d[\w.]*|\"(?:[^\"\\]|\\.)*\"|::|->|&&|\|\||\s+|.", re.DOTALL)
_LETTERS = "abcdefghijklmnopqrstuvwxyz_0129 ,:;()[]{}+-*/&|<>=!?.#\"'\\%^~@$"

Change = Callable[[list[str], random.Random, Sequence[str]], None]


def _delete(parts: list[str], choose: random.Random, words: Sequence[str]) -> None:
    del parts[choose.randrange(len(parts))]


def _double(parts: list[str], choose: random.Random, words: Sequence[str]) -> None:
    at = choose.randrange(len(parts))
    parts.insert(at, parts[at])


def _swap(parts: list[str], choose: random.Random, words: Sequence[str]) -> None:
    at = choose.randrange(len(parts))
    other = min(at + choose.choice((1, 2)), len(parts) - 1)
    parts[at], parts[other] = parts[other], parts[at]


def _replace(parts: list[str], choose: random.Random, words: Sequence[str]) -> None:
    parts[choose.randrange(len(parts))] = choose.choice(words)


def _insert(parts: list[str], choose: random.Random, words: Sequence[str]) -> None:
    parts.insert(choose.randrange(len(parts) + 1), choose.choice(words))


def _move(parts: list[str], choose: random.Random, words: Sequence[str]) -> None:
    parts.insert(choose.randrange(len(parts)), parts.pop(choose.randrange(len(parts))))


CHANGES: tuple[Change, ...] = (_delete, _double, _swap, _replace, _insert, _move)


def mutate(text: str, choose: random.Random, words: Sequence[str], most: int = 3) -> str:
    """Return a text with one to ``most`` changes, each to a character or to a token."""
    for _ in range(choose.randint(1, most)):
        by_letter = choose.random() < 0.4
        parts = list(text) if by_letter else _TOKEN.findall(text)
        if not parts:
            return text
        choose.choice(CHANGES)(parts, choose, _LETTERS if by_letter else words)
        text = "".join(parts)
    return text
