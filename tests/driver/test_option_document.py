"""The document of options says what the driver's table says."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent.parent.parent / "scripts" / "option_table.py"


def test_the_document_of_options_is_current(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = importlib.util.spec_from_file_location("option_table_script", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "option_table_script", module)
    spec.loader.exec_module(module)
    written = module.DOCUMENT.read_text("utf-8")
    assert module.document() == written, "run: python scripts/option_table.py"
