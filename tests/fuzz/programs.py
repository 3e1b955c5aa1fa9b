"""Mutated programs through the whole compiler, in process.

In: a seed and numbers. Out: findings: an exception or a program that takes too long. That a program is refused is fine:
most of them are wrong. The seeds are the programs that the other tests translate and run.
"""

from __future__ import annotations

import os
import random
import re
import traceback
from collections.abc import Iterator
from pathlib import Path

import support
from fuzz.mutate import mutate
from fuzz.pragmas import LIMIT, WORDS, Finding, TooLongError, time_limit

TESTS = Path(__file__).resolve().parent.parent
FOLDERS = ("programs", "execution/programs", "execution/plain", "execution/atomics")
_PRAGMA = re.compile(r"^[ \t]*#[ \t]*pragma[ \t]+omp[ \t]+((?:\\\n|[^\n])*)", re.MULTILINE)
_STATEMENT = re.compile(r"^[ \t]+[^\s#/][^\n]*", re.MULTILINE)
_CPLUSPLUS = frozenset({".cpp", ".cc"})
_IN_PRAGMAS = 0.7
"""Share of the changes that are made to directives."""


def seeds() -> list[Path]:
    """Return the programs, in a fixed order."""
    found = (p for folder in FOLDERS for p in (TESTS / folder).glob("*") if p.suffix in (_CPLUSPLUS | {".c"}))
    return sorted(p for p in found if "#pragma omp target" in p.read_text(encoding="latin-1"))


def program_text(seed: int, number: int) -> tuple[str, str]:
    """Return the name and the text of a mutated program."""
    choose = random.Random(f"{seed} {number}")
    path = choose.choice(seeds())
    text = path.read_text(encoding="latin-1")
    for _ in range(choose.randint(1, 2)):
        places = list((_PRAGMA if choose.random() < _IN_PRAGMAS else _STATEMENT).finditer(text))
        if places:
            start, end = choose.choice(places).span()
            text = text[:start] + mutate(text[start:end], choose, WORDS, 2) + text[end:]
    return f"fuzz{path.suffix}", text


def examine(number: int, name: str, text: str) -> Finding | None:
    """Translate a program and return what is wrong."""
    try:
        with time_limit(LIMIT):
            support.translate_text(text.encode("latin-1"), name)
    except TooLongError:
        return Finding(number, "too long", name, "")
    except Exception:
        return Finding(number, "exception", name, traceback.format_exc())
    return None


def programs(seed: int, numbers: range, folder: Path) -> Iterator[Finding]:
    """Yield what is wrong with some programs; each is made and translated in a process of its own."""
    for number in numbers:
        name, text = program_text(seed, number)
        report = folder / "finding"
        report.write_text("")
        child = os.fork()
        if child == 0:
            finding = examine(number, name, text)
            report.write_text(f"{finding.sort}\n{finding.detail}" if finding else "")
            os._exit(0)
        _, status = os.waitpid(child, 0)
        sort, _, detail = report.read_text().partition("\n")
        if os.WIFSIGNALED(status):
            sort, detail = "crash", f"signal {os.WTERMSIG(status)}"
        if sort:
            yield Finding(number, sort, name, detail)
