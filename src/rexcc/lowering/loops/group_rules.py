"""Which inner loops the threads of a group share: neighbouring threads that execute one iteration together.

In: a kernel of which each thread would execute whole iterations of the distributed loop. Out: :class:`GroupedLoop`, or
why there is none. Before and after, for a group of 32 threads::

    for (int j = 0; j < m; j++) b[i * m + j] = 2 * a[i * m + j];
    for (int j = member; j < m; j += 32) b[i * m + j] = 2 * a[i * m + j];

Neighbours then access neighbouring elements, and a loop of a thousand rows keeps more than a thousand threads busy
(docs/decisions/053-groups-share-inner-loops.md).

It cannot be noticed, for no iteration of the inner loop reads or writes what another one writes:

- An element that is written has a subscript that is another one in each iteration of the inner loop (a multiple of its
  index, and what does not change), and the other accesses to the same array inside of the loop have the same subscript.
  Subscripts stay inside of their arrays (C23, J.2), so no other subscript makes one element of two. A pointer that the
  loop's body declares leads to one address in all iterations if all that it is made of stays the same.
- Other memory is apart from it by a proof of the compiler's (``cleanups/alias.py``), because no object of its type can
  be one of the other's, or because the threads find at run time that the addresses lie apart. Where they do not, the
  first thread of the group executes the whole loop.
- Iterations of a loop that ``collapse`` associates, too, with bounds that depend on the outer index, may be executed by
  different threads at the same time (OpenMP 5.2, 4.4.2): what one of them writes no other one accesses without a race.
- A variable of the thread's own is declared inside of the loop, or assigned there before anything reads it, or belongs
  to a reduction of the construct. How values of a reduction are joined is open (OpenMP 5.2, 5.5.5).
- What stands in front of the inner loop all threads of the group compute; it writes no memory, and reads none of what
  the loop writes. Loops there they fold together (:mod:`.fold_rules`), and wait for each other behind them.
"""

from __future__ import annotations

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import types
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.effects import ANYTHING, CALLING
from rexcc.lowering.cleanups.memory import NOWHERE, OWN
from rexcc.lowering.loops.accesses import Access, accesses_of, outline_of, tells_types_apart
from rexcc.lowering.loops.affine import Slope, Slopes
from rexcc.lowering.loops.fold_rules import Fold, folds_of
from rexcc.lowering.loops.group_variables import foreign_variable
from rexcc.lowering.loops.inner_loop import InnerLoop, unsure_of
from rexcc.lowering.loops.tile_rules import refused_by_form, statements_of
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import dataclass

MOST_BEFORE = 60
"""Parts of the expressions in front of the inner loop, which all threads of a group evaluate."""

MOST_COMPARED = 16
"""Pairs of arrays whose addresses are compared at run time."""

_LOOP_WEIGHT = 10
"""How often an access inside of a further loop counts where it is decided which threads should be neighbours."""

_PARTS = frozenset(
    {
        "COMPOUND_STMT", "DECL_STMT", "NULL_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "BREAK_STMT",
        "CONTINUE_STMT", "VAR_DECL", "PAREN_EXPR", "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
        "CXX_FUNCTIONAL_CAST_EXPR", "UNARY_OPERATOR", "BINARY_OPERATOR", "CALL_EXPR", "COMPOUND_ASSIGNMENT_OPERATOR",
        "CONDITIONAL_OPERATOR", "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "DECL_REF_EXPR", "INTEGER_LITERAL",
        "FLOATING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF",
        "MEMBER_REF", "CXX_UNARY_EXPR", "CXX_THIS_EXPR", "INIT_LIST_EXPR",
    }
)  # fmt: skip
"""What the loops and the code in front of them may consist of."""


@dataclass(frozen=True, eq=False)
class GroupedLoop:
    """An inner loop that a group shares; ``nested`` are the canonical loops inside of it whose bounds are fixed there.

    ``compared`` are the accesses that have to lie apart at run time, ``unsure`` those of them that may not be made at
    the ends of the loop, ``locals`` the declarations inside of the loop of what never changes, ``folds`` the loops in
    front of it.
    """

    loop: CanonicalLoop
    compared: tuple[tuple[Access, Access], ...]
    nested: tuple[CanonicalLoop, ...]
    locals: dict[Variable, Node]
    folds: tuple[Fold, ...] = ()
    unsure: frozenset[Node] = frozenset()


def grouped_loop(context: CleanupContext, numbered: bool, threads_meet: bool, strict: bool) -> GroupedLoop | Reason:
    """Return the inner loop that groups of threads share, or why there is none.

    ``strict``: objects of different types are different objects.
    """
    refused = _refused(context, numbered, threads_meet)
    if refused:
        return Reason(refused)
    statements = statements_of(context.scope)
    if not statements:
        return Reason("its iterations do nothing")
    *before, last = statements
    top = _loop_of_simd(context, last.bare())
    if top.kind != "FOR_STMT" or context.is_directive(top):
        return Reason("it does not end with a loop")
    try:
        loop = canonical_loop(context.kernel.region.unit, top)
    except CompileError as problem:
        return Reason(problem.diagnostic.message, top)
    strict = tells_types_apart(context.kernel.region.unit, strict)
    folds = folds_of(context, before, loop)
    if isinstance(folds, Reason):
        return folds
    return _Rules(context, InnerLoop(context, loop, strict), before, folds).decide()


def _refused(context: CleanupContext, numbered: bool, threads_meet: bool) -> str:
    """Return why the form of the construct does not allow groups, empty where it does."""
    region = context.kernel.region
    if region.owner.template is not None or context.kernel.packs:
        return "it stands in a template"
    if can_tell_threads(region.unit, region.iteration, frozenset({"simd"})):
        return "it may tell which thread executes it"
    if context.jumps:
        return "a statement leaves an iteration"
    return refused_by_form(context, numbered, threads_meet, ("simd",), groups=True)


def _loop_of_simd(context: CleanupContext, statement: Node) -> Node:
    """Return the loop of a ``simd`` construct without clauses, any other statement as it is."""
    for construct in context.kernel.region.constructs[-1].children if context.is_directive(statement) else ():
        is_plain = construct.directive.leaves == ("simd",) and not construct.directive.clauses
        if is_plain and construct.body is not None and construct.probe.offset == statement.start:
            return construct.body.bare()
    return statement


class _Rules:
    """The rules for one inner loop."""

    def __init__(self, context: CleanupContext, inner: InnerLoop, before: list[Node], folds: tuple[Fold, ...]) -> None:
        self.context = context
        self.memory = context.memory
        self.inner = inner
        self.loop = inner.loop
        self.before = before
        self.folds = folds

    def decide(self) -> GroupedLoop | Reason:
        """Return the loop, or the first precondition that fails."""
        reason = self._form() or self._effects() or self._fixed_inputs() or self._worthwhile()
        if reason is not None:
            return reason
        compared: list[tuple[Access, Access]] = []
        for write in () if self._is_associated else self.inner.written:
            for other in self.inner.accesses:
                if other is write or not self._may_meet(write, other):
                    continue
                if not (self.inner.has_range(write) and self.inner.has_range(other)):
                    return Reason("this may be what another iteration of the inner loop writes", other.node)
                compared.append((write, other))
        pairs = {(_root_of(write), _root_of(other)) for write, other in compared}
        if len(pairs) > MOST_COMPARED:
            return Reason("too many arrays of the inner loop may overlap")
        inner, unsure = self.inner, unsure_of(self.inner, compared)
        return GroupedLoop(self.loop, tuple(compared), inner.nested, inner.locals, self.folds, unsure)

    @property
    def _is_associated(self) -> bool:
        """Whether the construct's iterations are those of the inner loop, too."""
        return any(self.loop.statement == one.statement for one in self.context.kernel.region.sequential)

    def _form(self) -> Reason | None:
        """Return what keeps the loop, or the code in front of it, from being understood."""
        if not self.loop.is_integer or self.loop.type_text or self.loop.step.value is None:
            return Reason("the inner loop's index or step is not a number", self.loop.statement)
        for node in self._plain_before:
            if node.bare().kind not in ("DECL_STMT", "NULL_STMT") and not _is_assignment(node.bare()):
                return Reason("more than declarations stand in front of the inner loop", node)
        for node in [*(n for one in self._evaluated_by_all for n in one.walk()), *self.inner.inside]:
            if node.kind not in _PARTS or node.is_called_code or self.context.is_directive(node):
                return Reason("the inner loop is not made of simple statements", node)
            if types.is_volatile(node.type):
                return Reason("this is volatile", node)
        if sum(1 for one in self._plain_before for _ in one.walk()) > MOST_BEFORE:
            return Reason("the code in front of the inner loop is long", self.before[0])
        return None

    @property
    def _plain_before(self) -> list[Node]:
        folded = {fold.loop.statement for fold in self.folds}
        return [node for node in self.before if node.bare() not in folded]

    @property
    def _evaluated_by_all(self) -> list[Node]:
        """What each thread of a group evaluates: the code in front of the inner loop, and the loop's bounds."""
        return [*self.before, self.loop.lower, self.loop.bound]

    def _effects(self) -> Reason | None:
        """Return what writes something that is not known, or that other iterations may see."""
        for node in self._evaluated_by_all:
            if self.memory.effects(node).written != NOWHERE:
                return Reason("this writes memory in front of the inner loop, or in its header", node)
        targets = {write.node for write in self.inner.written}
        for node in self.inner.inside:
            effects = self.memory.of_node(node)
            calls = node.kind in CALLING
            if effects.written != NOWHERE and not calls and node.children[0].bare() not in targets:
                return Reason("what this writes is not known", node)
            if None in (effects.written, effects.read) and (calls or effects == ANYTHING):
                return Reason("what this does is not known", node)
            if calls and effects.written != NOWHERE:
                return Reason("this call writes memory", node)
            if calls and not all(self.memory.all_apart(w.place, effects.read) for w in self.inner.written):
                return Reason("this call may read what another iteration of the inner loop writes", node)
        return foreign_variable(self.context, self.loop, self.inner.declared) or self._own_writes() or self._writes()

    def _writes(self) -> Reason | None:
        """Return an element that two iterations of the inner loop may write."""
        if not self.inner.written and not self.context.kernel.geometry.reduces:
            return Reason("the inner loop stores nothing", self.loop.statement)
        for write in self.inner.written:
            if not self._is_associated and self.inner.moving_subscript(write) is None:
                return Reason("iterations of the inner loop may write this together", write.node)
            if (write.place is not None and OWN in write.place) or (write.place is None and self._shows_own()):
                return Reason("this may be a variable of the thread's own", write.node)
        return None

    def _own_writes(self) -> Reason | None:
        """Return what is written to the thread's own memory from outside of the loop, but not by a variable's name."""
        for node in self.inner.inside:
            if node.kind == "DECL_REF_EXPR" or not is_written(node):
                continue
            if self.memory.provenance.place(node) == frozenset({OWN}):
                root = Access(node, None, is_input=False).root
                variable = named_variable(root) if root is not None else None
                declared = variable in self.inner.declared and not types.is_reference(variable.type)
                if variable is None or not declared or types.is_pointer(variable.type):
                    return Reason("this may keep a value from one iteration of the inner loop to the next", node)
        return None

    def _shows_own(self) -> bool:
        """Whether a pointer may lead to a variable of the thread's own."""
        provenance, own = self.memory.provenance, frozenset({OWN})
        mine = ((v, uses) for v, uses in provenance.uses.items() if provenance.place(uses[0]) == own)
        return any(types.is_array(v.type) or any(map(address_leaves, uses)) for v, uses in mine)

    def _fixed_inputs(self) -> Reason | None:
        """Return what threads of a group may read differently, because others of them write already."""
        loop = self.loop
        header = [loop.lower, loop.bound, *(n for one in self.inner.nested for n in (one.lower, one.bound))]
        early = () if self.folds else self.before  # behind folds all wait for each other
        outside = [a for node in (*early, *header) for a in accesses_of(self.memory, node, is_input=True)]
        for access in (*outside, *(a for a in self.inner.accesses if a.is_input)):
            if not all(write is access or self.inner.is_apart(write, access) for write in self.inner.written):
                return Reason("this may change while threads of a group still read it", access.node)
        calls = [n for node in (*self.before, *header) for n in node.walk() if n.kind == "CALL_EXPR"]
        unknown = next((c for c in calls if self.memory.of_node(c).read != NOWHERE), None)
        return Reason("what this reads is not known", unknown) if unknown is not None else None

    def _worthwhile(self) -> Reason | None:
        """Return a reason where the threads of a group would not access neighbouring elements. Tables, whose
        elements are found by the inner index alone, count for neither form: the caches have them.
        """
        inner, outer = Slopes(self.loop.index, self.inner.locals), Slopes(self._outer_index, self._outer_locals())
        shared = apart = 0
        for access in self.inner.accesses:
            subscript = next(access.subscripts, None)
            if subscript is None:
                continue
            weight = _LOOP_WEIGHT ** min(2, self._depth(access.node))
            by_inner, by_outer = inner.of(subscript), outer.of(subscript)
            if by_inner is not None and by_inner.is_one:
                shared += weight
            elif by_inner is None and by_outer is not None and by_outer.is_zero:
                continue  # a table
            elif by_inner is None or not by_inner.is_zero or self._is_better_alone(by_outer):
                apart += weight
        if shared > apart:
            return None
        return Reason("neighbouring iterations of the inner loop do not access neighbouring elements")

    def _is_better_alone(self, by_outer: Slope | None) -> bool:
        """Whether neighbouring threads with whole iterations would access neighbouring elements, which no more threads
        than these are worth."""
        return by_outer is not None and by_outer.is_one and not self._is_associated

    @property
    def _outer_index(self) -> Variable:
        return self.context.kernel.region.loops[-1].index

    def _outer_locals(self) -> dict[Variable, Node]:
        """Return what is declared in an iteration and never changed."""
        provenance = self.memory.provenance
        declared = (n for one in self.before for n in one.walk() if n.kind == "VAR_DECL")
        outer = {Variable(n.cursor): n for n in declared}
        return self.inner.locals | {v: n for v, n in outer.items() if provenance.is_constant(v)}

    def _depth(self, node: Node) -> int:
        """Return how many loops stand around a node inside of the inner loop."""
        depth = 0
        for above in node.ancestors():
            if above is self.loop.statement:
                break
            depth += above.kind in LOOP_KINDS
        return depth

    def _may_meet(self, write: Access, other: Access) -> bool:
        """Whether another iteration of the inner loop may access what this one writes, as far as is known here."""
        return not (self.inner.is_apart(write, other) or self.inner.is_same_element(write, other))


def _root_of(access: Access) -> tuple[object, ...]:
    root = access.root
    return outline_of(root) if root is not None else ()


def _is_assignment(node: Node) -> bool:
    return node.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR") and is_written(node.children[0])
