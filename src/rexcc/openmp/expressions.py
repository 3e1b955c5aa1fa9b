"""Expressions of the base language, kept as text.

In: a range of tokens. Out: an :class:`Expression`. The text is not parsed, the front end does that. Only what shows at
once is refused: an operator without its operand at either end, and two operands side by side, because this is what a
misspelt modifier without its colon looks like.
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


_NEVER_FIRST = frozenset(["/", "%", "<", ">", "=", "?", ".", ",", ":", ";", "|", "^", "->", "==", "!=", "<=", ">=",
                          "||", "<<", ">>"])  # fmt: skip
_NEVER_LAST = (_NEVER_FIRST - {">", ","}) | {"+", "-", "*", "&", "&&", "!", "~", "::", ","}


NO_NAMES = frozenset(["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "sizeof",
                       "switch", "while", "void", "int", "char", "float", "double", "struct", "union", "enum",
                       "const", "volatile", "static", "extern", "typedef"])  # fmt: skip
"""Words that are names in no language; ``this`` is one of an object."""


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
    if _lacks_operand(site, part):
        return None
    wrong = _second_operand(site.stream, part) if part.size > 1 else None
    if wrong is None:
        return site.stream.expression(part)
    word = site.stream.text(wrong - 1)
    hint = did_you_mean(word, site.words_known())
    message = f"expected an operator before '{site.stream.text(wrong)}' in '{site.name}'{hint}"
    site.error("omp-bad-expression", message, Part(wrong, wrong + 1))
    return None


def _lacks_operand(site: Site, part: Part) -> bool:
    """Report an operator at one end of an expression that has no operand there."""
    first, last = site.stream.text(part.first), site.stream.text(part.stop - 1)
    if first in _NEVER_FIRST:
        place, message = Part(part.first, part.first + 1), f"expected an operand before '{first}' in '{site.name}'"
    elif last in _NEVER_LAST and (part.size == 1 or not _is_step(site.stream, part.stop - 1)):
        place, message = Part(part.stop - 1, part.stop), f"expected an operand after '{last}' in '{site.name}'"
    else:
        return False
    site.error("omp-bad-expression", message, place)
    return True


def _is_step(stream: TokenStream, index: int) -> bool:
    """Whether a token is the second half of ``++`` or ``--``."""
    return stream.text(index) in ("+", "-") and stream.text(index - 1) == stream.text(index)


def _second_operand(stream: TokenStream, part: Part) -> int | None:
    """Return the index of the first operand that follows another without an operator."""
    last = part.first
    for index in stream.top_level(part):
        is_operand = stream.kind(index) in _OPERANDS
        if is_operand and stream.text(index) not in _GLUE and _ends_call(stream, last, index):
            return index
        is_pair = last == index - 1 and stream.kind(last) in _OPERANDS and is_operand
        if is_pair and stream.text(last) not in _GLUE and stream.text(index) not in _GLUE:
            return index
        last = index
    return None


def _ends_call(stream: TokenStream, opening: int, index: int) -> bool:
    """Whether the token in front of ``index`` closes the parentheses of a call, not those of a cast."""
    is_group = stream.text(opening) == "(" and stream.partner[opening] == index - 1 and opening > 0
    return is_group and stream.is_word(opening - 1) and stream.text(opening - 1) not in _GLUE
