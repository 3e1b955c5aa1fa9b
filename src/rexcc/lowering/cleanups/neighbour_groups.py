"""The loops of few iterations that visit neighbouring elements, and the accesses that name the same element.

In: loops inside of an iteration. Out: :class:`ShortLoop` for one that is small enough to be unrolled, and a
:class:`Group` of its accesses for each element that they name. What is done with them, and when:
:mod:`.neighbours`.
"""

from __future__ import annotations

from rexcc.analysis.references import is_stored, is_written
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, initialiser
from rexcc.lowering.cleanups.neighbour_addresses import may_leave, values_of_base
from rexcc.lowering.cleanups.pure_values import Meaning, library_function, meaning_of
from rexcc.lowering.cleanups.syntax import can_precede, is_evaluated, is_plain_scalar
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

MOST_ITERATIONS, MOST_NODES, NODES_OF_CALL = 32, 2000, 50
"""Of a loop that is unrolled for this, for locals that a variable is the index of are no registers: iterations, nodes
of the tree in all of them together, and how many of these a function of the library counts as."""

SIZES = frozenset({8, 16, 32})
"""The bytes of the elements of a loop: pieces of 8 or 16 that registers can hold."""

_WIDE = frozenset({"LONG", "LONGLONG", "ULONG", "ULONGLONG"})


@dataclass(frozen=True, eq=False)
class ShortLoop:
    """A loop with its index, and how often its body runs."""

    statement: Node
    index: Variable
    count: int

    @property
    def body(self) -> Node:
        """What each iteration executes."""
        return self.statement.children[-1]


@dataclass(frozen=True, eq=False)
class Group:
    """Accesses that name the same element in each iteration; ``position`` is ``e``, None where there is none."""

    base: Node
    position: Node | None
    accesses: list[Node]

    @property
    def address(self) -> tuple[Node, ...]:
        """The values that make the address of the first element."""
        return (*values_of_base(self.base), *((self.position,) if self.position is not None else ()))

    @property
    def writes(self) -> list[Node]:
        """The accesses that write the element."""
        return [access for access in self.accesses if is_written(access)]

    @property
    def is_loaded(self) -> bool:
        """Whether an access reads the element."""
        return any(not is_stored(access) for access in self.accesses)


def short_loop(context: CleanupContext, statement: Node) -> ShortLoop | None:
    """Return an innermost loop of few iterations that all run, None for any other."""
    if statement.kind != "FOR_STMT" or len(statement.children) != 4 or statement is context.shared_loop:
        return None
    if statement in context.folded:
        return None
    first, test, step, body = statement.children
    declared = [n for n in first.walk() if n.kind == "VAR_DECL"]
    value = initialiser(declared[0]) if len(declared) == 1 else None
    if value is None or not can_precede(context, statement):
        return None
    index = Variable(declared[0].cursor)
    lower, upper = evaluate_integer(value.cursor), _upper(test, index)
    if lower != 0 or upper is None or not 2 <= upper <= MOST_ITERATIONS or not _is_one_step(context, step, index):
        return None
    nodes = list(body.walk())
    size = len(nodes) + NODES_OF_CALL * sum(n.kind == "CALL_EXPR" for n in nodes)
    is_small = upper * size <= MOST_NODES
    return (
        ShortLoop(statement, index, upper) if is_small and not any(_is_in_the_way(context, n) for n in nodes) else None
    )


def _upper(test: Node, index: Variable) -> int | None:
    """Return the first value of an index for which a test does not hold, where that is a constant."""
    bare = test.bare()
    if bare.operator not in ("<", "<=", "!=") or named_variable(bare.children[0].bare()) != index:
        return None
    bound = evaluate_integer(bare.children[1].cursor)
    return None if bound is None else bound + (bare.operator == "<=")


def _is_one_step(context: CleanupContext, step: Node, index: Variable) -> bool:
    """Whether a loop's step adds one to its index, and nothing else changes that."""
    bare = step.bare()
    if bare.operator not in ("++", "p++") or named_variable(bare.children[0].bare()) != index:
        return False
    changes = context.memory.provenance.changes(index)
    return not changes.exposed and len(changes.writes) == 1


def _is_in_the_way(context: CleanupContext, node: Node) -> bool:
    """Whether a loop with this node in its body stays: it is left, or is more than it looks."""
    if node.kind == "CALL_EXPR" and not library_function(node):
        return True
    return may_leave(node) or context.is_loop(node) or context.is_directive(node)


def groups_of(context: CleanupContext, loop: ShortLoop) -> list[Group]:
    """Return the accesses of a loop by the elements that they name."""
    found: dict[tuple[Meaning | None, Meaning | None], Group] = {}
    for node in loop.body.walk():
        if node.kind != "ARRAY_SUBSCRIPT_EXPR" or not is_plain_scalar(node.type) or not is_evaluated(node):
            continue
        base, subscript = node.children[0], node.children[1]
        is_found, position = _position(context, subscript, loop.index)
        size = types.canonical(node.type).get_size() * loop.count
        if not is_found or size not in SIZES or not types.is_pointer(types.canonical(base.type)):
            continue
        body = context.body
        names = (meaning_of(body, base), meaning_of(body, position) if position is not None else ())
        if None not in names and OWN not in (context.memory.provenance.place(node) or ()):
            found.setdefault(names, Group(base, position, [])).accesses.append(node)
    return list(found.values())


def _position(context: CleanupContext, subscript: Node, index: Variable) -> tuple[bool, Node | None]:
    """Return whether a subscript is the index, or a sum of it and something else, and that."""
    bare = subscript.bare()
    if named_variable(bare) == index:
        return True, None
    if bare.kind != "BINARY_OPERATOR" or bare.operator != "+":
        return False, None
    kind = types.kind_name(types.canonical(bare.type))
    if kind not in _WIDE and (kind != "INT" or context.wraps):
        return False, None
    left, right = bare.children
    for one, other in ((right, left), (left, right)):
        if named_variable(one.bare()) == index:
            return True, other
    return False, None
