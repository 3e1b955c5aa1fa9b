"""Replace each directive by a probe statement, so that clang attaches its body and resolves its expressions.

In: a user file with its parsed directives. Out: the buffer that clang parses and the way back from its offsets.
A directive with a body becomes ``while(0&&((void)(e1),(void)(e2),1))``: exactly one statement that wraps the next one,
like a pragma, and takes no following ``else``. A stand-alone one becomes ``(void)(e1),(void)0;``, a declarative one
blanks, but for ``declare reduction`` and ``declare mapper``, which become declarations. Lines keep their numbers.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property

from rexcc.clang.tree import Node
from rexcc.frontend.declared_probes import MapperProbe, ReductionProbe, Scope, put_declared, put_mapper
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.scan import FileScan, PragmaSite
from rexcc.openmp.declared import declared_parts, mapper_parts
from rexcc.openmp.iterators import clause_iterators, iterators
from rexcc.openmp.model import (
    Clause,
    DependClause,
    Directive,
    Expression,
    ExpressionClause,
    ListClause,
    ListItem,
    MapClause,
    MotionClause,
    ReductionClause,
    ScheduleClause,
)
from rexcc.openmp.selectors import WhenClause
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_WORDS = frozenset({"omp_all_memory", "omp_fill"})
"""Words of OpenMP that stand where an expression does."""
_SHAPED = regex(r"\s*\(\s*\(\s*\[")
"""How a pointer with a shape begins where brackets follow: ``(([n][m])p)[0:n][1]``."""


@dataclass(frozen=True)
class Probe:
    """A directive in the parsed buffer.

    ``offset`` is where its probe statement starts; ``places`` gives, for the index of each probed expression in
    :func:`probed_expressions`, its range in the buffer.
    """

    site: PragmaSite
    directive: Directive
    offset: int
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Piece:
    start: int
    original: int
    exact: bool


@dataclass(frozen=True)
class ProbedFile:
    """What clang parses for one file, and how to get back."""

    scan: FileScan
    buffer: str
    probes: tuple[Probe, ...]
    _pieces: tuple[_Piece, ...]
    reductions: tuple[ReductionProbe, ...] = ()
    mappers: tuple[MapperProbe, ...] = ()

    @cached_property
    def _probes_at(self) -> dict[int, list[Probe]]:
        found: dict[int, list[Probe]] = {}
        for probe in self.probes:
            found.setdefault(probe.offset, []).append(probe)
        return found

    def probes_at(self, offset: int) -> Sequence[Probe]:
        """Return the probes whose statement starts at an offset in the buffer."""
        return self._probes_at.get(offset, ())

    @cached_property
    def _starts(self) -> list[int]:
        return [piece.start for piece in self._pieces]

    def original(self, offset: int) -> int:
        """Return the offset in the user's text of an offset in the buffer."""
        index = bisect_right(self._starts, offset) - 1
        piece = self._pieces[max(index, 0)]
        return piece.original + (offset - piece.start) if piece.exact else piece.original

    def original_end(self, offset: int) -> int:
        """Return where what ends at an offset in the buffer ends in the user's text.

        Behind an expression of a directive text of the probe follows, which stands for the directive's beginning.
        """
        index = bisect_right(self._starts, offset - 1) - 1
        piece = self._pieces[max(index, 0)]
        return piece.original + (offset - piece.start) if piece.exact else self.original(offset)


def list_items(clause: Clause) -> tuple[ListItem, ...]:
    """Return the list items of any clause that has some."""
    if isinstance(clause, ListClause | MapClause | MotionClause | ReductionClause | DependClause):
        return clause.items
    return ()


def probed_expressions(directive: Directive) -> tuple[Expression, ...]:
    """Return, in a fixed order, every base-language expression of a directive that clang shall resolve."""
    return tuple(e for clause in directive.clauses for e in (*_bounds(clause), *_clause_expressions(clause)))


def _bounds(clause: Clause) -> list[Expression]:
    return [bound for iterator in clause_iterators(clause) for bound in iterator.bounds]


def _clause_expressions(clause: Clause) -> list[Expression]:
    """Return the expressions of a clause; those of ``depend`` with iterators are the host compiler's business."""
    found: list[Expression] = []
    if isinstance(clause, ExpressionClause):
        found += [e for e in clause.expressions if e.text not in _WORDS]
    if isinstance(clause, ScheduleClause) and clause.chunk is not None:
        found.append(clause.chunk)
    if isinstance(clause, ListClause) and clause.step is not None:
        found.append(clause.step)
    if isinstance(clause, WhenClause) and clause.selector is not None:
        found += [e for t in clause.selector.traits for e in (t.expression, t.score) if e is not None]
    if not (isinstance(clause, DependClause) and iterators(clause.modifiers)):
        for item in list_items(clause):
            found += _item_expressions(item)
    return found


def _item_expressions(item: ListItem) -> list[Expression]:
    if item.base.text.strip() in (*_WORDS, ""):
        return []
    if item.sections and _SHAPED.match(item.base.text):
        message = "a section of a pointer with a shape cannot be lowered yet; take it of a pointer to rows, "
        message += "as 'rows' is behind 'double (*rows)[m] = (double (*)[m])p'"
        raise error("unsupported-item", message, item.whole.span)
    parts = [part for s in item.sections for part in (s.lower, s.length, s.stride)]
    return [item.base, *(part for part in parts if part is not None)]


def nodes_at(top: Node, places: Sequence[tuple[int, int]]) -> list[Node | None]:
    """Return the outermost node below ``top`` at each of the places."""
    by_place: dict[tuple[int, int], Node] = {}
    wanted = set(places)
    for inner in top.walk():
        place = (inner.start, inner.end)
        if place in wanted and place not in by_place:
            by_place[place] = inner
    return [by_place.get(place) for place in places]


class _Writer:
    def __init__(self, source: str, additions: Mapping[int, str]) -> None:
        self.source = source
        self.additions = additions
        self.parts: list[str] = []
        self.pieces: list[_Piece] = []
        self.length = 0

    def put(self, text: str, original: int, exact: bool) -> None:
        if not text:
            return
        self.pieces.append(_Piece(self.length, original, exact))
        self.parts.append(text)
        self.length += len(text)

    def copy(self, start: int, end: int) -> None:
        """Put a part of the source as it is, and what is to be added in it."""
        for offset in sorted(o for o in self.additions if start <= o < end):
            self.put(self.source[start:offset], start, True)
            self.put(self.additions[offset], offset, False)
            start = offset
        self.put(self.source[start:end], start, True)


def inject(
    scan: FileScan,
    directives: dict[int, Directive],
    additions: Mapping[int, str] | None = None,
    declared: Mapping[int, Scope] | None = None,
) -> ProbedFile:
    """Return the probed buffer of a file.

    ``directives`` maps a site's start to its directive; a site without one (it had errors) is blanked. ``additions``
    are texts to insert at an offset outside directives, without lines of their own but at the end of the file.
    ``declared`` gives the scope of each ``declare reduction`` and ``declare mapper`` that shall be probed.
    """
    writer = _Writer(scan.source.text, additions or {})
    probes: list[Probe] = []
    reductions: list[ReductionProbe] = []
    mappers: list[MapperProbe] = []
    at = 0
    for site in scan.pragmas:
        writer.copy(at, site.start)
        directive = directives.get(site.start)
        form = form_of(directive) if directive is not None else Form.BLANK
        if directive is not None and form is not Form.BLANK:
            probes.append(_put_probe(writer, site, directive, form is Form.STANDALONE))
        scope = declared.get(site.start) if declared else None
        if directive is not None and scope is not None:
            reductions += _put_reductions(writer, site, directive, scope)
            mappers += _put_mapper(writer, site, directive, scope)
        writer.put("\n" * site.original.count("\n") or " ", site.end, False)
        at = site.end
    writer.copy(at, len(scan.source.text))
    writer.put((additions or {}).get(len(scan.source.text), ""), len(scan.source.text), False)
    pieces = tuple(writer.pieces) or (_Piece(0, 0, True),)
    return ProbedFile(scan, "".join(writer.parts), tuple(probes), pieces, tuple(reductions), tuple(mappers))


def _put_reductions(writer: _Writer, site: PragmaSite, directive: Directive, scope: Scope) -> list[ReductionProbe]:
    parts = declared_parts(directive)
    return put_declared(writer, site, parts, scope) if parts is not None else []


def _put_mapper(writer: _Writer, site: PragmaSite, directive: Directive, scope: Scope) -> list[MapperProbe]:
    parts = mapper_parts(directive)
    if parts is None:
        return []
    return [put_mapper(writer, site, directive, parts, scope, lambda: _put_expressions(writer, site, directive))]


def _put_probe(writer: _Writer, site: PragmaSite, directive: Directive, standalone: bool) -> Probe:
    offset = writer.length
    writer.put("" if standalone else "while(0&&(", site.start, False)
    places = _put_expressions(writer, site, directive)
    writer.put("(void)0;" if standalone else "1))", site.start, False)
    return Probe(site, directive, offset, tuple(places))


def _put_expressions(writer: _Writer, site: PragmaSite, directive: Directive) -> list[tuple[int, int]]:
    """Write the expressions of a directive, each clause's with a comma behind; return their places.

    Those of a clause with iterators stand in a block that declares them.
    """
    places: list[tuple[int, int]] = []

    def put(before: str, expression: Expression, after: str) -> None:
        writer.put(before, site.start, False)
        text = re.sub(r"[\r\n]", " ", expression.text)
        places.append((writer.length, writer.length + len(text)))
        writer.put(text, expression.span.start, site.text.exact)
        writer.put(after, site.start, False)

    for clause in directive.clauses:
        found = clause_iterators(clause)
        writer.put("({ " if found else "", site.start, False)
        for iterator in found:
            put(f"{iterator.type} {iterator.name} = (", iterator.bounds[0], "); ")
            for bound in iterator.bounds[1:]:
                put("(void)(", bound, "); ")
        for expression in _clause_expressions(clause):
            put("(void)(", expression, "); " if found else "),")
        writer.put("}), " if found else "", site.start, False)
    return places
