"""Copy constructors that do what the compiler's own would do.

In: a method as the program has it, of a template its pattern's. Out: whether it initialises each data member with that
of the other object and does nothing else: ``R(const R &o) : p(o.p), n(o.n) {}``.
"""

from __future__ import annotations

from itertools import pairwise

from clang.cindex import Cursor

_WRAPPERS = frozenset({"CALL_EXPR", "INIT_LIST_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"})


def copies_members(method: Cursor) -> bool:
    """Whether a method is such a constructor, defined in its class; one of a class with bases is taken for another."""
    if not (method.is_definition() and method.is_copy_constructor()):
        return False
    below = list(method.get_children())
    parameters = [c.spelling for c in below if c.kind.name == "PARM_DECL"]
    bodies = [c for c in below if c.kind.name == "COMPOUND_STMT"]
    if len(parameters) != 1 or len(bodies) != 1 or list(bodies[0].get_children()):
        return False
    members = list(method.semantic_parent.get_children())
    if any(c.kind.name == "CXX_BASE_SPECIFIER" for c in members):
        return False
    values = {c.spelling: value for c, value in pairwise(below) if c.kind.name == "MEMBER_REF"}
    fields = {c.spelling for c in members if c.kind.name == "FIELD_DECL"}
    return values.keys() == fields and all(_is_member_of(v, name, parameters[0]) for name, v in values.items())


def _is_member_of(value: Cursor, name: str, parameter: str) -> bool:
    """Whether a value is a member of a parameter as it is."""
    below = list(value.get_children())
    while value.kind.name in _WRAPPERS and len(below) == 1:
        value, below = below[0], list(below[0].get_children())
    written = [str(token.spelling) for token in value.get_tokens()]  # a template's own tree has no name there
    return bool(value.kind.name == "MEMBER_REF_EXPR" and written == [parameter, ".", name])
