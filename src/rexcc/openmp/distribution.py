"""Which leaf constructs of a combined construct a clause acts on.

In: a directive and one of its leaves. Out: the clauses that act on this leaf as if the leaves were written one inside
the other (OpenMP 5.2, 17.2 Clauses on Combined and Composite Constructs). Clauses that the specification implies, such
as ``map(tofrom: s)`` on ``target`` for a reduction variable, are made here and have the place of the clause behind
them. Two things differ from a plain split: ``collapse`` is returned for every loop leaf, since all of them work on the
collapsed loop, and whether ``map`` mentions a variable is decided by the name that the map item starts with.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from rexcc.openmp.clauses import Spread
from rexcc.openmp.model import Clause, Directive, ListClause, ListItem, MapClause, ReductionClause
from rexcc.openmp.tables import CLAUSE_ROWS, CONSTRUCTS, LEAF_ROWS, named_construct
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, replace

_WORKSHARING = ("for", "sections", "scope", "single")
_REDUCING = ("for", "sections", "loop", "taskloop")
_TASK_REDUCTION = ("parallel", "for", "sections", "scope")
_INSCAN = ("for", "simd")
PRIVATIZING = (
    "private",
    "firstprivate",
    "lastprivate",
    "linear",
    "induction",
    "reduction",
    "in_reduction",
    "task_reduction",
)
"""Clauses that give each thread or task a variable of its own."""
_ROOT = regex(r"[\s(*&]*((?:::\s*)?[^\W\d]\w*(?:\s*::\s*\w+)*)")


@dataclass(frozen=True)
class _Split:
    """A directive being split, the leaf in question, and the loop variables known to the caller."""

    directive: Directive
    leaf: str
    iteration_variables: frozenset[str]

    def has(self, *leaves: str) -> bool:
        """Whether one of these leaves is there."""
        return any(leaf in self.directive.leaves for leaf in leaves)

    def permitting(self, clause: Clause) -> tuple[str, ...]:
        """Return the leaves that permit a clause, those that its directive-name modifier names."""
        named = named_construct(clause)
        leaves = CONSTRUCTS[named].leaves if named else self.directive.leaves
        return tuple(leaf for leaf in leaves if clause.name in LEAF_ROWS[leaf].clauses)

    def listed(self, name: str) -> frozenset[str]:
        """Return the variables in the clauses of a name, of ``linear`` too where it counts as that."""
        clauses = [c for c in self.directive.of_type(ListClause) if c.name == name]
        linear = [c for c in self.directive.of_type(ListClause) if c.name in ("linear", "induction")]
        found = {_root(item) for clause in clauses for item in clause.items}
        for clause in linear:
            found |= {_root(i) for i in clause.items if name == "lastprivate" or not self.is_simd_variable(i)}
        return frozenset(found)

    def is_simd_variable(self, item: ListItem) -> bool:
        """Whether an item is an iteration variable of a construct with simd."""
        return self.has("simd") and _root(item) in self.iteration_variables

    def is_mapped(self, item: ListItem) -> bool:
        """Whether a map clause has an item of the same base."""
        return any(_root(item) == _root(i) for clause in self.directive.of_type(MapClause) for i in clause.items)


def clauses_of_leaf(
    directive: Directive, leaf: str, iteration_variables: frozenset[str] = frozenset()
) -> tuple[Clause, ...]:
    """Return the clauses that act on a leaf of a directive, in source order.

    ``iteration_variables`` are the loop variables of the associated loops, which matter for ``linear`` only.
    """
    if leaf not in directive.leaves:
        raise ValueError(f"'{leaf}' is no leaf of '{directive.name}'")
    if len(directive.leaves) == 1:
        return directive.clauses
    split = _Split(directive, leaf, iteration_variables)
    return tuple(found for clause in directive.clauses for found in _apply(split, clause))


def _apply(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    return _RULES[CLAUSE_ROWS[clause.name].spread](split, clause)


def _all(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    return (clause,) if split.leaf in split.permitting(clause) else ()


def _innermost(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    return (clause,) if split.permitting(clause)[-1:] == (split.leaf,) else ()


def _outermost(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    return (clause,) if split.permitting(clause)[:1] == (split.leaf,) else ()


def _privatized(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    """Apply ``allocate`` to the items that the leaf makes private copies of."""
    if not isinstance(clause, ListClause) or split.leaf not in split.permitting(clause):
        return ()
    others = [c for c in split.directive.clauses if c.name in PRIVATIZING]
    here = [c for other in others for c in _apply(split, other) if c.name in PRIVATIZING]
    private = {_root(i) for c in here if isinstance(c, (ListClause, ReductionClause)) for i in c.items}
    return _keep(clause, [item for item in clause.items if _root(item) in private])


def _firstprivate(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    if not isinstance(clause, ListClause):
        return ()
    if named_construct(clause):
        return _all(split, clause)
    if split.leaf == "target":
        lastprivate = split.listed("lastprivate")
        kept = [i for i in clause.items if _root(i) not in lastprivate and not split.is_mapped(i)]
        return _keep(clause, kept)
    if _takes_firstprivate(split):
        return (clause,)
    return _shared(split, clause, clause.items)


def _takes_firstprivate(split: _Split) -> bool:
    """Whether the leaf, which is not target, gets the firstprivate clauses of the construct."""
    if split.leaf == "teams":
        return not split.has("distribute")
    if split.leaf == "parallel":
        return not split.has("taskloop", *_WORKSHARING)
    return "firstprivate" in LEAF_ROWS[split.leaf].clauses


def _lastprivate(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    if not isinstance(clause, ListClause):
        return ()
    if split.leaf in split.permitting(clause) or named_construct(clause):
        return _all(split, clause)
    firstprivate = split.listed("firstprivate")
    shared = _shared(split, clause, tuple(i for i in clause.items if _root(i) not in firstprivate))
    return shared + _mapped(split, clause, clause.items)


def _reduction(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    if not isinstance(clause, ReductionClause):
        return ()
    is_shared = (split.leaf == "parallel" and split.has(*_REDUCING)) or (split.leaf == "teams" and split.has("loop"))
    if is_shared and not named_construct(clause):
        return _shared(split, clause, clause.items)
    if split.leaf in split.permitting(clause):
        return (_with_modifiers(split, clause),)
    return () if named_construct(clause) else _mapped(split, clause, clause.items)


def _with_modifiers(split: _Split, clause: ReductionClause) -> ReductionClause:
    """Return a reduction without the modifiers that act on other leaves only."""
    accepting = [leaf for leaf in split.directive.leaves if leaf in _TASK_REDUCTION]
    dropped = set() if accepting[-1:] == [split.leaf] else {"task"}
    dropped |= set() if split.leaf in _INSCAN else {"inscan"}
    return replace(clause, modifiers=tuple(m for m in clause.modifiers if m.name not in dropped))


def _in_reduction(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    if isinstance(clause, ReductionClause) and split.leaf == "simd" and split.has("taskloop"):
        return (replace(clause, name="reduction"),)
    return _all(split, clause)


def _linear(split: _Split, clause: Clause) -> tuple[Clause, ...]:
    """Apply ``linear`` to the innermost leaf, as firstprivate and lastprivate to the outer ones."""
    if not isinstance(clause, ListClause):
        return ()
    if named_construct(clause) or split.leaf == split.directive.leaves[-1]:
        return _innermost(split, clause)
    entering = tuple(item for item in clause.items if not split.is_simd_variable(item))
    first = ListClause("firstprivate", clause.span, entering)
    last = ListClause("lastprivate", clause.span, clause.items)
    return (*(_firstprivate(split, first) if entering else ()), *_lastprivate(split, last))


def _keep(clause: ListClause, items: list[ListItem]) -> tuple[Clause, ...]:
    return (replace(clause, items=tuple(items)),) if items else ()


def _shared(split: _Split, clause: Clause, items: tuple[ListItem, ...]) -> tuple[Clause, ...]:
    """Return the ``shared`` clause that parallel and teams get for items that are private further in."""
    if split.leaf not in ("parallel", "teams") or not items:
        return ()
    return (ListClause("shared", clause.span, tuple(ListItem(i.base, i.base) for i in items)),)


def _mapped(split: _Split, clause: Clause, items: tuple[ListItem, ...]) -> tuple[Clause, ...]:
    """Return the ``map(tofrom)`` that target gets for items whose value leaves the region."""
    missing = tuple(item for item in items if not split.is_mapped(item))
    if split.leaf != "target" or not missing:
        return ()
    return (MapClause("map", clause.span, "tofrom", missing),)


def _root(item: ListItem) -> str:
    """Return the variable that an item starts with: ``s`` of ``(*s).p[0:n]``."""
    found = _ROOT.match(item.base.text)
    return re.sub(r"\s", "", found.group(1)) if found else item.base.text


_RULES: dict[Spread, Callable[[_Split, Clause], tuple[Clause, ...]]] = {
    Spread.ALL: _all,
    Spread.INNERMOST: _innermost,
    Spread.OUTERMOST: _outermost,
    Spread.PRIVATIZED: _privatized,
    Spread.FIRSTPRIVATE: _firstprivate,
    Spread.LASTPRIVATE: _lastprivate,
    Spread.REDUCTION: _reduction,
    Spread.IN_REDUCTION: _in_reduction,
    Spread.LINEAR: _linear,
}
