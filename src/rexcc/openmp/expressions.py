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
from rexcc.source.patterns import regex

_OPERANDS = (Kind.NUMBER, Kind.WORD)
_GLUE = frozenset([
    "sizeof", "alignof", "_Alignof", "new", "delete", "throw", "typename", "template", "const", "volatile", "signed",
    "unsigned", "long", "short", "struct", "union", "enum", "co_await", "not", "compl", "and", "or", "xor", "bitand",
    "bitor", "not_eq", "and_eq", "or_eq", "xor_eq",
])  # fmt: skip
"""Words that may stand beside an operand."""

NO_NAMES = frozenset(["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "sizeof",
                      "switch", "while", "void", "int", "char", "float", "double", "struct", "union", "enum",
                      "const", "volatile", "static", "extern", "typedef"])  # fmt: skip
"""Words that are names in no language; ``this`` is one of an object."""

_STATEMENTS = frozenset(["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch",
                         "while", "static", "extern", "typedef"])  # fmt: skip
_NEVER_FIRST = frozenset(["/", "%", "<", ">", "=", "?", ".", ",", ":", ";", "|", "^", "->", "==", "!=", "<=", ">=",
                          "||", "<<", ">>"])  # fmt: skip
_NEVER_LAST = (_NEVER_FIRST - {">"}) | {"+", "-", "*", "&", "&&", "!", "~", "::"}
_PREFIXES = frozenset(["!", "~"])
_AFTER_CAPTURE = frozenset(["(", "{", "<", "->", "mutable", "constexpr", "noexcept", "static"])
_CLOSING = frozenset([")", "]", "}", ">"])
_MEMBERS = frozenset(["*", "~"])
_WATCHED = _STATEMENTS | {".", "->", "::", "[", "?", ";"}
_DIGITS = frozenset("0123456789")
_NUMBER = regex(
    r"(?:0[xX][0-9a-fA-F'.]+(?:[pP][+-]?\d+)?|0[bB][01']+|[0-9'.]+(?:[eE][+-]?\d+)?)"
    r"(?:[uUlLzZ]{0,3}|[fFlLqQwWdD]{1,2}\d*x?|[ijIJ]?[fFlL]?|_\w+|h|min|s|ms|us|ns|y)"
)

Slip = tuple[Part, str]
"""Where an expression is wrong, and what is wrong."""


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
    if part.size == 1 and _is_plain(site.stream.text(part.first)):
        return site.stream.expression(part)
    slip = _at_the_ends(site.stream, part) or _inside(site.stream, part)
    if slip is None:
        return site.stream.expression(part)
    place, message = slip
    hint = did_you_mean(site.stream.text(place.first - 1), site.words_known()) if "operator" in message else ""
    site.error("omp-bad-expression", f"{message} in '{site.name}'{hint}", place)
    return None


def _is_plain(text: str) -> bool:
    """Whether a token is an expression of its own, as most are: a name or a number of digits."""
    return text.isdigit() or (text.isidentifier() and text not in _STATEMENTS)


def _at(index: int) -> Part:
    return Part(index, index + 1)


def _at_the_ends(stream: TokenStream, part: Part) -> Slip | None:
    """Return an operator at one end of an expression that has no operand there."""
    first, last = stream.text(part.first), stream.text(part.stop - 1)
    if first in _NEVER_FIRST:
        return _at(part.first), f"expected an operand before '{first}'"
    is_open = last in _NEVER_LAST or (last == ">" and "<" not in stream.words(part))
    if is_open and (part.size == 1 or not _is_step(stream, part.stop - 1)):
        return _at(part.stop - 1), f"expected an operand after '{last}'"
    return None


def _is_step(stream: TokenStream, index: int) -> bool:
    """Whether a token is the second half of ``++`` or ``--``."""
    return stream.text(index) in ("+", "-") and stream.text(index - 1) == stream.text(index)


def _inside(stream: TokenStream, part: Part) -> Slip | None:
    """Return the first token that cannot stand where it does."""
    last = part.first
    for index in stream.top_level(part):
        text = stream.text(index)
        if (text in _WATCHED or text[0] in _DIGITS) and (slip := _misplaced(stream, index, part)) is not None:
            return slip
        if index > part.first and text not in _GLUE and _follows_operand(stream, last, index, text):
            return _at(index), f"expected an operator before '{text}'"
        last = index
    return None


def _misplaced(stream: TokenStream, index: int, part: Part) -> Slip | None:
    """Return a word of statements, brackets of a subscript without an index, a dot without a member, a wrong number."""
    text = stream.text(index)
    if text[0] in _DIGITS:
        return None if text.isdigit() or _NUMBER.fullmatch(text) else (_at(index), f"'{text}' is no number")
    if text == "?":
        has_colon = ":" in stream.words(Part(index, part.stop))
        return None if has_colon else (_at(index), "expected ':' after '?'")
    if text in _STATEMENTS or text == ";":
        return _at(index), f"unexpected '{text}'"
    if text == "[":
        is_subscript = index > part.first and (stream.is_word(index - 1) or stream.text(index - 1) in (")", "]"))
        is_lambda = not is_subscript and stream.text(index + 2) in _AFTER_CAPTURE
        is_empty = not is_lambda and stream.partner[index] == index + 1
        return (Part(index, index + 2), "nothing between the brackets") if is_empty else None
    if text == "." and any([*stream.words(Part(i, i + 3))] == ["."] * 3 for i in range(index - 2, index + 1)):
        return None  # sizeof...(pack)
    if not stream.is_word(index + 1) and stream.text(index + 1) not in _MEMBERS:
        return _at(index), f"expected a name after '{text}'"
    is_behind = text == "::" or stream.kind(index - 1) is not Kind.PUNCTUATION or stream.text(index - 1) in _CLOSING
    return None if is_behind else (_at(index), f"expected an operand before '{text}'")


def _follows_operand(stream: TokenStream, last: int, index: int, text: str) -> bool:
    """Whether an operand stands right behind another one, a call or a subscript; ``last`` is the token before it."""
    if stream.kind(index) not in _OPERANDS and text not in _PREFIXES:
        return False
    if last == index - 1:
        return stream.kind(last) in _OPERANDS and stream.text(last) not in _GLUE
    if stream.partner[last] != index - 1 or last == 0:
        return False
    if stream.text(last) == "[":
        return stream.is_word(last - 1)
    is_group = stream.text(last) == "("
    return is_group and stream.is_word(last - 1) and stream.text(last - 1) not in _GLUE
