"""Directives in attributes: ``[[omp::directive(…)]]``, ``[[omp::sequence(…)]]``, ``[[omp::decl(…)]]``.

In: a text and the place of a ``[[``. Out: one :class:`AttributePiece` per directive. The pieces of an attribute tile
it, so that each can be edited as a pragma is; that of a directive that stands alone takes the semicolon of the empty
statement that carries it. A piece holds the directive's own text, so its tokens have their exact places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.frontend.forms import Form, form_of
from rexcc.openmp.directives import Association
from rexcc.openmp.model import PragmaText
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import association_of
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.lexical import COMMENT, LITERAL
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import SourceText

_TOKEN = regex(rf"{COMMENT}|{LITERAL}|::|[^\W\d]\w*|\S")
_USING = regex(r"\s*using\s+omp\s*:(?!:)")
_NAME = regex(r"\s*(omp\s*::\s*)?([^\W\d]\w*)\s*\(")
_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}
_NOT_ALONE = frozenset({"directive", "sequence", "decl"})


@dataclass(frozen=True)
class AttributePiece:
    """The range of a piece and that of the directive in it."""

    start: int
    end: int
    text_start: int
    text_end: int


@dataclass(frozen=True)
class _ProblemError(Exception):
    """What is wrong with an attribute, and where."""

    code: str
    message: str
    start: int
    end: int


def read_attribute(source: SourceText, start: int, sink: DiagnosticSink) -> list[AttributePiece]:
    """Return the pieces of the attribute that opens at ``start``; none after reporting what is wrong with it."""
    text = source.text
    close = _closing(text, start)
    if close is None:
        sink.error("omp-unbalanced", "'[[' is never closed", source.span(start, start + 2))
        return []
    using = _USING.match(text, start + 2)
    first = using.end() if using else start + 2
    try:
        found = [d for a, b in _members(text, first, close - 2) for d in _directives(text, a, b, bool(using))]
    except _ProblemError as problem:
        sink.error(problem.code, problem.message, source.span(problem.start, problem.end))
        return []
    ends = [*(b + 1 for _, b in found[:-1]), _with_semicolon(source, found[-1], close)]
    starts = [start, *ends[:-1]]
    return [AttributePiece(s, e, *inside) for s, e, inside in zip(starts, ends, found, strict=True)]


def _closing(text: str, start: int) -> int | None:
    """Return the end of a bracket with all that is in it."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += _BRACKETS.get(token[0], 0)
        if depth == 0:
            return token.end()
    return None


def _members(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges between the commas of a list."""
    depth, first = 0, start
    for token in _TOKEN.finditer(text, start, end):
        depth += _BRACKETS.get(token[0], 0)
        if token[0] == "," and depth == 0:
            yield first, token.start()
            first = token.end()
    yield first, end


def _directives(text: str, start: int, end: int, is_using: bool) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the directives that a member of a list holds; a sequence has several."""
    place = start + len(text[start:end]) - len(text[start:end].lstrip()), max(end, start + 1)
    match = _NAME.match(text, start, end)
    if match is None or not (match[1] or is_using):
        message = "an attribute of OpenMP shares its brackets with another one: give each its own '[[…]]'"
        raise _ProblemError("omp-attribute-syntax", message, *place)
    if match[2] not in _NOT_ALONE:
        raise _ProblemError(
            "omp-attribute-syntax", f"'omp::{match[2]}' is unknown; known: directive, sequence, decl", *place
        )
    inside = match.end(), (_closing(text, match.end() - 1) or end) - 1
    if match[2] == "sequence":
        for a, b in _members(text, *inside):
            yield from _directives(text, a, b, True)
        return
    if match[2] == "decl" and not _stands_before(text[slice(*inside)]):
        message = "'omp::decl' with this directive cannot be read yet: write it as a pragma behind the declaration"
        raise _ProblemError("omp-attribute-syntax", message, *place)
    yield inside


def _stands_before(text: str) -> bool:
    """Whether a directive belongs to the function that follows, so that it means the same in both forms."""
    directive = parse_directive(PragmaText(text, SourceText("", text).span(0, len(text))), DiagnosticSink())
    return directive is None or association_of(directive) is Association.DECLARATION


def _with_semicolon(source: SourceText, inside: tuple[int, int], close: int) -> int:
    """Return where an attribute ends: behind the semicolon, for a directive that has no statement."""
    directive = parse_directive(PragmaText(source.text[slice(*inside)], source.span(*inside)), DiagnosticSink())
    match = re.compile(r"\s*;").match(source.text, close)
    if match is None or (directive is not None and form_of(directive) is Form.BODY):
        return close
    return match.end()
