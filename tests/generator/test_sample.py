"""A fixed sample of the generator's programs; the long run is ``python -m generator.run`` in the folder ``tests``."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from generator.peers import COMPILERS, examine, plain_output, source_of
from generator.program import make_program, unit_text

SEED = 4242
UNITS = ((6, 9, 10), (12, 15), (16, 18))
"""Programs that are compiled together."""


@pytest.mark.parametrize("numbers", UNITS, ids=str)
def test_device_and_plain_execution_agree(numbers: tuple[int, ...], tmp_path: Path) -> None:
    support.require_runtime()
    blocks = [block for n in numbers for block in make_program(SEED, n, "c").blocks]
    source = source_of(tmp_path, f"p{numbers[0]}", unit_text(blocks), "c")
    expected, complaint = plain_output(tmp_path, source)
    assert expected is not None, complaint
    outcome = examine(COMPILERS["rexcc"], tmp_path, source, expected)
    assert outcome.kind == "same", outcome


def test_programs_depend_on_their_seed_alone() -> None:
    first, again = (unit_text(make_program(SEED, 3, "c").blocks) for _ in range(2))
    assert first == again != unit_text(make_program(SEED + 1, 3, "c").blocks)
