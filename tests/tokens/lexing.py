"""The tokens of a file as it lies there, before preprocessing, with their places.

In: a text with one character for each byte. Out: :class:`Lexed`: the tokens, and which of them stands at a line and
column. The lexer is this check's own, so that no mistake is made twice; it knows C and C++ as clang reads them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

_SPLICE = r"(?:\\[ \t]*\r?\n)"
_TOKEN = re.compile(
    r"(?P<gap>(?:\s|" + _SPLICE + r"|//(?:\\[ \t]*\r?\n|[^\r\n])*|/\*[\s\S]*?\*/)+)"
    r"|(?P<raw>(?:L|u8|u|U)?R\"(?P<mark>[^()\\\s]{0,16})\([\s\S]*?\)(?P=mark)\")"
    r"|(?:L|u8|u|U)?\"(?:\\[\s\S]|[^\"\\\r\n])*\""
    r"|(?:L|u8|u|U)?'(?:\\[\s\S]|[^'\\\r\n])+'"
    r"|\.?\d(?:[eEpP][+-]|'[0-9A-Za-z]|" + _SPLICE + r"|[.\w$]|[\x80-\U0001ffff])*"
    r"|(?:[A-Za-z_$\x80-\U0001ffff]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})"
    r"(?:[\w$\x80-\U0001ffff]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}|" + _SPLICE + r"(?=\w))*"
    r"|%:%:|<<=|>>=|<=>|\.\.\.|->\*|<%|%>|<:(?!:(?![:>]))|:>|%:"
    r"|\#\#|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[*/%+\-&^|]=|::|\.\*"
    r"|."
)
_SPLICES = re.compile(f"{_SPLICE}+")
_LINES = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class Token:
    """A token and its offsets."""

    start: int
    end: int
    text: str


@dataclass
class Lexed:
    """A text's tokens in order; ``lines`` are the offsets at which lines start."""

    text: str
    tokens: list[Token]
    lines: list[int]
    _at: dict[int, int] = field(default_factory=dict)

    def number_at(self, line: int, column: int) -> int | None:
        """Return the number of the token that starts at a line and column, None where none does.

        For clang a token that continues a line begins with the end of the one before.
        """
        if not self._at:
            self._at.update((token.start, number) for number, token in enumerate(self.tokens))
        offset = self.lines[line - 1] + column - 1
        spliced = _SPLICES.match(self.text, offset)
        return self._at.get(spliced.end() if spliced else offset)

    def first_from(self, offset: int) -> int:
        """Return the number of the first token that starts at an offset or behind it."""
        return bisect_left(self.tokens, offset, key=lambda t: t.start)

    def place(self, number: int) -> tuple[int, int]:
        """Return the line and column of a token."""
        start = self.tokens[number].start
        line = bisect_left(self.lines, start + 1)
        return line, start - self.lines[line - 1] + 1


def lexed(text: str) -> Lexed:
    """Take a text apart."""
    tokens = [Token(m.start(), m.end(), m[0]) for m in _TOKEN.finditer(text) if m["gap"] is None]
    return Lexed(text, tokens, [0, *(m.end() for m in _LINES.finditer(text))])
