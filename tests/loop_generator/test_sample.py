"""A fixed sample of the programs; the long run is ``python -m loop_generator.run`` in the folder ``tests``."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from loop_generator.run import Loops
from random_programs import sample

SERIES = Loops(4242, "-O0")
UNITS = (("c", range(4)), ("c++", range(180, 183)))

OPTIONS = {"c": (), "c++": ("--rex-opt=0,elements,hoisting,divisions",)}


@pytest.mark.parametrize(("language", "numbers"), support.sampled(UNITS, len(UNITS)), ids=("c", "c++"))
def test_device_and_plain_execution_agree(language: str, numbers: range, tmp_path: Path) -> None:
    sample.check_unit(SERIES, numbers, language, tmp_path, *OPTIONS[language])


def test_programs_depend_on_their_seed_alone() -> None:
    sample.check_seeds(Loops)


def test_the_sample_has_every_sort_of_loop_and_host_code() -> None:
    wanted = ("for (signed char", "for (unsigned long", "collapse(2)", "collapse(3)", "reduction(", "nowait", "while (")
    wanted += ("target update from", "num_teams(", "thread_limit(", "firstprivate(", "continue", "target enter data")
    assert sample.missing(SERIES, UNITS, wanted) == []
