"""New texts for user files, which know the user's line numbers.

In: a text and what shall stand instead of some of its ranges. Out: the new text. A replacement is made of new words and
of ranges of the old text, which may be there several times.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rexcc.source.records import dataclass
from rexcc.source.text import Piece, SourceText

Range = tuple[int, int]


@dataclass(frozen=True)
class Replacement:
    """What stands instead of ``[start, end)``: new text, and ranges of the old one."""

    start: int
    end: int
    parts: tuple[str | Range, ...]


def moved(replacements: Iterable[Replacement], offset: int) -> int:
    """Return where an offset outside the replacements, or at the start of one, is in the new text."""
    return offset + sum(_growth(r) for r in replacements if r.start < offset)


def _growth(replacement: Replacement) -> int:
    parts = (len(part) if isinstance(part, str) else part[1] - part[0] for part in replacement.parts)
    return sum(parts) - (replacement.end - replacement.start)


@dataclass(frozen=True)
class _Piece:
    text: str
    original: int
    """Where the text stood, or what it stands for."""
    is_users: bool


def rewrite(source: SourceText, replacements: Iterable[Replacement]) -> SourceText:
    """Return a text with replacements, which must not overlap."""
    pieces = tuple(_pieces(source, sorted(replacements, key=lambda r: r.start)))
    text = "".join(piece.text for piece in pieces)
    made_of = tuple(_made_of(source, pieces)) if source.pieces or source.numbered else ()
    includes = source.includes or bool(source.numbered)
    return SourceText(source.path, text, tuple(_numbers(source, pieces)), made_of, includes)


def _made_of(source: SourceText, pieces: Iterable[_Piece]) -> Iterator[Piece]:
    """Yield what the new text is made of, for the places in files and macros that the old one knows."""
    at = 0
    for piece in pieces:
        length = len(piece.text)
        if piece.is_users:
            yield Piece(at, at + length, source.span(piece.original, piece.original + length))
        elif length:
            yield Piece(at, at + length, source.span(piece.original, piece.original), ())
        at += length


def _pieces(source: SourceText, replacements: Sequence[Replacement]) -> Iterator[_Piece]:
    at = 0
    for replacement in replacements:
        yield _Piece(source.text[at : replacement.start], at, True)
        for part in replacement.parts:
            if isinstance(part, str):
                yield _Piece(part, replacement.start, False)
            else:
                yield _Piece(source.text[part[0] : part[1]], part[0], True)
        at = replacement.end
    yield _Piece(source.text[at:], at, True)


def _numbers(source: SourceText, pieces: Iterable[_Piece]) -> Iterator[int]:
    """Yield the user's number of each line: that of its first character."""
    starts = True
    for piece in pieces:
        for line in _lines(piece.text):
            if starts:
                yield source.users_line(piece.original)
            starts = line.endswith("\n")
            if piece.is_users:
                piece = _Piece("", piece.original + len(line), True)
    if starts:
        yield source.users_line(len(source.text))


def _lines(text: str) -> Iterator[str]:
    """Yield lines with their ends."""
    cuts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n"), len(text)]
    return (text[a:b] for a, b in pairwise(cuts) if a < b)


def line_marks(source: SourceText) -> Iterator[tuple[int, int]]:
    """Yield the offsets of lines that a compiler would count wrongly, each with the user's number."""
    counted, path = 0, source.path
    for start, number in _numbered(source):
        counted += 1
        written = source.users_path(start)
        if (path, counted) == (written, number):
            continue
        if not source.text[:start].rstrip("\r\n").endswith("\\"):
            yield start, number
            counted, path = number, written


def _numbered(source: SourceText) -> Iterator[tuple[int, int]]:
    """Yield the offset of each line with the user's number, if a compiler may count differently."""
    numbers = source.numbers
    if source.includes and not numbers:
        starts = [0, *(i + 1 for i, c in enumerate(source.text) if c == "\n")]
        numbers = tuple(source.users_line(start) for start in starts)
    return ((source.line_start(line), number) for line, number in enumerate(numbers, start=1))
