"""How an index expression depends on a loop's index.

In: an expression, the variable, and what the locals that the code never changes are declared with. Out: its
:class:`Slope`, None where the expression is no sum of a multiple of the variable and what does not depend on it.
``(i + 1) * n + 2 * j`` has the slope 2 in ``j``, and one that is no literal in ``i``.

A sum of products in which each index stands once in each product takes its least and greatest values over a box of
indices at the box's corners: that is what ranges of addresses are made of, if the whole address is such a sum, with the
pointers by which the object is found (:func:`offsets`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import VALUE_CASTS, Node
from rexcc.lowering.cleanups.memory import initialiser, is_address, parts
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

_SIGNED = frozenset({"INT", "LONG", "LONGLONG"})
_WIDE = frozenset({"ULONG", "ULONGLONG"})


@dataclass(frozen=True)
class Slope:
    """The multiple of the variable: its ``value`` where that is a literal, else None.

    ``may_wrap``: the arithmetic is that of an unsigned type narrower than an address, where a sum may wrap around, or a
    conversion to a narrower type cuts it.
    """

    value: int | None
    may_wrap: bool = False

    @property
    def is_zero(self) -> bool:
        """Whether the expression does not depend on the variable."""
        return self.value == 0

    @property
    def is_one(self) -> bool:
        """Whether neighbouring values of the variable give neighbouring values of the expression."""
        return self.value in (1, -1)


_NONE = Slope(0)


class Slopes:
    """The slopes of expressions in one variable; ``known`` are locals that the code never changes, by declaration."""

    def __init__(self, variable: Variable, known: Mapping[Variable, Node]) -> None:
        self.variable = variable
        self.known = known

    def of(self, node: Node) -> Slope | None:
        """Return the slope of an integer expression."""
        bare = node.bare()
        if not self.depends(bare):
            return _NONE
        named = named_variable(bare)
        if named == self.variable:
            return Slope(1)
        if named is not None:
            value = initialiser(self.known[named])
            return self._cut(value, bare) if value is not None else None
        if bare.kind in VALUE_CASTS:
            return self._cut(bare.children[-1], bare)
        if bare.kind == "UNARY_OPERATOR" and bare.operator in ("+", "-"):
            return self._converted(_scaled(self.of(bare.children[0]), -1 if bare.operator == "-" else 1), bare)
        if bare.kind == "BINARY_OPERATOR" and len(bare.children) == 2:
            return self._converted(self._operation(bare), bare)
        return None

    def depends(self, node: Node) -> bool:
        """Whether an expression names the variable, or a local whose value was computed from it."""
        return any(self._is_dependent(named_variable(n)) for n in node.walk() if n.kind == "DECL_REF_EXPR")

    def _is_dependent(self, named: Variable | None) -> bool:
        if named is None or named == self.variable:
            return named is not None
        declaration = self.known.get(named)
        value = initialiser(declaration) if declaration is not None else None
        return value is not None and self.depends(value)

    def _operation(self, node: Node) -> Slope | None:
        left, right = node.children
        if node.operator == "*":
            return self._product(left, right)
        if node.operator not in ("+", "-"):
            return None
        first, second = self.of(left), _scaled(self.of(right), -1 if node.operator == "-" else 1)
        if first is None or second is None:
            return None
        wraps = first.may_wrap or second.may_wrap
        if first.value is None or second.value is None:
            return Slope(None, wraps)
        return Slope(first.value + second.value, wraps)

    def _product(self, left: Node, right: Node) -> Slope | None:
        if self.depends(left) and self.depends(right):
            return None
        inner, factor = (left, right) if self.depends(left) else (right, left)
        return _scaled(self.of(inner), evaluate_integer(factor.cursor))

    def _cut(self, value: Node, node: Node) -> Slope | None:
        """Return the slope of a value that is converted to the type of ``node``, which may be narrower."""
        slope = self._converted(self.of(value), node)
        is_narrower = types.canonical(node.type).get_size() < types.canonical(value.bare().type).get_size()
        return Slope(slope.value, may_wrap=True) if slope is not None and is_narrower else slope

    def _converted(self, slope: Slope | None, node: Node) -> Slope | None:
        """Return the slope of a value in the type of ``node``, None where the type could cut it."""
        kind = types.kind_name(types.canonical(node.type))
        if slope is None or kind in _SIGNED or kind in _WIDE:
            return slope
        return Slope(slope.value, may_wrap=True) if kind == "UINT" else None


def _scaled(slope: Slope | None, factor: int | None) -> Slope | None:
    """Return a slope multiplied by a factor, None for one that is no literal."""
    if slope is None or slope.is_zero:
        return slope
    value = slope.value * factor if slope.value is not None and factor is not None else None
    return Slope(value, slope.may_wrap)


def offsets(node: Node, known: Mapping[Variable, Node]) -> Iterator[Node]:
    """Yield the expressions that an object's address is the sum of: its numbers, and the pointer that it starts from.

    ``known`` are locals that the code never changes, by declaration: a pointer or a reference among them is followed to
    what it is declared with.
    """
    bare = node.bare()
    inner = parts(bare)
    is_subscript = bare.kind == "ARRAY_SUBSCRIPT_EXPR" and len(inner) == 2
    if is_subscript:
        yield inner[1]
    if is_subscript or (bare.kind == "MEMBER_REF_EXPR" and inner):
        is_pointer = types.is_pointer(inner[0].bare().type)
        yield from _distances(inner[0], known) if is_pointer else offsets(inner[0], known)
    elif bare.is_dereference:
        yield from _distances(inner[0], known)
    elif (value := _declared_with(bare, known, is_reference=True)) is not None:
        yield from offsets(value, known)
    else:
        yield bare


def _distances(pointer: Node, known: Mapping[Variable, Node]) -> Iterator[Node]:
    """Yield the expressions that a pointer's value is the sum of."""
    bare = pointer.bare()
    inner = parts(bare)
    if types.is_array(bare.type):
        yield from offsets(bare, known)
    elif bare.kind == "BINARY_OPERATOR" and bare.operator in ("+", "-"):
        for operand in inner:
            yield from _distances(operand, known) if is_address(operand) else (operand,)
    elif bare.kind == "UNARY_OPERATOR" and bare.operator == "&":
        yield from offsets(inner[0], known)
    elif bare.kind in VALUE_CASTS and is_address(inner[-1]):
        yield from _distances(inner[-1], known)
    elif (value := _declared_with(bare, known, is_reference=False)) is not None:
        yield from _distances(value, known)
    else:
        yield bare


def _declared_with(name: Node, known: Mapping[Variable, Node], is_reference: bool) -> Node | None:
    """Return what a pointer or a reference is declared with, None for other names."""
    variable = named_variable(name)
    declaration = known.get(variable) if variable is not None else None
    if declaration is None or types.is_reference(declaration.type) != is_reference:
        return None
    return initialiser(declaration)
