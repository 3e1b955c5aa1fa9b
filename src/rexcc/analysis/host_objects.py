"""Which objects that device code names may be the host's.

In: expressions in a piece of code that a device executes. Out: whether the host may have made the object that one names
or points to. Objects that the code declares are its own, but a reference, a pointer, or an object that holds one, is as
good as what it has been given: an initial value, or what is assigned to it. What a clause says that the device has, an
earlier region may have made.
"""

from __future__ import annotations

from collections.abc import Iterator, Set

from clang.cindex import Type

from rexcc.clang import types
from rexcc.clang.tree import CASTS, NAME_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.variables import Variable, variable_of

_WRAPPERS = CASTS | {"UNEXPOSED_EXPR", "PAREN_EXPR", "UNARY_OPERATOR", "CXX_DYNAMIC_CAST_EXPR"}


class HostObjects:
    """The objects of one piece of code: a region's statement, or a function. Its parameters may be the host's; those of
    functions in a region's statement are what their calls pass."""

    def __init__(self, code: Node, on_device: Set[Variable] = frozenset()) -> None:
        self._code = code
        self._on_device = on_device
        self._known: dict[Variable, bool] = {}

    def may_be(self, thing: Node | None, through: bool = False) -> bool:
        """Whether the object of an expression may be the host's; None is the object whose function the code is.
        ``through``: it is reached by a pointer or a reference that the expression's object holds."""
        while thing is not None and (inner := _wrapped(thing)) is not None:
            through |= thing.is_dereference
            thing = inner
        if thing is None or thing.kind == "CXX_THIS_EXPR":
            return True
        if thing.kind == "DECL_REF_EXPR":
            return self._may_variable_be(thing, through)
        if thing.kind == "CXX_NEW_EXPR":
            return False
        if thing.kind == "MEMBER_REF_EXPR":
            through |= thing.referenced is not None and _refers(thing.referenced.type)
            return self.may_be(next(expressions(thing), None), through)
        if thing.kind == "CALL_EXPR" and not through and not _returns_reference(thing):
            return False
        return any(self.may_be(each, through=True) for each in _named(thing))

    def _may_variable_be(self, name: Node, through: bool) -> bool:
        variable = variable_of(name.referenced)
        if variable is None or variable in self._on_device:
            return False
        declared = name.tree.node(variable.cursor)
        if not declared.is_inside(self._code) or variable.is_global:
            return True
        if not through and not _refers(variable.type):
            return False
        if declared.kind == "PARM_DECL":
            return bool(declared.cursor.semantic_parent == self._code.cursor)
        if variable not in self._known:
            before = len(self._known)
            self._known[variable] = False  # what it is given of itself is nothing new
            if any(self.may_be(n, True) for given in self._given(variable) for n in _named(given)):
                for other in [v for v in list(self._known)[before:] if not self._known[v]]:
                    del self._known[other]  # it may have been told from the first answer
                self._known[variable] = True
        return self._known[variable]

    def _given(self, variable: Variable) -> Iterator[Node]:
        """Yield the initial value of a variable of the code, and what is assigned to it or to a part of it."""
        for node in self._code.walk():
            if node.kind == "VAR_DECL" and variable_of(node.cursor) == variable:
                yield from expressions(node)
            elif node.kind == "CXX_FOR_RANGE_STMT" and _declares(node, variable):
                yield from (each for each in node.children[:-1] if each.kind != "VAR_DECL")
            elif node.kind == "BINARY_OPERATOR" and len(node.children) == 2:
                changed = next((n for n in node.children[0].walk() if n.kind == "DECL_REF_EXPR"), None)
                if changed is not None and variable_of(changed.referenced) == variable:
                    yield node.children[1]


def _declares(statement: Node, variable: Variable) -> bool:
    return any(variable_of(each.cursor) == variable for each in statement.children if each.kind == "VAR_DECL")


def expressions(node: Node) -> Iterator[Node]:
    """Yield the expressions that stand below a node."""
    return (child for child in node.children if child.kind not in NAME_KINDS)


def _wrapped(node: Node) -> Node | None:
    """Return the expression whose object, or a part of it, another one names or points to."""
    if node.kind == "ARRAY_SUBSCRIPT_EXPR" or node.kind in _WRAPPERS:
        return next(expressions(node), None)
    return None


def _named(value: Node) -> Iterator[Node]:
    """Yield the parts of a value that name objects of classes, or what leads to some."""
    if value.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR", "CALL_EXPR"):
        is_function = value.referenced is not None and kind_of(value.referenced) not in VARIABLE_KINDS | {"FIELD_DECL"}
        if value.kind == "CALL_EXPR" or (value.kind == "MEMBER_REF_EXPR" and is_function):
            yield from (found for child in value.children for found in _named(child))
        elif not is_function and types.is_record(behind(value.type)):
            yield value
    else:
        yield from (found for child in value.children for found in _named(child))


def _returns_reference(call: Node) -> bool:
    function = call.referenced
    return _refers(call.type) or (function is not None and _refers(function.result_type))


def _refers(kind: Type) -> bool:
    return types.is_reference(kind) or types.is_pointer(kind)


def behind(kind: Type) -> Type:
    """Return the type of objects that a type is one of, or leads to."""
    found = types.innermost(types.without_reference(kind))
    while types.is_pointer(found):
        found = types.innermost(types.pointee_of(found))
    return types.canonical(found)
