"""Calls of the C++ library that get numbers alone: such a function keeps the address of nothing that it is given.

In: a call in the host program or in a region. Out: whether all that a function of namespace ``std`` is given, its
object included, and what it returns are numbers, or objects of the library's classes that are made of numbers, as
``std::complex`` is. Then it has no place for an address but the reference that it may return: not in an argument, which
holds no pointer and no reference, nor in its result; and there is no function of the program's among the arguments that
it could call.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.clang import classes, library, types
from rexcc.clang.standard_library import is_in_std, is_method_of_std, is_of_std
from rexcc.clang.tree import Node, kind_of

_METHODS = frozenset({"CXX_METHOD", "CONVERSION_FUNCTION", "CONSTRUCTOR"})


def computes_with_numbers(call: Node, callee: Cursor) -> bool:
    """Whether a call is that of a function of the library that is given numbers and returns one, or refers to one of
    what it was given."""
    is_method = kind_of(callee) in _METHODS
    if not (is_method_of_std(callee) if is_method else is_of_std(callee) and kind_of(callee) == "FUNCTION_DECL"):
        return False
    given = [argument.type for argument in call.cursor.get_arguments() if argument is not None]
    if is_method and not callee.is_static_method():
        given.append(callee.semantic_parent.type)
    is_void = types.kind_name(types.canonical(call.type)) == "VOID"
    return all(map(is_number, given)) and (is_void or is_number(call.type))


def is_number(kind: Type) -> bool:
    """Whether a type (references aside) is that of a number, or a class of the library that is made of numbers."""
    found = types.without_reference(kind)
    if not types.is_record(found):
        return types.is_scalar(found)
    return _is_of_library(types.canonical(found)) and _holds_numbers(types.canonical(found))


def _is_of_library(kind: Type) -> bool:
    record = kind.get_declaration()
    return library.in_system_header(record) and is_in_std(record)


def _holds_numbers(kind: Type) -> bool:
    """Whether all members of a class, which has no bases, are numbers of its own."""
    members = classes.declared_in_parts(kind)
    fields = [m.type for m in members.members if kind_of(m) == "FIELD_DECL"]
    has_base = any(kind_of(m) == "CXX_BASE_SPECIFIER" for m in members.members)
    is_known = members.is_known and not has_base and bool(fields)
    return is_known and all(types.is_scalar(f) and not types.is_reference(f) for f in fields)
