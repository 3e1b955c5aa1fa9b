"""What makes ``support`` importable from the tests of every layer."""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))
sys.path.insert(0, str(Path(__file__).resolve().parent / "frontend"))
sys.path.insert(0, str(Path(__file__).resolve().parent / "analysis"))

import support


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> support.Bench:
    """Where programs are built and run, each once per worker."""
    return support.Bench(tmp_path_factory.mktemp("bench"))


_TESTS = itertools.count(1)


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Free the trees of translated files now and then: they are cycles, and most of their memory is libclang's."""
    yield
    if next(_TESTS) % 100 == 0:
        gc.collect()
