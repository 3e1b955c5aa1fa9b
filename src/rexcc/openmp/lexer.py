"""Tokens of a pragma.

In: a :class:`PragmaText`. Out: a :class:`TokenStream`: words, numbers, literals and punctuation with their places,
every bracket knowing its partner, and the few operations on token ranges that all of the parser is made of. A range is
a :class:`Part`, so that every finding can show the exact token. What an expression means is not known here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from rexcc.openmp.model import Expression, PragmaText
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.text import Span


class Kind(Enum):
    """Kinds of token."""

    WORD = "word"
    NUMBER = "number"
    LITERAL = "literal"
    PUNCTUATION = "punctuation"
    BROKEN = "unterminated literal"


class Token(NamedTuple):
    """One token and its indices in the pragma's text."""

    kind: Kind
    text: str
    start: int
    end: int


class Part(NamedTuple):
    """The tokens ``[first, stop)`` of a stream."""

    first: int
    stop: int

    @property
    def size(self) -> int:
        """Number of tokens."""
        return self.stop - self.first


_TOKEN = re.compile(
    r"""(?P<LITERAL>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\((?s:.*?)\)(?P=delimiter)"
        |(?:u8|[uUL])?"(?:[^"\\]|\\.)*"|(?:u8|[uUL])?'(?:[^'\\]|\\.)+')
    |(?P<WORD>[A-Za-z_$\x80-\xff][A-Za-z0-9_$\x80-\xff]*)
    |(?P<NUMBER>\.?[0-9](?:[eEpP][+-]|'[A-Za-z0-9_]|[A-Za-z0-9_.])*)
    |(?P<BROKEN>["'].*)
    |(?P<PUNCTUATION>::|->|&&|\|\||<<|>>|<=|>=|==|!=|\S)""",
    re.VERBOSE | re.DOTALL,
)
_KINDS = {kind.name: kind for kind in Kind}
_PARTNERS = {")": "(", "]": "[", "}": "{"}
_OPENING = frozenset(_PARTNERS.values())


@dataclass(frozen=True)
class TokenStream:
    """The tokens of one pragma; ``partner[i]`` is the index of the bracket that belongs to bracket ``i``, else -1."""

    pragma: PragmaText
    tokens: list[Token]
    partner: list[int]

    def __len__(self) -> int:
        return len(self.tokens)

    def text(self, index: int) -> str:
        """Return the text of a token, nothing past the end."""
        return self.tokens[index].text if index < len(self.tokens) else ""

    def is_word(self, index: int) -> bool:
        """Whether a token is there and is a word."""
        return index < len(self.tokens) and self.tokens[index].kind is Kind.WORD

    def group_at(self, index: int) -> Part | None:
        """Return what stands inside the parentheses that open at a token, or None when none open there."""
        if self.text(index) != "(":
            return None
        return Part(index + 1, self.partner[index])

    def span(self, part: Part) -> Span:
        """Return the place of a range; that of an empty one is the token that ends it."""
        if not self.tokens:
            return self.pragma.span(0, len(self.pragma.text))
        first = min(part.first, len(self.tokens) - 1)
        last = max(first, part.stop - 1)
        return self.pragma.span(self.tokens[first].start, self.tokens[last].end)

    def expression(self, part: Part) -> Expression:
        """Return the text of a range that is not empty."""
        start, end = self.tokens[part.first].start, self.tokens[part.stop - 1].end
        return Expression(self.pragma.text[start:end], self.pragma.span(start, end))

    def words(self, part: Part) -> list[str]:
        """Return the texts of the tokens of a range."""
        return [token.text for token in self.tokens[part.first : part.stop]]

    def top_level(self, part: Part) -> Iterator[int]:
        """Yield the indices of a range that are outside brackets; of a bracket pair the opening one."""
        index = part.first
        while index < part.stop:
            yield index
            index = max(index, self.partner[index]) + 1

    def split(self, part: Part, separator: str = ",") -> list[Part]:
        """Return the pieces between separators at top level; an empty range has one empty piece."""
        cuts = [i for i in self.top_level(part) if self.tokens[i].text == separator]
        firsts = [part.first, *(i + 1 for i in cuts)]
        return [Part(first, stop) for first, stop in zip(firsts, [*cuts, part.stop], strict=True)]

    def colons(self, part: Part) -> list[int]:
        """Return the top-level colons that do not belong to a ``?:``."""
        found = []
        questions = 0
        for index in self.top_level(part):
            text = self.tokens[index].text
            if text == "?":
                questions += 1
            elif text == ":" and questions:
                questions -= 1
            elif text == ":":
                found.append(index)
        return found


def tokenize(pragma: PragmaText, sink: DiagnosticSink) -> TokenStream | None:
    """Return the tokens of a pragma, or None after an unterminated literal or an unbalanced bracket."""
    tokens = [Token(_KINDS[m.lastgroup or ""], m.group(), *m.span()) for m in _TOKEN.finditer(pragma.text)]
    broken = next((token for token in tokens if token.kind is Kind.BROKEN), None)
    if broken:
        quote = broken.text[0]
        sink.error("omp-unterminated-literal", f"{quote} is never closed", pragma.span(broken.start, broken.end))
        return None
    partner = _match_brackets(pragma, tokens, sink)
    return TokenStream(pragma, tokens, partner) if partner is not None else None


def _match_brackets(pragma: PragmaText, tokens: list[Token], sink: DiagnosticSink) -> list[int] | None:
    """Pair the brackets; report the first that has no partner."""
    partner = [-1] * len(tokens)
    open_at: list[int] = []
    for index, token in enumerate(tokens):
        if token.text in _OPENING:
            open_at.append(index)
            continue
        wanted = _PARTNERS.get(token.text)
        if wanted is None:
            continue
        if not open_at or tokens[open_at[-1]].text != wanted:
            _report_unbalanced(pragma, token, tokens[open_at[-1]] if open_at else None, sink)
            return None
        partner[index] = open_at.pop()
        partner[partner[index]] = index
    if open_at:
        _report_unbalanced(pragma, None, tokens[open_at[-1]], sink)
        return None
    return partner


def _report_unbalanced(pragma: PragmaText, closing: Token | None, opening: Token | None, sink: DiagnosticSink) -> None:
    if opening is None and closing is not None:
        place = pragma.span(closing.start, closing.end)
        sink.error("omp-unbalanced", f"'{closing.text}' without an opening bracket", place)
    if opening is None:
        return
    notes: tuple[Note, ...] = ()
    if closing is not None:
        notes = (Note(f"'{closing.text}' is here", pragma.span(closing.start, closing.end)),)
    place = pragma.span(opening.start, opening.end)
    sink.error("omp-unbalanced", f"'{opening.text}' is never closed", place, *notes)
