"""Where an atomic statement and its operands stand in the user's text.

In: a statement whose form is known. Out: :class:`Written`. Between the operands there must be the operators of the
form and nothing else; an operand that begins or ends in a macro is as long as the macro's use. So a macro can be an
operand or a part of one, and a macro that hides the form is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from rexcc.clang.tree import Node
from rexcc.lowering.atomics.forms import Form
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.lexical import BLOCK_COMMENT
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_LAYOUT = regex(r"/\*[\s\S]*?\*/|//[^\n]*|^[ \t]*#(?:\\\r?\n|[^\n])*|\\\r?\n|[\s(){};]", re.M)
_NOT_BRACKETS = regex(r"/\*[\s\S]*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'")
_END = regex(rf"(?:\s|\)|{BLOCK_COMMENT}|//[^\n]*\n|\\\r?\n)*;")

Range = tuple[int, int]


@dataclass(frozen=True)
class Written:
    """Offsets of the statement, and of each operand by :func:`id` of its node."""

    start: int
    end: int
    operands: dict[int, Range]

    def range(self, node: Node) -> Range:
        """Return where an operand stands."""
        return self.operands[id(node)]


def find_written(body: DeviceBody, construct: Construct, form: Form) -> Written:
    """Return where a statement's parts stand; raises CompileError where a macro hides its form."""
    assert construct.body is not None
    exact = [(body.start(piece), body.end(piece)) for piece in form.pieces]
    for ranges in (exact, _widened(body, exact)):
        start, end = min(body.start(construct.body), ranges[0][0]), _end(body, construct.body, ranges[-1][1])
        if _fits(body, construct.body, form.pieces, ranges, (start, end)):
            return Written(start, end, {id(piece): place for piece, place in zip(form.pieces, ranges, strict=True)})
    raise _hidden(body, construct.body)


def is_without_macros(body: DeviceBody, node: Node) -> bool:
    """Whether no macro is used in a piece of code."""
    start, end = body.start(node), body.end(node)
    return not any(low < end and start < high for low, high in _uses(body))


def _hidden(body: DeviceBody, statement: Node) -> CompileError:
    start, end = body.start(statement), body.end(statement)
    around = [(low, high) for low, high in _uses(body) if low <= start < high or low < end <= high]
    place = Span(body.file.scan.source, min([start, *(low for low, _ in around)]), max([end, *(h for _, h in around)]))
    return error("omp-atomic-form", "the statement of 'atomic' has to be written out; a macro hides its form", place)


def _end(body: DeviceBody, statement: Node, last: int) -> int:
    """Return where a statement ends, its semicolon included."""
    end = max(body.end(statement), last)
    inner = statement
    while inner.kind == "IF_STMT":
        inner = inner.children[-1]
    if inner.kind == "COMPOUND_STMT":
        return end
    match = _END.match(body.text, end)
    return match.end() if match else end


def _fits(body: DeviceBody, statement: Node, pieces: Sequence[Node], ranges: Sequence[Range], whole: Range) -> bool:
    """Whether the text between the operands is that of the operators."""
    words = [""]
    for part in _spine(statement, {id(piece) for piece in pieces}):
        if isinstance(part, str):
            words[-1] += part
        else:
            words.append("")
    edges = [whole[0], *(edge for place in ranges for edge in place), whole[1]]
    if len(words) != len(ranges) + 1 or edges != sorted(edges) or any(a == b for a, b in ranges):
        return False
    gaps = [_operators(body, a, b) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    return gaps == words and all(_is_balanced(body.text[a:b]) for a, b in (whole, *ranges))


def _spine(node: Node, pieces: set[int]) -> Iterator[Node | str]:
    """Yield the operands and operators of a statement in the order of its text."""
    if id(node) in pieces:
        yield node
        return
    inner = node.children
    match node.kind:
        case "IF_STMT":
            yield "if"
            yield from _spine(inner[0], pieces)
            yield from _spine(inner[1], pieces)
            for last in inner[2:]:
                yield "else"
                yield from _spine(last, pieces)
        case "CONDITIONAL_OPERATOR":
            for operator, operand in zip(("", "?", ":"), inner, strict=True):
                yield operator
                yield from _spine(operand, pieces)
        case "BINARY_OPERATOR" | "COMPOUND_ASSIGNMENT_OPERATOR":
            yield from _spine(inner[0], pieces)
            yield node.operator
            yield from _spine(inner[1], pieces)
        case "UNARY_OPERATOR":
            is_postfix = node.operator.startswith("p")
            yield "" if is_postfix else node.operator
            yield from _spine(inner[0], pieces)
            yield node.operator[1:] if is_postfix else ""
        case _:
            for child in inner:
                yield from _spine(child, pieces)


def _operators(body: DeviceBody, start: int, end: int) -> str:
    """Return a part of the text without layout, brackets and what the preprocessor left out."""
    parts: list[str] = []
    for low, high in sorted(body.unit.skipped.get(body.file.scan.source.path, [])):
        if start <= low and high <= end:
            parts.append(body.text[start:low])
            start = high
    return _LAYOUT.sub("", "".join([*parts, body.text[start:end]]))


def _is_balanced(text: str) -> bool:
    depth = 0
    for character in _NOT_BRACKETS.sub("", text):
        depth += (character in "([{") - (character in ")]}")
        if depth < 0:
            return False
    return depth == 0


def _widened(body: DeviceBody, ranges: Sequence[Range]) -> list[Range]:
    """Return ranges of operands as long as the macros in which they begin or end, unless others are in there too."""
    uses = _uses(body)
    found: list[Range] = []
    for start, end in ranges:
        alone = [
            (low, high)
            for low, high in uses
            if (low <= start < high or low < end <= high) and sum(low <= other < high for other, _ in ranges) == 1
        ]
        found.append((min([start, *(low for low, _ in alone)]), max([end, *(high for _, high in alone)])))
    return found


def _uses(body: DeviceBody) -> list[Range]:
    path = body.file.scan.source.path
    return [(body.file.original(a), body.file.original(b)) for a, b in _macro_uses(body.unit, path)]


@lru_cache(maxsize=4)
def _macro_uses(unit: ParsedUnit, path: str) -> tuple[Range, ...]:
    """Return the places of a file where macros are used, in the parsed buffer."""
    uses = (node for node in unit.declarations if node.kind == "MACRO_INSTANTIATION" and node.file == path)
    return tuple((use.start, use.end) for use in uses)
