"""Functions that give an expression a name: formulas compute with their parameters, accessors read memory too.

In: a call in an iteration. Out: whether its function is one statement, ``return`` with an expression, that changes
nothing; and whether an assignment to what it returns goes to an element that a pointer leads to::

    T &operator()(int y, int x) const { return data[y * width + x]; }

An iteration with such calls can be looked at as if their expressions stood there. An element behind a pointer lies
outside of the iteration, as no pointer of an iteration leads to its own variables where it takes no addresses and has
no arrays (``tile_rules``); an element of an object's own array may be one of those variables.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, Node, Tree, kind_of
from rexcc.lowering.cleanups.memory import initialiser, parts
from rexcc.lowering.cleanups.pure_functions import computes
from rexcc.lowering.cleanups.syntax import is_plain_scalar
from rexcc.lowering.loops.light_parts import ASSIGNMENTS, LIGHT, LIGHT_CALLS, STEPS

_FUNCTIONS = frozenset({"FUNCTION_DECL", "CXX_METHOD"})
_WITH_MORE = RECORD_KINDS | {"CXX_BASE_SPECIFIER"}
_DEEPEST = 4
"""Accessors that call each other."""


def is_light_call(tree: Tree, call: Node, may_read: bool, depth: int = 0) -> bool:
    """Whether a call is that of a function of a few instructions; ``may_read``: it may be an accessor."""
    callee = call.referenced
    if callee is None:
        return False
    definition = callee.get_definition()
    if definition is None or library.in_system_header(definition):
        return call.spelling.removeprefix("__builtin_") in LIGHT_CALLS and computes(call)
    value = returned_value(tree, definition)
    if value is None or library.is_virtual_call(call.cursor):
        return False
    if not may_read:
        return kind_of(definition) == "FUNCTION_DECL" and all(map(_is_arithmetic, value.walk()))
    if depth >= _DEEPEST or not all(_is_read(tree, node, depth) for node in value.walk()):
        return False
    result = definition.type.get_result()
    refers = types.is_reference(result) and not types.is_constant(types.without_reference(result))
    return not refers or leads_outside(tree, call)


def returned_value(tree: Tree, definition: Cursor) -> Node | None:
    """Return the expression that a function returns, which is all that it does; None for other functions."""
    function = tree.node(definition)
    body = next((child for child in function.children if child.kind == "COMPOUND_STMT"), None)
    if function.kind not in _FUNCTIONS or body is None or [s.kind for s in body.children] != ["RETURN_STMT"]:
        return None
    return next(iter(body.children[0].children), None)


def reads_memory(tree: Tree, call: Node) -> bool:
    """Whether the function of a light call reads elements."""
    definition = call.referenced.get_definition() if call.referenced is not None else None
    value = returned_value(tree, definition) if definition is not None else None
    return value is not None and any(n.is_pointee or n.kind == "CALL_EXPR" for n in value.walk())


def leads_outside(tree: Tree, call: Node) -> bool:
    """Whether what a light call names is an element behind a pointer."""
    definition = call.referenced.get_definition() if call.referenced is not None else None
    if definition is None or not types.is_reference(definition.type.get_result()):
        return False
    value = returned_value(tree, definition)
    bare = value.bare() if value is not None else None
    if bare is not None and bare.kind == "CALL_EXPR":
        return leads_outside(tree, bare)
    if bare is None or not bare.is_pointee:
        return False
    return all(not types.is_array(part.bare().type) for part in parts(bare))


def is_record_of_numbers(variable: Node) -> bool:
    """Whether a variable is an object of numbers and pointers alone, whose members its declaration lists."""
    kind = types.canonical(variable.type)
    if not types.is_record(kind) or types.is_reference(variable.type) or not kind.is_pod():
        return False
    if any(kind_of(member) in _WITH_MORE for member in types.members_of(kind)):
        return False
    value = initialiser(variable)
    is_listed = value is not None and value.bare().kind == "INIT_LIST_EXPR"
    return is_listed and all(is_plain_scalar(f.type) or types.is_pointer(f.type) for f in kind.get_fields())


def _is_arithmetic(node: Node) -> bool:
    if node.kind == "DECL_REF_EXPR":
        return node.referenced is not None and kind_of(node.referenced) == "PARM_DECL" and is_plain_scalar(node.type)
    is_access = node.is_pointee or node.kind in ("CALL_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR")
    return not is_access and _changes_nothing(node)


def _is_read(tree: Tree, node: Node, depth: int) -> bool:
    """Whether a part of an accessor's expression is light and changes nothing."""
    if types.is_volatile(node.type):
        return False
    if node.kind == "CALL_EXPR" and not is_light_call(tree, node, True, depth + 1):
        return False
    return _changes_nothing(node)


def _changes_nothing(node: Node) -> bool:
    is_change = (
        node.operator in ASSIGNMENTS
        or node.operator == ","
        or (node.kind == "UNARY_OPERATOR" and node.operator in STEPS)
    )
    return not is_change and node.kind in LIGHT
