"""The documents that scripts write are current: what is supported, references, files for shells and ``man``."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

import support

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture
def loaded(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the script that a test is for, as a module."""
    name = f"script_{request.param}"
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{request.param}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, name, module)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("loaded", support.sampled(["option_table", "support_matrix"], 2), indirect=True)
def test_a_document_is_what_its_script_writes(loaded: ModuleType) -> None:
    assert loaded.document() == loaded.DOCUMENT.read_text("utf-8"), f"run: python {loaded.__file__}"


@pytest.mark.parametrize("loaded", ["shell_files", "references"], indirect=True)
def test_files_are_what_their_script_writes(loaded: ModuleType) -> None:
    for name, text in loaded.DOCUMENTS.items():
        assert text() == (loaded.FOLDER / name).read_text("utf-8"), f"{name}: run python {loaded.__file__}"


OF_OURS = {"REX_PROCESS_GATE", "REX_PROCESS_DEVICES", "REX_PROCESS_PROFILE", "REX_PROCESS_TOOL", "REX_GPU_ACTIVITY"}
"""Variables by which processes and libraries of ours tell each other something."""
OF_OTHERS = {
    *("HOME", "PATH", "TERM", "LIBCLANG_NOTHREADS", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"),
    *("LIBOMPTARGET_DEBUG", "LIBOMPTARGET_RECORD", "OMP_NUM_TEAMS", "OMP_TEAM_LIMIT", "OMP_THREAD_LIMIT"),
}


@pytest.mark.parametrize("loaded", ["references"], indirect=True)
def test_all_variables_are_documented(loaded: ModuleType) -> None:
    named = set()
    for path in loaded.SOURCES.rglob("*"):
        if path.suffix in (".cpp", ".h"):
            named |= set(re.findall(r'"((?:REX|OMP|LIBOMPTARGET)_[A-Z_]+)"', path.read_text()))
        elif path.suffix == ".py" and "bench" not in path.parts:
            named |= set(re.findall(r'environ(?:ment)?(?:\.get\(|\[|\.setdefault\()"(\w+)"', path.read_text()))
    known = {variable.name for variable in loaded.variables()}
    assert {name for name in named if not name.startswith("REX_MAP")} - OF_OURS - OF_OTHERS - known == set()
    assert {name for name in known if name.startswith("REX_")} <= named


@pytest.mark.parametrize("loaded", ["references"], indirect=True)
def test_legal_values_are_those_of_the_runtime(loaded: ModuleType) -> None:
    text = (loaded.SOURCES / "runtime" / "src" / "rex_settings.cpp").read_text()
    legal = {name: words.replace('"', "") for name, words in re.findall(r'Words\{"(\w+)", \{([^}]*)\}\}', text)}
    assert len(legal) == 5
    assert legal == {variable.name: variable.values for variable in loaded.variables() if variable.name in legal}


COMPLETED = {
    ("--tar",): {"--target=", "--target-help"},
    ("--target", "="): {"nvptx", "host", "both"},
    ("--target", "=", "h"): {"host"},
    ("--emit", "=", ""): {"src", "report", "pragmas", "ast", "kernel"},
    ("-Rrex", "=", "l"): {"lowering", "loop"},
    ("doc",): {"doctor"},
    ("a.c", "doc"): set(),
    ("--cuda-path", "fol"): {"folder"},
    ("fil",): {"file.c"},
}
COMPLETE = """
. "$1"; shift
compopt() { :; }
COMP_WORDS=(rexcc "$@"); COMP_CWORD=$#
_rexcc
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.mark.parametrize("words", COMPLETED)
def test_bash_completes_options_their_values_and_files(words: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.c").write_text("")
    script = SCRIPTS.parent / "docs" / "shell" / "rexcc.bash"
    command = ("bash", "-uc", COMPLETE, "bash", str(script), *words)
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True, env=os.environ)
    assert {word for word in done.stdout.splitlines() if word} == COMPLETED[words] and done.stderr == ""
