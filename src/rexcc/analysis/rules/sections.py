"""Array sections that are no part of their array, as far as constants show (OpenMP 5.2, 3.2.5 and 5.8.3).

In: a construct. Out: errors for negative lengths and strides that are not positive, sections outside of the declared
bounds, and mapped sections with gaps; a warning for a row that runs on into the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.rules.facts import shown
from rexcc.clang import types
from rexcc.openmp.model import Expression, ListItem, Section
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import dataclass

BOUNDS = "omp-section-bounds"
GAPS = "omp-section-gaps"
_FRACTIONS = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE"})


@dataclass(frozen=True)
class _Dimension:
    """One pair of brackets: its numbers as far as they are known; ``through_pointer``: no extent."""

    section: Section
    lower: int | None
    length: int | None
    stride: int | None
    extent: int | None
    through_pointer: bool

    @property
    def place(self) -> Expression | None:
        """What to point at."""
        return self.section.length or self.section.lower

    def reach(self, length: int) -> int | None:
        """How many elements there are from the first to behind the last; None where the stride is not known."""
        if self.section.stride is None or length == 0:
            return length
        return (length - 1) * self.stride + 1 if self.stride is not None and self.stride > 0 else None

    @property
    def is_whole(self) -> bool:
        """Whether it may be all of its dimension."""
        if self.section.is_index or self.lower not in (0, None):
            return False
        return self.section.length is None or self.length is None or self.extent in (None, self.length)

    @property
    def is_one(self) -> bool:
        """Whether it may be one element."""
        return self.section.is_index or (self.section.length is not None and self.length in (1, None))


def check_section_values(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """Lengths are not negative, and not 0 in ``depend``; strides are positive (3.2.5, 15.9.5)."""
    for found in _items(construct):
        for section in found.item.sections:
            for part in (section.lower, section.length, section.stride):
                _check_integer(construct, part, sink)
            _check_least(construct, section.length, 1 if found.clause.name == "depend" else 0, "length", sink)
            _check_least(construct, section.stride, 1, "stride", sink)


def _check_integer(construct: Construct, expression: Expression | None, sink: DiagnosticSink) -> None:
    node = construct.node_of(expression)
    if expression is None or node is None or types.kind_name(types.canonical(node.type)) not in _FRACTIONS:
        return
    message = f"bounds of an array section are integers; '{expression.text.strip()}' is a floating-point number"
    sink.error(BOUNDS, message, expression.span)


def _check_least(
    construct: Construct, expression: Expression | None, least: int, what: str, sink: DiagnosticSink
) -> None:
    value = construct.value_of(expression)
    if expression is not None and value is not None and value < least:
        rule = "cannot be negative" if least == 0 else "must be positive"
        sink.error(BOUNDS, f"the {what} of an array section {rule} and is {value} here", expression.span)


def check_bounds(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A section of an array lies in it."""
    for found in _items(construct):
        item = found.item
        for position, dimension in enumerate(_dimensions(found)):
            place = dimension.place
            if not dimension.extent or place is None:  # of no elements: GNU's way to write a flexible array member
                continue
            _check_dimension(item, dimension, place, position, sink)


def _check_dimension(
    item: ListItem, dimension: _Dimension, place: Expression, position: int, sink: DiagnosticSink
) -> None:
    lower = dimension.lower if dimension.section.lower is not None else 0
    extent = dimension.extent or 0
    length = 1 if dimension.section.is_index else dimension.length or 0
    reach = dimension.reach(length)
    if lower is None or dimension.extent is None or reach is None:
        return
    if lower < 0 and dimension.section.lower is not None:
        sink.error(BOUNDS, f"{shown(item)} starts before the array", dimension.section.lower.span)
    elif lower + reach > extent:
        message = f"{shown(item)} ends at element {lower + reach} of an array of {extent}"
        if reach > length:
            sink.warning(BOUNDS, f"{message}; the length counts elements, not what lies between them", place.span)
        elif position == 0:
            sink.error(BOUNDS, message, place.span)
        else:
            sink.warning(BOUNDS, f"{message}; it runs on into the next row", place.span)


def check_gaps(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A mapped section is contiguous: right of a bracket with several elements all are whole (5.8.3)."""
    for found in _items(construct):
        item = found.item
        if found.clause.name == "map" and _has_gaps(_dimensions(found)):
            message = f"{shown(item)} has gaps; only a contiguous part of an array can be mapped"
            sink.error(GAPS, message, item.whole.span)


def _has_gaps(dimensions: list[_Dimension]) -> bool:
    """Whether several elements of a dimension have only a part of one further right in them."""
    is_part = False
    for dimension in reversed(dimensions):
        if is_part and not dimension.is_one:
            return True
        is_part = is_part or not dimension.is_whole or dimension.through_pointer
    return False


def _items(construct: Construct) -> Iterator[ResolvedItem]:
    return (found for found in construct.items_of(*construct.directive.clauses) if found.item.sections)


def _dimensions(listed: ResolvedItem) -> list[_Dimension]:
    """Return the brackets of an item with what is known of them, up to the first whose type is not."""
    construct, named = listed.construct, listed.named
    found: list[_Dimension] = []
    kind: Type | None = types.without_reference(named.type) if named is not None else None
    is_parameter = _is_parameter(listed.whole_variable)
    for section in listed.item.sections:
        if kind is None:
            break
        pointer = types.is_pointer(kind)
        extent = types.constant_extent(kind) if not (is_parameter and not found) else None
        found.append(_Dimension(section, construct.value_of(section.lower), construct.value_of(section.length),
                                construct.value_of(section.stride), extent, pointer))  # fmt: skip
        kind = types.pointee_of(kind) if pointer else types.element_of(kind)
    return found


def _is_parameter(found: Variable | None) -> bool:
    """Whether a variable is a parameter written as an array: a pointer to any number of elements."""
    return found is not None and found.cursor.kind.name == "PARM_DECL" and not types.is_reference(found.type)
