"""What the tests of programs share."""

from __future__ import annotations

import pytest

import support


@pytest.fixture(scope="session")
def runtime() -> None:
    """Skip where there is no runtime to execute programs with."""
    support.require_runtime()
