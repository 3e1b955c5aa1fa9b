"""The series of this generator; the long run is ``python -m generator.run``, in the folder ``tests``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from generator.program import Block, make_program, unit_parts
from generator.reduce import Reducer
from random_programs.run import main
from random_programs.series import Series


class Regions(Series[Block]):
    """Programs of target regions, which print the same without OpenMP."""

    def make(self, number: int, language: str) -> list[Block]:
        """Return the blocks of a program."""
        return make_program(self.seed, number, language)

    def parts(self, blocks: Sequence[Block]) -> list[str]:
        """Return a unit's text in parts."""
        return unit_parts(blocks)

    def reduced(self, blocks: list[Block], fails: Callable[[list[Block]], bool], until: float) -> list[Block]:
        """Return fewer and smaller blocks that still fail."""
        return Reducer(blocks, fails, until).run()


if __name__ == "__main__":
    sys.exit(main(Regions))
