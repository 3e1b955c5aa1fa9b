"""Places in the user's own text, where directives were expanded from macros.

In: a diagnostic. Out: the same diagnostic with every place where the user wrote it: at the token in the macro's
arguments if it is there, else at the macro's use, with a note at the token in the macro's definition. So an editor
finds it, and a person sees what he wrote.
"""

from __future__ import annotations

import re

from rexcc.source.diagnostics import Diagnostic, Fixes, FixIt, Note
from rexcc.source.records import replace
from rexcc.source.text import Piece, Span


def as_written(diagnostic: Diagnostic) -> Diagnostic:
    """Return a diagnostic with the places of the user's text."""
    span, behind = _written(diagnostic.span)
    notes: list[Note] = [*behind]
    for note in diagnostic.notes:
        place, more = _written(note.span)
        notes += [Note(note.message, place, _mendings(note.fixes)), *more]
    return replace(diagnostic, span=span, notes=tuple(notes), fixes=_mendings(diagnostic.fixes))


def _mendings(fixes: Fixes) -> Fixes:
    """Return mendings in the user's text, none where one of them would go elsewhere."""
    found = [FixIt(place, fix.replacement) for fix in fixes if (place := _inserted_at(fix.span)) is not None]
    return tuple(found) if len(found) == len(fixes) else ()


def _inserted_at(span: Span) -> Span | None:
    """Return the place of a mending in the user's text; an empty one is where the character in front of it ends."""
    if span.start < span.end or span.start == 0:
        return _exact(span)
    front = _exact(Span(span.source, span.start - 1, span.start))
    return Span(front.source, front.end, front.end) if front is not None else None


def _written(span: Span | None) -> tuple[Span | None, list[Note]]:
    """Return a place as the user wrote it, with notes on what he does not see there."""
    piece = span.source.piece_at(span.start) if span is not None else None
    if span is None or piece is None:
        return span, []
    if piece.is_copy:
        return _written(_copied(span, piece))
    exact = _exact(span)
    if exact is not None:
        return exact, []
    use, behind = _written(piece.place)
    for definition in piece.definitions or ():
        token = _only(span.text, definition)
        if token is not None:
            return use, [Note("expanded from the macro defined here", _exact(token)), *behind]
    if piece.place.start == piece.place.end:
        return use, behind  # text of ours, in front of what stands there
    name = re.match(r"\w*", piece.place.text)
    shown = _shortened(span.source.text[piece.start : piece.end], span.start - piece.start, span.end - piece.start)
    return use, [Note(f"'{name[0] if name else ''}' expands to '{shown}'"), *behind]


_MOST_SHOWN = 160
"""Characters of an expansion that are shown."""


def _shortened(text: str, start: int, end: int) -> str:
    """Return a text, of a long one what is around a range of it: whole words, with dots where something is left out."""
    if len(text.strip()) <= _MOST_SHOWN:
        return text.strip()
    room = max(0, _MOST_SHOWN - (min(end, len(text)) - start)) // 2
    first, last = max(0, start - room), min(len(text), start + _MOST_SHOWN - room)
    front = re.sub(r"^\w*\W?", "", text[first:start], count=1) if first else text[:start]
    back = re.sub(r"\W?\w*$", "", text[start:last], count=1) if last < len(text) else text[start:]
    return f"{'… ' if first else ''}{front.lstrip()}{back.rstrip()}{' …' if last < len(text) else ''}"


def in_users_text(span: Span) -> Span | None:
    """Return the place of a token in the text that the user wrote, None where only a macro's definition has it."""
    return _exact(span)


def _exact(span: Span) -> Span | None:
    """Return the token in the user's text, None where only a macro's definition has it."""
    piece = span.source.piece_at(span.start)
    if piece is None:
        return span
    if piece.is_copy:
        return _exact(_copied(span, piece))
    token = _only(span.text, piece.place)
    return _exact(token) if token is not None else None


def _copied(span: Span, piece: Piece) -> Span:
    """Return the place that a place in a copy is a copy of; one that ends in another piece ends there."""
    last = span.source.piece_at(max(span.start, span.end - 1))
    start = piece.place.start + span.start - piece.start
    if last is None or last.place.source is not piece.place.source or last.place.start < piece.place.start:
        end = piece.place.end
    else:
        end = last.place.start + span.end - last.start if last.is_copy else last.place.end
    return Span(piece.place.source, start, end)


def _only(token: str, place: Span) -> Span | None:
    """Return where a token stands in a place, if it stands there once."""
    if not token.strip():
        return None
    found = list(re.finditer(rf"(?<!\w){re.escape(token)}(?!\w)", place.text))
    if len(found) != 1:
        return None
    return Span(place.source, place.start + found[0].start(), place.start + found[0].end())
