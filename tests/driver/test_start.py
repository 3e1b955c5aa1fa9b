"""What a command does before it compiles, counted: modules that it loads, compilers that it asks."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path

import fake
import pytest

from rexcc.driver.main import main
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.pipeline import ReadFile, TranslateOptions, Translation, stages

NOT_FOR_COMPILING = (
    "rexcc.bench",
    "rexcc.driver.tools.doctor",
    "rexcc.driver.messages.document_run",
    "rexcc.driver.messages.documents",
    "hashlib",
    "platform",
)


@pytest.fixture
def compiler(tmp_path: Path) -> Path:
    """A C compiler, clang by its name, that writes down what it is asked for."""
    path = tmp_path / "bin" / "clang-own"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\necho "$LC_ALL $*" >> {tmp_path}/asked\nexec gcc "$@"\n')
    path.chmod(0o755)
    (tmp_path / "asked").touch()
    return path


def asked(tmp_path: Path) -> list[str]:
    return (tmp_path / "asked").read_text().splitlines()


def test_a_compilation_loads_what_it_needs(project: Path):
    code = (
        "import sys; from rexcc.driver.main import main; status = main(['--emit=src', '-o', 'out', 'kernel.c']);"
        "print(*sorted(sys.modules)); sys.exit(status)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "rexcc.codegen.device.device_file" in loaded
    assert not [name for name in loaded if name.startswith(NOT_FOR_COMPILING)]


def test_a_file_without_pragmas_loads_no_compiler(project: Path):
    """Most files of a program have none, and loading takes longer than compiling them."""
    Path("plain.c").write_text("int f(void) { return 1; }\n")
    code = (
        "import sys; from rexcc.driver.main import main; status = main(['-c', '--target=host', 'plain.c']);"
        "print(*sorted(sys.modules)); sys.exit(status)"
    )
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "rexcc.frontend.files" in loaded
    assert not [name for name in loaded if name.startswith(HEAVY) and name not in LIGHT]


HEAVY = (
    "rexcc.lowering.",
    "rexcc.codegen.",
    "rexcc.openmp.",
    "rexcc.clang.",
    "clang",
    "ctypes",
    "dataclasses",
    "difflib",
    "traceback",
)
LIGHT = {
    "rexcc.clang.standards",
    "rexcc.openmp.model",
    "rexcc.codegen.registration",
    "rexcc.codegen.registration.unit_parts",
    "rexcc.lowering.model",
    "rexcc.lowering.model.topics",
    "rexcc.lowering.reductions",
    "rexcc.lowering.reductions.strategies",
}
"""Names of remarks and reductions, and records, which options and links ask for."""


def test_nothing_looks_for_garbage_while_the_command_loads(project: Path):
    code = "import gc; from rexcc.__main__ import main; gc.callbacks.append(lambda *told: print('looks')); main()"
    shown = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True).stdout
    assert "rexcc" in shown and "looks" not in shown


def test_a_compiler_is_asked_once_for_all_files(project: Path, tmp_path: Path, compiler: Path):
    Path("other.c").write_text(fake.KERNEL)
    line = ["--emit=src", "-o", "out", "--target=host", f"--host-compiler={compiler}", "prog.c", "kernel.c", "other.c"]
    translated = fake.FakeCompiler()
    assert main(line, translated) == 0
    assert asked(tmp_path) == ["C -E -dM -v -x c /dev/null"]
    assert len(translated.calls) == 3
    assert all("/usr/include" in stages.asked(options, ()).system_includes for _, options in translated.calls)
    assert len(asked(tmp_path)) == 1


def test_nobody_is_asked_for_a_file_without_pragmas(project: Path, tmp_path: Path, compiler: Path):
    Path("head.h").write_text("#pragma once\n#pragma omp declare target\nint f(void);\n#pragma omp end declare target")
    Path("plain.c").write_text("int f(void) { return 1; }\n")
    Path("other.c").write_text('#include "head.h"\n')
    line = ["-c", "--target=host", f"--host-compiler={compiler}"]
    Path("calls.c").write_text('#include <omp.h>\n#include "omp.h"\nint g(void) { return omp_get_num_devices(); }\n')
    assert main([*line, "plain.c"]) == 0
    assert main([*line, "calls.c"]) == 0
    assert not [words for words in asked(tmp_path) if "-dM" in words]
    assert main([*line, "other.c"]) == 0
    assert len([words for words in asked(tmp_path) if "-dM" in words]) == 1


def test_a_compiler_is_asked_before_the_own_compiler_is_loaded(monkeypatch: pytest.MonkeyPatch, project: Path):
    order: list[str] = []
    ask, load = HostAnswers.ask, sys.modules["importlib"].import_module
    monkeypatch.setattr(HostAnswers, "ask", lambda self, *words: (order.append("asked"), ask(self, *words)))
    monkeypatch.setattr("importlib.import_module", lambda name: (order.append(name), load(name))[1])
    assert main(["-c", "--target=host", "kernel.c"], fake.FakeCompiler()) == 0
    assert order[:2] == ["asked", "rexcc.driver.compile"]


@pytest.mark.parametrize("line", ["-E kernel.c", "-fno-openmp -c kernel.c", "-M kernel.c", "--version"])
def test_nobody_is_asked_for_what_the_host_compiler_does(
    project: Path, tmp_path: Path, compiler: Path, line: str, capfd: pytest.CaptureFixture[str]
):
    assert main([f"--host-compiler={compiler}", *line.split()], fake.FakeCompiler()) == 0
    assert len(asked(tmp_path)) == 1
    assert "-v -x" not in asked(tmp_path)[0]


def test_no_garbage_is_looked_for_while_compiling(project: Path):
    enabled: list[bool] = []

    def translate(path: str, options: TranslateOptions, read_file: ReadFile) -> Translation:
        enabled.append(gc.isenabled())
        return Translation(False, ())

    assert main(["-c", "--target=host", "kernel.c"], translate) == 0
    assert enabled == [False]
    assert gc.isenabled()


def test_a_missing_libclang_is_said_with_what_to_do(project: Path):
    environment = os.environ | {"LIBCLANG_PATH": "/nowhere/libclang.so"}
    command = [sys.executable, "-m", "rexcc.driver.main", "--emit=src", "-o", "out", "kernel.c"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("rexcc: error: libclang: cannot be loaded: /nowhere/libclang.so")
    assert "pip install libclang" in done.stderr and "internal error" not in done.stderr
