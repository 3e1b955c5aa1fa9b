"""Whether it pays that a thread executes the inner loops of neighbouring iterations together (``jam_rules``).

In: an inner loop. Out: why it does not pay, None where it does: where the loop waits for a load that the iterations
have in common. Neighbouring threads load neighbouring elements there, and the other loads are the same for them.
Conditions and functions of many instructions would need more registers than the shared loads are worth.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.loops.accesses import Access
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.tile_rules import leads_to_element
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

_MOST_LOADED = 4
"""Elements that an inner loop loads at most: each of them needs registers."""

_CHOICES = frozenset({"CONDITIONAL_OPERATOR", "IF_STMT"})
_CALLS = frozenset(f"{n}{s}" for n in ("fma", "fabs", "fmin", "fmax") for s in ("", "f")) | {"abs", "min", "max"}
"""Functions of an instruction or two."""


@dataclass(frozen=True, eq=False)
class SharedLoads:
    """Finds the loads that neighbours have in common, in the ``outer``most and in the ``inner``most loop. ``fixed`` are
    the variables with the value of their declaration, ``counted`` the indices, ``places`` elements that are locals."""

    context: CleanupContext
    outer: Variable
    inner: Variable
    fixed: Mapping[Variable, Node]
    counted: Collection[Variable]
    places: Collection[Node]

    def reason(self, loop: CanonicalLoop) -> Reason | None:
        """Return why a loop does not wait for what the iterations have in common, None where it does."""
        outer, inner = (Slopes(index, self.fixed) for index in (self.outer, self.inner))
        shared: set[str] = set()
        others: set[str] = set()
        for node in loop.body.walk():
            if node.kind == "MEMBER_REF_EXPR" and (outer.depends(node) or inner.depends(node)):
                return Reason("this is a member of an element", node)
            if not leads_to_element(node) or is_written(node) or node in self.places:
                continue
            if (changing := next(self._changing(node), None)) is not None:
                return Reason("it is not known which elements this leads to", changing)
            if inner.depends(node) and (outer.depends(node) or not _is_near(inner, node)):
                return Reason("neighbouring iterations do not have this element in common", node)
            (shared if inner.depends(node) else others).add(self.context.body.original(node))
        if not shared or not self.context.kernel.region.loops[-1].step.is_one:
            return Reason("neighbouring iterations have no elements in common", loop.statement)
        is_heavy = len(shared | others) > _MOST_LOADED
        return Reason(f"the inner loop loads more than {_MOST_LOADED} elements", loop.statement) if is_heavy else None

    def _changing(self, node: Node) -> Iterator[Node]:
        """Yield what an address is made of that changes in the iteration, besides the inner loop's index."""
        declared = self.context.memory.provenance.declared
        for name in node.walk():
            variable = named_variable(name)
            if variable is None or variable in self.counted or variable not in declared:
                continue
            if variable not in self.fixed:
                yield name
            elif (value := initialiser(self.fixed[variable])) is not None:
                yield from self._changing(value)


def slow_step(statement: Node) -> Reason | None:
    """Return what would make a step of an inner loop slow for several iterations: a condition, or a call."""
    for node in statement.walk():
        if node.kind in _CHOICES or node.operator in ("&&", "||"):
            return Reason("there is a condition in the inner loop", node)
        if node.kind == "CALL_EXPR" and node.spelling.removeprefix("__builtin_") not in _CALLS:
            return Reason("this call in the inner loop is not one of an instruction or two", node)
    return None


def _is_near(slopes: Slopes, node: Node) -> bool:
    """Whether neighbouring values of an index lead to neighbouring elements."""
    found = [slopes.of(subscript) for subscript in Access(node, None, is_input=False).subscripts]
    return bool(found) and all(s is not None and (s.is_zero if at else s.is_one) for at, s in enumerate(found))
