"""Source files and places in them.

In: the bytes of a file. Out: :class:`SourceText`, whose characters are its bytes, and :class:`Span`, a range in it.
Everything else points at user text through these two, so that a diagnostic can always show the exact token.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field

from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Piece:
    """A range of a text that was made of others: what it is a copy of, or the use of a macro that it stands for.

    ``definitions`` are those in which the tokens of an expansion may stand, that of the used macro first; None for a
    copy.
    """

    start: int
    end: int
    place: Span
    definitions: tuple[Span, ...] | None = None

    @property
    def is_copy(self) -> bool:
        """Whether the range has the characters of its place."""
        return self.definitions is None


@dataclass(frozen=True, eq=False)
class SourceText:
    """One file: its path as the user knows it, and its text decoded as Latin-1, one character per byte.

    Latin-1 makes byte offsets and string indices the same thing and survives any input bytes unchanged. ``numbers``
    are the user's own numbers of the lines, where a text has more lines than he wrote. ``pieces`` are what a text
    is made of in which macros were expanded; one that ``includes`` has other files in place of ``#include`` lines.
    """

    path: str
    text: str
    numbers: tuple[int, ...] = ()
    pieces: tuple[Piece, ...] = ()
    includes: bool = False
    _starts: list[int] = field(default_factory=list, repr=False)

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> SourceText:
        """Make a text from the bytes of a file."""
        return cls(path, data.decode("latin-1"))

    def _line_starts(self) -> list[int]:
        if not self._starts:
            self._starts.append(0)
            at = self.text.find("\n")
            while at >= 0:
                self._starts.append(at + 1)
                at = self.text.find("\n", at + 1)
        return self._starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and byte column of an offset."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def users_line(self, offset: int) -> int:
        """Return the number that the user knows the line of an offset by."""
        line = self.line_column(offset)[0]
        if line <= len(self.numbers):
            return self.numbers[line - 1]
        piece = self.piece_at(offset) if self.includes else None
        if piece is None:
            return line
        if piece.is_copy:
            return piece.place.source.users_line(piece.place.start + offset - piece.start)
        return piece.place.source.users_line(piece.place.start) + self.text.count("\n", piece.start, offset)

    def users_path(self, offset: int) -> str:
        """Return the path of the file in which the user wrote what stands at an offset."""
        piece = self.piece_at(offset) if self.includes else None
        if piece is None:
            return self.path
        return piece.place.source.users_path(piece.place.start + (offset - piece.start if piece.is_copy else 0))

    def piece_at(self, offset: int) -> Piece | None:
        """Return the piece that an offset is in, the last one for the text's end."""
        index = bisect_right(self.pieces, offset, key=_start) - 1
        return self.pieces[index] if index >= 0 else None

    def line_text(self, line: int) -> str:
        """Return a line (1-based) without its end."""
        starts = self._line_starts()
        if not 1 <= line <= len(starts):
            return ""
        end = starts[line] if line < len(starts) else len(self.text)
        return self.text[starts[line - 1] : end].rstrip("\r\n")

    def line_start(self, line: int) -> int:
        """Return the offset at which a line (1-based) starts."""
        return self._line_starts()[line - 1]

    def span(self, start: int, end: int) -> Span:
        """Return the range [start, end) of this text."""
        return Span(self, start, end)


@dataclass(frozen=True)
class Span:
    """A half-open byte range of a source text."""

    source: SourceText
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters in the range."""
        return self.source.text[self.start : self.end]

    @property
    def line(self) -> int:
        """1-based line of the start, as the user counts."""
        return self.source.users_line(self.start)

    @property
    def column(self) -> int:
        """1-based byte column of the start."""
        return self.source.line_column(self.start)[1]

    @property
    def place(self) -> str:
        """``file:line:col`` of the start, as compilers print it."""
        return f"{self.source.users_path(self.start)}:{self.line}:{self.column}"


def _start(piece: Piece) -> int:
    return piece.start


def readable(text: str) -> str:
    """Return text of the user's program, whose characters are bytes, as the characters that the bytes stand for."""
    try:
        return text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text.encode("utf-8", errors="replace").decode("utf-8")
