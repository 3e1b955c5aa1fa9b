"""Look-ups over the rows of directives and clauses.

In: the tables of :mod:`rexcc.openmp.directives` and :mod:`rexcc.openmp.clauses`. Out: :class:`Construct`, what is known
of one directive spelling, with the rows of its leaves joined, found by name or by the words of a pragma.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.openmp.clauses import CLAUSES, ClauseRow
from rexcc.openmp.directives import COMBINED, LEAVES, Association, CombinedRow, DirectiveRow
from rexcc.openmp.model import (
    Clause,
    DependClause,
    Directive,
    ExpressionClause,
    KeywordClause,
    ListClause,
    MapClause,
    Modifier,
    MotionClause,
    ReductionClause,
    ScheduleClause,
)
from rexcc.source.records import dataclass, field, replace

CLAUSE_ROWS: dict[str, ClauseRow] = {row.name: row for row in CLAUSES}
LEAF_ROWS: dict[str, DirectiveRow] = {row.name: row for row in LEAVES}
_WITH_MODIFIERS = (DependClause, ExpressionClause, KeywordClause, ListClause, MapClause, MotionClause,
                   ReductionClause, ScheduleClause)  # fmt: skip


@dataclass(frozen=True)
class Construct:
    """A directive name with all that follows from its leaves; ``row`` is the row of the innermost leaf."""

    name: str
    leaves: tuple[str, ...]
    row: DirectiveRow
    clauses: dict[str, ClauseRow]
    exclusive: tuple[tuple[str, ...], ...]
    since: int

    @property
    def association(self) -> Association:
        """What the directive belongs to, as far as its name tells; see :func:`association_of`."""
        return self.row.association

    @property
    def constituents(self) -> tuple[str, ...]:
        """The names of the constructs that this one is made of, itself last; a directive-name modifier names one."""
        count = len(self.leaves)
        ranges = ((i, i + width) for width in range(1, count + 1) for i in range(count - width + 1))
        return tuple(" ".join(self.leaves[i:j]) for i, j in ranges)


@dataclass
class NameTree:
    """Directive names by word: the children of a word, and the directive that ends here."""

    children: dict[str, NameTree] = field(default_factory=dict)
    construct: Construct | None = None

    def add(self, words: Sequence[str], construct: Construct) -> None:
        """Enter a spelling."""
        node = self
        for word in words:
            node = node.children.setdefault(word, NameTree())
        node.construct = construct


def _leaf(row: DirectiveRow) -> Construct:
    local = {clause.name: clause for clause in row.local}
    clauses = {name: local.get(name, CLAUSE_ROWS[name]) for name in row.clauses}
    return Construct(row.name, (row.name,), row, clauses, row.exclusive, row.since)


def _refused(leaves: tuple[str, ...]) -> set[str]:
    """Return the clauses that a leaf takes and the combined construct does not (5.2, restrictions of chapter 17)."""
    refused = set()
    if "nowait" not in LEAF_ROWS[leaves[0]].clauses:
        refused.add("nowait")
    if "distribute" in leaves and "for" in leaves:
        refused.add("ordered")
    if leaves[0] == "target":
        refused.add("copyin")
    if leaves[0] == "parallel" and "taskloop" in leaves:
        refused.add("in_reduction")
    return refused


def _combine(row: CombinedRow) -> Construct:
    refused = _refused(row.leaves)
    parts = [_leaf(LEAF_ROWS[name]) for name in row.leaves]
    clauses = {name: clause for part in parts for name, clause in part.clauses.items() if name not in refused}
    exclusive = tuple(group for part in parts for group in part.exclusive if refused.isdisjoint(group))
    return Construct(" ".join(row.leaves), row.leaves, parts[-1].row, clauses, exclusive, row.since)


CONSTRUCTS: dict[str, Construct] = {
    **{row.name: _leaf(row) for row in LEAVES},
    **{construct.name: construct for construct in map(_combine, COMBINED)},
}
"""Every directive by its canonical name, leaves first."""


def _name_tree() -> NameTree:
    root = NameTree()
    for construct in CONSTRUCTS.values():
        root.add(construct.name.split(), construct)
    for row in LEAVES:
        for synonym in row.synonyms:
            root.add(synonym.split(), CONSTRUCTS[row.name])
    return root


NAME_TREE: NameTree = _name_tree()
"""The spellings of all directives, synonyms too, by word."""


def find_construct(words: Sequence[str]) -> Construct | None:
    """Return the directive that is spelt exactly so."""
    node: NameTree | None = NAME_TREE
    for word in words:
        node = node.children.get(word) if node else None
    return node.construct if node else None


def takers(clause: str) -> tuple[str, ...]:
    """Return the names of the leaf directives that take a clause, in the order of the table."""
    return tuple(row.name for row in LEAVES if clause in row.clauses)


def named_construct(clause: Clause) -> str | None:
    """Return the directive-name modifier of a clause, such as ``target`` of ``if(target: e)``."""
    own = {modifier.name for modifier in CLAUSE_ROWS[clause.name].modifiers}
    names = (m.name for m in modifiers_of(clause) if m.name in CONSTRUCTS and m.name not in own)
    return next(names, None)


def modifiers_of(clause: Clause) -> tuple[Modifier, ...]:
    """Return the modifiers of a clause of any class."""
    return clause.modifiers if isinstance(clause, _WITH_MODIFIERS) else ()


def without_construct_name(clause: Clause) -> Clause:
    """Return a clause without its directive-name modifier."""
    named = named_construct(clause)
    if named is None or not isinstance(clause, _WITH_MODIFIERS):
        return clause
    return replace(clause, modifiers=tuple(m for m in clause.modifiers if m.name != named))


def association_of(directive: Directive) -> Association:
    """Return what a directive belongs to, where its clauses decide that too."""
    if directive.name == "ordered" and directive.named("depend", "doacross"):
        return Association.NONE
    if directive.name == "declare target" and not directive.items and not directive.clauses:
        return Association.DELIMITED
    return CONSTRUCTS[directive.name].association


def end_of(directive: Directive) -> str:
    """Return the name of the directive that closes a delimited one, or nothing."""
    delimited = association_of(directive) is Association.DELIMITED
    return CONSTRUCTS[directive.name].row.end if delimited else ""
