"""The place where a clause or a directive's argument is being read.

In: tokens, the table row, the construct. Out: :class:`Site`, through which all readers of arguments see their tokens
and report what is wrong, naming the clause and showing the exact token.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.openmp.clauses import ClauseRow
from rexcc.openmp.lexer import Part, TokenStream
from rexcc.openmp.tables import Construct
from rexcc.source.diagnostics import DiagnosticSink, Fixes, Note, did_you_mean, respelt
from rexcc.source.records import dataclass
from rexcc.source.spelling import nearest
from rexcc.source.text import Span


@dataclass(frozen=True)
class Site:
    """A clause being read: its row, the index of its name, and what is inside its parentheses (None without any)."""

    stream: TokenStream
    sink: DiagnosticSink
    construct: Construct
    row: ClauseRow
    at: int
    argument: Part | None

    @property
    def name(self) -> str:
        """The name of the clause."""
        return self.row.name

    @property
    def inside(self) -> Part:
        """The argument; an empty range after the name when there is none."""
        return self.argument or Part(self.at + 1, self.at + 1)

    @property
    def part(self) -> Part:
        """The whole clause."""
        return Part(self.at, self.argument.stop + 1 if self.argument else self.at + 1)

    @property
    def span(self) -> Span:
        """The place of the whole clause."""
        return self.stream.span(self.part)

    def words_known(self) -> tuple[str, ...]:
        """Return the keywords and the modifiers of the clause."""
        constructs = self.construct.constituents if self.row.names_construct else ()
        return (*self.row.keywords, *(m.name for m in self.row.modifiers), *constructs)

    def error(self, code: str, message: str, part: Part, *notes: Note, fixes: Fixes = ()) -> None:
        """Report an error at a range of tokens."""
        self.sink.error(code, message, self.stream.span(part), *notes, fixes=fixes)

    def unknown(self, code: str, what: str, part: Part, known: Iterable[str]) -> None:
        """Report a word that is none of the known ones, with the nearest of them or, when short, all."""
        words = tuple(known)
        shown, first = self.stream.expression(part).text, self.stream.text(part.first)
        hint = did_you_mean(shown, words) or did_you_mean(first, words)
        fixes = respelt(self.stream.span(Part(part.first, part.first + 1)), first, nearest(first, words))
        if not hint and 0 < len(words) <= 5:
            hint = f"; known: {', '.join(words)}"
        self.error(code, f"unknown {what} '{shown}' of clause '{self.name}'{hint}", part, fixes=fixes)
