"""``lastprivate(conditional: x)`` (OpenMP 5.2, 5.4.5): the value of the sequentially last iteration that assigns.

In: the clauses of a loop or of sections that several threads share. Out: a mark at each assignment, and lines. Each
thread notes the iteration in which it has assigned its copy last; the copy with the greatest number is kept::

    int x; long long __rex_when_x = -1;
    for (…) {
      …
        __rex_when_x = __rex_iteration; x = a[i];
    }
    if (rex_is_last(__rex_when_x, (int)blockDim.x)) __rex_x = x;

Without an assignment the original keeps its value. One thread that executes everything in order needs none of this:
it works on the original.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.references import collect, is_written
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Assign, Declare, Noted
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_before, place_expression
from rexcc.openmp.model import Clause, ListClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, replace

ITERATION = "__rex_iteration"
"""The number of an iteration in the forms of loops that count them."""

_WITHOUT = frozenset({"distribute", "taskloop", "loop"})


@dataclass(frozen=True)
class ConditionalItem:
    """A variable of which the last value assigned is kept."""

    variable: Variable

    @property
    def when(self) -> str:
        """The name of the number of a thread's last iteration that assigned the variable."""
        return related("when", self.variable.name)

    @property
    def declaration(self) -> Declare:
        """What stands before the loop."""
        return Declare(f"long long {self.when}", self.when, "-1")

    def condition(self, threads: str) -> str:
        """Return the condition under which a thread's value is the last; all of a team's threads evaluate it."""
        return f"rex_is_last({self.when}, {threads})"


def is_conditional(clause: Clause) -> bool:
    """Whether a clause is a ``lastprivate`` with the ``conditional`` modifier."""
    return (
        isinstance(clause, ListClause)
        and clause.name == "lastprivate"
        and any(m.name == "conditional" for m in clause.modifiers)
    )


def conditional_items(
    construct: Construct, clauses: Iterable[Clause], indices: frozenset[Variable] = frozenset()
) -> tuple[ConditionalItem, ...]:
    """Return the variables of conditional clauses but for the loops' indices, which every iteration assigns."""
    given = [clause for clause in clauses if is_conditional(clause)]
    for clause in given:
        check_conditional(construct, clause)
    found = (item for clause in given for item in _variables(construct, clause))
    return tuple(item for item in found if item.variable not in indices)


def check_conditional(construct: Construct, clause: Clause) -> None:
    """Raise CompileError where a construct does not take the modifier, or a variable is no scalar."""
    leaf = next((leaf for leaf in construct.directive.leaves if leaf in _WITHOUT), None)
    if leaf is not None:
        message = f"'{leaf}' takes no lastprivate(conditional:); 'for', 'simd' and 'sections' do"
        raise error("omp-clause-not-allowed", message, clause.span)
    assert isinstance(clause, ListClause)
    for found in construct.items_of(clause):
        item, kind = found.item, types.without_reference(found.named.type) if found.named is not None else None
        if kind is None or types.is_scalar(kind) or types.is_pointer(kind):
            continue
        message = (
            f"'{item.whole.text.strip()}' has type '{spelling.spell(kind)}'; lastprivate(conditional:) takes scalars"
        )
        raise error("omp-list-item-type", message, item.whole.span)


def in_order(construct: Construct, clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    """Return the clauses without those of conditional variables, for one thread that executes everything in order."""
    every = tuple(clauses)
    left = {item.variable for item in conditional_items(construct, every)}
    kept = (_without(construct, clause, left) for clause in every)
    return tuple(clause for clause in kept if clause is not None)


def mark_assignments(
    body: DeviceBody, construct: Construct, code: Node, items: Iterable[ConditionalItem], number: str
) -> None:
    """Note ``number`` wherever code of a construct assigns a variable; raises CompileError where it cannot be noted."""
    variables = collect([code]).variables
    for item in items:
        hidden = list(_hidden(construct, item))
        uses = variables[item.variable].uses if item.variable in variables else []
        written = (u for u in uses if is_written(u) and not any(start <= u.start < end for start, end in hidden))
        for use in {body.start(u): u for u in written}.values():  # a macro may repeat its argument
            _mark(body, construct, item, use, number)


def _variables(construct: Construct, clause: Clause) -> Iterator[ConditionalItem]:
    for variable in (item.whole_variable for item in construct.items_of(clause)):
        if variable is not None:
            yield ConditionalItem(variable)


def _without(construct: Construct, clause: Clause, left: set[Variable]) -> Clause | None:
    if not left or not isinstance(clause, ListClause) or clause.name not in ("firstprivate", "lastprivate"):
        return clause
    items = tuple(found.item for found in construct.items_of(clause) if found.whole_variable not in left)
    return replace(clause, items=items) if items else None


def _hidden(construct: Construct, item: ConditionalItem) -> Iterator[tuple[int, int]]:
    """Yield where the variable's name means the copy of another construct inside."""
    for inner in construct.descendants():
        assigning = inner.environment.assigning(item.variable)
        if assigning is not None and assigning.item is not None:
            clause = assigning.item.clause
            message = (
                f"'{clause.name}' of '{item.variable.name}' inside '{construct.directive.name}' with "
                f"lastprivate(conditional: {item.variable.name}) cannot be lowered yet"
            )
            raise error("unsupported-clause", message, clause.span)
        if inner.environment.named(item.variable):
            yield inner.node.start, inner.node.end


def _mark(body: DeviceBody, construct: Construct, item: ConditionalItem, use: Node, number: str) -> None:
    atomics = (inner.body for inner in construct.descendants() if inner.directive.leaves == ("atomic",))
    in_atomic = any(atomic is not None and atomic.start <= use.start < atomic.end for atomic in atomics)
    if in_atomic or body.original(use).rpartition("::")[2].strip() != item.variable.name:
        where = "in an 'atomic' construct" if in_atomic else "by a macro"
        message = f"'{item.variable.name}', which is in lastprivate(conditional:), is assigned {where}; "
        message += "this cannot be lowered yet"
        raise error("unsupported-clause", message, body.span(use))
    note = Assign(item.when, number)
    assignment = next(above for above in use.ancestors() if above.kind != "PAREN_EXPR")
    if _is_plain_statement(body, assignment, use):
        place_before(body, body.start(assignment), body.end(assignment), (note,))
    else:
        place_expression(body, body.start(use), body.end(use), Noted(note, USER))


def _is_plain_statement(body: DeviceBody, assignment: Node, use: Node) -> bool:
    """Whether an assignment is a statement of a block, and no macro has put it together."""
    if assignment.parent is None or assignment.parent.kind != "COMPOUND_STMT":
        return False
    if assignment.kind == "UNARY_OPERATOR":
        text = body.text[body.start(assignment) : body.end(assignment)]
        return text.replace(" ", "").strip("+-") == body.original(use).replace(" ", "")
    between = body.text[body.end(use) : body.start(assignment.children[1])]
    return assignment.start == use.start and between.strip() == assignment.operator
