"""Mutated directives through the parser.

In: a seed and a number. Out: the directive's text, and a :class:`Finding` when it raises an exception, takes too long,
is refused without an error, or unparses to another. What clang says of it is the business of :mod:`fuzz.peer`.
"""

from __future__ import annotations

import dataclasses
import random
import re
import signal
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from fuzz.mutate import mutate
from model_values import plain
from rexcc.openmp.clauses import CLAUSES
from rexcc.openmp.model import Directive, PragmaText
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import CONSTRUCTS
from rexcc.openmp.unparse import unparse
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.text import SourceText

LIMIT = 30.0
"""Seconds of processor time of one pragma or program, of which even the longest takes one or two."""

_PUNCTUATION = (
    *"()[]{},:;+-*/&|<>=?.!#@",
    "&&",
    "||",
    "::",
    "->",
    "a",
    "b",
    "n",
    "x",
    "0",
    "16",
    "a[0:n]",
    "(a)",
    "this",
)


def words(newest: int) -> tuple[str, ...]:
    """Return the words of directives up to a version of OpenMP (52 is 5.2), and punctuation."""
    clauses = [row for row in CLAUSES if row.since <= newest]
    return (
        *(word for c in CONSTRUCTS.values() if c.since <= newest for word in c.name.split()),
        *(row.name for row in clauses),
        *(w for row in clauses for w in (*row.keywords, *(m.name for m in row.modifiers), *row.categories)),
        *_PUNCTUATION,
    )


WORDS = words(60)
WORDS_52 = words(52)


@dataclasses.dataclass(frozen=True)
class Finding:
    """What is wrong with one input: its number, a word for the sort, the input, and details."""

    number: int
    sort: str
    text: str
    detail: str


class TooLongError(Exception):
    """An input took longer than allowed."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`TooLongError` after so many seconds of processor time."""

    def stop(signum: int, frame: object) -> None:
        raise TooLongError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def mutated(seed: int, number: int, seeds: Sequence[str], inserted: Sequence[str]) -> str:
    """Return a mutated directive: what stands after ``#pragma omp``."""
    choose = random.Random(f"{seed} {number}")
    text = choose.choice(seeds)
    if choose.random() < 0.1:  # the clauses of one directive behind another
        text = f"{text} {' '.join(choose.choice(seeds).split()[1:])}"
    return re.sub(r"[\r\n]|/[/*]|\\|\?\?.", " ", mutate(text, choose, inserted))  # a pragma is one line here


def parse(text: str) -> tuple[Directive | None, DiagnosticSink]:
    """Return the directive of a text and what was found."""
    sink = DiagnosticSink()
    source = SourceText("fuzz.c", text)
    return parse_directive(PragmaText(text, source.span(0, len(text))), sink), sink


def examine(number: int, text: str) -> tuple[Finding | None, bool]:
    """Parse a text and what it unparses to; return what is wrong, and whether the text is accepted."""
    try:
        with time_limit(LIMIT):
            directive, sink = parse(text)
            if directive is None or sink.has_errors:
                silent = directive is None and not sink.has_errors
                return (Finding(number, "refused without an error", text, "") if silent else None), False
            again, problems = parse(unparse(directive))
            if problems.found or plain(again) != plain(directive):
                return Finding(number, "unparsed to another", text, unparse(directive)), True
    except TooLongError:
        return Finding(number, "too long", text, ""), False
    except Exception:
        return Finding(number, "exception", text, traceback.format_exc()), False
    return None, True
