"""Subscripts as sums of products.

In: an integer expression in a loop's index. Out: its products with their factors, so that ``(j - 1) * n + i`` and
``j * n - n + i`` are equal; None where the expression is no such sum, or one that may wrap around before it is an
address.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups.memory import initialiser
from rexcc.lowering.loops.accesses import outline_of
from rexcc.lowering.loops.affine import Slopes
from rexcc.program.variables import Variable, named_variable

Product = tuple[object, ...]
"""The factors of a product, in an order that is the same for equal products."""
Sum = dict[Product, int]
"""Products, with the literal that each is multiplied by; none is 0."""

_SUMS = frozenset({"INT", "LONG", "LONGLONG", "ULONG", "ULONGLONG"})
_MOST_PRODUCTS = 32


class Polynomials:
    """The sums that expressions are for the index plus ``shift``; ``known`` are locals that the code never changes."""

    def __init__(self, index: Variable, known: Mapping[Variable, Node], shift: int) -> None:
        self.index = index
        self.known = known
        self.shift = shift
        self._slopes = Slopes(index, known)

    def of(self, node: Node) -> Sum | None:
        """Return the sum that an expression is."""
        bare = node.bare()
        value = evaluate_integer(bare.cursor) if types.is_scalar(bare.type) else None
        if value is not None:
            return {(): value} if value else {}
        named = named_variable(bare)
        if named == self.index:
            return _added({(named,): 1}, {(): self.shift})
        if named is not None and named in self.known:
            return self._of_local(named, bare)
        if bare.kind in VALUE_CASTS:
            return self._converted(bare.children[-1], bare)
        if bare.kind == "UNARY_OPERATOR" and bare.operator in ("+", "-") and _is_sum(bare):
            return _times(self.of(bare.children[0]), -1 if bare.operator == "-" else 1)
        if bare.kind == "BINARY_OPERATOR" and bare.operator in ("+", "-", "*") and _is_sum(bare):
            return self._operation(bare)
        return None if self._slopes.depends(bare) else {(outline_of(bare),): 1}

    def _of_local(self, local: Variable, name: Node) -> Sum | None:
        value = initialiser(self.known[local])
        return self._converted(value, name) if value is not None else None

    def _operation(self, node: Node) -> Sum | None:
        left, right = map(self.of, node.children)
        if left is None or right is None:
            return None
        if node.operator == "*":
            return _multiplied(left, right)
        return _added(left, _times(right, -1 if node.operator == "-" else 1) or {})

    def _converted(self, value: Node, node: Node) -> Sum | None:
        """Return the sum of a value that becomes one of the type of ``node``, None where that may cut it."""
        size = types.canonical(value.bare().type).get_size()
        return self.of(value) if _is_sum(node) and types.canonical(node.type).get_size() >= size else None


def difference(left: Sum, right: Sum) -> int | None:
    """Return the literal by which two sums differ, None where they do by anything else."""
    found = _added(left, _times(right, -1) or {})
    return found.get((), 0) if found.keys() <= {()} else None


def _is_sum(node: Node) -> bool:
    """Whether sums of a type overflow nowhere, or are as wide as an address."""
    return types.kind_name(types.canonical(types.without_reference(node.type))) in _SUMS


def _added(left: Sum, right: Sum) -> Sum:
    products = {product: left.get(product, 0) + right.get(product, 0) for product in {**left, **right}}
    return {product: factor for product, factor in products.items() if factor}


def _times(found: Sum | None, factor: int) -> Sum | None:
    return None if found is None else {product: value * factor for product, value in found.items()}


def _multiplied(left: Sum, right: Sum) -> Sum | None:
    if len(left) * len(right) > _MOST_PRODUCTS:
        return None
    found: Sum = {}
    for one, first in left.items():
        for other, second in right.items():
            product = tuple(sorted((*one, *other), key=_key))
            found = _added(found, {product: first * second})
    return found


def _key(factor: object) -> str:
    return repr(factor)
