"""Functions that are given an object by its address: what they do with it.

In: an expression that names an object. Out: the calls that are given it, and whether all that they do with it, and what
the code itself does, is to read and to write its parts; whether they access it for sure.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.references import is_written
from rexcc.clang import library, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import FUNCTION_KINDS, NAME_KINDS, Node, Tree, kind_of
from rexcc.lowering.cleanups.effects import arguments_of
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.cleanups.syntax import is_load
from rexcc.program.variables import Variable, named_variable

_STATEMENTS = frozenset({"COMPOUND_STMT", "FOR_STMT", "IF_STMT", "WHILE_STMT", "DO_STMT"})
_SURELY = frozenset(
    {"COMPOUND_STMT", "DECL_STMT", "VAR_DECL", "PAREN_EXPR", "UNEXPOSED_EXPR", "UNARY_OPERATOR", "ARRAY_SUBSCRIPT_EXPR",
     "COMPOUND_ASSIGNMENT_OPERATOR", "MEMBER_REF_EXPR", "CALL_EXPR"}
)  # fmt: skip
_DEEPEST = 8
"""Calls that are followed one in the other."""


def arguments_given(place: Node) -> Iterator[tuple[Node, Cursor]]:
    """Yield the argument by which a function of the user's is given an object, with its parameter, if one is."""
    top = _as_argument(place)
    call = top.parent
    while call is not None and call.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        top, call = call, call.parent
    if call is None or call.kind != "CALL_EXPR":
        return
    callee = call.referenced
    definition = callee.get_definition() if callee is not None and kind_of(callee) in FUNCTION_KINDS else None
    if definition is None or library.in_system_header(definition) or definition.is_virtual_method():
        return
    if kind_of(definition) not in ("FUNCTION_DECL", "CXX_METHOD"):
        return
    for argument, parameter in zip(arguments_of(call), definition.get_arguments(), strict=False):
        kind = parameter.type
        if argument is top and (types.is_pointer(kind) or types.is_reference(kind) or Variable(parameter).decays):
            yield argument, parameter


def is_used_by_parts(tree: Tree, place: Node, depth: int = 0) -> bool:
    """Whether all that is done with an object is to read and write its parts, here and in functions given it."""
    if any(n.kind == "LAMBDA_EXPR" for n in place.ancestors()) or depth > _DEEPEST:
        return False
    given = next(arguments_given(place), None)
    if given is None:
        return _is_access(place)
    parameter, function = Variable(given[1]), given[1].semantic_parent
    uses = _uses(tree, function, parameter)
    return all(is_used_by_parts(tree, use, depth + 1) for use in uses)


def accesses_surely(tree: Tree, place: Node, depth: int = 0) -> bool:
    """Whether an expression that is evaluated, or the function that is given what it names, accesses a part."""
    given = next(arguments_given(place), None)
    if given is None:
        return _is_access(place)
    function = given[1].semantic_parent
    node = tree.node(function)
    if depth > _DEEPEST or any(n.kind in ("RETURN_STMT", "GOTO_STMT", "CXX_THROW_EXPR") for n in node.walk()):
        return False
    uses = _uses(tree, function, Variable(given[1]))
    return any(is_sure(use, node) and accesses_surely(tree, use, depth + 1) for use in uses)


def is_sure(node: Node, top: Node) -> bool:
    """Whether a node is evaluated whenever ``top`` is executed to its end."""
    below = node
    while below is not top:
        above = below.parent
        if above is None or not _evaluates(above, below):
            return False
        below = above
    return True


def _evaluates(above: Node, below: Node) -> bool:
    if above.kind in _SURELY or above.kind in FUNCTION_KINDS:
        return True
    first = below is above.children[0]
    if above.kind == "BINARY_OPERATOR":
        return first or above.operator not in ("&&", "||")
    if above.kind == "FOR_STMT" and len(above.children) == 4:
        return first or below is above.children[1] or (below is above.children[3] and _runs_once(above))
    return above.kind in ("IF_STMT", "CONDITIONAL_OPERATOR") and first and below.kind != "DECL_STMT"


def _runs_once(loop: Node) -> bool:
    """Whether a loop counts up from one constant to a greater one, and nothing leaves it or skips a part."""
    declared = [n for n in loop.children[0].walk() if n.kind == "VAR_DECL"]
    test = loop.children[1].bare()
    leaves = any(n.kind in ("BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT") for n in loop.walk())
    if leaves or len(declared) != 1 or test.operator not in ("<", "<="):
        return False
    values = [c for c in declared[0].children if c.kind not in NAME_KINDS]
    if not values or named_variable(test.children[0].bare()) != Variable(declared[0].cursor):
        return False
    first, last = evaluate_integer(values[-1].cursor), evaluate_integer(test.children[1].cursor)
    return first is not None and last is not None and first < last


def _uses(tree: Tree, function: Cursor, parameter: Variable) -> list[Node]:
    """Return what names an object in a function that is given it: its reference, or its pointer."""
    names = (n for n in tree.node(function).walk() if n.kind == "DECL_REF_EXPR")
    return [n for n in names if named_variable(n) == parameter]


def _as_argument(place: Node) -> Node:
    """Return the expression with which an object, or its address, could be an argument: the object itself, a pointer to
    it, ``&object``, ``object.data()``."""
    top = place.in_parentheses()
    above = top.parent
    if above is None:
        return top
    if above.kind == "UNARY_OPERATOR" and above.operator == "&":
        return above
    if above.kind == "MEMBER_REF_EXPR" and above.spelling == "data" and _is_array_of_library(place):
        call = above.parent
        return call if call is not None and call.kind == "CALL_EXPR" and call.spelling == "data" else top
    return top


def _is_array_of_library(place: Node) -> bool:
    record = types.canonical(place.type).get_declaration()
    return str(record.spelling) == "array" and library.in_system_header(record)


def _is_access(place: Node) -> bool:
    """Whether an expression reads or writes a number that is a part of an object, and nothing else."""
    top = place
    while not types.is_scalar(top.type) or top.kind not in (
        "ARRAY_SUBSCRIPT_EXPR",
        "MEMBER_REF_EXPR",
        "UNARY_OPERATOR",
    ):
        above = top.parent
        if above is None or not _leads_on(above, top):
            return False
        top = above
    if is_load(top):
        return True
    above = top.in_parentheses().parent
    if (
        above is None
        or not is_written(top)
        or above.kind == "CALL_EXPR"
        or above.children[0] is not top.in_parentheses()
    ):
        return False
    return above.parent is not None and above.parent.kind in _STATEMENTS


def _leads_on(above: Node, below: Node) -> bool:
    if above.kind == "MEMBER_REF_EXPR":
        return above.referenced is not None and kind_of(above.referenced) == "FIELD_DECL" and below in parts(above)
    if above.kind == "UNARY_OPERATOR":
        return above.operator == "*"
    if above.kind == "ARRAY_SUBSCRIPT_EXPR":  # an element of what a pointer to an object leads to may be another one
        return above.children[0] is below and (types.is_scalar(above.type) or types.is_array(below.bare().type))
    if above.kind == "UNEXPOSED_EXPR":
        return types.is_array(below.type) or types.is_pointer(below.type)
    return above.kind == "PAREN_EXPR"
