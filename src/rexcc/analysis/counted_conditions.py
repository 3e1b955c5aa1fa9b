"""``__COUNTER__`` in conditions of the preprocessor.

In: a unit. Out: nothing, or errors. Its uses in the text are replaced by their numbers, so that host and device have
the same ones. A condition stays in the text, where the preprocessor would begin to count again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.frontend.macros import WORD, macro_table
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING, SPLICE
from rexcc.source.patterns import regex
from rexcc.source.text import Span

_COUNTER = "__COUNTER__"
_CONDITION = regex(
    rf"{COMMENT}|{RAW_STRING}|{LITERAL}|^[ \t]*(?:\#|%:)[ \t]*(?:el)?if\b(?P<condition>(?:{SPLICE}|{COMMENT}|[^\n])*)",
    re.MULTILINE,
)


def check_counted_conditions(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Refuse conditions that count where other uses are numbers already (``unsupported-name``)."""
    scans = [file.scan for file in unit.files.values()]
    if not any(_COUNTER in scan.source.text for scan in scans):
        return
    names = macro_table(scans).users({_COUNTER})
    pieces = (piece for scan in scans for piece in scan.source.pieces if not piece.is_copy)
    if not any(_first(piece.place, names) for piece in pieces):
        return
    for place in _conditions(unit):
        word = _first(place, names)
        if word is not None:
            message = (
                f"'{word.text}' counts in a condition, and other uses of '{_COUNTER}' are numbers in generated code"
            )
            sink.error("unsupported-name", f"{message}; decide by another macro", word)


def _conditions(unit: ParsedUnit) -> Iterator[Span]:
    """Yield the conditions of ``#if`` and ``#elif`` that the preprocessor reads."""
    for path, file in unit.files.items():
        skipped = unit.skipped.get(path, ())
        for match in _CONDITION.finditer(file.scan.source.text):
            if match["condition"] and not any(start < match.start() < end for start, end in skipped):
                yield file.scan.source.span(match.start("condition"), match.end("condition"))


def _first(place: Span, names: frozenset[str]) -> Span | None:
    """Return the first of some names in a part of the text."""
    for match in WORD.finditer(place.text):
        if match[0] in names:
            return place.source.span(place.start + match.start(), place.start + match.end())
    return None
