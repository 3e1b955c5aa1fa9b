"""Pragma lines in which ``omp`` is missing or misspelt.

In: a ``#pragma`` line that is none of OpenMP's. Out: a warning with the mending where the words after ``pragma`` are a
directive of OpenMP: ``#pragma parallel for``, ``#pragma opm target``. Compilers skip such a line without a word, and
the program runs in one thread. Words that are pragmas of other compilers, such as ``#pragma unroll`` and ``#pragma
simd``, are left alone. What knows directives is loaded where such a line is.
"""

from __future__ import annotations

import importlib

from rexcc.source.diagnostics import Diagnostic, FixIt, Severity
from rexcc.source.patterns import regex
from rexcc.source.text import SourceText

_WORDS = regex(r"[ \t]*(?:#|%:)[ \t]*pragma[ \t]+(?P<first>\w+)(?P<rest>(?:[ \t]+\w+)*)")
_MISSPELT = frozenset({"opm", "mop", "pmo", "om", "op", "mp", "ompp", "ommp", "oomp", "openmp"})
_OF_OTHERS = frozenset(
    {"unroll", "simd", "loop", "section", "error", "nothing", "assume", "allocate", "interop", "requires", "dispatch",
     "distribute", "split", "fuse", "tile", "interchange", "reverse", "stripe", "scope", "scan"}
)  # fmt: skip
"""Directives of one word that other compilers have pragmas for, or that say nothing without their clauses."""


def forgotten(source: SourceText, line: str, start: int) -> Diagnostic | None:
    """Return the warning about a pragma line that starts at an offset, None where it is somebody else's."""
    match = _WORDS.match(line)
    if match is None:
        return None
    first = match["first"]
    place = source.span(start + match.start("first"), start + match.end("first"))
    rest = tuple(match["rest"].split())
    if (first in _MISSPELT or (first != "omp" and first.lower() == "omp")) and _directive(rest):
        message = f"'#pragma {first} {_directive(rest)}' is skipped by compilers; did you mean '#pragma omp'?"
        return _warning(source, message, place.start, place.end, "omp")
    name = _directive((first, *rest))
    if not name or name in _OF_OTHERS:
        return None
    message = f"'#pragma {name}' is skipped by compilers; did you mean '#pragma omp {name}'?"
    return _warning(source, message, place.start, place.start, "omp ", place.end)


def _directive(words: tuple[str, ...]) -> str:
    """Return the longest directive that these words start with, empty for none."""
    tables = importlib.import_module("rexcc.openmp.tables")
    names = (words[:count] for count in range(len(words), 0, -1))
    return next((" ".join(name) for name in names if tables.find_construct(name) is not None), "")


def _warning(
    source: SourceText, message: str, start: int, end: int, replacement: str, shown_to: int | None = None
) -> Diagnostic:
    fixes = (FixIt(source.span(start, end), replacement),)
    return Diagnostic(Severity.WARNING, "omp-forgotten", message, source.span(start, shown_to or end), (), fixes)
