"""Where the address of a variable goes.

In: an expression that names a variable or a part of it. Out: whether its address may get anywhere but to the access
that stands right there. The way up the tree is followed through everything that passes an object or an address on:
members, elements, casts, conditionals, commas, assignments as operands, arithmetic on pointers. What is not known to
end in a read, a comparison or a plain assignment counts as taken.

A plain read has an implicit conversion (lvalue to rvalue) around it in clang's tree; an argument or initialiser
without one is bound by reference. libclang shows lists of initial values as they are written, without conversions: what
such a list makes tells whether it has references. What is bound to a reference to a constant, or is the object of a
constant method, is only read if no cast may take the ``const`` away (:mod:`.constant_references`).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from clang.cindex import Cursor, Type

from rexcc.analysis.constant_references import may_lose_const
from rexcc.analysis.loop_ranges import may_change_range
from rexcc.clang import classes, types
from rexcc.clang.tree import CASTS, Node, kind_of
from rexcc.clang.unevaluated import leaves_unevaluated
from rexcc.source.records import dataclass

_CASTS = CASTS | {"CXX_DYNAMIC_CAST_EXPR"}
_BINDING = frozenset({"VAR_DECL", "CALL_EXPR", "INIT_LIST_EXPR", "RETURN_STMT", "LAMBDA_EXPR"})
_STORING_STATEMENTS = frozenset({"RETURN_STMT", "GCC_ASM_STMT", "ASM_STMT", "MS_ASM_STMT"})
ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
"""Operators that change their left operand."""
_ASSIGNING = frozenset(f"operator{name}" for name in (*ASSIGNMENTS, "++", "--"))
_METHODS = frozenset({"CXX_METHOD", "CONVERSION_FUNCTION", "DESTRUCTOR", "FUNCTION_TEMPLATE"})


class _Now(Enum):
    """What an expression on the way is: the object (or a part), its address, or neither any more."""

    OBJECT = auto()
    ADDRESS = auto()
    READ = auto()
    TAKEN = auto()


@dataclass(eq=False)
class _Way:
    """``parts``: members and elements are followed, too; ``constant``: nothing is changed from here on; ``passed``:
    an operator has passed the object on, so that clang's tree has no conversion for a read of it in C; ``written``:
    the object or a part of it is assigned. ``keeps``, where addresses count also if nothing is changed through them,
    tells whether what a call is given as a pointer may be kept by it."""

    parts: bool
    written: bool = False
    constant: bool = False
    passed: bool = False
    keeps: Callable[[Node, Node], bool] | None = None


def is_exposed(node: Node) -> bool:
    """Whether an expression's address is taken, it is bound to a reference that may change it, or an operator passes
    it on to what changes it. Its members and elements are expressions of their own."""
    return _goes(node, _Way(False))


def address_leaves(node: Node) -> bool:
    """Whether the address of what an expression names, or of any part of it, may get elsewhere."""
    return _goes(node, _Way(True))


def may_be_changed(node: Node) -> bool:
    """Whether what an expression names, or a part of it, is assigned, or its address gets elsewhere."""
    way = _Way(True)
    return _goes(node, way) or way.written


def address_is_kept(node: Node, keeps: Callable[[Node, Node], bool]) -> bool:
    """Whether the address of what an expression names, or of a part of it, may be anywhere but in the expression
    itself; ``keeps`` tells it of an argument of a call."""
    return _goes(node, _Way(True, keeps=keeps))


def pointer_is_kept(node: Node, keeps: Callable[[Node, Node], bool]) -> bool:
    """The same of the address that is the value of an expression."""
    return _goes(node, _Way(True, keeps=keeps), _Now.ADDRESS)


def _goes(node: Node, way: _Way, now: _Now = _Now.OBJECT) -> bool:
    while node.parent is not None:
        above = node.parent
        now = (_object_in if now is _Now.OBJECT else _address_in)(node, above, way)
        if now in (_Now.READ, _Now.TAKEN):
            return now is _Now.TAKEN
        node = above
    return False


def _object_in(node: Node, above: Node, way: _Way) -> _Now:
    """Return what becomes of an object that a node names in the expression or statement above."""
    kind = above.kind
    if kind == "PAREN_EXPR":
        return _Now.OBJECT
    if kind == "UNEXPOSED_EXPR":
        return _converted(node, above, way)
    if kind in _BINDING:
        return _bound(node, above, way)
    if kind in _CASTS:
        way.constant = way.passed = False
        return _Now.OBJECT if _keeps_object(node, above) else _Now.READ
    followed = _FOLLOWED.get(kind)
    if followed is not None:
        return followed(node, above, way)
    return _Now.READ if way.keeps is None or leaves_unevaluated(above, node) else _Now.TAKEN


def _converted(node: Node, above: Node, way: _Way) -> _Now:
    """Implicit conversions: an array becomes an address, a scalar is read, all else only gets qualifiers or a base."""
    if types.is_array(node.type):
        if types.is_pointer(above.type):
            return _Now.ADDRESS if way.parts else _Now.READ
        return _Now.OBJECT
    if _is_qualified(above.type):
        way.constant |= types.is_constant(above.type)
        return _Now.OBJECT
    return _Now.OBJECT if types.is_record(node.type) and types.is_record(above.type) else _Now.READ


def _is_qualified(kind: Type) -> bool:
    """Whether a type has qualifiers, which no value of a scalar type has."""
    return types.is_constant(kind) or types.is_volatile(kind)


def _keeps_object(node: Node, cast: Node) -> bool:
    """Whether a cast of an object names it still: what casts to values has a conversion below it, but in templates."""
    if types.kind_name(types.canonical(cast.type)) == "VOID":
        return False
    if _is_known(node.type) and _is_known(cast.type):
        return True
    return any(token.spelling in ("&", "&&") for token in cast.cursor.get_tokens())


def _is_known(kind: Type) -> bool:
    """Whether a type does not depend on a template's parameters."""
    return types.is_scalar(kind) or types.is_pointer(kind) or types.is_record(kind) or types.is_array(kind)


def _member(node: Node, above: Node, way: _Way) -> _Now:
    """The object whose member is named."""
    member = above.referenced
    if not way.parts:
        return _Now.READ
    if member is None:
        return _Now.OBJECT
    if kind_of(member) in _METHODS:
        kind = _object_type(node.type)
        changes = way.keeps is not None or not member.is_const_method() or classes.has_mutable_part(kind)
        changes = changes or may_lose_const(node, above.parent, kind)
        return _Now.TAKEN if changes and not member.is_static_method() else _Now.READ
    if kind_of(member) != "FIELD_DECL" or types.is_reference(member.type):
        return _Now.READ
    return _Now.OBJECT


def _object_type(kind: Type) -> Type:
    found = types.canonical(kind)
    return types.canonical(found.get_pointee()) if types.is_pointer(found) else found


def _element(node: Node, above: Node, way: _Way) -> _Now:
    is_base = above.children[0] is node and types.is_array(node.type)
    return _Now.OBJECT if is_base and way.parts else _Now.READ


def _binding(node: Node, above: Node, way: _Way) -> _Now:
    """What a structured binding names the parts of: it copies that, or is a reference to it."""
    if not types.is_reference(above.type) or (way.constant and way.keeps is None):
        return _Now.READ
    is_read = way.keeps is None and types.is_constant(types.without_reference(above.type))
    return _Now.READ if is_read else _Now.TAKEN


def _range(node: Node, above: Node, way: _Way) -> _Now:
    """What a range-based loop goes through; its other parts are statements."""
    if above.children[1] is not node or (way.constant and way.keeps is None):
        return _Now.READ
    return _Now.TAKEN if way.keeps is not None or may_change_range(above) else _Now.READ


def _unary(node: Node, above: Node, way: _Way) -> _Now:
    match above.operator:
        case "&":
            return _Now.ADDRESS if way.parts else _Now.TAKEN
        case "++" | "--":
            return _passed_on(node, above, way)
        case "p++" | "p--":
            way.written = True
            return _Now.TAKEN if way.passed and not way.parts else _Now.READ
        case _:
            return _Now.READ


def _binary(node: Node, above: Node, way: _Way) -> _Now:
    match above.operator:
        case "=":
            return _passed_on(node, above, way) if above.children[0] is node else _Now.READ
        case ",":
            way.passed = True
            return _Now.OBJECT if above.children[-1] is node else _Now.READ
        case ".*" | "->*":
            return _Now.OBJECT if way.parts and above.children[0] is node else _Now.READ
        case _:
            return _Now.READ


def _compound(node: Node, above: Node, way: _Way) -> _Now:
    return _passed_on(node, above, way) if above.children[0] is node else _Now.READ


def _passed_on(node: Node, above: Node, way: _Way) -> _Now:
    """The target of an assignment is its value in C++; one that another operator has passed on is hard to see."""
    if way.passed and not way.parts:
        return _Now.TAKEN
    way.passed = way.written = True
    return _Now.OBJECT


def _conditional(node: Node, above: Node, way: _Way) -> _Now:
    way.passed = True
    return _Now.READ if above.children[0] is node else _Now.OBJECT


_FOLLOWED: dict[str, Callable[[Node, Node, _Way], _Now]] = {
    "MEMBER_REF_EXPR": _member,
    "ARRAY_SUBSCRIPT_EXPR": _element,
    "UNARY_OPERATOR": _unary,
    "BINARY_OPERATOR": _binary,
    "COMPOUND_ASSIGNMENT_OPERATOR": _compound,
    "CONDITIONAL_OPERATOR": _conditional,
    "CXX_FOR_RANGE_STMT": _range,
    "UNEXPOSED_DECL": _binding,
}


def _bound(node: Node, above: Node, way: _Way) -> _Now:
    """An object without a conversion in a place that may bind it to a reference."""
    if above.kind == "VAR_DECL":
        if types.is_array(above.type) and not types.is_reference(above.type):
            return _Now.READ  # the extent of an array
        if _is_known(above.type) and not types.is_reference(above.type):
            return _Now.READ
    elif above.kind == "CALL_EXPR" and (types.is_record(node.type) or way.passed):
        return _argument(node, above, way)
    is_listed = above.kind == "INIT_LIST_EXPR" and _is_value_in_list(node.type, above.type)
    if is_listed or (above.kind == "LAMBDA_EXPR" and _is_copied(node, above)):
        return _Now.READ
    if not way.constant or way.keeps is not None:
        return _Now.TAKEN
    return _Now.TAKEN if may_lose_const(node, above if above.kind == "CALL_EXPR" else None, node.type) else _Now.READ


def _is_copied(captured: Node, closure: Node) -> bool:
    """Whether a lambda has a copy of a number or pointer that it captures: by its name, or by a ``=`` in front of all
    that have names. In ``[&r = v]``, too, ``v`` stands without a conversion."""
    if not (types.is_scalar(captured.type) or types.is_pointer(captured.type)):
        return False
    names = [child.start for child in closure.children if child.kind == "VARIABLE_REF"]
    return captured.start in names or all(captured.start < start for start in names)


def _is_value_in_list(listed: Type, made: Type) -> bool:
    """Whether a list of initial values for an array or an aggregate reads what it lists, a number or a pointer.

    Where no part of what is made is a reference or has a constructor, each such value initialises a number or pointer.
    """
    is_number = types.is_scalar(listed) or types.is_pointer(listed)
    return is_number and (types.is_array(made) or types.is_record(made)) and types.takes_values(made)


def _argument(node: Node, call: Node, way: _Way) -> _Now:
    """An object, or what an operator passes on, as an argument or the object of an operator."""
    callee = call.referenced
    if callee is None:
        return _Now.TAKEN
    if callee.is_default_method() or str(callee.spelling) in _ASSIGNING:
        return _assigned_object(node, call, way)
    if way.keeps is not None:
        return _Now.TAKEN
    if not way.parts and not way.passed:
        return _Now.READ
    parameters = [p.type for p in callee.get_arguments() if p is not None]
    changes = any(types.is_reference(p) and not types.is_constant(p) for p in parameters)
    if kind_of(callee) in _METHODS and not callee.is_static_method() and call.children and call.children[0] is node:
        changes |= not callee.is_const_method() and not _is_lambda_call(callee)
    returns = kind_of(callee) != "CONSTRUCTOR" and _is_address(callee.type.get_result())
    return _Now.TAKEN if changes or returns or may_lose_const(node, call, node.type) else _Now.READ


def _assigned_object(node: Node, call: Node, way: _Way) -> _Now:
    """The compiler's own constructors copy; assignments give their target back."""
    is_target = str(call.spelling) in _ASSIGNING and bool(call.children) and call.children[0] is node
    return _passed_on(node, call, way) if is_target else _Now.READ


def _is_lambda_call(callee: Cursor) -> bool:
    scope = callee.semantic_parent
    return callee.spelling == "operator()" and scope is not None and not scope.spelling


def _is_address(kind: Type) -> bool:
    return types.is_reference(kind) or types.is_pointer(kind)


def _address_in(node: Node, above: Node, way: _Way) -> _Now:
    """Return what becomes of an address in the expression or statement above."""
    kind = above.kind
    if kind == "CALL_EXPR" and way.keeps is not None:
        return _Now.TAKEN if way.keeps(above, node) else _Now.READ
    if kind in ("PAREN_EXPR", "UNEXPOSED_EXPR"):
        if len(above.children) != 1:
            return _Now.TAKEN  # an atomic operation of the compiler's
        return _Now.ADDRESS if types.is_pointer(above.type) else _Now.READ
    if kind in _CASTS:
        name = types.kind_name(types.canonical(above.type))
        return _Now.ADDRESS if name == "POINTER" else _Now.READ if name in ("BOOL", "VOID") else _Now.TAKEN
    if kind == "ARRAY_SUBSCRIPT_EXPR":
        return _Now.OBJECT
    if kind == "MEMBER_REF_EXPR":
        return _member(node, above, way)
    if kind == "UNARY_OPERATOR":
        return _Now.OBJECT if above.operator == "*" else _Now.READ if above.operator == "!" else _Now.TAKEN
    if kind in ("BINARY_OPERATOR", "CONDITIONAL_OPERATOR"):
        return _operand(node, above)
    if leaves_unevaluated(above, node) or (kind.endswith("_STMT") and kind not in _STORING_STATEMENTS):
        return _Now.READ
    return _Now.TAKEN


def _operand(node: Node, above: Node) -> _Now:
    """An address as an operand: of arithmetic or a choice it goes on, stored it is gone, compared it has ended."""
    if above.kind == "CONDITIONAL_OPERATOR":
        return _Now.READ if above.children[0] is node else _Now.ADDRESS
    match above.operator:
        case "=":
            return _Now.TAKEN
        case "+" | "-":
            return _Now.ADDRESS if types.is_pointer(above.type) else _Now.READ
        case ",":
            return _Now.ADDRESS if above.children[-1] is node else _Now.READ
        case "->*":
            return _Now.OBJECT
        case _:
            return _Now.READ
