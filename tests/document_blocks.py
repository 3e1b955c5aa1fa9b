"""The files, commands and outputs that documents show, run and compared; or written anew.

A fenced block of C or C++ behind a line that ends in a file's name, as ``step.c`` and a colon, is that file. A block
``console`` has commands behind ``$``, and what each prints behind it. ``…`` stands for lines that are left out, or for
a part of a line. Commands of a document run in its own folder, one after the other. ``python -m document_blocks``, in
the folder ``tests``, writes the outputs anew that do not fit, where they hold no ``…``.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import support
from rexcc.driver.main import main

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"(?:^`(?P<file>[\w.]+)`:\n\n)?^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.DOTALL | re.MULTILINE)
BUILDS_NOTHING = ("--emit=", "-###", "--explain", "--help", "--version", "-E")
WIDTH = 120
EXCERPT = re.compile(r"(?:^ +\d* \| .*\n)+", re.MULTILINE)
NOT_HERE = "rexcc: note: no CUDA compiler"


@dataclass(frozen=True)
class Block:
    """A fenced block: a file, or commands with their outputs; ``start`` and ``end`` are of its text."""

    file: str
    kind: str
    text: str
    start: int
    end: int

    @property
    def steps(self) -> list[tuple[str, str]]:
        """The commands, each with what it shall print."""
        parts = re.split(r"^\$ (.*(?:(?<=\\)\n.*)*)\n", self.text, flags=re.MULTILINE)[1:]
        return list(zip(parts[::2], parts[1::2], strict=True))


def blocks(text: str) -> list[Block]:
    """Return the fenced blocks of a document."""
    return [Block(m["file"] or "", m["kind"], m["text"], m.start("text"), m.end("text")) for m in FENCE.finditer(text)]


def fits(shown: str, printed: str) -> bool:
    """Whether a document shows what a command has printed."""
    pattern = "".join(_pattern(line) for line in shown.splitlines())
    return re.fullmatch(pattern, printed if printed.endswith("\n") or not printed else f"{printed}\n") is not None


def _pattern(line: str) -> str:
    if line.strip() == "…":
        return r"(?:.*\n)*?"
    return ".*".join(map(re.escape, line.split("…"))) + r"\n"


def run(command: str, folder: Path) -> str:
    """Return what a command prints in a folder: rexcc's own in this process, what it builds quickly."""
    words = shlex.split(command.replace("\\\n", " "))
    if words[0] != "rexcc" or not {";", "|", "&&", ">"}.isdisjoint(words):
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        return subprocess.run(
            ["bash", "-c", command], cwd=folder, env=os.environ | {"PATH": path}, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=support.PATIENCE,
        ).stdout  # fmt: skip
    printed, said = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
        if any(word.startswith(BUILDS_NOTHING) for word in words):
            with pytest.MonkeyPatch.context() as patched:
                patched.chdir(folder)
                patched.setattr("rexcc.driver.main.HostAnswers", support.host_answers)
                main(words[1:])
        else:
            support.rexcc(folder, *words[1:])
    lines = _text(said).splitlines(keepends=True)
    return _text(printed) + "".join(line for line in lines if not line.startswith(NOT_HERE))


def _text(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


def steps(text: str, folder: Path) -> Iterator[tuple[Block, str, str, str]]:
    """Write a document's files and run its commands in their order; yield each with what is shown and printed."""
    for block in blocks(text):
        if block.file:
            (folder / block.file).write_text(block.text)
        for command, shown in block.steps if block.kind == "console" else ():
            yield block, command, shown, run(command, folder)


def renewed(text: str, folder: Path) -> str:
    """Return a document with the outputs that its commands print."""
    found = text
    for _, command, shown, printed in list(steps(text, folder)):
        if not fits(shown, printed):
            found = found.replace(f"$ {command}\n{shown}", f"$ {command}\n{_shortened(printed)}", 1)
            if "…" in shown:
                print(f"look at: $ {command}", file=sys.stderr)
    return found


def _shortened(printed: str) -> str:
    """Return an output without the excerpts of messages, and without the ends of long lines."""
    lines = EXCERPT.sub("…\n", printed).splitlines()
    return "".join(f"{line[: WIDTH - 1]}…\n" if len(line) > WIDTH else f"{line}\n" for line in lines)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with tempfile.TemporaryDirectory() as scratch:
            path = Path(name)
            path.write_text(renewed(path.read_text(), Path(scratch)))
