"""Iterations that compute so long in ``double`` that a thread is to take them one at a time.

In: the code of an iteration. Out: the part with which it becomes too slow for several iterations at once, None where it
is not. Several iterations of a thread have their loads under way together; what that gains is lost where each of them
waits for long chains of operations of 64 bits, for then fewer threads wait side by side. The operations are counted: a
division, a root and a function of the math library are so many instructions each, and they have a branch for what they
cannot do otherwise, across which the device compiler mixes no iterations.

What all iterations have in common is computed once for them, so a call whose arguments are the same in all does not
count. Functions of one expression count as what they return. Only time depends on the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node, Tree, kind_of
from rexcc.lowering.cleanups.pure_values import library_function
from rexcc.lowering.loops.accessors import returned_value
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

MOST_SIDE_BY_SIDE, MOST_IN_TURN = 20, 100
"""Instructions of slow operations that an iteration may have where several are computed side by side, and where only
their conditions are."""

MOST_NODES = 400
"""Nodes of the tree that are looked at: a longer iteration is judged by its beginning."""

_CALLS = {
    "sqrt": 12, "rsqrt": 12, "exp": 44, "exp2": 44, "log": 50, "log2": 50, "log10": 50, "pow": 150,
}  # fmt: skip
"""How many instructions of 64 bits a function has, about."""

_DIVISION = 12


def slow_part(region: TargetRegion, code: Iterable[Node], most: int = MOST_SIDE_BY_SIDE) -> Reason | None:
    """Return why an iteration is too slow: the part of its code with which it has more than so many instructions."""
    statements, indices = tuple(code), frozenset(loop.index for loop in region.loops)
    found = _Operations(region.unit.tree, indices.union(*map(_declared, statements)), most)
    slow = next((node for statement in statements for node in found.slow_in(statement)), None)
    if slow is None:
        return None
    return Reason("this takes so long in double that iterations side by side would wait for each other", slow)


def _declared(code: Node) -> frozenset[Variable]:
    return frozenset(Variable(node.cursor) for node in code.walk() if node.kind == "VAR_DECL")


@dataclass(eq=False)
class _Operations:
    """Counts the instructions of slow operations; ``changing`` are the variables that each iteration has anew,
    ``most`` the instructions that there may be.

    ``depth`` is how many functions are around what is looked at: their parameters are what each iteration gives them.
    A function that calls itself ends with :data:`MOST_NODES`.
    """

    tree: Tree
    changing: frozenset[Variable]
    most: int
    instructions: int = 0
    nodes: int = 0
    depth: int = 0

    def slow_in(self, code: Node) -> Iterator[Node]:
        """Yield the nodes with which there are too many."""
        for node in code.walk():
            self.nodes += 1
            if self.nodes > MOST_NODES:
                return
            self.instructions += self._cost(node)
            inside = self._accessor(node)
            if self.instructions > self.most or (inside is not None and any(True for _ in self._slow_inside(inside))):
                yield node
                return

    def _slow_inside(self, value: Node) -> Iterator[Node]:
        self.depth += 1
        yield from self.slow_in(value)
        self.depth -= 1

    def _accessor(self, node: Node) -> Node | None:
        """Return what the function of a call returns, where that is all it does."""
        callee = node.referenced if node.kind == "CALL_EXPR" else None
        definition = callee.get_definition() if callee is not None and not library_function(node) else None
        return returned_value(self.tree, definition) if definition is not None else None

    def _cost(self, node: Node) -> int:
        if types.kind_name(types.canonical(node.type)) != "DOUBLE":
            return 0
        if node.operator in ("/", "/="):
            return _DIVISION if self._changes(node) else 0
        if node.kind != "CALL_EXPR" or not self._changes(node):
            return 0
        return _CALLS.get(library_function(node), 0)

    def _changes(self, node: Node) -> bool:
        """Whether an operation has another value in each iteration."""
        return any(self._is_changing(part) for part in node.walk() if part.kind == "DECL_REF_EXPR")

    def _is_changing(self, name: Node) -> bool:
        if name.referenced is not None and kind_of(name.referenced) == "PARM_DECL":
            return named_variable(name) in self.changing or self.depth > 0
        return named_variable(name) in self.changing
