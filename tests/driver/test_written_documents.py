"""The documents that scripts write are current: what is supported, and the options."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.mark.parametrize("script", ["support_matrix", "option_table"])
def test_a_document_is_what_its_script_writes(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name = f"script_{script}"
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{script}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    assert module.document() == module.DOCUMENT.read_text("utf-8"), f"run: python scripts/{script}.py"
