"""Programs by number, as a generator gives them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from random_programs.compilers import plain_output

BATCH = 20
"""Programs that go to the compiler together."""


class Named(Protocol):
    """A block: a function of this name, which prints it first."""

    @property
    def name(self) -> str:
        """The name."""


B = TypeVar("B", bound=Named)


class Series(ABC, Generic[B]):
    """The programs of a seed; they print the same without OpenMP, unless a series knows more."""

    batch = BATCH

    def __init__(self, seed: int, level: str = "-O1") -> None:
        self.seed = seed
        self.flags = [level]

    @abstractmethod
    def make(self, number: int, language: str) -> list[B]:
        """Return the blocks of a program."""

    @abstractmethod
    def parts(self, blocks: Sequence[B]) -> list[str]:
        """Return a unit's text in parts: those of the blocks, one before and one after."""

    @abstractmethod
    def reduced(self, blocks: list[B], fails: Callable[[list[B]], bool], until: float) -> list[B]:
        """Return fewer and smaller blocks that still fail, found until a time of ``time.monotonic``."""

    def language(self, number: int) -> str:
        """Return the language of a program: one batch of five is C++."""
        return "c++" if number // self.batch % 5 == 4 else "c"

    def text(self, blocks: Sequence[B]) -> str:
        """Return a unit's text."""
        return "\n".join(self.parts(blocks))

    def expected(self, place: Path, source: Path, blocks: Sequence[B]) -> tuple[str | None, str]:
        """Return what a unit must print; or None and what is wrong with it, "" if it shall be left out."""
        return plain_output(place, source, self.flags)

    def read(self, output: str) -> str:
        """Return of an output what is compared."""
        return output
