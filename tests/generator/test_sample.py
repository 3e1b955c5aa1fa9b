"""A fixed sample of the generator's programs; the long run is ``python -m generator.run`` in the folder ``tests``."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from generator.run import Regions
from random_programs import sample

SEED = 4242
UNITS = ((6, 9, 10), (12, 15), (16, 18))
"""Programs that are compiled together."""
OPTIONS = {UNITS[2]: ("--rex-opt=0",)}


@pytest.mark.parametrize("number", support.sampled(range(len(UNITS)), len(UNITS)))
def test_device_and_plain_execution_agree(number: int, tmp_path: Path) -> None:
    numbers = UNITS[number]
    sample.check_unit(Regions(SEED), numbers, "c", tmp_path, *OPTIONS.get(numbers, ()))


def test_programs_depend_on_their_seed_alone() -> None:
    sample.check_seeds(Regions)
