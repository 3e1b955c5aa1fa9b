"""Compile images of the CPU device with precompiled headers.

In: the commands of a plan. Out: the same commands, where one compiles an image with a header that was compiled before.
Headers are three quarters of the work. A compiler takes such a header only where its flags are the same; what generated
files say in front of the headers is compiled with them.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import support
from rexcc.driver.plan import Command
from rexcc.driver.run import Outcome

_PLAIN_FLAG = re.compile(r"-(?:O\w*|std=[\w+]+|f[\w=-]+|g|w|c|pthread)")
_OF_ALL = re.compile(r'#include "rex_\w+\.h"|#define REX_(?:SOURCE_IS_C|LINKED_UNITS)')
"""Lines that files of many programs have in front of what is their own."""
_COMMENT = re.compile(r"/\*.*\*/")
_RENAMED = re.compile(r"#define OUT__\w+ OUT__\w+")
"""Lines that say nothing to the headers: names of kernels."""


def quickly(run_command: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """Return a way to run a plan's commands that compiles images of the CPU device with precompiled headers."""

    def run(command: Command, *others: Any) -> Outcome:
        flags, head = _header_flags(command.argv), _head(command.argv)
        if flags is None or not head:
            return run_command(command, *others)
        compiler, *own = command.argv
        header = _precompiled(compiler, flags, head)
        linker = support.QUICK_LINKER if "-shared" in own and _is_clang(compiler) else ()
        return run_command(replace(command, argv=(compiler, *header, *linker, *own)), *others)

    return run


def _is_clang(compiler: str) -> bool:
    return Path(compiler).name.startswith("clang++")


def _sources(argv: Sequence[str]) -> list[str]:
    return [word for word in argv if Path(word).name.startswith("rex_host_") and word.endswith(".cpp")]


def _header_flags(argv: Sequence[str]) -> list[str] | None:
    """Return the flags with which a command compiles an image's headers, None for other commands.

    Where the user's folders or macros are among them, a header would be compiled for one program.
    """
    sources = _sources(argv)
    if not {"-shared", "-c"}.intersection(argv) or len(sources) != 1 or not re.match(r"clang\+\+|g\+\+", _name(argv)):
        return None
    before = argv[1 : argv.index(sources[0])]
    flags = [word for word in before if word not in ("-shared", "-c") and not word.startswith("-Wl,")]
    place = flags.index("-isystem") if "-isystem" in flags else len(flags)
    others = [*flags[:place], *flags[place + 2 :]]
    return flags if all(_PLAIN_FLAG.fullmatch(word) for word in others) else None


def _name(argv: Sequence[str]) -> str:
    return Path(argv[0]).name


def _head(argv: Sequence[str]) -> str:
    """Return what an image's files begin with, as far as those of many programs begin so: headers of the run-time."""
    found: list[str] = []
    for line in _lines(Path(_sources(argv)[0])) if _sources(argv) else ():
        if _OF_ALL.fullmatch(line):
            found.append(line)
        elif not _COMMENT.fullmatch(line) and not _RENAMED.fullmatch(line):
            break
    while found and not found[-1].startswith("#include"):
        found.pop()
    return "".join(f"{line}\n" for line in found)


def _lines(source: Path) -> list[str]:
    """Return the first lines of an image's source, and those of the device file that it includes."""
    lines = _text(source).split("\n")
    name = source.name.removeprefix("rex_host_").removesuffix(".cpp")
    for at, line in enumerate(lines):
        if line.startswith(f'#include "rex_lib_{name}.'):
            return [*lines[:at], *_text(source.parent / line.split('"')[1]).split("\n")]
    return lines


def _text(path: Path) -> str:
    return path.read_bytes().decode("latin-1")


def _precompiled(compiler: str, flags: Sequence[str], head: str) -> tuple[str, ...]:
    """Return the options with which a compiler takes a text as a precompiled header; who is first compiles it."""
    texts = [head.encode(), *support.runtime_texts()]
    text = support.made_once(("head",), texts, lambda path: _write(path, head))
    if _is_clang(compiler):
        words = [compiler, *flags, "-fpch-instantiate-templates", "-x", "c++-header", str(text)]
        made = support.made_once(words, texts, lambda path: _compile([*words, "-o", str(path)]))
        return "-include-pch", str(made)
    words = [compiler, *flags, "-x", "c++-header", str(text)]
    folder = support.made_once(words, texts, lambda path: _compile_into_folder(words, head, path))
    return "-include", str(folder / "head.h")


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _compile(command: Sequence[str]) -> None:
    subprocess.run(command, check=True, capture_output=True)


def _compile_into_folder(words: Sequence[str], head: str, folder: Path) -> None:
    """Compile a header for gcc, which finds it beside the header's text."""
    folder.mkdir()
    _write(folder / "head.h", head)
    _compile([*words, "-o", str(folder / "head.h.gch")])
