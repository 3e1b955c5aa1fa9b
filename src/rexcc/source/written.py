"""Places in the user's own text, where directives were expanded from macros.

In: a diagnostic. Out: the same diagnostic with every place where the user wrote it: at the token in the macro's
arguments if it is there, else at the macro's use, with a note at the token in the macro's definition. So an editor
finds it, and a person sees what he wrote.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rexcc.source.diagnostics import Diagnostic, FixIt, Note
from rexcc.source.text import Expansion, Span


def as_written(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic with the places of the user's text."""
    span, behind = _written(diagnostic.span)
    notes: list[Note] = [*behind]
    for note in diagnostic.notes:
        place, more = _written(note.span)
        notes += [Note(note.message, place), *more]
    fixes = [FixIt(place, fix.replacement) for fix in diagnostic.fixes if (place := _exact(fix.span)) is not None]
    kept = tuple(fixes) if len(fixes) == len(diagnostic.fixes) else ()
    return replace(diagnostic, span=span, notes=tuple(notes), fixes=kept)


def _written(span: Span | None) -> tuple[Span | None, list[Note]]:
    """Return a place as the user wrote it, with notes on what he does not see there."""
    if span is None or not span.source.expansions:
        return span, []
    expansion = _around(span)
    exact = _exact(span)
    if exact is not None or expansion is None:
        return exact, []
    name = re.match(r"\w*", expansion.use.text)
    for definition in expansion.definitions:
        token = _only(span.text, definition)
        if token is not None:
            return expansion.use, [Note("expanded from the macro defined here", token)]
    return expansion.use, [Note(f"'{name[0] if name else ''}' expands to '{_line_around(span, expansion)}'")]


def _line_around(span: Span, expansion: Expansion) -> str:
    return span.source.text[expansion.start : expansion.end].strip()


def _exact(span: Span) -> Span | None:
    """Return the token in the user's text, None where only a macro's definition has it."""
    if not span.source.expansions:
        return span
    expansion = _around(span)
    if expansion is not None:
        return _only(span.text, expansion.use)
    before = [e for e in span.source.expansions if e.end <= span.start]
    if not before:
        return Span(span.source.expansions[0].use.source, span.start, span.end)
    shift = before[-1].use.end - before[-1].end
    return Span(before[-1].use.source, span.start + shift, span.end + shift)


def _around(span: Span) -> Expansion | None:
    return next((e for e in span.source.expansions if e.start <= span.start < e.end), None)


def _only(token: str, place: Span) -> Span | None:
    """Return where a token stands in a place, if it stands there once."""
    if not token.strip():
        return None
    found = list(re.finditer(rf"(?<!\w){re.escape(token)}(?!\w)", place.text))
    if len(found) != 1:
        return None
    return Span(place.source, place.start + found[0].start(), place.start + found[0].end())
