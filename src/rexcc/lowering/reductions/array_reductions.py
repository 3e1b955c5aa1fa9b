"""Reductions of arrays and array sections (OpenMP 5.2, 5.5.5): private elements, joined one by one.

In: a list item with its type, and an operation on its elements. Out: the code that opens a private copy, and the
operand by which it is joined. Of a section only its elements have a
private copy; the item's name is bound such that ``a[i]`` finds them::

    double __rex_own_a[4];                                                   // reduction(+ : a[2:4])
    for (int __rex_e = 0; __rex_e < 4; __rex_e++) __rex_own_a[__rex_e] = rex_identity_add<double>();
    double *a = rex_elements_from(__rex_own_a, 2);
    …
    for (int __rex_e = 0; __rex_e < 4; __rex_e++) rex_reduce_add(__rex_a + 2 + __rex_e, __rex_own_a[__rex_e]);
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from clang.cindex import Type

from rexcc.analysis.loops import literal_value
from rexcc.clang import spelling, types
from rexcc.kernel.code import elements
from rexcc.kernel.ir import (
    Assign,
    ByFirst,
    Code,
    Declare,
    Stmt,
    Storage,
)
from rexcc.kernel.reductions import Operand
from rexcc.lowering.model.sections import has_stride
from rexcc.lowering.reductions.reduction_operators import Operation
from rexcc.lowering.text.variables import reference
from rexcc.lowering.text.variables import variable as declare
from rexcc.openmp.model import Expression, ListItem, Section
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.own_names import related
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class Amount:
    """A number of elements as an expression; ``value`` is the number where that is a literal.

    ``is_operand``: it may stand beside operators without parentheses.
    """

    text: str
    value: int | None = None
    is_operand: bool = False

    @property
    def operand(self) -> str:
        """The number as an operand."""
        return self.text if self.is_operand else f"({self.text})"

    @staticmethod
    def of(value: int) -> Amount:
        """Return a constant."""
        return Amount(str(value), value, value >= 0)

    @staticmethod
    def written(construct: Construct, expression: Expression) -> Amount:
        """Return what the user wrote in a clause."""
        text, node = expression.text.strip(), construct.node_of(expression)
        value = literal_value(text)
        return Amount(text, value, value is not None or (node is not None and node.is_postfix))

    def plus(self, other: Amount) -> Amount:
        """Return the sum of two amounts."""
        if self.value == 0 or other.value == 0:
            return self if other.value == 0 else other
        return Amount(f"{self.text} + {other.text}")

    def times(self, other: Amount) -> Amount:
        """Return the product of two amounts."""
        if 0 in (self.value, other.value):
            return NONE
        if self.value == 1 or other.value == 1:
            return other if self.value == 1 else self
        return Amount(f"{self.operand} * {other.operand}")


NONE, ONE = Amount.of(0), Amount.of(1)
Quote = Callable[[Expression], str]
"""Gives the device text of a clause's expression."""
Bound = Callable[[Expression], Amount]
"""Gives the value of an expression in a list item's brackets."""


@dataclass(frozen=True)
class SectionRange:
    """The elements of a section: how far the first is from that of the whole, and how many there are.

    ``constant`` is their number where it is known when compiling.
    """

    offset: Amount
    count: Amount
    constant: int | None


def array_code(name: str, kind: Type, operation: Operation, target: str, source: str) -> tuple[Code, Operand]:
    """Return the private copy of a whole array of constant size.

    ``target`` points to the original array, ``source`` to what initializers read as such.
    """
    element = spelling.spell_bare(types.shape_of(kind).element)
    count = f"sizeof {name} / sizeof({element})"
    operand = Operand(f"({element} *){target}", f"({element} *){name}", operation.operator, count, is_cast=True)
    initial = operation.initial(f"(({element} *){source or target})[__rex_e]")
    if initial is None:
        return (declare(kind, name, "{}"),), operand
    own = Assign(f"(({element} *){name})[__rex_e]", initial)
    return (declare(kind, name), *elements(count, (own,))), operand


def runtime_elements(name: str, element: str, operation: Operation, target: str) -> Operand:
    """Return what joins the array ``__rex_array_<name>`` with the elements at ``target``."""
    own = related("array", name)
    return Operand(target, f"{own}.data", operation.operator, f"{own}.bytes / sizeof({element})", "size_t")


def filled(operand: Operand, element: str, operation: Operation, is_shared: bool, source: str = "") -> Code:
    """Return what gives private elements their first values, executed by one thread where a team has them; ``source``
    points to what initializers read as their originals, the originals themselves where it is empty."""
    initial = operation.initial(f"{source}[__rex_e]" if source else f"*({operand.target} + __rex_e)")
    value = initial if initial is not None else f"rex_detail::same<{element}>{{}}"
    loop = elements(operand.count, (Assign(f"{operand.value}[__rex_e]", value),), operand.index)
    return (ByFirst(loop, bare=True),) if is_shared else loop


def section_code(
    name: str,
    kind: Type,
    found: SectionRange,
    operation: Operation,
    base: str,
    storage: str,
    is_shared: bool = False,
    is_filled: bool = False,
    source: str = "",
) -> tuple[Code, Operand]:
    """Return the private copy of a section; ``base`` points to the element from which its offset counts, ``source`` to
    the elements that initializers read, where these are no longer the originals.

    ``storage`` is an expression for the private elements where their number is not constant. ``is_shared``: the team
    has one copy, which its first thread initialises; ``is_filled``: the storage has the first values already.
    """
    element, own = spelling.spell_bare(types.shape_of(kind).element), related("own", name)
    index = "int" if found.constant is not None and found.constant < 1 << 31 else "long long"
    first = base if found.offset == NONE else f"{base} + {found.offset.operand}"
    operand = Operand(first, own, operation.operator, found.count.text, index)
    memory = Storage.TEAM if is_shared else Storage.THREAD
    declared = Declare(f"{element} {own}[{found.count.text}]", own, storage=memory)
    if storage:
        declared = Declare(f"{element} *{own}", own, storage)
    made = () if is_filled else filled(operand, element, operation, is_shared, source)
    return (declared, *made, _binding(name, kind, element, own, found.offset)), operand


def _binding(name: str, kind: Type, element: str, own: str, offset: Amount) -> Stmt:
    """Return the declaration of the item's name; the elements outside of the section do not exist."""
    start = own if offset == NONE else f"rex_elements_from({own}, {offset.text})"
    if is_row(kind):
        return Declare(f"{element} *{name}", name, start)
    if types.is_pointer(kind) or not types.is_array(kind):
        pointee = types.pointee_of(kind)
        cast = f"({spelling.spell(types.without_reference(kind))})" if types.is_array(pointee) else ""
        return declare(types.without_reference(kind), name, f"{cast}{start}")
    rows = types.element_of(kind)
    if types.is_variable_length(kind) and rows is not None:
        cast = spelling.declare_pointer_to(rows, "")
        return Declare(spelling.declare_pointer_to(rows, name), name, f"({cast}){start}")
    return reference(kind, name, f"*({spelling.declare_pointer_to(kind, '')}){start}")


def is_row(kind: Type) -> bool:
    """Whether a type is a variable-length array of one dimension, which kernels know as a pointer."""
    element = types.element_of(kind)
    return types.is_variable_length(kind) and element is not None and not types.is_array(element)


def first_element(kind: Type, pointer: str, *, decays: bool = False) -> str:
    """Return a pointer to the element from which a section's offset counts.

    ``pointer`` points to an array, or is the user's pointer itself, which it is too where a parameter of a function is
    written as an array and ``decays``.
    """
    if is_row(kind):
        return pointer
    below = types.pointee_of(kind) if types.is_pointer(kind) else types.element_of(types.without_reference(kind))
    if below is not None and types.is_array(below):
        return f"({spelling.spell_bare(types.shape_of(kind).element)} *){pointer}"
    return pointer if types.is_pointer(kind) or decays else f"*{pointer}"


def section_range(construct: Construct, item: ListItem, kind: Type, bound: Bound) -> SectionRange:
    """Return the elements of an item with brackets; raises CompileError where they are not contiguous or unknown."""
    shape = _extents(item, kind)
    offset, count = NONE, ONE
    constant: int | None = 1
    whole_from_here = False
    for position, section in enumerate(item.sections):
        lower, length = _bounds(construct, item, section, shape[position], bound)
        if whole_from_here and not _is_whole(construct, section, shape[position]):
            raise _not_contiguous(item)
        whole_from_here |= length != ONE
        offset = offset.plus(lower.times(Amount.of(prod(shape[position + 1 :]))))
        count = count.times(length)
        value = 1 if length == ONE else _value(construct, section, shape[position])
        constant = constant * value if constant is not None and value is not None else None
    rest = prod(shape[len(item.sections) :])
    constant = constant * rest if constant is not None else None
    total = count.times(Amount.of(rest)) if constant is None else Amount.of(constant)
    return SectionRange(offset, total, constant)


_OF_ANY_EXTENT = frozenset({"INCOMPLETEARRAY", "VARIABLEARRAY"})
"""Arrays whose first extent says nothing of where an element lies."""


def _extents(item: ListItem, kind: Type) -> list[int]:
    """Return the extents of all dimensions, that of a pointer's own step being 0."""
    found: list[int] = []
    current = types.without_reference(kind).get_canonical()
    if is_row(kind):
        return [0]
    if types.kind_name(current) == "POINTER":
        found.append(0)
        current = current.get_pointee().get_canonical()
    while types.element_of(current) is not None:
        if types.kind_name(current) != "CONSTANTARRAY" and (found or types.kind_name(current) not in _OF_ANY_EXTENT):
            raise error(
                "unsupported-reduction",
                f"a reduction of '{item.whole.text.strip()}', an array of run-time size, cannot be lowered yet; "
                "reduce a section of a pointer to its first element",
                item.whole.span,
            )
        found.append(max(0, current.element_count if types.kind_name(current) == "CONSTANTARRAY" else 0))
        current = current.get_array_element_type().get_canonical()
    if len(item.sections) > len(found):
        message = f"'{item.whole.text.strip()}' has more brackets than '{item.base.text.strip()}' has dimensions"
        raise error("omp-section-base", message, item.whole.span)
    return found


def _bounds(construct: Construct, item: ListItem, section: Section, extent: int, bound: Bound) -> tuple[Amount, Amount]:
    """Return lower bound and length of one bracket."""
    lower = bound(section.lower) if section.lower is not None else NONE
    if has_stride(construct, section):
        raise _not_contiguous(item)
    if section.is_index:
        return lower, ONE
    if section.length is not None:
        value = construct.value_of(section.length)
        if value == 0:
            message = f"'{item.whole.text.strip()}' has no elements; a reduction needs some"
            raise error("omp-section-length", message, item.whole.span)
        return lower, Amount.of(value) if value is not None else bound(section.length)
    if not extent:
        message = f"'{item.whole.text.strip()}' needs a length, as in '{item.base.text.strip()}[0:n]'"
        raise error("omp-section-length", message, item.whole.span)
    return lower, Amount.of(extent) if lower == NONE else Amount(f"({extent} - {lower.operand})", is_operand=True)


def _is_whole(construct: Construct, section: Section, extent: int) -> bool:
    """Whether a bracket surely takes its whole dimension."""
    if section.is_index:
        return extent == 1
    begins = section.lower is None or construct.value_of(section.lower) == 0
    return begins and (section.length is None or construct.value_of(section.length) == extent)


def _value(construct: Construct, section: Section, extent: int) -> int | None:
    if section.length is not None:
        return construct.value_of(section.length)
    lower = 0 if section.lower is None else construct.value_of(section.lower)
    return extent - lower if lower is not None else None


def _not_contiguous(item: ListItem) -> CompileError:
    message = f"'{item.whole.text.strip()}' is not contiguous storage, which a reduction needs"
    return error("omp-section-stride", message, item.whole.span)
