"""One workshop for all runtime tests of a process."""

from __future__ import annotations

import pytest
from runtime_workshop import LLVM, Workshop


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Workshop:
    if not (LLVM / "libomptarget.so").exists():
        pytest.skip(f"there is no libomptarget in {LLVM}")
    return Workshop(tmp_path_factory.mktemp("runtime"))
