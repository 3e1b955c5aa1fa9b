"""The long run: ``python -m loop_generator.run --count 1000 --seed 1``, in the folder ``tests``; it can be resumed."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from generator.peers import plain_output
from generator.run import command_line
from loop_generator.program import Block, make_block, unit_parts


@dataclass(frozen=True)
class Loops:
    """Blocks of loops, which print the same without OpenMP."""

    seed: int
    level: str

    def make(self, number: int, language: str) -> list[Block]:
        """Return a program, which is one block."""
        return [make_block(self.seed, number, language)]

    def parts(self, blocks: Sequence[Block]) -> list[str]:
        """Return a unit's text in parts."""
        return unit_parts(blocks)

    def expected(self, place: Path, source: Path, blocks: Sequence[Block]) -> tuple[str | None, str]:
        """Return what a unit prints without OpenMP."""
        return plain_output(place, source, self.level)

    def read(self, output: str) -> str:
        """Return the output."""
        return output

    def reduced(self, blocks: list[Block], fails: Callable[[list[Block]], bool], seconds: float) -> list[Block]:
        """Return blocks with fewer statements that still fail."""
        until, kept = time.monotonic() + seconds, list(blocks)
        for at in range(len(kept)):
            size = max(1, len(kept[at].chunks) // 2)
            while size and time.monotonic() < until:
                first = 0
                while first < len(kept[at].chunks) and time.monotonic() < until:
                    chunks = kept[at].chunks
                    smaller = replace(kept[at], chunks=(*chunks[:first], *chunks[first + size :]))
                    if fails([*kept[:at], smaller, *kept[at + 1 :]]):
                        kept[at] = smaller
                    else:
                        first += size
                size //= 2
        return kept


def main() -> int:
    """Run the command line."""
    return command_line(__doc__, "loop_generator", lambda given: Loops(given.seed, given.level))


if __name__ == "__main__":
    sys.exit(main())
