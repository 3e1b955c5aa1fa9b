"""The parts of a ``declare reduction`` directive (OpenMP 5.2, 5.5.11).

In: a directive whose argument the parser has checked. Out: :class:`DeclaredParts`: identifier, types, combiner and
initializer, each with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rexcc.openmp.clauses import ALTERNATIVE_OPERATORS
from rexcc.openmp.lexer import Part, TokenStream, tokenize
from rexcc.openmp.model import Directive, Expression, OtherClause, PragmaText
from rexcc.source.diagnostics import DiagnosticSink

_DECLARATOR = re.compile(r"\s*omp_priv\s*(?:[({]|=(?!=))")


@dataclass(frozen=True)
class DeclaredParts:
    """A declared reduction; ``identifier`` has neither blanks nor ``operator`` in front."""

    identifier: str
    types: tuple[Expression, ...]
    combiner: Expression
    initializer: Expression | None

    @property
    def declares_private(self) -> bool:
        """Whether the initializer is what follows a type in a declaration of ``omp_priv``, not an expression."""
        return self.initializer is not None and _DECLARATOR.match(self.initializer.text) is not None


def plain_identifier(text: str) -> str:
    """Return the identifier that a reduction goes by: an operator by its sign, without ``operator`` in front."""
    joined = re.sub(r"\s+", "", text)
    word = re.sub(r"(^|::)operator(?=\W)", r"\1", joined)
    return ALTERNATIVE_OPERATORS.get(word, word)


def declared_parts(directive: Directive) -> DeclaredParts | None:
    """Return the parts of a ``declare reduction``, None where it lacks a combiner."""
    argument = directive.argument
    if directive.name != "declare reduction" or argument is None:
        return None
    exact = len(argument.span.text) == len(argument.text)
    stream = tokenize(PragmaText(argument.text, argument.span, exact), DiagnosticSink())
    if stream is None:
        return None
    whole = Part(0, len(stream))
    cuts = stream.colons(whole)
    combiner = stream.expression(Part(cuts[1] + 1, whole.stop)) if len(cuts) > 1 else _clause(directive, "combiner")
    if not cuts or combiner is None:
        return None
    listed = Part(cuts[0] + 1, cuts[1] if len(cuts) > 1 else whole.stop)
    kinds = tuple(stream.expression(part) for part in split_types(stream, listed))
    identifier = plain_identifier("".join(stream.words(Part(0, cuts[0]))))
    return DeclaredParts(identifier, kinds, combiner, _clause(directive, "initializer"))


def split_types(stream: TokenStream, listed: Part) -> Iterator[Part]:
    """Yield the types of a list; a comma between angle brackets separates none."""
    first = listed.first
    for piece in stream.split(listed):
        words = stream.words(Part(first, piece.stop))
        if "".join(words).count("<") > "".join(words).count(">"):
            continue
        yield Part(first, piece.stop)
        first = piece.stop + 1
    if first <= listed.stop:  # an angle bracket that is never closed
        yield Part(first, listed.stop)


def _clause(directive: Directive, name: str) -> Expression | None:
    return next((c.argument for c in directive.of_type(OtherClause) if c.name == name), None)
