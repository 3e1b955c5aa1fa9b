"""Reductions in a loop of team code whose results nothing reads before the loop ends.

In: the parts of a team's code, and which reductions give every thread a result (:mod:`.known_to_all`). Out: for a loop
the variables that its threads join once, behind it. Before and after::

    int top = 0;                                          int top = 0;
    for (int d = 0; d < m; d++) {                         { int *__rex_top = &top;
      {                                                     int top = rex_identity_max<int>();
        int *__rex_top = &top;                              for (int d = 0; d < m; d++) {
        int top = rex_identity_max<int>();                    {
        for (…) …                                               int *__rex_top = &top;
        rex_reduce_for_all(rex_into_max(__rex_top, top));       int top = rex_identity_max<int>();
      }                                                         for (…) …
    }                                                           *__rex_top = rex_combine_max(*__rex_top, top);
                                                              }
                                                              __syncthreads();
                                                            }
                                                            rex_reduce_for_all(rex_into_max(__rex_top, top)); }

It cannot be noticed:

- Nothing in the loop uses the variable but parallels that reduce it by one operator, and in their iterations the name
  means a private copy, which begins and ends as before. So between the loop's first parallel and its end nobody can
  ask for the value. No address leads to it, and no lambda knows it (``TeamScope.found_by_name``).
- The operator has the same result in any grouping, and its identity changes no value: integers wrap around where
  threads add or multiply them, and of the greatest or least numbers one is as good as the other.
- Behind the loop all threads meet. Where a reduction made them wait for each other in the loop, a barrier does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import collapse_depth, effective_leaves
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.kernel.ir import Code
from rexcc.lowering.generic.known_to_all import MOST_NUMBERS
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.model.host_values import address_text
from rexcc.lowering.reductions.reduction_clauses import ReductionCopy, reduction_copy
from rexcc.lowering.text.team import Combine
from rexcc.lowering.text.variables import pointer
from rexcc.openmp.model import ReductionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import own_name
from rexcc.source.records import dataclass

_INTEGERS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG",
                       "LONGLONG", "ULONGLONG"})  # fmt: skip
_NUMBERS = frozenset({"FLOAT", "DOUBLE"})
_OF_INTEGERS = frozenset({"+", "-", "*", "&", "|", "^", "min", "max"})
"""Operators whose identity leaves any integer as it is: ``&&`` and ``||`` make 1 of 2."""
_OF_NUMBERS = frozenset({"min", "max"})


@dataclass(frozen=True, eq=False)
class JoinedLater:
    """The variables that are joined behind a loop, with a list item of each, by the loop; the parallels in it whose
    threads keep what they have, by identity."""

    loops: dict[int, tuple[_Listed, ...]]
    kept: frozenset[int]

    def opened(self, unit: ParsedUnit, loop: Part) -> ReductionCopy:
        """Return the code around a loop in which variables are joined behind it, nothing for others."""
        found = ReductionCopy()
        for listed in self.loops.get(id(loop), ()):
            found += listed.copy(unit)
        return found.closed(Combine.FOR_ALL, "")


@dataclass(frozen=True, eq=False)
class _Listed:
    """A variable that a parallel reduces, with its list item and operator."""

    construct: Construct
    variable: Variable
    listed: ResolvedItem
    operator: str

    @property
    def is_exact(self) -> bool:
        """Whether the result does not depend on how values are grouped."""
        kind = types.kind_name(types.canonical(self.variable.cursor.type))
        if kind in _INTEGERS:
            return self.operator in _OF_INTEGERS
        return kind in _NUMBERS and self.operator in _OF_NUMBERS

    def copy(self, unit: ParsedUnit) -> ReductionCopy:
        """Return a thread's own copy, which is joined into the original."""
        kind, item = self.variable.cursor.type, self.listed.item
        name = item.base.text.strip()
        kept: Code = (pointer(kind, own_name(name), address_text(name, kind)),)
        made = reduction_copy(unit, kind, name, self.operator, own_name(name), item.whole.span)
        return ReductionCopy(kept) + made


def joined_later(scope: TeamScope) -> JoinedLater:
    """Return what the loops of a team's code join behind them, the outermost loop that can first."""
    loops: dict[int, tuple[_Listed, ...]] = {}
    kept: set[int] = set()
    for loop in scope.top.walk():
        if loop.form is Form.CONTROL and loop.node.kind in LOOP_KINDS:
            every = [one for one in _reductions(scope, loop) if id(one.construct) not in kept]
            found = _joinable(scope, loop, every)
            if 0 < len(found) <= MOST_NUMBERS:
                mine = [one for one in every if one.variable in found]
                loops[id(loop)] = tuple({one.variable: one for one in mine}.values())
                kept |= {id(one.construct) for one in mine}
    return JoinedLater(loops, frozenset(kept))


def _reductions(scope: TeamScope, loop: Part) -> Iterator[_Listed]:
    """Yield what the parallels of a loop reduce for every thread, nothing where the loop shares iterations among teams,
    or a function may end."""
    if any(part.form in (Form.DISTRIBUTE, Form.RETURN) for part in loop.walk()):
        return
    for part in loop.walk():
        construct = part.construct
        if part.form is not Form.PARALLEL or construct is None or not scope.reduces_for_all(construct):
            continue
        for clause in construct.directive.of_type(ReductionClause):
            for listed in construct.items_of(clause):
                if listed.variable is not None:
                    yield _Listed(construct, listed.variable, listed, clause.operator)


def _joinable(scope: TeamScope, loop: Part, every: list[_Listed]) -> frozenset[Variable]:
    """Return the variables that nothing but exact reductions of a loop uses; a parallel keeps all that it reduces, or
    nothing."""
    operators: dict[Variable, set[str]] = {}
    for one in every:
        operators.setdefault(one.variable, set()).add(one.operator)
    found = {one.variable for one in every if one.is_exact and len(operators[one.variable]) == 1}
    found -= {v for v in found if scope.declared[v].is_inside(loop.node)}
    found -= _used_otherwise(scope.unit, loop, found, every)
    while True:
        together = {id(one.construct) for one in every if one.variable not in found}
        left = {one.variable for one in every if one.variable in found and id(one.construct) in together}
        if not left:
            return frozenset(found)
        found -= left


def _used_otherwise(unit: ParsedUnit, loop: Part, variables: Iterable[Variable], every: list[_Listed]) -> set[Variable]:
    """Return those variables that a loop uses but in lists of reductions and in the iterations of their constructs."""
    listed = [one.listed.node for one in every if one.listed.node is not None]
    private = [(one.variable, *_private(unit, one.construct)) for one in every]
    asked = frozenset(variables)

    def is_private(use: Node, variable: Variable) -> bool:
        return any(use.is_inside(item) for item in listed) or any(
            v == variable and use.is_inside(body) and not any(use.is_inside(n) for n in headers)
            for v, body, headers in private
        )

    uses = ((named_variable(node), node) for node in loop.node.walk())
    return {v for v, use in uses if v is not None and v in asked and not is_private(use, v)}


def _private(unit: ParsedUnit, construct: Construct) -> tuple[Node, tuple[Node, ...]]:
    """Return where a name means a private copy: a construct's statement, without the headers of its loops."""
    body = construct.body
    assert body is not None
    loops: tuple[CanonicalLoop, ...] = ()
    if "for" in effective_leaves(construct):
        loops = loop_nest(unit, body, collapse_depth(construct))
    return body, tuple(child for loop in loops for child in loop.statement.children[:-1])
