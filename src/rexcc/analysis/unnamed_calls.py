"""Functions that C++ code may call where no expression names them.

In: a unit. Out: its constructors, destructors, conversions and operators that objects, loops over ranges and the
compiler's own functions call, with ``begin``, ``end``, ``get`` and ``swap``; and the initial values of members, which
are computed where an object is made. clang's tree shows none of these calls in a list (C++20, 9.4.5), and the values
nowhere but in the class.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit

_SPECIAL = frozenset({"CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_NAMES = frozenset({"begin", "end", "get", "swap"})
_ALWAYS_WRITTEN = frozenset({"operator()", "operator[]", "operator->"})
_HOLDERS = frozenset({"NAMESPACE", "LINKAGE_SPEC", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
_OBJECTS = frozenset({"VAR_DECL", "PARM_DECL", "CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR", "INIT_LIST_EXPR"})
_OF_OTHERS = frozenset(
    {"operator=", "operator==", "operator!=", "operator<", "operator<=", "operator>", "operator>=", "operator<=>"}
)
"""Operators that the compiler's own functions call, for the parts of an object."""
_COMPARISONS = _OF_OTHERS - {"operator="}
_HIDING = frozenset({"INIT_LIST_EXPR", "CXX_FOR_RANGE_STMT", "LAMBDA_EXPR", "UNEXPOSED_DECL"})
"""Nodes below which clang's tree does not show all calls: besides structured bindings."""
MAKING = frozenset({"VAR_DECL", "INIT_LIST_EXPR"})
"""Nodes that make objects where no call of a constructor may stand."""


def may_be_unnamed(function: Cursor) -> bool:
    """Whether code may call a function without naming it."""
    name = str(function.spelling)
    if kind_of(function) in _SPECIAL or name in _NAMES:
        return True
    scope = function.semantic_parent
    is_constructor = scope is not None and name.partition("<")[0] == scope.spelling.partition("<")[0]
    return is_constructor or (_is_operator(name) and name not in _ALWAYS_WRITTEN)


def functions_defined(unit: ParsedUnit) -> Iterator[Node]:
    """Yield the functions that the user's files define, templates as such, those of classes in functions too."""
    for top in unit.declarations:
        if top.file in unit.files:
            yield from (n for n in top.walk() if n.kind in FUNCTION_KINDS and n.cursor.is_definition())


def initial_values(unit: ParsedUnit) -> Iterator[Node]:
    """Yield the data members of the user's classes, with what they begin with."""
    for top in unit.declarations:
        if top.file in unit.files and top.kind in _HOLDERS | RECORD_KINDS | FUNCTION_KINDS:
            yield from (n for n in top.walk() if n.kind == "FIELD_DECL" and n.children)


def calls_of_objects(code: Node) -> Iterator[Cursor]:
    """Yield what a piece of code may call without naming it, because of the classes of its objects.

    Where lists, loops over ranges and the like may call anything that has to do with an object, all its functions are
    yielded; elsewhere those that make it, end it, or execute what the compiler's own functions do for its parts.
    """
    seen: dict[bool, set[int]] = {False: set(), True: set()}
    for node, hidden in _nodes(code):
        if node.kind == "CXX_DELETE_EXPR" and node.children:
            yield from _of_class(types.canonical(node.children[0].bare().type).get_pointee(), seen[True])
        elif node.kind in _OBJECTS and (hidden or _makes_object(node)):
            functions = _of_class(types.innermost(node.type), seen[hidden])
            yield from (f for f in functions if hidden or not _is_only_written(str(f.spelling)))


def _nodes(code: Node) -> Iterator[tuple[Node, bool]]:
    """Yield the nodes of a piece of code, each with whether calls at it may be hidden."""
    stack = [(code, False)]
    while stack:
        node, hidden = stack.pop()
        hidden = hidden or _hides_calls(node)
        yield node, hidden
        stack += ((child, hidden) for child in node.children)


def _hides_calls(node: Node) -> bool:
    """Whether clang's tree does not show all calls that stand in a node: captures are copied, and comparisons that the
    compiler wrote compare the parts."""
    if node.kind in _HIDING:
        return True
    callee = node.referenced if node.kind == "CALL_EXPR" else None
    if callee is None or callee.spelling not in _COMPARISONS:
        return False
    return not any(kind_of(part) == "COMPOUND_STMT" for part in library.children(callee.get_definition() or callee))


def _makes_object(node: Node) -> bool:
    """Whether an object is made, ended or assigned to at a node, other than as bytes."""
    kind = node.type
    if node.kind in ("VAR_DECL", "PARM_DECL"):
        if types.is_reference(kind):
            return False
        starts = node.kind == "PARM_DECL" or any(child.bare().kind == "CALL_EXPR" for child in node.children)
        return not (starts and _is_bytes(kind))
    if node.kind != "CALL_EXPR":
        return False
    callee = node.referenced
    if callee is None:
        return True
    if kind_of(callee) == "CONSTRUCTOR" or callee.spelling == "operator=":
        copies = callee.is_copy_constructor() or kind_of(callee) != "CONSTRUCTOR"
        return not (copies and callee.is_default_method() and _is_bytes(kind))
    return not types.is_reference(callee.result_type) and not _is_bytes(kind)


def _is_bytes(kind: Type) -> bool:
    return not types.is_record(kind) or types.is_copied_as_bytes(types.innermost(kind))


def _is_only_written(name: str) -> bool:
    """Whether nothing calls a function of this name but an expression with its operator; conversions have a blank."""
    return _is_operator(name) and not name.startswith("operator ") and name not in _OF_OTHERS


def _is_operator(name: str) -> bool:
    return name.startswith("operator") and not name[len("operator") :][:1].isalnum()


def _of_class(kind: Type, seen: set[int]) -> Iterator[Cursor]:
    """Yield the functions of a class, and of its parts, that need no name, and those that its members begin with."""
    if not types.is_record(kind):
        return
    record = types.canonical(kind).get_declaration()
    if int(record.hash) in seen or library.in_system_header(record):
        return
    seen.add(int(record.hash))
    for member in types.members_of(kind):
        if kind_of(member) in FUNCTION_KINDS and may_be_unnamed(member):
            yield member
        elif kind_of(member) in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            targets = (c.referenced for c in member.walk_preorder())
            yield from (t for t in targets if t is not None and kind_of(t) in FUNCTION_KINDS)
            yield from _of_class(types.innermost(member.type), seen)


def calls_of_making(node: Node) -> Iterator[Cursor]:
    """Yield what is called, without a name for it, where a declaration, a list or a call of a constructor makes an
    object: what its members begin with, its destructor, and the conversions and constructors of values in a list."""
    kind = types.innermost(node.type)
    for function in _of_class(kind, set()) if types.is_record(kind) else ():
        in_list = node.kind == "INIT_LIST_EXPR" and kind_of(function) == "CONSTRUCTOR"
        if in_list or kind_of(function) == "DESTRUCTOR" or not may_be_unnamed(function):
            yield function
    for value in node.children if node.kind == "INIT_LIST_EXPR" else ():
        for function in _of_class(types.canonical(value.type), set()) if types.is_record(value.type) else ():
            if kind_of(function) == "CONVERSION_FUNCTION":
                yield function
