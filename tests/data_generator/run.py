"""The series of this generator; the long run is ``python -m data_generator.run``, in the folder ``tests``."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from data_generator.program import Program, make_program, unit_output, unit_parts
from data_generator.reduce import Reducer
from random_programs.run import main
from random_programs.series import Series

ROW = re.compile(r"omptarget device \d+ info: 0x\w+ +0x\w+ +\d+ +\d")
"""A row of the runtime's table for storage that is not present for ever."""


class Environments(Series[Program]):
    """Programs of data constructs; the model knows what they print."""

    def make(self, number: int, language: str) -> list[Program]:
        """Return a program, which is one block."""
        return [make_program(self.seed, number, language)]

    def parts(self, blocks: Sequence[Program]) -> list[str]:
        """Return a unit's text in parts."""
        return unit_parts(blocks)

    def expected(self, place: Path, source: Path, blocks: Sequence[Program]) -> tuple[str | None, str]:
        """Return what a unit must print."""
        return unit_output(blocks), ""

    def read(self, output: str) -> str:
        """Return an output without the runtime's tables; storage that is left in one is told where it ends."""
        lines, left = [], 0
        for text in output.split("\n"):
            if text.startswith("omptarget "):
                left += ROW.match(text) is not None
            elif text == "end" and left:
                lines.append(f"end: {left} left on devices")
                left = 0
            else:
                lines.append(text)
        return "\n".join(lines)

    def reduced(self, blocks: list[Program], fails: Callable[[list[Program]], bool], until: float) -> list[Program]:
        """Return smaller programs that still fail."""
        return [Reducer(block, lambda smaller: fails([smaller]), until).run() for block in blocks]


if __name__ == "__main__":
    sys.exit(main(Environments))
