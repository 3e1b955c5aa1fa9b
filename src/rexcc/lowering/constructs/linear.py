"""``linear`` variables: a value that each iteration knows from its number (OpenMP 5.2, 5.4.6).

In: the ``linear`` clauses of a loop. Out: :class:`Linear`, the code that keep the first value, give an iteration its
own, and store the last one. Where one thread executes the loop and its body does the steps itself, nothing is needed.
"""

from __future__ import annotations

from rexcc.analysis.loops import Step, literal_value
from rexcc.analysis.references import collect
from rexcc.clang import types
from rexcc.kernel.ir import Assign, Code, Declare, Do, If
from rexcc.lowering.constructs.context import Context, listed
from rexcc.lowering.constructs.copied_variables import Listed, bound_original, declaration, type_text
from rexcc.lowering.constructs.copies import listed_variable
from rexcc.lowering.loops.induction import operator_of, stepped
from rexcc.openmp.model import Clause, ListClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class LinearItem:
    """A variable, its declaration and type as text, the text of its step, whether the loop's body assigns it, and the
    operator of ``induction``."""

    listed: Listed
    declared: str
    cast: str
    step: Step
    is_stepped: bool
    operator: str = ""

    @property
    def first(self) -> str:
        """The name of its value before the loop."""
        return related("initial", self.listed.name)

    @property
    def kept(self) -> Declare:
        """What keeps that value."""
        return Declare(f"const auto {self.first}", self.first, self.listed.text)

    def value(self, number: str) -> str:
        """Return its value in an iteration."""
        if self.operator:
            return stepped(self.first, self.operator, self.step.text, number, self.cast)
        steps = number if self.step.is_one else f"{number} * {self.step.text}"
        if types.is_pointer(self.listed.kind):
            return f"{self.first} + {steps}"
        return f"({self.cast})({self.first} + {steps})"


@dataclass(frozen=True)
class Linear:
    """The linear variables of one loop."""

    items: tuple[LinearItem, ...]

    # One thread executes the loop.

    def _unstepped(self) -> list[LinearItem]:
        return [i for i in self.items if not i.is_stepped]

    def before(self) -> Code:
        """Return what stands before a loop that one thread executes."""
        found = tuple(i.kept for i in self._unstepped())
        return (*found, Declare("long long __rex_iteration_number", "__rex_iteration_number", "0")) if found else ()

    def each(self) -> Code:
        """Return the code with which each of its iterations begins."""
        return (*self.after(), Do("__rex_iteration_number++;")) if self._unstepped() else ()

    def after(self) -> Code:
        """Return the code behind it."""
        return tuple(Assign(i.listed.text, i.value("__rex_iteration_number")) for i in self._unstepped())

    # Threads share the loop; ``__rex_iteration`` is the number of an iteration, ``__rex_trips`` how many there are.

    def kept(self) -> Code:
        """Return the code that keeps the originals and their values."""
        return tuple(one for i in self.items for one in (bound_original(i.listed), i.kept))

    def numbered(self) -> Code:
        """Return the declarations with which an iteration begins."""
        return tuple(Declare(i.declared, i.listed.name, i.value("__rex_iteration")) for i in self.items)

    def stored(self, last: str) -> Code:
        """Return the code with which the thread of the last iteration stores the values."""
        values = (Assign(i.listed.original, i.value("__rex_trips")) for i in self.items)
        return tuple(If(last, (value,)) for value in values)


def linear_items(
    context: Context, construct: Construct, clauses: tuple[Clause, ...], indices: frozenset[Variable]
) -> Linear:
    """Return the linear variables of a loop but for its indices."""
    found: list[LinearItem] = []
    written = collect([construct.body]).variables if construct.body is not None else {}
    for item in listed(construct, clauses, "linear", "induction"):
        made = listed_variable(context, item)
        if made.variable in indices or made.variable in construct.environment.indices:
            continue
        use = written.get(made.variable)
        is_stepped = use is not None and (use.written or use.exposed)
        assert isinstance(item.clause, ListClause)
        step = _step(context, construct, item.clause)
        operator = operator_of(item.clause)
        declared, kind = declaration(context, made), type_text(context, made)
        found.append(LinearItem(made, declared, kind, step, is_stepped, operator))
    return Linear(tuple(found))


def _step(context: Context, construct: Construct, clause: ListClause) -> Step:
    step = clause.step or next((m.argument for m in clause.modifiers if m.name == "step"), None)
    if step is None:
        return Step("1", 1)
    node, value = construct.node_of(step), literal_value(step.text.strip())
    is_grouped = value is None and (node is None or not node.is_postfix)
    return Step(context.expression(construct, step), value, is_grouped)
