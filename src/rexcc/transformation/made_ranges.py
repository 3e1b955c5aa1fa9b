"""Ranges of the user's classes that are made where a loop stands: ``for (auto i : range<int>(3, n))``.

In: the expression of a range, and the loop's body. Out: whether making it once more, also on a device, does nothing
else and gives the same: it is made of names, numbers and arithmetic by functions that only compute, elements are no
parts of it, and the body does not write to the memory that it reads.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.evaluated_parts import is_part
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of

_NEVER = frozenset(
    {
        "CXX_NEW_EXPR", "CXX_DELETE_EXPR", "CXX_THROW_EXPR", "CXX_TRY_STMT", "LAMBDA_EXPR", "ASM_STMT", "GCC_ASM_STMT",
        "COMPOUND_ASSIGNMENT_OPERATOR", "GOTO_STMT", "UNEXPOSED_DECL",
    }
)  # fmt: skip
_CHANGES = frozenset({"=", "++", "--", "p++", "p--"})
_DEPTH = 6


def makes_range(given: Node) -> bool:
    """Whether an expression only makes an object of a class of the user's whose elements are elsewhere."""
    kind = types.canonical(given.type)
    if not types.is_record(kind) or types.has_array(kind) or _has_destructor(kind):
        return False
    return all(_computes(node, _DEPTH) for node in given.walk())


def reads_changed_memory(given: Node, body: Node) -> bool:
    """Whether a body, or a function that it calls, may write to elements or members from which a range is made. They
    may be named in another way there, so their types decide (ISO C++17, [basic.lval] 8)."""
    read = {_type_key(node) for node in given.walk() if _is_in_memory(node) and not types.is_constant(node.type)}
    if not read:
        return False
    written = (n for part in (body, *called_bodies(body.tree, (body,))) for n in part.walk() if _is_in_memory(n))
    return any(_type_key(node) in read and may_be_changed(node) for node in written)


def _is_in_memory(node: Node) -> bool:
    """Whether an expression is a number or a pointer, and an element, a member, or what a pointer leads to."""
    kind = types.without_reference(node.type)
    return is_part(node) and (types.is_scalar(kind) or types.is_pointer(kind))


def _type_key(node: Node) -> str:
    kind = types.canonical(types.without_reference(node.type))
    return str(kind.spelling).removeprefix("const ")


def _has_destructor(kind: Type) -> bool:
    record = kind.get_declaration()
    pattern = library.template_of(record) or record
    members = (pattern.get_definition() or pattern).get_children()
    return any(kind_of(member) == "DESTRUCTOR" and not member.is_default_method() for member in members)


def _computes(node: Node, depth: int) -> bool:
    """Whether a node, without those below it, has no effect, and no value but that of what it names."""
    if node.kind in _NEVER or (node.kind in ("UNARY_OPERATOR", "BINARY_OPERATOR") and node.operator in _CHANGES):
        return False
    if node.kind == "VAR_DECL":
        return not library.has_global_storage(node.cursor)
    if node.kind == "DECL_REF_EXPR" and node.referenced is not None and kind_of(node.referenced) == "VAR_DECL":
        return not library.has_global_storage(node.referenced) or types.is_constant(node.referenced.type)
    if node.kind != "CALL_EXPR":
        return True
    return node.referenced is not None and _only_computes(node.referenced, node, depth)


def _only_computes(function: Cursor, call: Node, depth: int) -> bool:
    if kind_of(function) not in FUNCTION_KINDS or (kind_of(function) == "CXX_METHOD" and function.is_virtual_method()):
        return False  # only its call tells which function that is
    if library.in_system_header(function):
        return bool(library.is_constexpr(function)) or function.spelling in ("move", "forward")
    if kind_of(function) == "CONSTRUCTOR" and (function.is_default_method() or _is_implicit(function)):
        return True
    pattern = function.get_definition() or library.template_of(function)
    definition = pattern.get_definition() if pattern is not None else None
    if definition is None or depth == 0:
        return False
    body = call.tree.node(definition)
    return all(_computes(node, depth - 1) for node in body.walk())


def _is_implicit(constructor: Cursor) -> bool:
    """Whether a constructor is one that the compiler declares: it stands where its class does."""
    record = constructor.semantic_parent
    return kind_of(record) in RECORD_KINDS and constructor.location.offset == record.location.offset
