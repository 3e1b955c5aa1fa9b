"""Array sections with gaps, which only ``target update`` may move (OpenMP 5.2, 3.2.5 and 5.9.3).

In: a list item of ``to`` or ``from``. Out: whether it is contiguous for sure; if not, a row with the item's dimensions
instead of a size. They are LLVM's descriptor in a form that all its versions read alike: clang counts lower bounds in
strides and lets libomptarget guess which dimensions have no gaps, and both go wrong up to LLVM 21. Here the row's base
is the first element, so no dimension has an offset, and ``rex_merge_dimensions`` joins those without gaps before
libomptarget sees them; a section that turns out to be contiguous at run time is one copy.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.library import template_of
from rexcc.lowering.model.host_values import NOTHING, ONE, Size, address, size_of, times, written
from rexcc.lowering.model.launch import Dimension, MapRow
from rexcc.lowering.model.map_types import Flags, MapFlag
from rexcc.lowering.model.sections import check_length, item_type, rest_of_array
from rexcc.lowering.model.sections import step as step_down
from rexcc.openmp.model import Expression, Section
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.source.records import dataclass


@dataclass(frozen=True)
class _Dimension:
    """A pair of brackets: how many elements, how far apart they are in bytes, and what is sure of them.

    ``element`` is the type behind it.
    """

    count: Size
    stride: Size
    is_one: bool
    is_whole: bool
    is_dense: bool
    element: Type


def has_gaps(listed: ResolvedItem) -> bool:
    """Whether a section may leave out something between its first and its last element.

    Raises CompileError for sections that go through pointers or lack a length (codes ``omp-section-*``).
    """
    is_part = False
    for dimension in reversed(_dimensions(listed)):
        if not dimension.is_dense or (is_part and not dimension.is_one):
            return True
        is_part = is_part or not dimension.is_whole
    return False


def strided_row(listed: ResolvedItem, flags: Flags) -> MapRow:
    """Return the row of a section with gaps: its base is the first element, its begin the dimensions."""
    item = listed.item
    text = _base(listed)
    lowers = "".join(f"[{written(listed.construct, section.lower).text}]" for section in item.sections)
    dimensions = _dimensions(listed)
    found = [Dimension(d.count, d.stride) for d in dimensions if d.count != ONE]
    element = Dimension(ONE, size_of(f"{text}{'[0]' * len(item.sections)}", dimensions[-1].element))
    begin = address(f"{text}{lowers}", dimensions[-1].element)
    return MapRow(begin, None, NOTHING, (*flags, MapFlag.NON_CONTIGUOUS), item.whole.text.strip(),
                  reason="list item", place=item.whole.span, dimensions=(*found, element))  # fmt: skip


def _dimensions(listed: ResolvedItem) -> list[_Dimension]:
    found: list[_Dimension] = []
    construct, item, base = listed.construct, listed.item, listed.node
    if base is None or not item.sections:
        return found
    element = _base(listed)
    kind = types.without_reference(item_type(base))
    for position, section in enumerate(item.sections):
        if position == 0:
            check_length(item, kind)
        outer = kind
        if types.is_pointer(kind) and all(dimension.is_one for dimension in found):
            found.clear()  # one pointer on the way: what counts is the storage behind it
            kind = step_down(item, kind, 0)
        else:
            kind = step_down(item, kind, position)
        found.append(_dimension(construct, section, element, outer, kind))
        element = f"{element}[0]"
    return found


def _base(listed: ResolvedItem) -> str:
    """Return what stands before a section's brackets, fit to take suffixes."""
    text = listed.item.base.text.strip()
    return text if listed.node is not None and listed.node.is_postfix else f"({text})"


def _dimension(construct: Construct, section: Section, outer: str, around: Type, element: Type) -> _Dimension:
    """Describe one bracket behind an expression of type ``around``."""
    extent = types.constant_extent(around) if not types.is_pointer(around) else None
    lower, stride = written(construct, section.lower), written(construct, section.stride, ONE)
    length = _length(construct, section, outer, around)
    known = _constant(construct, section.length)
    is_dense = ONE in (stride, length)
    is_all = section.length is None and not section.is_index
    is_whole = is_dense and lower == NOTHING and (is_all or (known is not None and known == extent))
    apart = size_of(f"{outer}[0]", element)
    if stride != ONE:
        apart = times(apart, stride)
    return _Dimension(length, apart, section.is_index or length == ONE or known == 1, is_whole, is_dense, element)


def _constant(construct: Construct, expression: Expression | None) -> int | None:
    """Return a constant's value; those of a template may differ from one instantiation to the next."""
    return None if template_of(construct.function.cursor) is not None else construct.value_of(expression)


def _length(construct: Construct, section: Section, outer: str, around: Type) -> Size:
    """Return how many elements a bracket has: what is left of the array where it does not say."""
    if section.is_index:
        return ONE
    if section.length is not None:
        return written(construct, section.length)
    left, step = (
        rest_of_array(outer, around, written(construct, section.lower)),
        written(construct, section.stride, ONE),
    )
    if step == ONE:
        return left
    value = None if left.value is None or not step.value else (left.value + step.value - 1) // step.value
    return Size(f"({left.text} + {step.operand} - 1) / {step.operand}", value)
