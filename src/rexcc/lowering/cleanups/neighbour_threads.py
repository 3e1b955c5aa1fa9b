"""Whether neighbouring threads find their elements aligned alike.

In: the address of elements that a thread visits one behind the other (:mod:`.neighbours`). Out: a power of two of which
the distance of two neighbours' addresses is a multiple, as far as the code shows. Threads of a warp execute one
instruction together, so where the test of an address has both answers among them, the warp executes both branches, one
after the other: the wide loads of some threads, then the single loads of the others. In ``p[x + v]`` with ``v`` from 0
to 7 one thread in four has an address that is a multiple of 16 bytes, if ``x`` is the index of the threads' loop.

Only distances that the text shows count: a number of columns that the program reads may well be a multiple, and so may
pointers that lie in memory. An index that is read from memory may be any number. An answer that is wrong costs time
alone, for the address is tested whatever is known of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from clang.cindex import Type

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import loop_nest
from rexcc.analysis.regions import collapse_depth
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import initialiser, is_address
from rexcc.lowering.cleanups.neighbour_addresses import FARTHEST, factor
from rexcc.program.variables import Variable, named_variable

_SHARING = frozenset({"for", "distribute", "simd", "loop", "taskloop"})
_SUMS = frozenset({"+", "-"})
_QUOTIENTS = frozenset({"/", ">>"})


def shared_nests(context: CleanupContext) -> Iterator[tuple[CanonicalLoop, ...]]:
    """Yield the loops of each construct in the region whose iterations threads share."""
    for construct in context.kernel.region.constructs[-1].descendants():
        if construct.body is not None and _SHARING & set(construct.directive.leaves):
            yield tuple(loop_nest(context.kernel.region.unit, construct.body, collapse_depth(construct)))


def distance_of_threads(context: CleanupContext, base: Node, position: Node | None) -> int:
    """Return a power of two that divides how many bytes the elements of neighbouring threads are apart.

    The first element of each is ``base[position]``; at most :data:`FARTHEST`, which also says that nothing is known.
    """
    size = _power_in(types.pointee_of(base.type))
    distances = Distances(context, frozenset(thread_indices(context)))
    inside = distances.of_number(position) * size if position is not None else FARTHEST
    return min(distances.of_address(base), inside)


def _power_in(kind: Type) -> int:
    """Return the power of two in the size of a type."""
    size = max(int(types.canonical(kind).get_size()), 1)
    return min(size & -size, FARTHEST)


def thread_indices(context: CleanupContext) -> Iterator[Variable]:
    """Yield the indices in which neighbouring threads differ."""
    region = context.kernel.region
    if region.has_inner_parallel:
        for nest in shared_nests(context):
            yield from _of_neighbours(context, nest)
    elif context.shared_loop is not None:
        yield canonical_loop(region.unit, context.shared_loop).index
    else:
        yield from _of_neighbours(context, region.loops)


def _of_neighbours(context: CleanupContext, nest: tuple[CanonicalLoop, ...]) -> Iterator[Variable]:
    """Yield the index of a nest's innermost loop, and those of loops around it while a warp has more iterations."""
    warp, iterations = context.kernel.region.unit.target.limits.warp, 1
    for loop in reversed(nest):
        if iterations >= warp:
            return
        yield loop.index
        bound = evaluate_integer(loop.bound.cursor)
        iterations *= abs(bound) if bound else warp


class Distances:
    """How far values of neighbouring threads are apart: powers of two, :data:`FARTHEST` where they are the same.

    What is known of a local is kept; of one whose declaration leads to itself, that is what stands there first.
    ``is_sure``: a number that the program reads is no multiple of anything.
    """

    def __init__(self, context: CleanupContext, indices: frozenset[Variable], is_sure: bool = False) -> None:
        self.context = context
        self.indices = indices
        self.is_sure = is_sure
        self.addresses: dict[Variable, int] = {}
        self.numbers: dict[Variable, int] = {}
        self.different: dict[Variable, bool] = {}

    def of_element(self, base: Node, position: Node) -> int:
        """Return what divides the distance in bytes of ``base[position]``."""
        size = _power_in(types.pointee_of(base.type))
        return min(self.of_address(base), self.of_number(position) * size)

    def of_address(self, node: Node) -> int:
        """Return what divides the distance in bytes of what an array, an object or a pointer's value is."""
        bare = node.bare()
        if bare.kind == "ARRAY_SUBSCRIPT_EXPR":
            inside = self.of_number(bare.children[1]) * _power_in(bare.type)
            is_object = types.is_array(bare.type) or types.is_record(bare.type)
            return min(self.of_address(bare.children[0]), inside) if is_object else FARTHEST
        if bare.kind == "MEMBER_REF_EXPR" and bare.children and not types.is_pointer(bare.type):
            return self.of_address(bare.children[0])
        if bare.kind == "UNARY_OPERATOR" and bare.operator in ("&", "*"):
            return self._behind(bare)
        if bare.kind in VALUE_CASTS:
            return self.of_address(bare.children[-1])
        if bare.kind == "BINARY_OPERATOR" and bare.operator in _SUMS and types.is_pointer(bare.type):
            size = _power_in(types.pointee_of(bare.type))
            return min(self.of_address(c) if is_address(c) else self.of_number(c) * size for c in bare.children)
        return self._of_local(bare, self.addresses, FARTHEST, self.of_address)

    def _behind(self, node: Node) -> int:
        """Return the distance of what ``&`` takes the address of, or ``*`` leads to."""
        inner = node.children[0].bare()
        if node.operator == "*" or inner.kind != "ARRAY_SUBSCRIPT_EXPR":
            return self.of_address(inner)
        size = _power_in(inner.type)
        return min(self.of_address(inner.children[0]), self.of_number(inner.children[1]) * size)

    def of_number(self, node: Node) -> int:
        """Return what divides the distance of an integer's values."""
        bare = node.bare()
        if not self.differs(bare):
            return FARTHEST
        if bare.kind in VALUE_CASTS:
            return self.of_number(bare.children[-1])
        if bare.kind == "BINARY_OPERATOR" and len(bare.children) == 2:
            return self._of_operation(bare, *bare.children)
        return self._of_local(bare, self.numbers, 1, self.of_number)

    def _of_operation(self, node: Node, left: Node, right: Node) -> int:
        if node.operator in _SUMS:
            return min(self.of_number(left), self.of_number(right))
        number = evaluate_integer(right.cursor)
        if node.operator == "<<" and number is not None:
            return min(self.of_number(left) << max(min(number, FARTHEST), 0), FARTHEST)
        if node.operator == "*":
            return self._of_product(left, right)
        by = 1 << max(min(number, FARTHEST), 0) if number is not None and node.operator == ">>" else number
        is_long = by is None or by >= self._warp
        return FARTHEST if node.operator in _QUOTIENTS and is_long and not self.differs(right) else 1

    @property
    def _warp(self) -> int:
        return self.context.kernel.region.unit.target.limits.warp

    def _of_product(self, left: Node, right: Node) -> int:
        if self.differs(left) and self.differs(right):
            return 1
        moving, other = (left, right) if self.differs(left) else (right, left)
        is_known = self.is_sure or evaluate_integer(other.cursor) is not None
        by = factor(self.context, other) if is_known else FARTHEST
        return min(self.of_number(moving) * by, FARTHEST)

    def differs(self, node: Node) -> bool:
        """Whether neighbouring threads may have different values."""
        return any(self._is_different(named_variable(n)) for n in node.walk() if n.kind == "DECL_REF_EXPR")

    def _is_different(self, variable: Variable | None) -> bool:
        if variable is None or variable in self.indices:
            return variable is not None
        if variable not in self.different:
            self.different[variable] = False
            value = self._value_of(variable)
            self.different[variable] = value is not None and self.differs(value)
        return self.different[variable]

    def _of_local(self, name: Node, known: dict[Variable, int], unknown: int, of: Callable[[Node], int]) -> int:
        """Return what is known of a local: ``of`` what it is declared with, ``unknown`` where that may change."""
        variable = named_variable(name)
        if variable is None or variable in self.indices:
            return unknown
        if variable not in known:
            known[variable] = unknown
            value = self._value_of(variable)
            known[variable] = of(value) if value is not None else unknown
        return known[variable]

    def _value_of(self, variable: Variable) -> Node | None:
        """Return what a local is declared with that never changes."""
        declaration = self.context.memory.provenance.declared.get(variable)
        if declaration is None or not self.context.memory.provenance.is_constant(variable):
            return None
        return initialiser(declaration)
