"""A fixed sample of mutated pragmas and programs; the long run is ``python -m fuzz.run`` in the folder ``tests``."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import support
from fuzz import peer, programs, run
from fuzz.pragmas import WORDS, examine, mutated
from fuzz.seeds import CANONICAL

SEED = 7


def test_mutated_pragmas_are_understood_or_refused() -> None:
    findings = [examine(n, mutated(SEED, n, CANONICAL, WORDS))[0] for n in range(2000)]
    assert [finding for finding in findings if finding] == []


@pytest.mark.skipif(not shutil.which("clang-19"), reason="no clang-19")
def test_no_syntax_is_accepted_that_clang_refuses(tmp_path: Path) -> None:
    assert list(run.pragmas(SEED, range(1000), tmp_path)) == []


@pytest.mark.parametrize("number", support.sampled(range(16), 2))
def test_mutated_programs_give_no_traceback(number: int) -> None:
    assert programs.examine(number, *programs.program_text(SEED, number)) is None


def test_a_directive_that_ends_the_translation_is_refused_and_those_beside_it_are_asked() -> None:
    found = peer.our_errors(["parallel for", "target update to((([n])p)[0:1])", "target map("])
    assert found.keys() == {1, 2}


def test_equal_seeds_give_equal_inputs() -> None:
    first, again, other = (mutated(seed, 3, CANONICAL, WORDS) for seed in (SEED, SEED, SEED + 1))
    assert first == again != other
