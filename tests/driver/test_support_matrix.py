"""The document of what is supported says what the compiler does."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "support_matrix.py"


def test_the_support_matrix_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("support_matrix", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "support_matrix", module)
    spec.loader.exec_module(module)
    written = module.DOCUMENT.read_text("utf-8")
    assert module.document() == written, "run: python scripts/support_matrix.py"
