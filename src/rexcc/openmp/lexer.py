"""Tokens of a pragma.

In: a :class:`PragmaText`. Out: a :class:`TokenStream`: words, numbers, literals and punctuation with their places,
every bracket knowing its partner, and the few operations on token ranges that all of the parser is made of. A range is
a :class:`Part`, so that every finding can show the exact token. What an expression means is not known here.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import NamedTuple

from rexcc.openmp.model import Expression, PragmaText
from rexcc.source.diagnostics import DiagnosticSink, Fixes, FixIt, Note, respelt
from rexcc.source.lexical import BRACKET
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import Span


class Kind(Enum):
    """Kinds of token."""

    WORD = "word"
    NUMBER = "number"
    LITERAL = "literal"
    PUNCTUATION = "punctuation"
    BROKEN = "unterminated literal"


Token = re.Match[str]
"""A token is what the lexer matched: its text, its kind by ``lastgroup``, its place."""


class Part(NamedTuple):
    """The tokens ``[first, stop)`` of a stream."""

    first: int
    stop: int

    @property
    def size(self) -> int:
        """Number of tokens."""
        return self.stop - self.first


_TOKEN = regex(
    r"""(?P<LITERAL>(?:u8|[uUL])?R"(?P<delimiter>[^()\\\s]{0,16})\((?s:.*?)\)(?P=delimiter)"
        |(?:u8|[uUL])?"(?:[^"\\]|\\.)*"|(?:u8|[uUL])?'(?:[^'\\]|\\.)+')
    |(?P<WORD>(?!\d)[\w$]+)
    |(?P<NUMBER>\.?[0-9](?:[eEpP][+-]|'[A-Za-z0-9_]|[A-Za-z0-9_.])*)
    |(?P<BROKEN>["'].*)
    |(?P<PUNCTUATION>"""
    + BRACKET
    + r"""|:>|::|->|&&|\|\||<<|>>|<=|>=|==|!=|\S)""",
    re.VERBOSE | re.DOTALL,
)
_KINDS: dict[str | None, Kind] = {kind.name: kind for kind in Kind}
_DIGRAPHS = {"<:": "[", ":>": "]"}
"""Other spellings of brackets."""
_PARTNERS = {")": "(", "]": "[", "}": "{"}
_OPENING = frozenset(_PARTNERS.values())
_ALIEN = frozenset(["@", "#", "`", "\\"])
"""What no directive and no expression has."""


@dataclass(frozen=True)
class TokenStream:
    """The tokens of one pragma, as the lexer matched them, and their texts.

    ``partner[i]`` is the index of the bracket that belongs to bracket ``i``, else -1.
    """

    pragma: PragmaText
    tokens: list[Token]
    texts: list[str]
    partner: list[int]

    def __len__(self) -> int:
        return len(self.tokens)

    def text(self, index: int) -> str:
        """Return the text of a token, nothing past the end."""
        return self.texts[index] if index < len(self.texts) else ""

    def is_word(self, index: int) -> bool:
        """Whether a token is there and is a word."""
        return index < len(self.tokens) and self.tokens[index].lastgroup == "WORD"

    def kind(self, index: int) -> Kind:
        """Return the kind of a token that is there."""
        return _KINDS[self.tokens[index].lastgroup]

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
        return self.pragma.span(self.tokens[first].start(), self.tokens[last].end())

    def removal(self, index: int) -> Fixes:
        """Return the mending that leaves a token out."""
        return respelt(self.span(Part(index, index + 1)), self.text(index), "")

    def colon_behind(self, index: int) -> Fixes:
        """Return the mending that puts a colon behind a token."""
        place = self.span(Part(index, index + 1))
        behind = Span(place.source, place.end, place.end)
        return (FixIt(behind, ":"),) if place.text == self.text(index) else ()

    def expression(self, part: Part) -> Expression:
        """Return the text of a range that is not empty."""
        start, end = self.tokens[part.first].start(), self.tokens[part.stop - 1].end()
        return Expression(self.pragma.text[start:end], self.pragma.span(start, end))

    def words(self, part: Part) -> list[str]:
        """Return the texts of the tokens of a range."""
        return self.texts[part.first : part.stop]

    def top_level(self, part: Part) -> list[int]:
        """Return the indices of a range that are outside brackets; of a bracket pair the opening one."""
        index, stop = part
        if stop - index == 1:
            return [index]
        partner = self.partner
        found = []
        while index < stop:
            found.append(index)
            index = (partner[index] if partner[index] > index else index) + 1
        return found

    def has(self, text: str, part: Part) -> bool:
        """Whether a token stands in a range, outside brackets."""
        return text in self.words(part) and any(self.texts[i] == text for i in self.top_level(part))

    def split(self, part: Part) -> list[Part]:
        """Return the pieces between commas at top level; an empty range has one empty piece."""
        if "," not in self.words(part):
            return [part]
        cuts = [i for i in self.top_level(part) if self.texts[i] == ","]
        firsts = [part.first, *(i + 1 for i in cuts)]
        return [Part(first, stop) for first, stop in zip(firsts, [*cuts, part.stop], strict=True)]

    def colons(self, part: Part) -> list[int]:
        """Return the top-level colons that do not belong to a ``?:``."""
        found: list[int] = []
        if ":" not in self.words(part):
            return found
        questions = 0
        for index in self.top_level(part):
            text = self.texts[index]
            if text == "?":
                questions += 1
            elif text == ":" and questions:
                questions -= 1
            elif text == ":":
                found.append(index)
        return found


def tokenize(pragma: PragmaText, sink: DiagnosticSink) -> TokenStream | None:
    """Return the tokens of a pragma, or None after an unterminated literal or an unbalanced bracket."""
    tokens = list(_TOKEN.finditer(pragma.text))
    if tokens and tokens[-1].lastgroup == "BROKEN":  # it goes on to the end
        broken = tokens[-1]
        sink.error("omp-unterminated-literal", f"{broken[0][0]} is never closed", pragma.span(*broken.span()))
        return None
    texts = [_DIGRAPHS.get(token[0], token[0]) for token in tokens]
    if not _ALIEN.isdisjoint(texts):
        alien = next(token for token in tokens if token[0] in _ALIEN)
        sink.error("omp-junk", f"unexpected character '{alien[0]}'", pragma.span(*alien.span()))
        return None
    partner = _match_brackets(pragma, tokens, texts, sink)
    return TokenStream(pragma, tokens, texts, partner) if partner is not None else None


def _match_brackets(
    pragma: PragmaText, tokens: list[Token], texts: list[str], sink: DiagnosticSink
) -> list[int] | None:
    """Pair the brackets; report the first that has no partner."""
    partner = [-1] * len(tokens)
    open_at: list[int] = []
    for index, text in enumerate(texts):
        if text in _OPENING:
            open_at.append(index)
        elif text in _PARTNERS:
            if not open_at or texts[open_at[-1]] != _PARTNERS[text]:
                _report_unbalanced(pragma, tokens[index], tokens[open_at[-1]] if open_at else None, sink)
                return None
            partner[index] = open_at.pop()
            partner[partner[index]] = index
    if open_at:
        _report_unbalanced(pragma, None, tokens[open_at[-1]], sink)
        return None
    return partner


def _report_unbalanced(pragma: PragmaText, closing: Token | None, opening: Token | None, sink: DiagnosticSink) -> None:
    if opening is None and closing is not None:
        place = pragma.span(*closing.span())
        sink.error("omp-unbalanced", f"'{closing[0]}' without an opening bracket", place)
    if opening is None:
        return
    notes: tuple[Note, ...] = ()
    if closing is not None:
        notes = (Note(f"'{closing[0]}' is here", pragma.span(*closing.span())),)
    place = pragma.span(*opening.span())
    sink.error("omp-unbalanced", f"'{opening[0]}' is never closed", place, *notes)
