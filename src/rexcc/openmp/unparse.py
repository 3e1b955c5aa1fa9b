"""Text of directives.

In: a :class:`Directive` or clauses of one. Out: one line of canonical text: single blanks, canonical names, the newer
of two spellings of a modifier. Parsing it again gives the same directive, up to places and blanks inside expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from rexcc.openmp.model import (
    Clause,
    DefaultmapClause,
    DependClause,
    Directive,
    Expression,
    ExpressionClause,
    KeywordClause,
    ListClause,
    ListItem,
    MapClause,
    Modifier,
    MotionClause,
    OtherClause,
    ReductionClause,
    ScheduleClause,
)
from rexcc.openmp.selectors import MatchClause, WhenClause
from rexcc.source.patterns import regex

_BLANKS = regex(r"""("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+')|\s+""", re.DOTALL)
_AFTER_LIST = ("linear", "aligned")
_RANGES = ("num_teams",)


def unparse(directive: Directive) -> str:
    """Return a directive as it stands after ``#pragma omp``."""
    head = directive.name
    if directive.argument is not None:
        head += f"({expression_text(directive.argument)})"
    return f"{head} {clauses_text(directive.clauses)}".rstrip()


def clauses_text(clauses: Iterable[Clause]) -> str:
    """Return clauses, separated by a blank."""
    return " ".join(clause_text(clause) for clause in clauses)


def clause_text(clause: Clause) -> str:
    """Return one clause."""
    writer = _WRITERS.get(type(clause))
    argument = writer(clause) if writer else ""
    return f"{clause.name}({argument})" if argument else clause.name


def expression_text(expression: Expression) -> str:
    """Return an expression on one line, with one blank for each run of blanks outside literals."""
    return _BLANKS.sub(lambda m: m.group(1) or " ", expression.text)


def items_text(items: Sequence[ListItem]) -> str:
    """Return a list."""
    return ", ".join(expression_text(item.whole) for item in items)


def _modifier(modifier: Modifier) -> str:
    if modifier.argument is None:
        return modifier.name
    return f"{modifier.name}({expression_text(modifier.argument)})"


def _before(modifiers: Sequence[Modifier], *last: str) -> str:
    """Return what stands before the list, with its colon, or nothing."""
    words = [*map(_modifier, modifiers), *last]
    return f"{', '.join(words)}: " if words else ""


def _keyword(clause: KeywordClause) -> str:
    return _before(clause.modifiers) + clause.keyword


def _expression(clause: ExpressionClause) -> str:
    separator = ":" if clause.name in _RANGES else ", "
    return _before(clause.modifiers) + separator.join(map(expression_text, clause.expressions))


def _list(clause: ListClause) -> str:
    if clause.name == "induction" and clause.step is not None:
        words = (f"step({expression_text(clause.step)})", *map(_modifier, clause.modifiers))
        return f"{', '.join(words)}: {items_text(clause.items)}"
    if clause.name not in _AFTER_LIST:
        return _before(clause.modifiers) + items_text(clause.items)
    after = [_modifier(modifier) for modifier in clause.modifiers]
    if clause.step is not None:
        step = expression_text(clause.step)
        after.append(f"step({step})" if after else step)
    return items_text(clause.items) + (f": {', '.join(after)}" if after else "")


def _map(clause: MapClause) -> str:
    types = () if clause.is_default_type else (clause.map_type,)
    return _before(clause.modifiers, *types) + items_text(clause.items)


def _motion(clause: MotionClause) -> str:
    return _before(clause.modifiers) + items_text(clause.items)


def _reduction(clause: ReductionClause) -> str:
    return _before(clause.modifiers, clause.operator) + items_text(clause.items)


def _schedule(clause: ScheduleClause) -> str:
    chunk = f", {expression_text(clause.chunk)}" if clause.chunk is not None else ""
    return _before(clause.modifiers) + clause.kind + chunk


def _depend(clause: DependClause) -> str:
    if not clause.items and clause.name == "depend":
        return clause.depend_type
    return (_before(clause.modifiers, clause.depend_type) + items_text(clause.items)).rstrip()


def _defaultmap(clause: DefaultmapClause) -> str:
    return f"{clause.behavior}: {clause.category}"


def _other(clause: OtherClause) -> str:
    return expression_text(clause.argument) if clause.argument is not None else ""


_WRITERS: dict[type[Clause], Callable[..., str]] = {
    KeywordClause: _keyword,
    ExpressionClause: _expression,
    ListClause: _list,
    MapClause: _map,
    MotionClause: _motion,
    ReductionClause: _reduction,
    ScheduleClause: _schedule,
    DependClause: _depend,
    DefaultmapClause: _defaultmap,
    MatchClause: _other,
    WhenClause: _other,
    OtherClause: _other,
}
