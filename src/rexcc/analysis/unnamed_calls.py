"""Functions that C++ code may call where no expression names them.

In: a unit. Out: its constructors, destructors, conversions and operators that objects, loops over ranges and the
compiler's own functions call, with ``begin``, ``end``, ``get`` and ``swap``; and the initial values of members, which
are computed where an object is made. clang's tree shows none of these calls in a list (C++20, 9.4.5), and the values
nowhere but in the class.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.class_parts import bases_of, classes_among, family_of, is_known, may_hold_arguments
from rexcc.analysis.implicit_calls import CALLING, implicit_calls
from rexcc.analysis.implied_functions import inherited_constructors
from rexcc.clang import classes, library, types
from rexcc.clang.dependent_bases import chosen_classes
from rexcc.clang.given_types import classes_given
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
_PARTS = ("FIELD_DECL", "CXX_BASE_SPECIFIER")
_HIDING = frozenset({"INIT_LIST_EXPR", "CXX_FOR_RANGE_STMT", "LAMBDA_EXPR", "UNEXPOSED_DECL"})
"""Nodes below which clang's tree does not show all calls: besides structured bindings."""
_ANYTHING = -1
"""Stands among the hashes of classes that have been looked at for those that may be any class."""
MAKING = frozenset({"VAR_DECL", "INIT_LIST_EXPR"})
"""Nodes that make objects where no call of a constructor may stand."""


def may_be_unnamed(function: Cursor) -> bool:
    """Whether code may call a function without naming it."""
    name = str(function.spelling)
    if kind_of(function) in _SPECIAL or name in _NAMES:
        return True
    return _is_constructor(function) or (_is_operator(name) and name not in _ALWAYS_WRITTEN)


def _is_constructor(function: Cursor) -> bool:
    """Whether a function is a constructor, also one that a template describes."""
    scope, name = function.semantic_parent, str(function.spelling)
    return scope is not None and name.partition("<")[0] == scope.spelling.partition("<")[0]


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


def calls_of_objects(unit: ParsedUnit, code: Node) -> Iterator[Cursor]:
    """Yield what a piece of code may call without naming it, because of the classes of its objects.

    Where lists, loops over ranges and the like may call anything that has to do with an object, all its functions are
    yielded; elsewhere those that make it, end it, or execute what the compiler's own functions do for its parts. Where
    the tree shows which constructor of the user's makes it, what that calls without a word is enough. What functions of
    the library call because of their arguments is found in them.
    """
    yield from calls_of_arguments(code)
    yield from calls_of_classes(unit, code)


def calls_of_arguments(code: Node) -> Iterator[Cursor]:
    """Yield those of them that the library calls because of its arguments, and those of loops over ranges, structured
    bindings and ``new``."""
    for node in code.walk():
        if node.kind == "CALL_EXPR" or node.kind in CALLING:
            yield from implicit_calls(node)


def calls_of_classes(unit: ParsedUnit, code: Node) -> Iterator[Cursor]:
    """Yield those of them that are functions of the objects' classes, or that these name."""
    hiding, making, named = set[int](), set[int](), set[int]()
    for node, hidden in _nodes(code):
        callee = node.referenced if node.kind == "CALL_EXPR" else None
        if callee is not None and kind_of(callee) == "CONSTRUCTOR":
            yield from inherited_constructors(callee)
        if node.kind == "CXX_DELETE_EXPR" and node.children:
            yield from _of_class(unit, types.canonical(node.children[0].bare().type).get_pointee(), hiding)
        elif node.kind in _OBJECTS and hidden:
            yield from _of_class(unit, types.innermost(node.type), hiding)
        elif node.kind in _OBJECTS and _names_constructor(node):
            yield from _of_constructor(unit, types.innermost(node.type), named)
        elif node.kind in _OBJECTS and _makes_object(node):
            functions = _of_class(unit, types.innermost(node.type), making)
            yield from (f for f in functions if not _is_only_written(str(f.spelling)))


def functions_of_objects(unit: ParsedUnit, kind: Type) -> Iterator[Cursor]:
    """Yield the functions of a type's class, if it has one, that make, assign or end an object without being named."""
    functions = _of_class(unit, types.innermost(kind), set())
    yield from (f for f in functions if not _is_only_written(str(f.spelling)))


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
        return not _binds_reference(node)
    callee = node.referenced if node.kind == "CALL_EXPR" else None
    if callee is None or callee.spelling not in _COMPARISONS:
        return False
    return not any(kind_of(part) == "COMPOUND_STMT" for part in library.children(callee.get_definition() or callee))


def _binds_reference(node: Node) -> bool:
    """Whether a list is what a reference is bound to: an object of its class, of which none is made (C++20, 9.4.5,
    paragraph 3.9)."""
    above = node.parent
    if node.kind != "INIT_LIST_EXPR" or len(node.children) != 1 or above is None:
        return False
    given = types.canonical(node.children[0].type)
    if not types.is_record(given) or given.get_declaration() != types.canonical(node.type).get_declaration():
        return False
    if above.kind == "VAR_DECL":
        return types.is_reference(above.type)
    before = above.children[above.children.index(node) - 1] if above.kind == "CONSTRUCTOR" else node
    member = before.referenced if before.kind == "MEMBER_REF" else None
    return member is not None and types.is_reference(member.type)


def _makes_object(node: Node) -> bool:
    """Whether an object is made, ended or assigned to at a node, other than as bytes."""
    kind = node.type
    if node.kind in ("VAR_DECL", "PARM_DECL"):
        if types.is_reference(kind):
            return False
        starts = node.kind == "PARM_DECL" or any(child.bare().kind == "CALL_EXPR" for child in node.children)
        return not (starts and _is_made_of_bytes(kind))
    if node.kind != "CALL_EXPR":
        return False
    callee = node.referenced
    if callee is None:
        return True
    if kind_of(callee) == "CONSTRUCTOR" or callee.spelling == "operator=":
        if callee.is_copy_constructor():
            return not (callee.is_default_method() and _is_made_of_bytes(kind))
        return kind_of(callee) == "CONSTRUCTOR" or not (callee.is_default_method() and _is_bytes(kind))
    return not types.is_reference(callee.result_type) and not _is_made_of_bytes(kind)


def _names_constructor(node: Node) -> bool:
    """Whether an expression tells which constructor makes its object, one that the user has written."""
    callee = node.referenced if node.kind == "CALL_EXPR" else None
    return callee is not None and kind_of(callee) == "CONSTRUCTOR" and not callee.is_default_method()


def _is_bytes(kind: Type) -> bool:
    return not types.is_record(kind) or classes.is_copied_as_bytes(types.innermost(kind))


def _is_made_of_bytes(kind: Type) -> bool:
    return not types.is_record(kind) or classes.is_made_of_bytes(types.innermost(kind))


def _is_only_written(name: str) -> bool:
    """Whether nothing calls a function of this name but an expression with its operator; conversions have a blank."""
    return _is_operator(name) and not name.startswith("operator ") and name not in _OF_OTHERS


def _is_operator(name: str) -> bool:
    return name.startswith("operator") and not name[len("operator") :][:1].isalnum()


def _of_class(unit: ParsedUnit | None, kind: Type, seen: set[int]) -> Iterator[Cursor]:
    """Yield the functions of a class, and of its parts, that need no name, and those that its members begin with.
    Nobody calls a deleted one. Without a unit, bases of which nothing is known are left out."""
    record = types.canonical(kind).get_declaration()
    if types.is_record(kind) and int(record.hash) not in seen:
        yield from _of_members(unit, record, types.members_of(kind), seen)
        yield from _of_dependent_bases(unit, kind, seen)


def _of_members(unit: ParsedUnit | None, record: Cursor, members: Iterable[Cursor], seen: set[int]) -> Iterator[Cursor]:
    if int(record.hash) in seen or library.in_system_header(record):
        return
    seen.add(int(record.hash))
    for member in members:
        if kind_of(member) in FUNCTION_KINDS and may_be_unnamed(member):
            if not library.is_forbidden(member):
                yield member
        elif kind_of(member) in _PARTS:
            yield from _named_in(member)
            if not types.is_reference(member.type):
                yield from _of_class(unit, types.innermost(member.type), seen)


def _of_dependent_bases(unit: ParsedUnit | None, kind: Type, seen: set[int]) -> Iterator[Cursor]:
    """Yield the same of the bases of a class whose types depend on the parameters of its template."""
    record = types.canonical(kind).get_declaration()
    bases = [] if library.in_system_header(record) else [b for b in bases_of(kind) if not types.is_record(b.type)]
    for base in bases:
        yield from _of_dependent_part(unit, base, seen)
    if any(may_hold_arguments(base) for base in bases):
        for argument in classes_among(kind):
            yield from _of_class(unit, types.innermost(argument), seen)


def _of_dependent_part(unit: ParsedUnit | None, part: Cursor, seen: set[int]) -> Iterator[Cursor]:
    """Yield the same of a base or member of a template. Classes among the template's arguments are looked at beside it;
    of a part that may be anything, all functions of the unit are yielded."""
    if not is_known(part):
        if unit is not None and _ANYTHING not in seen:
            seen.add(_ANYTHING)
            yield from unit.kept(_of_anything)
        return
    for named in (*(chosen.type for chosen in chosen_classes(part)), *classes_given(part)):
        yield from _of_class(unit, named, seen)
    for template in family_of(part):
        if int(template.hash) in seen:
            continue
        members = library.children(template)
        yield from _of_members(unit, template, members, seen)
        for member in members:
            is_part = kind_of(member) in _PARTS and not types.is_reference(member.type)
            if is_part and types.is_dependent(types.innermost(member.type)):
                yield from _of_dependent_part(unit, member, seen)


def _of_anything(unit: ParsedUnit) -> tuple[Cursor, ...]:
    """Return what a part may call of which nothing is known: all functions of the unit that need no name, and those
    that members begin with, each once."""
    unnamed = (n.cursor for n in functions_defined(unit) if may_be_unnamed(n.cursor))
    named = (function for value in initial_values(unit) for function in _named_in(value.cursor))
    return tuple({int(function.hash): function for function in (*unnamed, *named)}.values())


def _of_constructor(unit: ParsedUnit, kind: Type, seen: set[int], is_part: bool = False) -> Iterator[Cursor]:
    """Yield what a constructor that the user has written calls without a word: what members begin with, constructors of
    parts that need no arguments, as what is given arguments is written out, and all destructors."""
    record = types.canonical(kind).get_declaration()
    if not types.is_record(kind) or int(record.hash) in seen or library.in_system_header(record):
        return
    if is_part:
        seen.add(int(record.hash))
    members = [m for m in types.members_of(kind) if not (kind_of(m) in FUNCTION_KINDS and library.is_forbidden(m))]
    yield from (m for m in members if kind_of(m) == "DESTRUCTOR")
    makers = [m for m in members if is_part and _is_constructor(m) and _needs_no_arguments(m)]
    yield from [m for m in makers if kind_of(m) == "CONSTRUCTOR"] or makers  # templates come second (C++20, 12.2.4)
    for part in members:
        if kind_of(part) in _PARTS:
            yield from _named_in(part)
            if not types.is_reference(part.type):
                yield from _of_constructor(unit, types.innermost(part.type), seen, is_part=True)
    others = seen & {_ANYTHING}
    yield from _of_dependent_bases(unit, kind, others)
    seen |= others & {_ANYTHING}


def _named_in(member: Cursor) -> Iterator[Cursor]:
    """Yield the functions that the declaration of a data member or of a base class names."""
    targets = (c.referenced for c in member.walk_preorder())
    yield from (t for t in targets if t is not None and kind_of(t) in FUNCTION_KINDS)


def _needs_no_arguments(function: Cursor) -> bool:
    """Whether a function may be called without arguments: its parameters have values, or are a pack."""
    parameters = [child for child in function.get_children() if kind_of(child) == "PARM_DECL"]
    return all(_has_value(parameter) or parameter.type.spelling.endswith("...") for parameter in parameters)


def _has_value(parameter: Cursor) -> bool:
    return any(kind_of(child).endswith(("_EXPR", "_LITERAL")) for child in parameter.get_children())


def calls_of_making(node: Node, unit: ParsedUnit | None = None) -> Iterator[Cursor]:
    """Yield what is called, without a name for it, where a declaration, a list or a call of a constructor makes an
    object: what its members begin with, its destructor, and the conversions and constructors of values in a list."""
    kind = types.innermost(node.type)
    for function in _of_class(unit, kind, set()) if types.is_record(kind) else ():
        in_list = node.kind == "INIT_LIST_EXPR" and kind_of(function) == "CONSTRUCTOR"
        if in_list or kind_of(function) == "DESTRUCTOR" or not may_be_unnamed(function):
            yield function
    for value in node.children if node.kind == "INIT_LIST_EXPR" else ():
        for function in _of_class(unit, types.canonical(value.type), set()) if types.is_record(value.type) else ():
            if kind_of(function) == "CONVERSION_FUNCTION":
                yield function
