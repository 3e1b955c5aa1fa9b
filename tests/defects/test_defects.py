"""Every defect that was found outside of this suite, as a small program: built and run as its user would.

Each folder has a program and a file ``case`` with lines ``key: value``; a repeated key adds a line. ``want`` is the
exact output; ``want-error`` and ``want-warning`` are patterns for what the compiler says, ``want-run`` for what the
program prints, ``want-not`` for what neither may say; ``want-build`` asks for a build only. ``flags``, ``files`` and
``env`` are for the build and the run; ``script`` is shell text with ``$REXCC`` instead. ``severity``, ``says`` and
``peer`` are for readers: how bad it was, what went wrong, and with which compiler the wanted output was checked.
``open.txt`` names the cases that are not right yet; one that becomes right has to leave it.
"""

from __future__ import annotations

import functools
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
from multiprocessing import forkserver
from multiprocessing.context import ForkServerContext
from pathlib import Path

import pytest
from alone import alone

import support

FOLDER = Path(__file__).parent
CASES = sorted(path.parent.name for path in FOLDER.glob("*/case"))
OPEN = {line.split(" ", 1)[0]: line for line in (FOLDER / "open.txt").read_text().splitlines() if line}
REXCC = Path(sys.executable).parent / "rexcc"
INTERNAL = re.compile(r"internal error|Traceback \(most recent|RecursionError|UnicodeEncodeError")


def read(name: str) -> dict[str, str]:
    case: dict[str, str] = {}
    for line in (FOLDER / name / "case").read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(":")
        value = value.removeprefix(" ")
        case[key] = f"{case[key]}\n{value}" if key in case else value
    return case


def run(command: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=support.PATIENCE,
        check=False,
    )
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def build(case: dict[str, str], folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    if "script" in case:
        return run(["bash", "-c", f"set -e\n{case['script']}"], folder, environment)
    flags = case.get("flags", "--target=host").split()
    level = [] if any(flag.startswith("-O") for flag in flags) else ["-O0"]  # half of the compilers' time
    files = case.get("files", "main.cpp" if (folder / "main.cpp").exists() else "main.c").split()
    is_gcc = any(flag.startswith("--host-compiler") for flag in flags)
    quickly = [support.QUICK_LINK, *(() if is_gcc else support.QUICK_LINKER)]
    output, link = ("prog.o", []) if "-c" in flags else ("prog", quickly)
    return rexcc([*level, *flags, *files, "-o", output, *link], folder, environment)


def rexcc(words: list[str], folder: Path, environment: dict[str, str]) -> tuple[int, str, str]:
    """Run rexcc in a process of its own: a copy of one in which its modules are loaded, and nothing else."""
    outputs = [folder.parent / name for name in ("out", "err")]
    process = server().Process(target=alone, args=(words, folder, environment, outputs, support.shared()))
    process.start()
    process.join()
    assert process.exitcode is not None
    out, err = (path.read_bytes().decode("utf-8", "replace") for path in outputs)
    return process.exitcode, out, err


@functools.cache
def server() -> ForkServerContext:
    """Return what starts these processes; Python 3.11 forgets ``sys.path`` on the way there."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["alone"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    return context


def matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.MULTILINE) is not None


@pytest.mark.parametrize("name", support.sampled(CASES, 6))
def test_a_known_defect_is_mended(
    name: str, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> None:
    support.require_runtime()
    if name in OPEN:
        request.applymarker(pytest.mark.xfail(reason=OPEN[name], strict=True))
    case = read(name)
    if "nvptx" in case.get("flags", ""):
        support.require_cuda()
    top = tmp_path_factory.mktemp("defect")
    folder = top / "w"
    shutil.copytree(FOLDER / name, folder, ignore=shutil.ignore_patterns("case"))
    environment = {"OMP_TARGET_OFFLOAD": "MANDATORY", **os.environ, "LC_ALL": "C.UTF-8", "TMPDIR": str(top)}
    environment |= {"REXCC": str(REXCC)} | dict(pair.split("=", 1) for pair in case.get("env", "").split())
    status, out, err = build(case, folder, environment)
    assert INTERNAL.search(err) is None, err
    assert "want-not" not in case or not matches(case["want-not"], out + err), err
    if status:
        assert "want-error" in case and matches(case["want-error"], err), err
        return
    assert "want-error" not in case or "want" in case, "accepted"
    if "want-warning" in case:
        assert matches(case["want-warning"], err), "no warning"
    if "want-warning" in case or "want-build" in case:
        return
    if "script" not in case:
        status, out, err = run(["./prog"], folder, environment)
    if "want-run" in case:
        assert matches(case["want-run"], out + err)
        return
    assert (status, out.rstrip("\n")) == (0, case["want"].rstrip("\n")), err
