"""Expressions of the base language, kept as text.

In: a range of tokens. Out: an :class:`Expression`. The text is not parsed, the front end does that; only two operands
side by side are refused, because this is what a misspelt modifier without its colon looks like.
"""

from __future__ import annotations

from rexcc.openmp.lexer import Kind, Part, TokenStream
from rexcc.openmp.model import Expression
from rexcc.openmp.site import Site
from rexcc.source.diagnostics import did_you_mean

_OPERANDS = (Kind.NUMBER, Kind.WORD)
_GLUE = frozenset([
    "sizeof", "alignof", "_Alignof", "new", "delete", "throw", "typename", "template", "const", "volatile", "signed",
    "unsigned", "long", "short", "struct", "union", "enum", "co_await", "not", "compl", "and", "or", "xor", "bitand",
    "bitor", "not_eq", "and_eq", "or_eq", "xor_eq",
])  # fmt: skip
"""Words that may stand beside an operand."""


def has_argument(site: Site, part: Part) -> bool:
    """Whether a range is not empty; reports an empty one at the token behind it."""
    if part.size > 0:
        return True
    place = Part(part.first, part.first + 1)
    site.error("omp-missing-argument", f"expected an argument of clause '{site.name}'", place)
    return False


def read_text(site: Site, part: Part) -> Expression | None:
    """Return the expression in a range, or None after reporting that it is empty or no expression."""
    if not has_argument(site, part):
        return None
    wrong = _second_operand(site.stream, part) if part.size > 1 else None
    if wrong is None:
        return site.stream.expression(part)
    word = site.stream.text(wrong - 1)
    hint = did_you_mean(word, site.words_known())
    message = f"expected an operator before '{site.stream.text(wrong)}' in '{site.name}'{hint}"
    site.error("omp-bad-expression", message, Part(wrong, wrong + 1))
    return None


def _second_operand(stream: TokenStream, part: Part) -> int | None:
    """Return the index of the first operand that follows another without an operator."""
    last = part.first
    for index in stream.top_level(part):
        is_pair = last == index - 1 and stream.kind(last) in _OPERANDS and stream.kind(index) in _OPERANDS
        if is_pair and stream.text(last) not in _GLUE and stream.text(index) not in _GLUE:
            return index
        last = index
    return None
