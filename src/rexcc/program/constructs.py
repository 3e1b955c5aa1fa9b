"""Constructs: directives with the statements they apply to, and their list items as clang resolves them.

In: nothing; :mod:`rexcc.program.unit` makes these values. Out: what the stages behind the front end read. What a list
item names (a variable, a member, an element of either) is answered here and nowhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from rexcc.clang import library, types
from rexcc.clang.tree import Node
from rexcc.frontend.instance_places import InstancePlace
from rexcc.frontend.probe import Probe, ProbedFile, list_items
from rexcc.openmp.distribution import clauses_of_leaf
from rexcc.openmp.model import (
    Clause,
    DefaultmapClause,
    Directive,
    Expression,
    ExpressionClause,
    KeywordClause,
    ListItem,
    ScheduleClause,
)
from rexcc.program.components import Component, Part, components, own_member
from rexcc.program.environment import Environment
from rexcc.program.variables import Variable, named_variable, variable_of
from rexcc.source.records import dataclass, field
from rexcc.source.text import Span


@dataclass(frozen=True, eq=False)
class ResolvedItem:
    """A list item of a clause, with the expression that clang makes of its base: ``s.p`` of ``s.p[0:n]``.

    ``node`` is None where clang has no such expression: ``omp_all_memory``, or text with errors.
    """

    clause: Clause
    item: ListItem
    construct: Construct
    node: Node | None

    @cached_property
    def components(self) -> tuple[Component, ...]:
        """The parts of the base, from the object it starts from to what it names; none for a form of no list item."""
        return components(self.node) if self.node is not None else ()

    @property
    def root(self) -> Node | None:
        """The reference to the variable that the item belongs to: ``s`` of ``s.p[i]``, ``p`` of ``*p`` and ``p->x``."""
        found = self.components
        return found[0].node if found and found[0].part is Part.VARIABLE else None

    @cached_property
    def variable(self) -> Variable | None:
        """The variable that the item belongs to, None for members of ``*this``."""
        return variable_of(self.root.referenced) if self.root is not None else None

    @property
    def names(self) -> Iterator[Variable]:
        """The variables that the base names, in subscripts too; members go with their object."""
        found = map(named_variable, self.node.walk()) if self.node is not None else ()
        return (variable for variable in found if variable is not None)

    @property
    def this(self) -> Node | None:
        """``this``, or the member named without it, that the item starts from; None for other items."""
        found = self.components
        return found[0].node if found and found[0].part is Part.THIS else None

    @property
    def named(self) -> Node | None:
        """The base without parentheses and conversions."""
        return self.node.bare() if self.node is not None else None

    @cached_property
    def whole_variable(self) -> Variable | None:
        """The variable that the base is, None where it is a part of one or something else."""
        return named_variable(self.named) if self.named is not None else None

    @property
    def own_member(self) -> Node | None:
        """The member of ``*this`` that the base is, None for anything else."""
        return own_member(self.node) if self.node is not None else None

    @property
    def member_name(self) -> str:
        """The name of the member of ``*this`` that the base is, with the class in front that the user wrote there: it
        may be that of a base class whose member another one hides."""
        member, text = self.own_member, self.item.base.text.strip()
        if member is None or member.referenced is None:
            return ""
        written = re.sub(r"^this\s*->\s*", "", text)
        name = str(member.referenced.spelling)
        return written if "::" in written and written.endswith(name) else name

    @property
    def pointer_member(self) -> int | None:
        """The identity of the member that the base is, where that is a pointer; other members go with their object."""
        found = self.named
        if found is None or found.kind != "MEMBER_REF_EXPR" or found.referenced is None:
            return None
        return library.key_of(found.referenced) if types.is_pointer(found.type) else None


@dataclass(frozen=True, eq=False)
class Construct:
    """A directive with the statement it applies to.

    ``node`` is the probe statement; ``body`` the associated statement, None for a stand-alone directive;
    ``expressions`` clang's view of each clause expression; ``function`` the function, method or instantiation it is in;
    ``pointed`` the variable that the clauses know by a pointer of its name, None for most (``lowering/maps/pointed``).
    """

    directive: Directive
    probe: Probe
    file: ProbedFile
    node: Node
    body: Node | None
    function: Node
    expressions: dict[Expression, Node]
    parent: Construct | None = None
    children: list[Construct] = field(default_factory=list)
    pointed: Variable | None = None

    @cached_property
    def environment(self) -> Environment:
        """What variables are on the construct's leaves."""
        return Environment(self)

    def node_of(self, expression: Expression | None) -> Node | None:
        """Return clang's view of an expression of a clause, None for none or where clang has none."""
        return self.expressions.get(expression) if expression is not None else None

    @property
    def nodes(self) -> Iterable[Node]:
        """clang's view of each expression of the clauses, in order."""
        return self.expressions.values()

    def value_of(self, expression: Expression | None) -> int | None:
        """Return the value of an integer constant expression of a clause, None where it is not known."""
        node = self.node_of(expression)
        if node is None:
            return int(expression.text) if expression is not None and expression.text.strip().isdigit() else None
        return library.evaluate_integer(node.cursor)

    def resolve(self, clause: Clause, item: ListItem) -> ResolvedItem:
        """Return an item of a clause that acts on this construct, or on one of its leaves, resolved."""
        return ResolvedItem(clause, item, self, self.node_of(item.base))

    def items_of(self, *clauses: Clause) -> Iterator[ResolvedItem]:
        """Yield the items of clauses that act on this construct, or on one of its leaves, in order."""
        return (self.resolve(clause, item) for clause in clauses for item in list_items(clause))

    def items(self, *names: str) -> Iterator[ResolvedItem]:
        """Yield the list items of the construct's own clauses with one of these names, in order."""
        return self.items_of(*self.directive.named(*names))

    def clauses_of(self, leaf: str, indices: frozenset[str] = frozenset()) -> tuple[Clause, ...]:
        """Return the clauses that act on a leaf; what stands for ``loop`` has its clauses. None act on other leaves.

        ``indices`` are the names of the loops' variables, which matter for ``linear`` only.
        """
        leaves = self.directive.leaves
        if leaf not in leaves and leaves[-1] == "loop" and leaf in ("for", "simd", "distribute"):
            leaf = "loop"
        return clauses_of_leaf(self.directive, leaf, indices) if leaf in leaves else ()

    def condition(self, leaf: str) -> Expression | None:
        """Return the argument of the ``if`` clause that acts on a leaf, None without one."""
        found = (c for c in self.clauses_of(leaf) if isinstance(c, ExpressionClause) and c.name == "if")
        return next((clause.expression for clause in found), None)

    def schedule(self, *leaves: str) -> ScheduleClause | None:
        """Return the schedule of the first leaf that has one: ``schedule``, or ``dist_schedule`` of ``distribute``."""
        clauses = (c for leaf in leaves for c in self.clauses_of(leaf))
        return next((c for c in clauses if isinstance(c, ScheduleClause)), None)

    def default(self, leaf: str) -> KeywordClause | None:
        """Return the ``default`` clause that acts on a leaf, None without one."""
        found = (c for c in self.clauses_of(leaf) if isinstance(c, KeywordClause) and c.name == "default")
        return next(found, None)

    def defaultmap(self, category: str) -> DefaultmapClause | None:
        """Return the ``defaultmap`` clause for a category of variables, None without one (OpenMP 5.2, 5.8.7)."""
        clauses = list(self.directive.of_type(DefaultmapClause))
        own = (c for c in clauses if c.category == category)
        return next(own, next((c for c in clauses if c.category == "all"), None))

    @property
    def depth(self) -> int:
        """How many loops belong to the construct: those of ``collapse``, ``ordered(n)`` or ``sizes``, at least 1."""
        found = 1
        for clause in self.directive.of_type(ExpressionClause):
            if clause.name in ("collapse", "ordered") and clause.expressions:
                found = max(found, self.value_of(clause.expression) or 1)
            elif clause.name == "sizes":
                found = max(found, len(clause.expressions))
        return found

    @property
    def binding(self) -> str:
        """What a ``loop`` binds to: ``teams``, ``parallel`` or ``thread``; without ``bind`` the closest decides."""
        if self.bound_to:
            return self.bound_to
        around = self.directive.leaves[:-1] or (self.parent.directive.leaves if self.parent is not None else ())
        closest = next((leaf for leaf in reversed(around) if leaf != "simd"), "")
        return closest if closest in ("teams", "parallel") else "thread"

    @property
    def bound_to(self) -> str:
        """What ``bind`` says, empty without the clause."""
        return next((c.keyword for c in self.directive.of_type(KeywordClause) if c.name == "bind"), "")

    def around(self) -> Iterator[Construct]:
        """Yield the constructs around this one in the same function, innermost first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    def walk(self) -> Iterator[Construct]:
        """Yield this construct and those inside it, outer before inner."""
        yield self
        yield from self.descendants()

    def descendants(self) -> Iterator[Construct]:
        """Yield the constructs inside this one, outer before inner."""
        for child in self.children:
            yield child
            yield from child.descendants()

    @property
    def span(self) -> Span:
        """The directive's place in the user's text."""
        return self.directive.span


@dataclass(frozen=True, eq=False)
class ConstructFunction:
    """A function with constructs: its definition (an instantiation's, for a template) and its outermost constructs.

    ``template`` is the pattern an instantiation was made from, None for an ordinary function. A template without
    instantiations is there once, ``unused``, as its own pattern: its types have no names. So are the constructs that
    all of its instantiations discard. ``place`` is where clang makes an instantiation
    before the end of the file.
    """

    node: Node
    template: Node | None
    constructs: tuple[Construct, ...]
    unused: bool = False
    place: InstancePlace | None = None

    def walk(self) -> Iterator[Construct]:
        """Yield every construct of the function, outer before inner."""
        for top in self.constructs:
            yield from top.walk()
