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
    made_of = tuple(_made_of(source, pieces))
    includes = source.includes or bool(source.numbered)
    lines = tuple(_counted(source, pieces))
    made = frozenset(line for line, (_, is_made) in enumerate(lines, start=1) if is_made)
    return SourceText(source.path, text, tuple(number for number, _ in lines), made_of, includes, made=made)


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


def _counted(source: SourceText, pieces: Iterable[_Piece]) -> Iterator[tuple[int, bool]]:
    """Yield for each line of the new text the user's number, that of the first thing of his in it, or else of its first
    character, and whether there is nothing of his."""
    number: int | None = None
    is_made = True
    for piece in pieces:
        at = piece.original
        for line in _lines(piece.text):
            is_users = piece.is_users and bool(line.strip()) and source.line_column(at)[0] not in source.made
            if number is None or (is_made and is_users):
                number = source.users_line(at)
            is_made &= not is_users
            at += len(line) if piece.is_users else 0
            if line.endswith("\n"):
                yield number, is_made
                number, is_made = None, True
    yield source.users_line(len(source.text)) if number is None else number, is_made


def _lines(text: str) -> Iterator[str]:
    """Yield lines with their ends."""
    cuts = [0, *(i + 1 for i, c in enumerate(text) if c == "\n"), len(text)]
    return (text[a:b] for a, b in pairwise(cuts) if a < b)


def line_marks(source: SourceText) -> Iterator[tuple[int, int]]:
    """Yield the offsets of lines that a compiler would count wrongly, each with the user's number.

    Of lines in which there is nothing of the user's only the first one has a number of his.
    """
    counted, path = 0, source.path
    for line, (start, number) in enumerate(_numbered(source), start=1):
        counted += 1
        written = source.users_path(start)
        if (path, counted) == (written, number) or {line, line - 1} <= source.made:
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
