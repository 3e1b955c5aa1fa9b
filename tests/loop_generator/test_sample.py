"""A fixed sample of the programs; the long run is ``python -m loop_generator.run`` in the folder ``tests``."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from generator.peers import COMPILERS, examine, plain_output, source_of
from loop_generator.program import make_block, unit_parts

SEED = 4242
UNITS = (("c", range(4)), ("c++", range(180, 183)))


@pytest.mark.parametrize(("language", "numbers"), UNITS, ids=("c", "c++"))
def test_device_and_plain_execution_agree(language: str, numbers: range, tmp_path: Path) -> None:
    support.require_runtime()
    blocks = [make_block(SEED, n, language) for n in numbers]
    source = source_of(tmp_path, "p", "\n".join(unit_parts(blocks)), language)
    expected, complaint = plain_output(tmp_path, source, "-O0")
    assert expected is not None, complaint
    outcome = examine(COMPILERS["rexcc"], tmp_path, source, expected, "-O0")
    assert outcome.kind == "same", outcome


def test_programs_depend_on_their_seed_alone() -> None:
    first, again = ("\n".join(unit_parts([make_block(SEED, 3, "c")])) for _ in range(2))
    assert first == again != "\n".join(unit_parts([make_block(SEED + 1, 3, "c")]))


def test_the_sample_has_every_sort_of_loop_and_host_code() -> None:
    text = "\n".join(t for language, ns in UNITS for t in unit_parts([make_block(SEED, n, language) for n in ns]))
    wanted = ("for (signed char", "for (unsigned long", "collapse(2)", "collapse(3)", "reduction(", "nowait", "while (")
    wanted += ("target update from", "num_teams(", "thread_limit(", "firstprivate(", "continue", "target enter data")
    assert [w for w in wanted if w not in text] == []
