"""The series of this generator; the long run is ``python -m loop_generator.run``, in the folder ``tests``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace

from loop_generator.program import Block, make_block, unit_parts
from random_programs.reducing import fewest
from random_programs.run import main
from random_programs.series import Series


class Loops(Series[Block]):
    """Blocks of loops, which print the same without OpenMP."""

    def make(self, number: int, language: str) -> list[Block]:
        """Return a program, which is one block."""
        return [make_block(self.seed, number, language)]

    def parts(self, blocks: Sequence[Block]) -> list[str]:
        """Return a unit's text in parts."""
        return unit_parts(blocks)

    def reduced(self, blocks: list[Block], fails: Callable[[list[Block]], bool], until: float) -> list[Block]:
        """Return blocks with fewer statements that still fail."""
        chunks = [(at, chunk) for at, block in enumerate(blocks) for chunk in block.chunks]

        def with_chunks(kept: list[tuple[int, tuple[str, ...]]]) -> list[Block]:
            return [replace(b, chunks=tuple(chunk for n, chunk in kept if n == at)) for at, b in enumerate(blocks)]

        return with_chunks(fewest(chunks, lambda kept: fails(with_chunks(kept)), until))


if __name__ == "__main__":
    sys.exit(main(Loops))
