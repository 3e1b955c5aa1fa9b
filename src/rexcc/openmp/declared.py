"""The parts of ``declare reduction`` and ``declare mapper`` directives (OpenMP 5.2, 5.5.11 and 5.8.8).

In: a directive whose argument the parser has checked. Out: :class:`DeclaredParts`: identifier, types, combiner and
initializer, or :class:`MapperParts`: identifier, type and variable, each with its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.openmp.clauses import ALTERNATIVE_OPERATORS
from rexcc.openmp.lexer import Part, TokenStream, tokenize
from rexcc.openmp.model import Directive, Expression, OtherClause, PragmaText
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_DECLARATOR = regex(r"\s*omp_priv\s*(?:[({]|=(?!=))")


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


DEFAULT_MAPPER = "default"
"""The identifier of the mapper that a type has without one being named."""


@dataclass(frozen=True)
class MapperParts:
    """A declared mapper; ``identifier`` is ``default`` where none is written."""

    identifier: str
    kind: Expression
    variable: Expression


def plain_identifier(text: str) -> str:
    """Return the identifier that a reduction goes by: an operator by its sign, without ``operator`` in front."""
    joined = re.sub(r"\s+", "", text)
    word = re.sub(r"(^|::)operator(?=\W)", r"\1", joined)
    return ALTERNATIVE_OPERATORS.get(word, word)


def declared_parts(directive: Directive) -> DeclaredParts | None:
    """Return the parts of a ``declare reduction``, None where it lacks a combiner."""
    stream = _argument(directive) if directive.name == "declare reduction" else None
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


def mapper_parts(directive: Directive) -> MapperParts | None:
    """Return the parts of a ``declare mapper``, None for other directives."""
    stream = _argument(directive) if directive.name == "declare mapper" else None
    if stream is None:
        return None
    whole = Part(0, len(stream))
    cuts = stream.colons(whole)
    first = cuts[0] + 1 if cuts else 0
    identifier = "".join(stream.words(Part(0, cuts[0]))) if cuts else DEFAULT_MAPPER
    kind = stream.expression(Part(first, whole.stop - 1))
    return MapperParts(identifier, kind, stream.expression(Part(whole.stop - 1, whole.stop)))


def _argument(directive: Directive) -> TokenStream | None:
    argument = directive.argument
    if argument is None:
        return None
    exact = len(argument.span.text) == len(argument.text)
    return tokenize(PragmaText(argument.text, argument.span, exact), DiagnosticSink())


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
