"""Copy constructors that do what the compiler's own would do.

In: a method as the program has it, of a template its pattern's, and what clang has made of it. Out: whether it
initialises each data member with that of the other object and does nothing else: ``R(const R &o) : p(o.p), n(o.n) {}``.
"""

from __future__ import annotations

from itertools import pairwise

from clang.cindex import Cursor

from rexcc.clang.library import evaluate_integer

_WRAPPERS = frozenset({"CALL_EXPR", "INIT_LIST_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"})


def copies_members(method: Cursor, pattern: Cursor | None = None) -> bool:
    """Whether a method is such a constructor, defined in its class; one of a class with bases is taken for another. Of
    one that is made from a pattern it is known which elements it gives an array: ``a{o.a[Numbers]...}``."""
    if not (method.is_definition() and method.is_copy_constructor()):
        return False
    below = list(method.get_children())
    parameters = [c.spelling for c in below if c.kind.name == "PARM_DECL"]
    bodies = [c for c in below if c.kind.name == "COMPOUND_STMT"]
    if len(parameters) != 1 or len(bodies) != 1 or list(bodies[0].get_children()):
        return False
    members = list((pattern or method).semantic_parent.get_children())
    if any(c.kind.name == "CXX_BASE_SPECIFIER" for c in members):
        return False
    values = {c.spelling: value for c, value in pairwise(below) if c.kind.name == "MEMBER_REF"}
    fields = {c.spelling for c in members if c.kind.name == "FIELD_DECL"}
    is_same = _is_member_of if pattern is None else _is_member_or_elements
    return values.keys() == fields and all(is_same(v, name, parameters[0]) for name, v in values.items())


def _is_member_or_elements(value: Cursor, name: str, parameter: str) -> bool:
    return _is_member_of(value, name, parameter) or _has_all_elements_of(value, name, parameter)


def _has_all_elements_of(value: Cursor, name: str, parameter: str) -> bool:
    """Whether a value is a list of all elements of an array that is a member of a parameter, in their order."""
    elements = list(value.get_children()) if value.kind.name == "INIT_LIST_EXPR" else []
    if value.type.kind.name != "CONSTANTARRAY" or value.type.element_count != len(elements):
        return False
    for number, element in enumerate(elements):
        access = _unwrapped(element)
        parts = list(access.get_children()) if access.kind.name == "ARRAY_SUBSCRIPT_EXPR" else []
        if len(parts) != 2 or not _is_member_of(parts[0], name, parameter) or evaluate_integer(parts[1]) != number:
            return False
    return True


def _is_member_of(value: Cursor, name: str, parameter: str) -> bool:
    """Whether a value is a member of a parameter as it is."""
    found = _unwrapped(value)
    written = [str(token.spelling) for token in found.get_tokens()]  # a template's own tree has no name there
    return bool(found.kind.name == "MEMBER_REF_EXPR" and written == [parameter, ".", name])


def _unwrapped(value: Cursor) -> Cursor:
    """Return what conversions, and calls of constructors with one argument, are made of."""
    below = list(value.get_children())
    while value.kind.name in _WRAPPERS and len(below) == 1:
        value, below = below[0], list(below[0].get_children())
    return value
