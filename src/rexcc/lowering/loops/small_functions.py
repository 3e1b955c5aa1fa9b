"""Functions of the user's that compute a number from the numbers they are called with, by a few instructions.

In: a call. Out: whether it is one of such a function. What it consists of leaves it nothing else to read or change than
its parameters and what it declares: no pointer, reference or element, no variable of the program's, no construct, and
no call but of functions like it and of the library's (:data:`.light_parts.LIGHT_CALLS`). No other file can have another
definition of it. So the device's compiler makes it a part of its caller, and it may be called earlier, later and by
another thread.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, LinkageKind

from rexcc.analysis.function_facts import function_facts
from rexcc.analysis.replaceable_functions import replaceable_functions
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.lowering.loops.light_parts import LIGHT, LIGHT_CALLS
from rexcc.program.unit import ParsedUnit

_MOST_NODES, _DEEPEST = 60, 3
_PARTS = (LIGHT | {"IF_STMT", "RETURN_STMT"}) - {
    "ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "MEMBER_REF", "CXX_THIS_EXPR",
}  # fmt: skip
_ADDRESSES = frozenset({"&", "*"})


def small_function(unit: ParsedUnit, call: Node) -> Node | None:
    """Return the statement of the small function that is called, None for a call of any other."""
    return _small_function(unit, call, _DEEPEST)


def _small_function(unit: ParsedUnit, call: Node, deepest: int) -> Node | None:
    callee = call.referenced
    if call.kind != "CALL_EXPR" or callee is None or kind_of(callee) != "FUNCTION_DECL" or deepest == 0:
        return None
    definition = callee.get_definition()
    if definition is None or library.in_system_header(definition) or types.is_variadic(definition.type):
        return None
    if definition.linkage != LinkageKind.INTERNAL and str(callee.spelling) in unit.kept(replaceable_functions):
        return None
    made = (definition.result_type, *(parameter.type for parameter in definition.get_arguments()))
    if not all(types.is_scalar(kind) and not types.is_reference(kind) and not types.is_volatile(kind) for kind in made):
        return None
    function = unit.tree.node(definition)
    statement = next((child for child in function.children if child.kind == "COMPOUND_STMT"), None)
    if statement is None or function_facts(unit).constructs_in(function):
        return None
    nodes = list(statement.walk())
    own = {int(one.canonical.hash) for one in (*definition.get_arguments(), *_declared(nodes))}
    is_small = len(nodes) <= _MOST_NODES and all(_is_small(unit, node, own, deepest) for node in nodes)
    return statement if is_small else None


def _declared(nodes: list[Node]) -> Iterator[Cursor]:
    return (node.cursor for node in nodes if node.kind == "VAR_DECL")


def _is_small(unit: ParsedUnit, node: Node, own: set[int], deepest: int) -> bool:
    if node.kind not in _PARTS or types.is_volatile(node.type):
        return False
    if node.kind == "CALL_EXPR":
        callee = node.referenced
        is_light = callee is not None and library.in_system_header(callee) and callee.spelling in LIGHT_CALLS
        return is_light or _small_function(unit, node, deepest - 1) is not None
    if node.kind == "VAR_DECL":
        is_number = types.is_scalar(node.type) and not types.is_reference(node.type)
        return is_number and not library.has_global_storage(node.cursor)
    if node.kind == "DECL_REF_EXPR":
        named = node.referenced
        if named is None:
            return [child.kind for child in node.children] == ["INTEGER_LITERAL"]  # a parameter of a template
        is_named = kind_of(named) in FUNCTION_KINDS or kind_of(named) == "ENUM_CONSTANT_DECL"
        return is_named or int(named.canonical.hash) in own
    return node.kind != "UNARY_OPERATOR" or node.operator not in _ADDRESSES
