"""What makes ``support`` importable from the tests of every layer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE / "frontend"), str(HERE / "analysis")]

import support


@pytest.fixture(scope="session")
def bench(tmp_path_factory: pytest.TempPathFactory) -> support.Bench:
    """Where programs are built and run, each once per worker."""
    return support.Bench(tmp_path_factory.mktemp("bench"))
