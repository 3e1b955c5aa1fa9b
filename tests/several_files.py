"""Programs of several files, whose device code calls each other's, and how they are built.

In: a text of ``execution/several_files``. It begins with what the program is about and with lines of keys; behind
``//--- NAME`` stands each file. Out: the program, built in a folder.

``want:`` is the exact output, repeated for each line, ``want-error:`` a pattern of what the build says when it has to
fail. ``flags:`` are those of each command of rexcc. ``build:`` are commands in their order, ``rexcc`` among them,
behind ``in FOLDER`` in that folder; without, each source is compiled and the objects are linked; what a shell or make
runs finds rexcc as ``$REXCC``. ``runs:`` are the names of the programs, ``program`` without; ``needs:`` names a tool
without which the program is left out, ``not-for:`` a target that refuses it.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "execution" / "several_files"
_FILE = re.compile(r"^//--- (\S+)\n", re.MULTILINE)
_KEY = re.compile(r"^([a-z-]+): ?(.*)$", re.MULTILINE)

Rexcc = Callable[..., int]
"""Runs rexcc with arguments in a folder, the first; returns its status."""
SCRIPT = Path(sys.executable).parent / "rexcc"


@dataclass(frozen=True)
class Program:
    """A program, its keys and its files."""

    name: str
    keys: dict[str, tuple[str, ...]]
    files: dict[str, str]

    @property
    def want(self) -> str:
        """What it prints."""
        return "".join(f"{line}\n" for line in self.keys.get("want", ()))

    @property
    def errors(self) -> tuple[str, ...]:
        """Patterns of what is said when it is built, which has to fail then."""
        return self.keys.get("want-error", ())

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags of all of its files."""
        return tuple(word for line in self.keys.get("flags", ()) for word in shlex.split(line))

    @property
    def sources(self) -> list[str]:
        """Its files but for headers."""
        return [name for name in self.files if name.endswith((".c", ".cpp"))]

    @property
    def programs(self) -> list[str]:
        """The names of what is built."""
        return [word for line in self.keys.get("runs", ("program",)) for word in line.split()]

    @property
    def commands(self) -> list[list[str]]:
        """The commands that build it."""
        given = [shlex.split(line) for line in self.keys.get("build", ())]
        objects = [f"{Path(name).stem}.o" for name in self.sources]
        return given or [["rexcc", "-c", *self.sources], ["rexcc", *objects, "-o", "program"]]


def read(path: Path) -> Program:
    """Return the program of a text."""
    head, *parts = _FILE.split(path.read_text())
    keys: dict[str, tuple[str, ...]] = {}
    for key, value in _KEY.findall(head):
        keys[key] = (*keys.get(key, ()), value)
    return Program(path.stem, keys, dict(zip(parts[::2], parts[1::2], strict=True)))


def build(program: Program, folder: Path, rexcc: Rexcc, flags: Sequence[str]) -> bool:
    """Build a program whose files stand in a folder; return whether all commands succeeded. ``flags`` are those of
    rexcc where others start it."""
    environment = {**os.environ, "REXCC": shlex.join([str(SCRIPT), *flags, *program.flags])}
    for command in program.commands:
        where, *words = command[1:] if command[0] == "in" else (".", *command)
        if words[0] == "rexcc":
            status = rexcc(folder / where, *program.flags, *words[1:])
        else:
            status = subprocess.run(words, cwd=folder / where, env=environment, check=False).returncode
        if status:
            return False
    return True
