"""Where the host compilers look for ``<headers>``, and who they say they are, asked once and early.

In: compilers, languages and the flags that move these folders. Out: the folders, and macros. A compiler takes less time
to tell than this program to load the modules that want to know: so the command asks first, and a question that several
of its files have is put once (docs/decisions/037-short-commands.md).
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable

from rexcc.source.compiler_macros import NAMES, Macros
from rexcc.source.patterns import regex

_LIST = regex(r"#include <\.\.\.> search starts here:\n(.*?)End of search list", re.DOTALL)
_MACRO = regex(r"^#define (\w+) (.*)$", re.MULTILINE)
_PATIENCE = 60

Question = tuple[str, str, tuple[str, ...]]
"""A compiler, a language and flags."""


class HostAnswers:
    """Questions to compilers that run, and their answers."""

    def __init__(self) -> None:
        self._asked: dict[Question, subprocess.Popen[str] | None] = {}
        self._told: dict[Question, str] = {}

    def ask(self, compiler: str, language: str, flags: Iterable[str]) -> None:
        """Start the compiler, unless that was done; wait for nothing."""
        question = (compiler, language, tuple(flags))
        if question not in self._asked:
            self._asked[question] = _started(question)

    def answers(self, compiler: str, language: str, flags: Iterable[str]) -> tuple[tuple[str, ...], Macros]:
        """Return folders and macros."""
        words = tuple(flags)
        return self.folders(compiler, language, words), self.macros(compiler, language, words)

    def folders(self, compiler: str, language: str, flags: Iterable[str]) -> tuple[str, ...]:
        """Return the folders, none if the compiler cannot be run."""
        found = _LIST.search(self._answer(compiler, language, flags))
        lines = found[1].splitlines() if found else []
        return tuple(os.path.normpath(line.strip()) for line in lines)

    def macros(self, compiler: str, language: str, flags: Iterable[str]) -> Macros:
        """Return the macros by which the compiler tells who it is, none if it cannot be run."""
        found = _MACRO.findall(self._answer(compiler, language, flags))
        return tuple((name, value) for name, value in found if name in NAMES)

    def preprocessed(self, compiler: str, language: str, flags: Iterable[str], text: str) -> str | None:
        """Return what the compiler's preprocessor makes of a text, None if it cannot be run."""
        argv = (compiler, *flags, "-E", "-P", "-x", language, "-")
        try:
            told = subprocess.run(
                argv, input=text, capture_output=True, encoding="utf-8", errors="surrogateescape", timeout=_PATIENCE,
                check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired):
            return None
        return told.stdout

    def _answer(self, compiler: str, language: str, flags: Iterable[str]) -> str:
        question = (compiler, language, tuple(flags))
        self.ask(*question)
        if question not in self._told:
            self._told[question] = _answer(self._asked[question])
        return self._told[question]


def _started(question: Question) -> subprocess.Popen[str] | None:
    compiler, language, flags = question
    argv = (compiler, *flags, "-E", "-dM", "-v", "-x", language, os.devnull)
    nothing, pipe = subprocess.DEVNULL, subprocess.PIPE
    english = {**os.environ, "LC_ALL": "C"}
    try:
        return subprocess.Popen(
            argv, stdin=nothing, stdout=pipe, stderr=subprocess.STDOUT, env=english, text=True, errors="surrogateescape"
        )
    except OSError:
        return None


def _answer(process: subprocess.Popen[str] | None) -> str:
    if process is None:
        return ""
    try:
        return process.communicate(timeout=_PATIENCE)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return ""
