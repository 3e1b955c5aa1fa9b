"""Source files and places in them.

In: the bytes of a file. Out: :class:`SourceText`, whose characters are its bytes, and :class:`Span`, a range in it.
Everything else points at user text through these two, so that a diagnostic can always show the exact token.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from rexcc.source.lexical import COMMENT, LITERAL, RAW_STRING
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_FIRST = 0x12000
_INSIDE = {byte: _FIRST + byte for byte in range(0x80, 0x100)}
_OUTSIDE = {inside: byte for byte, inside in _INSIDE.items()}
_BYTES = regex("([\U00012080-\U000120ff]+)")
_LINE_END = regex(rb"\r(?!\n)")
_UNIVERSAL = regex(
    rf"(?P<other>{COMMENT}|{RAW_STRING}|{LITERAL})"
    r"|\\u(?P<short>[0-9A-Fa-f]{4})|\\U(?P<long>[0-9A-Fa-f]{8})"
)


def from_bytes(data: bytes) -> str:
    """Return bytes as a text with one character for each: ASCII as it is, others as letters.

    A letter for each other byte, from a block that no program uses: names are made of letters, and so a name in any
    encoding is a word here, and its bytes are told from real characters beside it, such as those of our own messages.
    """
    return data.decode("ascii") if data.isascii() else data.decode("latin-1").translate(_INSIDE)


def to_bytes(text: str) -> bytes:
    """Return the bytes that a text stands for; real characters beyond ASCII, and paths of the system, as UTF-8."""
    if text.isascii():
        return text.encode("ascii")
    return b"".join(
        part.translate(_OUTSIDE).encode("latin-1") if at % 2 else part.encode("utf-8", "surrogateescape")
        for at, part in enumerate(_BYTES.split(text))
    )


def inside(text: str) -> str:
    """Return a path or an argument, as the system gives it to Python, as a text with a character for each byte."""
    return text if text.isascii() else from_bytes(text.encode("utf-8", "surrogateescape"))


def outside(text: str) -> str:
    """Return a path, with a character for each byte, as Python gives it to the system."""
    return text if text.isascii() else to_bytes(text).decode("utf-8", "surrogateescape")


def _universal(match: re.Match[str]) -> str:
    """Return the character that a universal character name stands for; those of ASCII are no part of names."""
    if match["other"] is not None:
        return match[0]
    code = int(match["short"] or match["long"], 16)
    if code < 0x80 or code > 0x10FFFF or 0xD800 <= code < 0xE000:
        return match[0]
    return from_bytes(chr(code).encode())


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


@dataclass(frozen=True)
class Numbered:
    """What the user says of a line and those behind it (``#line``): its number, and the file that it is of."""

    line: int
    number: int
    path: str


@dataclass(frozen=True, eq=False)
class SourceText:
    """One file: its path as the user knows it, and its text, both with one character per byte (:func:`from_bytes`).

    So byte offsets and string indices are the same thing, and any input bytes survive unchanged. ``numbers``
    are the user's own numbers of the lines, where a text has more lines than he wrote. ``pieces`` are what a text
    is made of in which macros were expanded; one that ``includes`` has other files in place of ``#include`` lines, or
    lines of other names. ``numbered`` are the lines behind the user's own ``#line`` directives, ``made`` those
    (from 1) in which there is nothing of the user's.
    """

    path: str
    text: str
    numbers: tuple[int, ...] = ()
    pieces: tuple[Piece, ...] = ()
    includes: bool = False
    numbered: tuple[Numbered, ...] = ()
    made: frozenset[int] = frozenset()
    _starts: list[int] = field(default_factory=list, repr=False)

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> SourceText:
        """Make a text from the bytes of a file.

        A byte-order mark becomes blanks and a lone carriage return the end of a line that it is to clang, with all
        places where they were; universal character names in code become the letters that they name.
        """
        if data.startswith(b"\xef\xbb\xbf"):
            data = b"   " + data[3:]
        if b"\r" in data:
            data = _LINE_END.sub(b"\n", data)
        text = from_bytes(data)
        if "\\u" in text or "\\U" in text:
            text = _UNIVERSAL.sub(_universal, text)
        return cls(path, text)

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
            said = self._said_of(line)
            return line if said is None else said.number + line - said.line
        if piece.is_copy:
            return piece.place.source.users_line(piece.place.start + offset - piece.start)
        return piece.place.source.users_line(piece.place.start) + self.text.count("\n", piece.start, offset)

    def users_path(self, offset: int) -> str:
        """Return the path of the file in which the user wrote what stands at an offset."""
        piece = self.piece_at(offset) if self.includes else None
        if piece is None:
            said = self._said_of(self.line_column(offset)[0]) if self.numbered else None
            return self.path if said is None else said.path
        return piece.place.source.users_path(piece.place.start + (offset - piece.start if piece.is_copy else 0))

    def _said_of(self, line: int) -> Numbered | None:
        """Return what the user's last directive in front of a line says."""
        index = bisect_right(self.numbered, line, key=_numbered_line) - 1
        return self.numbered[index] if index >= 0 else None

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


def _numbered_line(said: Numbered) -> int:
    return said.line


def _start(piece: Piece) -> int:
    return piece.start


def readable(text: str) -> str:
    """Return text of the user's program, whose characters are bytes, as the characters that the bytes stand for."""
    try:
        return to_bytes(text).decode("utf-8")
    except UnicodeError:  # what is no UTF-8 has a character for each byte
        return text.translate(_OUTSIDE).encode("utf-8", errors="replace").decode("utf-8")


def ascii_name(name: str) -> str:
    """Return a name of ASCII letters for a name, its own if it has no others."""
    if name.isascii():
        return name
    return "".join(c if c.isascii() else f"_u{ord(c):04x}" for c in readable(name))
