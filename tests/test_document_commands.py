"""Commands that documents show and no test runs: what can be asked of them is asked, and why they are not run is said.

Those in ``console`` blocks are run (``test_documents.py``). Commands in indented lines have no output that could be
compared, or need what a test has not: root, the network, a GPU, minutes.
"""

from __future__ import annotations

import importlib.util
import re
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import tomllib

import support
from rexcc.bench.command import _parser as bench_parser
from rexcc.bench.packed import _parser as packed_parser
from rexcc.driver.options.parser import parse

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
NAMES = ("docs/*.md", "README.md", "CONTRIBUTING.md", "benchmarks/README.md")
DOCUMENTS = [path for name in NAMES for path in sorted(ROOT.glob(name)) if path.name != "codes.md"]
NOT_RUN = {
    "rexcc bench": "measures for minutes, some on a GPU (tests/bench runs it on small programs)",
    "rexcc": "names files that the reader has (the options are asked for)",
    "scripts": "installs packages, or runs all tests",
    ".ci": "installs packages, and runs all tests",
    "python": "takes minutes (tests run a few programs of each generator)",
    "python3": "needs a packed campaign and a GPU (tests/bench has one)",
    "pip": "installs from the network (tests/driver/test_wheel.py installs the wheel)",
    "make": "builds the reader's project",
    "apt": "downloads packages",
    "nvcc": "is there for comparison",
    "gcc": "is there for comparison",
}
"""Why a command is not run, by its first words."""
OUTPUT = re.compile(r"(rexcc: note|[\w.]+\.c:\d+:\d+|leaf target|history): |\{|add_(compile|link)_options\(")
"""What is shown in an indented line and is no command: messages, JSON, CMake."""
SHELL = re.compile(r"(mkdir|for|export|apt-get) ")
"""``apt-get`` and the lines around it."""


def commands(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield the indented commands of a document without their comments, and their words."""
    for line in re.findall(r"^    (\S.*)$", FENCE.sub("", path.read_text()), re.MULTILINE):
        if not OUTPUT.match(line):
            command = re.split(r"\s+# ", line)[0]
            yield command, [] if SHELL.match(command) else shlex.split(command.split(" && ")[0])


SHOWN = [(path, *command) for path in DOCUMENTS for command in commands(path)]


@pytest.mark.parametrize(("path", "command", "words"), SHOWN, ids=[f"{path.stem}: {name}" for path, name, _ in SHOWN])
def test_commands_that_are_not_run(path: Path, command: str, words: list[str]) -> None:
    subprocess.run(["bash", "-n", "-c", command], check=True)
    key = kind(words)
    assert key in NOT_RUN, f"{command}: run it in a console block, or say why not"
    if key == "rexcc bench":
        bench_parser().parse_args(words[2:])
    elif words[:2] == ["rexcc", "doctor"]:
        assert set(words[2:]) <= {"--install"}
    elif key == "rexcc":
        parse([word for word in words[1:] if word != "…"] + ["t.c"] * ("…" in words))
    elif key in ("scripts", ".ci"):
        assert (ROOT / words[0]).stat().st_mode & 0o111
        assert all((ROOT / word).exists() for word in words[1:] if word.startswith("tests/"))
    elif key == "python":
        assert importlib.util.find_spec(words[2]) is not None
    elif key == "python3":
        packed_parser().parse_args(words[2:])
    elif key == "pip":
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
        assert words[1:] == ["install", f"rexcc-{project['version']}-py3-none-any.whl"]
    elif key == "make":
        (flags,) = (word.removeprefix("CFLAGS=") for word in words if word.startswith("CFLAGS="))
        assert parse([*shlex.split(flags), "-c", "t.c"]).report_folder is not None
    for word in words[1:]:
        assert path.parent.name != "benchmarks" or not word.endswith((".c", ".cu")) or (path.parent / word).exists()


def kind(words: list[str]) -> str:
    """Return by what a command is known in the table of reasons."""
    if words[:2] == ["rexcc", "bench"]:
        return "rexcc bench"
    return words[0].partition("/")[0] if words else "apt"


def test_reasons_are_of_commands() -> None:
    assert set(NOT_RUN) == {kind(words) for _, _, words in SHOWN}


def test_the_readme_shows_remarks_as_they_are() -> None:
    shown = re.findall(r"^    ((?:axpy\.c:|rexcc: note: ).*)$", (ROOT / "README.md").read_text(), re.MULTILINE)
    loop = "  for (int i = 0; i < n; i++)\n    y[i] = x[i];\n"
    directive = "#pragma omp target teams distribute parallel for num_threads(128)\n"
    source = f"void f(int n, double *y, double *x) {{\n{directive}{loop}}}\n"
    told = support.rendered(support.translate_text(source, "axpy.c", remarks=True)).splitlines()
    assert len(shown) == 6 and [line for line in shown if line not in told] == []
