"""Where a list item begins and how many bytes it has, as host expressions.

In: a list item with clang's view of its base. Out: its first byte and its size. Every lower bound counts, in every
dimension: the begin is ``&a[l0][l1]`` in the user's own types, so inner extents are the compiler's business, also for
VLAs.
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.model.host_values import NOTHING, ONE, Pointer, Size, address, size_of, times, total, written
from rexcc.openmp.model import ListItem, Section
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error

_POINTERS = frozenset({"unique_ptr", "shared_ptr"})
"""Classes of the library that give their address by ``get``; others do by ``data``."""


def section_extent(
    construct: Construct, item: ListItem, sections: Sequence[Section], base: str, kind: Type
) -> tuple[Pointer, Size]:
    """Return the storage that brackets behind an expression name, from their first element to the last: address, bytes.

    That is full strides of the outer dimensions, then the innermost length. ``base`` is a postfix expression of
    type ``kind``. Raises CompileError for sections that are not contiguous or lack a length (codes ``omp-section-*``).
    """
    lowers: list[str] = []
    strides: list[Size] = []
    element, inner = base, ONE
    current = types.without_reference(kind)
    for position, section in enumerate(sections):
        outer, current = current, step(item, current, position)
        first = written(construct, section.lower)
        length = ONE if section.is_index else _length(construct, item, section, element, position, outer)
        _check_stride(construct, item, section)
        lowers.append(f"[{first.text}]")
        element = f"{element}[0]"
        if position + 1 == len(sections):
            inner = length
        elif length != ONE:
            strides.append(_rest(length, size_of(element, current)))
    whole = size_of(element, current)
    if inner != ONE:
        whole = times(whole, inner, "(__SIZE_TYPE__)")
    return address(f"{base}{''.join(lowers)}", current), total([*strides, whole])


def _rest(length: Size, element: Size) -> Size:
    """Return the bytes of all elements but one."""
    value = None if length.value is None or element.value is None else (length.value - 1) * element.value
    return Size(f"({length.operand} - 1) * {element.text}", value)


def item_type(node: Node) -> Type:
    """Return the type of what a list item starts from; a parameter that is written as an array is a pointer."""
    bare = node.bare()
    if bare.kind != "DECL_REF_EXPR" or bare.referenced is None or not types.is_array(node.type):
        return node.type
    passed = types.declared_type(bare.referenced)
    return passed if types.is_pointer(passed) else node.type


def check_length(item: ListItem, kind: Type) -> None:
    """Raise CompileError where the first bracket leaves out a length that the base's type does not have."""
    first = item.sections[0]
    if first.is_index or first.length is not None:
        return
    name = item.base.text.strip()
    what = "pointer" if types.is_pointer(kind) else "array of unknown size"
    if types.is_pointer(kind) or types.kind_name(types.canonical(kind)) == "INCOMPLETEARRAY":
        message = f"the section of {what} '{name}' needs a length, as in '{name}[0:n]'"
        raise error("omp-section-length", message, item.whole.span)


def step(item: ListItem, kind: Type, position: int) -> Type:
    """Return the element type one bracket down; a pointer may only be the first step."""
    found = kind.get_canonical()
    if types.kind_name(found) == "POINTER":
        if position > 0:
            raise error(
                "omp-section-pointer",
                f"'{item.whole.text}' goes through a pointer inside an array section; its storage is not contiguous: "
                "keep the elements in one block and map that, or map each row of them by 'target enter data' in a loop",
                item.whole.span,
            )
        return types.pointee_of(kind)
    below = types.element_of(kind)
    if below is None:
        message = f"'{_shown(item)}{'[…]' * position}' is neither array nor pointer"
        if types.is_record(kind):
            own = "get" if _class_name(kind) in _POINTERS else "data"
            message += f"; map what it holds through a pointer, as in 'T *q = {_shown(item)}.{own}();' and 'q[0:n]'"
        raise error("omp-section-base", message, item.base.span)
    return below


def _class_name(kind: Type) -> str:
    return str(types.canonical(kind).get_declaration().spelling)


def _shown(item: ListItem) -> str:
    return item.base.text.strip()


def _length(construct: Construct, item: ListItem, section: Section, element: str, position: int, kind: Type) -> Size:
    """Return the elements of a section of an array or pointer of type ``kind``."""
    if section.length is not None:
        return written(construct, section.length)
    if position == 0:
        check_length(item, kind)
    return rest_of_array(element, kind, written(construct, section.lower))


def rest_of_array(array: str, kind: Type, first: Size) -> Size:
    """Return how many elements an array has from one on."""
    count = f"sizeof {array} / sizeof {array}[0]"
    extent = types.constant_extent(kind)
    value = None if extent is None or first.value is None else extent - first.value
    return Size(count if first == NOTHING else f"{count} - {first.operand}", value)


def has_stride(construct: Construct, section: Section) -> bool:
    """Whether a section may leave out elements between those that it names."""
    if section.stride is None or construct.value_of(section.stride) == 1:
        return False
    return section.length is None or construct.value_of(section.length) != 1


def _check_stride(construct: Construct, item: ListItem, section: Section) -> None:
    if has_stride(construct, section):
        assert section.stride is not None
        message = f"'{item.whole.text}' has a stride and with it gaps; only 'target update' moves such sections"
        raise error("omp-section-stride", message, section.stride.span)
