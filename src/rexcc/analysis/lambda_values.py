"""What a lambda that a region calls is made of, and what may happen to the variables that it captured.

In: variables and nodes of the function around. Out: the lambda that a variable is initialised with; answers to whether
a variable is read, is a reference, can be copied as a value.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Type

from rexcc.analysis.addresses import is_exposed, may_be_changed
from rexcc.analysis.copies_made import copies_are_bytes
from rexcc.analysis.references import UsedVariable, is_written
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.patterns import regex

_WRAPPERS = frozenset({"CALL_EXPR", "INIT_LIST_EXPR", "PAREN_EXPR", "UNEXPOSED_EXPR"})
_PARTS = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "PAREN_EXPR"})
_COPIED_ELEMENTS = frozenset({"UNEXPOSED_EXPR", "ARRAY_SUBSCRIPT_EXPR"})
_OBJECT = regex(r"\*?\s*\w+|\w+(?:(?:\.|->)\w+)+")


def lambda_of(variable: Node) -> Node | None:
    """Return the lambda, or the variable with one, that a variable is a copy of or refers to."""
    node = variable.children[-1] if variable.children else None
    while node is not None and len(node.children) == 1 and node.kind in _WRAPPERS:
        if node.kind == "CALL_EXPR" and not _is_copy(node):
            return None
        node = node.children[0]
    return node if node is not None and node.kind in ("LAMBDA_EXPR", "DECL_REF_EXPR") else None


def _is_copy(call: Node) -> bool:
    """Whether what looks like a call makes an object of another one. Before C++17 a lambda's is made of a temporary
    one, by a constructor that has no declaration."""
    if call.referenced is not None:
        return kind_of(call.referenced) == "CONSTRUCTOR"
    made, given = (types.canonical(types.without_reference(n.cursor.type)) for n in (call, call.children[0]))
    return types.is_record(made) and made.get_declaration() == given.get_declaration()


def is_lambda_object(unit: ParsedUnit, kind: Type) -> bool:
    """Whether a type is that of a lambda that got a name."""
    bare = types.canonical(types.without_reference(kind))
    return types.is_record(bare) and bare.get_declaration().spelling in unit.lambda_classes


def is_mutable(kind: Type) -> bool:
    """Whether calls of a lambda's object change it."""
    record = types.canonical(types.without_reference(kind)).get_declaration()
    members = library.children(library.template_of(record) or record.get_definition() or record)
    return any(c.spelling == "operator()" and not c.is_const_method() for c in members)


def changes(node: Node) -> bool:
    """Whether a node may change the variable that it names."""
    return node.kind == "DECL_REF_EXPR" and (is_written(node) or is_exposed(node))


def is_local(variable: Variable) -> bool:
    """Whether a variable is declared in a function."""
    parent = variable.cursor.semantic_parent
    return parent is not None and kind_of(parent) in FUNCTION_KINDS


def is_known_number(unit: ParsedUnit, variable: Variable) -> bool:
    """Whether a variable is a number that is known here, which a lambda need not capture."""
    kind, node = variable.cursor.type, unit.tree.node(variable.cursor)
    if not types.is_constant(kind) or not types.is_scalar(kind) or not node.children:
        return False
    return library.evaluate_integer(node.children[-1].cursor) is not None


def may_be_bound(variable: Variable) -> bool:
    """Whether a variable is a reference, or a structured binding, which may be one."""
    return types.is_reference(variable.cursor.type) or kind_of(variable.cursor) == "UNEXPOSED_DECL"


def can_travel(unit: ParsedUnit, variable: Variable) -> bool:
    """Whether a copy of a variable can be an argument of a kernel."""
    kind = types.without_reference(variable.cursor.type)
    if types.is_array(kind) and (types.is_variable_length(kind) or types.is_constant(kind)):
        return False
    part = types.innermost(kind)
    return not types.is_record(part) or copies_are_bytes(unit, part)


def is_capture(node: Node) -> bool:
    """Whether a reference only stands for a lambda's capture, which copies an array element by element."""
    above = node.parent
    while above is not None and above.kind in _COPIED_ELEMENTS:
        above = above.parent
    return above is not None and above.kind == "LAMBDA_EXPR"


def is_read(node: Node) -> bool:
    """Whether the value of a variable, or of a part of it, is read: clang has a conversion around the expression."""
    top = node
    while top.parent is not None and (top.parent.kind in _PARTS or _is_decay(top.parent)):
        top = top.parent
    if is_written(top) or is_exposed(top) or top.parent is None:
        return False
    return top.parent.kind == "UNEXPOSED_EXPR" and not types.is_array(top.type)


def _is_decay(node: Node) -> bool:
    """Whether an array becomes a pointer only to be subscripted."""
    above = node.parent
    return node.kind == "UNEXPOSED_EXPR" and above is not None and above.kind == "ARRAY_SUBSCRIPT_EXPR"


def is_plain_value(value: str, computed_with: Iterable[Variable]) -> bool:
    """Whether an expression without calls uses no operator of a class: it computes with numbers and pointers, or names
    an object or a member of one. Reading it once more must be nothing that counts, so nothing in it is volatile."""
    found = [types.innermost(types.without_reference(v.cursor.type)) for v in computed_with]
    if any(types.is_volatile(kind) or types.is_volatile(kind.get_pointee()) for kind in found):
        return False
    if _OBJECT.fullmatch(value):
        return True
    return not any(types.is_record(kind) or types.is_record(kind.get_pointee()) for kind in found)


def only_reads_elements(captured: UsedVariable) -> bool:
    """Whether a lambda only reads the elements of an array: the kernel's copy is constant."""
    if not types.is_array(captured.cursor.type):
        return True
    return not any(may_be_changed(use) for use in captured.uses if not is_capture(use))


def holds_numbers(variable: Variable) -> bool:
    """Whether a variable is a number or an array of them, no way to other memory."""
    kind = types.innermost(types.without_reference(variable.cursor.type))
    return not (types.is_pointer(kind) or types.is_record(kind))
