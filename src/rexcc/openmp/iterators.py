"""The loops of ``iterator(…)`` modifiers (OpenMP 5.2, 3.2.6).

In: the modifiers of a clause. Out: an :class:`Iterator` for each range, in order, and the headers of the loops that
host code runs over them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import pairwise

from rexcc.openmp.lexer import Part, tokenize
from rexcc.openmp.model import Clause, Expression, MapClause, Modifier, MotionClause, PragmaText
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_NUMBER = regex(r"(-?)\s*[0-9]\w*")


@dataclass(frozen=True)
class Iterator:
    """``type name = begin:end:step``; the type is ``int`` where none is written."""

    type: str
    name: str
    begin: Expression
    end: Expression
    step: Expression | None

    @property
    def bounds(self) -> tuple[Expression, ...]:
        """All expressions of the range."""
        return (self.begin, self.end, *([self.step] if self.step else []))

    @property
    def header(self) -> str:
        """The header of the loop: ``for (int i = 0; i < n; i++)``."""
        begin, end = _operand(self.begin.text), _operand(self.end.text)
        step = _operand(self.step.text) if self.step else ""
        signed = _NUMBER.fullmatch(step)
        if not step or (signed and not signed[1]):
            goes_on = f"{self.name} < {end}"
        elif signed:
            goes_on = f"{self.name} > {end}"
        else:
            goes_on = f"{step} > 0 ? {self.name} < {end} : {self.name} > {end}"
        forward = f"{self.name} += {step}" if step else f"{self.name}++"
        return f"for ({self.type} {self.name} = {begin}; {goes_on}; {forward})"


def clause_iterators(clause: Clause) -> tuple[Iterator, ...]:
    """Return the iterators of a ``map``, ``to`` or ``from`` clause."""
    return iterators(clause.modifiers) if isinstance(clause, MapClause | MotionClause) else ()


def iterators(modifiers: Iterable[Modifier]) -> tuple[Iterator, ...]:
    """Return the iterators that modifiers define, outermost first."""
    return tuple(i for m in modifiers if m.name == "iterator" and m.argument is not None for i in _read(m.argument))


def _read(argument: Expression) -> list[Iterator]:
    exact = argument.span.text == argument.text
    stream = tokenize(PragmaText(argument.text, argument.span, exact), DiagnosticSink())
    assert stream is not None  # the parser has read it
    found: list[Iterator] = []
    for piece in stream.split(Part(0, len(stream))):
        equals = next(i for i in stream.top_level(piece) if stream.text(i) == "=")
        colons = stream.colons(Part(equals + 1, piece.stop))
        cuts = [equals, *colons, piece.stop]
        bounds = [stream.expression(Part(a + 1, b)) for a, b in pairwise(cuts)]
        declared = Part(piece.first, equals - 1)
        kind = stream.expression(declared).text if declared.size else "int"
        found.append(Iterator(kind, stream.text(equals - 1), bounds[0], bounds[1], bounds[2] if bounds[2:] else None))
    return found


def _operand(text: str) -> str:
    """Return an expression that may stand beside an operator."""
    return text if re.fullmatch(r"\w*", text) or _NUMBER.fullmatch(text) else f"({text})"
