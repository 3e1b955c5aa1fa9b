"""Reduced sections as compilers of the host take them: clang asks for sections of elements, and knows no strides there.

In: a construct with its clauses. Out: these, with ``m[1 : 2][0 : 4]`` in place of ``m[1 : 2]`` of ``int m[3][4]``, and
``p[0 : 4]`` in place of ``p[0 : 4 : 1]``.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types
from rexcc.openmp.model import Clause, ListItem, ReductionClause, Section
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.source.records import replace


def down_to_elements(construct: Construct, clauses: list[Clause]) -> list[Clause]:
    """Return clauses whose reduced sections have brackets for all dimensions."""
    return [_of_elements(construct, c) if isinstance(c, ReductionClause) else c for c in clauses]


def _of_elements(construct: Construct, clause: ReductionClause) -> ReductionClause:
    items = tuple(map(_with_all_brackets, construct.items_of(clause)))
    return clause if items == clause.items else replace(clause, items=items)


def _with_all_brackets(found: ResolvedItem) -> ListItem:
    item, named = found.item, found.named
    if named is None or not item.is_section:
        return item
    missing = "".join(f"[0 : {extent}]" for extent in _extents_of_element(named.type, len(item.sections)))
    written = item.whole.text.rstrip()
    if any(section.stride is not None for section in item.sections):
        written, missing = item.base.text.strip(), "".join(map(_bracket, item.sections)) + missing
    return replace(item, whole=replace(item.whole, text=written + missing)) if missing else item


def _bracket(section: Section) -> str:
    """Return a bracket without its stride, which is 1 or that of one element."""
    lower, length = (part.text.strip() if part is not None else "" for part in (section.lower, section.length))
    return f"[{lower}]" if section.is_index else f"[{lower}:{length}]"


def _extents_of_element(kind: Type, brackets: int) -> list[int]:
    """Return the extents of what brackets behind a variable of a type lead to."""
    current = types.canonical(types.without_reference(kind))
    for _ in range(brackets):
        below = current.get_pointee() if types.kind_name(current) == "POINTER" else current.get_array_element_type()
        current = types.canonical(below)
    extents: list[int] = []
    while types.kind_name(current) == "CONSTANTARRAY":
        extents.append(current.element_count)
        current = types.canonical(current.get_array_element_type())
    return extents
