"""Constructs around a statement: ``single``, ``masked``, ``scope``, ``critical``, ``task`` and others.

In: a leaf of a construct. Out: :class:`Leaf`, the code around what is inside, and the context in there.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.calls import asks_for_final, asks_for_team
from rexcc.analysis.rules.facts import critical_name
from rexcc.clang import classes, types
from rexcc.kernel.code import in_block
from rexcc.kernel.ir import Code, Critical, Declare, Do
from rexcc.lowering.constructs.context import Context, has, listed, unsupported
from rexcc.lowering.constructs.copied_variables import is_runtime_copy
from rexcc.lowering.constructs.copies import NO_COPIES, Copies, copies_of, listed_variable
from rexcc.lowering.constructs.critical_sections import test_of
from rexcc.lowering.constructs.sharing import check_original, implicit_copies
from rexcc.lowering.text.placing import guarded
from rexcc.lowering.text.team import Combine, nested_in
from rexcc.openmp.model import ExpressionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass

LEVEL = Declare("rex_parallel __rex_level", "__rex_level", arguments=("1",))
"""Keeps the state of a parallel region of one thread while code in it may ask for it."""


@dataclass(frozen=True)
class Leaf:
    """What a leaf construct puts around its statement: copies in a block, a guard in it, and what follows the block.

    ``inside`` is the context of the statement, ``guard`` the condition under which a thread executes it, if any,
    ``lock`` that of a critical section, ``test`` the condition without which it does nothing.
    """

    inside: Context
    copies: Copies = NO_COPIES
    guard: str = ""
    lock: str = ""
    test: str = ""
    behind: Code = ()

    def around(self, inner: Code) -> Code:
        """Return the code around what is inside."""
        if self.guard:
            inner = guarded(self.guard, inner)
        elif self.lock:
            inner = (Critical(self.lock, inner, self.test),)
        return (*in_block(self.copies.opening, inner, self.copies.closing), *self.behind)


def _single(context: Context, construct: Construct, joined: bool) -> Leaf:
    clauses = construct.clauses_of("single")
    copies = copies_of(context, construct, clauses, Combine.ALONE)
    given = listed(construct, clauses, "copyprivate")
    if context.team.is_alone:
        return Leaf(context, copies)
    context.ask()
    if given:
        context.body.needs.synchronises = True
        copied = tuple(_published(context, item) for item in given)
        return Leaf(context, copies, context.team.first, behind=copied)
    barrier = () if joined or has(clauses, "nowait") else context.barrier()
    return Leaf(context, copies, context.team.first, behind=barrier)


def _published(context: Context, item: ResolvedItem) -> Do:
    """Return the statement that gives the first thread's value of a variable to the others."""
    made = listed_variable(context, item)
    if is_runtime_copy(made):
        message = f"'copyprivate' of the variable-length array '{made.name}' cannot be lowered yet; "
        message += "give it a constant extent"
        raise error("unsupported-clause", message, made.place)
    element = types.shape_of(made.kind).element if types.is_array(made.kind) else made.kind
    if types.is_record(element) and not classes.is_copied_as_bytes(element):
        message = f"'copyprivate' of '{made.name}', whose class has a copy operation of its own, cannot be "
        message += "lowered yet; assign it to a shared variable in the 'single', and from there behind it"
        raise error("unsupported-clause", message, made.place)
    return Do(f"rex_copy_from_first({made.text}, {context.team.size});")


def _masked(context: Context, construct: Construct, joined: bool) -> Leaf:
    chosen = construct.directive.expression("filter")
    if chosen is None:
        return Leaf(context) if context.team.is_alone else _asking(Leaf(context, guard=context.team.first))
    thread = context.team.int_number
    return _asking(Leaf(context, guard=f"{thread} == ({context.expression(construct, chosen)})"))


def _asking(leaf: Leaf) -> Leaf:
    leaf.inside.ask()
    return leaf


def _scope(context: Context, construct: Construct, joined: bool) -> Leaf:
    clauses = construct.clauses_of("scope")
    check_original(context, construct, clauses)
    copies = _met(context, copies_of(context, construct, clauses, context.team.combine))
    return Leaf(context, copies, behind=() if joined or has(clauses, "nowait") else context.barrier())


def _critical(context: Context, construct: Construct, joined: bool) -> Leaf:
    name = critical_name(construct.directive)
    context.body.needs.criticals.add(name)
    test = test_of(context, construct)
    return Leaf(context, lock=f"rex_critical_{name}()", test=test)


def _task(context: Context, construct: Construct, joined: bool) -> Leaf:
    clauses = construct.clauses_of("task")
    if has(clauses, "detach"):
        raise unsupported(construct, "a task with 'detach'")
    copies = copies_of(context, construct, clauses, Combine.ALONE)
    copies += implicit_copies(context, construct, "task")
    return Leaf(context, final_copies(context, construct, "task") + copies)


def final_copies(context: Context, construct: Construct, leaf: str) -> Copies:
    """Return the code that keeps whether tasks are final, where code in them asks for that."""
    expressions = (c for c in construct.clauses_of(leaf) if isinstance(c, ExpressionClause) and c.name == "final")
    clause = next(expressions, None)
    if clause is None or construct.body is None or not asks_for_final(context.unit, construct.body):
        return NO_COPIES
    context.body.needs.state = True
    value = context.expression(construct, clause.expression)
    return Copies((Declare("rex_final __rex_final", "__rex_final", arguments=(value,)),))


def serialised(context: Context, construct: Construct) -> Leaf:
    """A parallel inside of another, or in a function: the thread that encounters it is its team."""
    clauses = construct.clauses_of("parallel")
    copies = copies_of(context, construct, clauses, Combine.ALONE) + implicit_copies(context, construct, "parallel")
    return Leaf(context.of_team(nested_in(context.team)), copies)


def level_copies(context: Context, construct: Construct, asked: bool) -> Copies:
    """Return the code that keeps the state of a serialised parallel; ``asked``: code in its text needs it."""
    assert construct.body is not None
    if not asked and not asks_for_team(context.unit, construct.body):
        return NO_COPIES
    context.body.needs.state = True
    return Copies((LEVEL,))


def own_parallel(context: Context, construct: Construct) -> Leaf:
    """The parallel that the team of the context executes: only its variables and reductions are left to do."""
    clauses = construct.clauses_of("parallel")
    copies = copies_of(context, construct, clauses, context.team.combine)
    return Leaf(context, _met(context, copies + implicit_copies(context, construct, "parallel")))


def _ordered(context: Context, construct: Construct, joined: bool) -> Leaf:
    """All iterations of a loop with ordered regions are executed by one thread in their order."""
    return Leaf(context)


def _transparent(context: Context, construct: Construct, joined: bool) -> Leaf:
    return Leaf(context)


BLOCK_LEAVES: dict[str, Callable[[Context, Construct, bool], Leaf]] = {
    "single": _single,
    "masked": _masked,
    "master": _masked,
    "scope": _scope,
    "critical": _critical,
    "task": _task,
    "ordered": _ordered,
    "taskgroup": _transparent,
    "unroll": _transparent,
    "assume": _transparent,
    "section": _transparent,
}
"""The leaves with a statement of their own, loops, ``parallel``, ``sections`` and ``atomic`` aside."""


def _met(context: Context, copies: Copies) -> Copies:
    """Put a barrier behind the opening code where it reads what closing code of other threads write."""
    return Copies((*copies.opening, *context.barrier()), copies.closing) if copies.meets else copies
