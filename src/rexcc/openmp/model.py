"""Typed, immutable OpenMP directives and clauses.

In: nothing; these are values made by :mod:`rexcc.openmp.parser`. Out: what analysis and lowering read. Expressions of
the base language stay text with a span; the front end resolves them. Names are the OpenMP 5.2 specification's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from rexcc.source.records import dataclass
from rexcc.source.text import Span


@dataclass(frozen=True)
class Expression:
    """Base-language text, with comments and line continuations blanked out, and where it stands."""

    text: str
    span: Span


@dataclass(frozen=True)
class Section:
    """One pair of brackets of a list item.

    ``a[i]`` has ``lower`` only and ``is_index``; ``a[l:n:s]`` has any of lower, length and stride, each None when
    omitted (OpenMP 5.2, 3.2.5 Array Sections).
    """

    lower: Expression | None
    length: Expression | None
    stride: Expression | None
    is_index: bool


@dataclass(frozen=True)
class ListItem:
    """A locator or variable list item: the whole text, the text before its trailing brackets, and the brackets.

    ``s.p[0:n]`` has base ``s.p`` and one section; ``a[i].x`` has base ``a[i].x`` and none.
    """

    whole: Expression
    base: Expression
    sections: tuple[Section, ...] = ()

    @property
    def is_section(self) -> bool:
        """Whether a bracket is a real section, not an index."""
        return any(not s.is_index for s in self.sections)


@dataclass(frozen=True)
class Modifier:
    """A clause modifier such as ``always``, ``mapper(m)``, ``iterator(i=0:n)``, ``monotonic``, with its argument.

    From OpenMP 6.0 on any clause may have a directive-name modifier, such as ``firstprivate(target: x)``.
    """

    name: str
    argument: Expression | None
    span: Span


@dataclass(frozen=True)
class Clause:
    """What every clause has: its name as the specification spells it, and its place (name and argument)."""

    name: str
    span: Span


@dataclass(frozen=True)
class FlagClause(Clause):
    """A clause without argument: ``nowait``, ``untied``, ``seq_cst``, ``nogroup`` …"""


@dataclass(frozen=True)
class KeywordClause(Clause):
    """A clause with keyword arguments: ``default(none)``, ``proc_bind(close)``, ``bind(teams)``, ``order(concurrent)``.

    ``keyword`` is the lower-case argument, ``modifiers`` what stands before the colon.
    """

    keyword: str
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class ExpressionClause(Clause):
    """A clause with one or more expressions: ``num_teams([lower:]upper)``, ``if([name:]e)``, ``device([ancestor:]e)`` …

    ``modifiers`` holds the directive-name modifier of ``if`` (name ``target``, ``target data``, ``parallel`` …),
    ``ancestor``/``device_num`` of ``device``, ``strict`` of ``grainsize``. For ``num_teams(l:u)`` there are two
    expressions, lower bound first.
    """

    expressions: tuple[Expression, ...]
    modifiers: tuple[Modifier, ...] = ()

    @property
    def expression(self) -> Expression:
        """The last expression: the only one, or the upper bound."""
        return self.expressions[-1]


@dataclass(frozen=True)
class ListClause(Clause):
    """A clause with a list: ``private``, ``firstprivate``, ``shared``, ``is_device_ptr``, ``use_device_addr`` …

    ``modifiers`` for those that have them (``lastprivate(conditional: x)``, ``allocate(a: x)`` has ``allocator(a)``).
    ``step`` is the expression after the list: the step of ``linear(x: 2)``, the alignment of ``aligned(p: 64)``.
    """

    items: tuple[ListItem, ...]
    modifiers: tuple[Modifier, ...] = ()
    step: Expression | None = None


@dataclass(frozen=True)
class MapClause(Clause):
    """``map([modifiers,] [type:] list)``; ``map_type`` is ``tofrom`` where omitted (``is_default_type``)."""

    map_type: str
    items: tuple[ListItem, ...]
    modifiers: tuple[Modifier, ...] = ()
    is_default_type: bool = False


@dataclass(frozen=True)
class MotionClause(Clause):
    """``to([modifiers:] list)`` or ``from(…)`` of ``target update``; ``to``/``enter``/``link`` of declare target."""

    items: tuple[ListItem, ...]
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class ReductionClause(Clause):
    """``reduction([modifier,] identifier: list)``, also ``in_reduction`` and ``task_reduction``."""

    operator: str
    items: tuple[ListItem, ...]
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class ScheduleClause(Clause):
    """``schedule([modifiers:] kind[, chunk])`` and ``dist_schedule(static[, chunk])``."""

    kind: str
    chunk: Expression | None
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class DependClause(Clause):
    """``depend([iterator,] type: list)``; ``doacross`` too."""

    depend_type: str
    items: tuple[ListItem, ...]
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True)
class DefaultmapClause(Clause):
    """``defaultmap(behavior[: category])``; category ``all`` where omitted."""

    behavior: str
    category: str

    @property
    def maps(self) -> bool:
        """Whether variables of the category are mapped."""
        return self.behavior in ("to", "from", "tofrom", "alloc", "storage", "present", "self")


@dataclass(frozen=True)
class OtherClause(Clause):
    """A known clause whose argument is kept as text because nothing reads its parts yet."""

    argument: Expression | None


ClauseT = TypeVar("ClauseT", bound=Clause)


@dataclass(frozen=True)
class Directive:
    """A directive with its clauses in source order.

    ``name`` is the canonical spelling with single spaces (``target teams distribute parallel for``), ``leaves`` its
    leaf constructs in nesting order. ``argument`` holds what stands in parentheses after the name for directives that
    have one (``critical(name)``, ``declare target(list)``, ``flush(list)``, ``allocate(list)``,
    ``threadprivate(list)``, ``declare mapper(…)``, ``declare reduction(…)``), ``items`` the same as a list where it is
    one.
    """

    name: str
    leaves: tuple[str, ...]
    clauses: tuple[Clause, ...]
    span: Span
    argument: Expression | None = None
    items: tuple[ListItem, ...] = ()

    def of_type(self, kind: type[ClauseT]) -> Iterator[ClauseT]:
        """Yield the clauses of a class, in source order."""
        return (c for c in self.clauses if isinstance(c, kind))

    def keyword(self, name: str) -> str:
        """Return the keyword that a clause gives, empty without that clause."""
        return next((c.keyword for c in self.of_type(KeywordClause) if c.name == name), "")

    def named(self, *names: str) -> tuple[Clause, ...]:
        """Return the clauses with one of these names, in source order."""
        return tuple(c for c in self.clauses if c.name in names)

    def has(self, name: str) -> bool:
        """Whether a clause of this name is there."""
        return any(c.name == name for c in self.clauses)

    def expression(self, name: str) -> Expression | None:
        """Return the (upper) expression of the first expression clause of this name."""
        return next((c.expression for c in self.of_type(ExpressionClause) if c.name == name), None)


@dataclass(frozen=True)
class PragmaText:
    """The text of one directive, ready to parse.

    ``text`` starts after ``omp`` and has comments and line continuations replaced by as many blanks, so that index i
    of it is offset ``offset + i`` of ``source``. For a directive that has no such text of its own (``_Pragma``, a
    macro), ``whole`` is the place that every span falls back to.
    """

    text: str
    origin: Span
    exact: bool = True

    def span(self, start: int, end: int) -> Span:
        """Return the place of ``text[start:end]``."""
        if not self.exact:
            return self.origin
        base = self.origin.start
        return Span(self.origin.source, base + start, base + end)
