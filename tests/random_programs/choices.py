"""The random choices and the names of one program."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """What a seed chooses; ``prefix`` is the program's name, ``cpp`` tells its language."""

    def __init__(self, seed: str, prefix: str, language: str) -> None:
        self.random = random.Random(seed)
        self.prefix = prefix
        self.cpp = language == "c++"
        self._names: dict[str, int] = {}

    def chance(self, probability: float) -> bool:
        """Throw a coin."""
        return self.random.random() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """Choose one."""
        return self.random.choice(choices)

    def some(self, choices: Sequence[T], most: int) -> list[T]:
        """Choose up to ``most`` different ones."""
        count = self.random.randint(0, min(most, len(choices)))
        return self.random.sample(list(choices), count)

    def weighted(self, *choices: tuple[int, T]) -> T:
        """Choose one by weight."""
        return self.random.choices([c for _, c in choices], [w for w, _ in choices])[0]

    def number(self, low: int, high: int) -> int:
        """Choose a number, both ends included."""
        return self.random.randint(low, high)

    def name(self, stem: str) -> str:
        """Return a new name."""
        self._names[stem] = self._names.get(stem, 0) + 1
        return f"{stem}{self._names[stem]}"
