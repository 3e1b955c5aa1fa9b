"""Comparisons of arrays by an ``operator <=>`` that the program only declares (``= default``, C++20, 11.10.3).

In: a call in device code. Out: the class of which an array would be compared so. nvcc leaves members that are arrays
out of such comparisons in device code, so that ``a < b`` is false and ``a >= b`` true whatever is in them. It compares
arrays in a defaulted ``operator ==`` as it should.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of

_THREE_WAY = "operator<=>"
_COMPARING = frozenset(
    {
        "max", "min", "minmax", "clamp", "max_element", "min_element", "minmax_element", "sort", "stable_sort",
        "is_sorted", "lower_bound", "upper_bound", "equal_range", "binary_search", "operator()", "operator<",
        "operator>", "operator<=", "operator>=", _THREE_WAY,
    }
)  # fmt: skip
"""Functions of the C++ library that compare what they get."""


def class_with_arrays(call: Node) -> str:
    """Return the name of the class whose arrays a call compares by a defaulted operator, empty for none."""
    callee = call.referenced if call.kind == "CALL_EXPR" else None
    if callee is None or callee.spelling not in _COMPARING or kind_of(callee) not in FUNCTION_KINDS:
        return ""
    if callee.spelling != _THREE_WAY and not library.in_system_header(callee):
        return ""
    compared = [_element(argument.type) for argument in call.cursor.get_arguments() if argument is not None]
    if not compared or compared[0].get_declaration() != compared[-1].get_declaration():
        return ""  # the last one is a function that compares
    found = next((kind for kind in compared if _leaves_out(kind)), None)
    return str(found.get_declaration().type.spelling) if found is not None else ""


def _element(kind: Type) -> Type:
    """Return the type of what a comparison gets by value, by reference or by a pointer to several."""
    found = types.canonical(types.without_reference(kind))
    return types.canonical(found.get_pointee()) if types.is_pointer(found) else found


def _leaves_out(kind: Type) -> bool:
    """Whether an array is a part of a class, or of a part of it, that a defaulted operator compares. The library's own
    classes compare their parts by functions (``std::pair``, ``std::array``)."""
    if not types.is_record(kind):
        return False
    parts = types.part_types(kind)
    if library.in_system_header(types.canonical(kind).get_declaration()):
        return any(_leaves_out(types.canonical(types.innermost(part))) for part in parts)
    if not any(map(_is_defaulted, _three_way_operators(kind))):
        return False
    return any(types.is_array(types.canonical(part)) or _leaves_out(types.canonical(part)) for part in parts)


def _three_way_operators(kind: Type) -> Iterator[Cursor]:
    for member in types.members_of(kind):
        if member.spelling == _THREE_WAY:
            yield member
        elif kind_of(member) == "FRIEND_DECL":
            yield from (friend for friend in member.get_children() if friend.spelling == _THREE_WAY)


def _is_defaulted(operator: Cursor) -> bool:
    return any(token.spelling == "default" for token in operator.get_tokens())
