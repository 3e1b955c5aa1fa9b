"""The parts of libclang's C interface that its Python binding of version 18 leaves out.

In: cursors of :mod:`clang.cindex`. Out: plain values. Works with the pinned wheel (18.1.1) and, through
``LIBCLANG_PATH``, with any later libclang; every function here is in the C interface since 17.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from ctypes import (
    POINTER,
    byref,
    c_double,
    c_int,
    c_longlong,
    c_uint,
    c_void_p,
    py_object,
)
from functools import wraps
from typing import Any, TypeVar

from clang import cindex
from clang.cindex import Cursor, CursorKind, Index, SourceLocation, TranslationUnit, Type

from rexcc.clang.binding import Text, declare, is_null, lib
from rexcc.clang.constancy import depends_on_constancy

_Fact = TypeVar("_Fact")

BINARY_OPERATORS = (
    "", ".*", "->*", "*", "/", "%", "+", "-", "<<", ">>", "<=>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|",
    "&&", "||", "=", "*=", "/=", "%=", "+=", "-=", "<<=", ">>=", "&=", "^=", "|=", ",",
)  # fmt: skip
"""Spelling by ``CXBinaryOperatorKind``."""

UNARY_OPERATORS = ("", "p++", "p--", "++", "--", "&", "*", "+", "-", "~", "!", "real", "imag", "ext", "await")
"""Spelling by ``CXUnaryOperatorKind``; postfix increment and decrement are ``p++`` and ``p--``."""


_binary_kind = declare("clang_getCursorBinaryOperatorKind", [Cursor], c_int)
_unary_kind = declare("clang_getCursorUnaryOperatorKind", [Cursor], c_int)
_template_of = declare("clang_getSpecializedCursorTemplate", [Cursor], Cursor)
_overload_count = declare("clang_getNumOverloadedDecls", [Cursor], c_uint)
_overload = declare("clang_getOverloadedDecl", [Cursor, c_uint], Cursor)
_evaluate = declare("clang_Cursor_Evaluate", [Cursor], c_void_p)
_evaluated_kind = declare("clang_EvalResult_getKind", [c_void_p], c_int)
_evaluated_int = declare("clang_EvalResult_getAsLongLong", [c_void_p], c_longlong)
_evaluated_double = declare("clang_EvalResult_getAsDouble", [c_void_p], c_double)
_evaluated_dispose = declare("clang_EvalResult_dispose", [c_void_p], None)
_in_system_header = declare("clang_Location_isInSystemHeader", [SourceLocation], c_int)
_location = declare("clang_getCursorLocation", [Cursor], SourceLocation)
_canonical_type = declare("clang_getCanonicalType", [Type], Type)
_canonical = declare("clang_getCanonicalCursor", [Cursor], Cursor)
_referenced = declare("clang_getCursorReferenced", [Cursor], Cursor)
_equal = declare("clang_equalCursors", [Cursor, Cursor], c_uint)
_children = declare("clang_visitChildren", [Cursor, cindex.callbacks["cursor_visit"], py_object], c_uint)
_hash = declare("clang_hashCursor", [Cursor], c_uint)
_inline_namespace = declare("clang_Cursor_isInlineNamespace", [Cursor], c_uint)
_is_declaration = declare("clang_isDeclaration", [c_int], c_uint)
_global_storage = declare("clang_Cursor_hasVarDeclGlobalStorage", [Cursor], c_int)
_initialiser = declare("clang_Cursor_getVarDeclInitializer", [Cursor], Cursor)
_inlined = declare("clang_Cursor_isFunctionInlined", [Cursor], c_uint)
_dynamic_call = declare("clang_Cursor_isDynamicCall", [Cursor], c_int)
_overridden = declare("clang_getOverriddenCursors", [Cursor, POINTER(POINTER(Cursor)), POINTER(c_uint)], None)
_overridden_dispose = declare("clang_disposeOverriddenCursors", [POINTER(Cursor)], None)
_virtual_base = declare("clang_isVirtualBase", [Cursor], c_uint)
template_argument_kind = declare("clang_Cursor_getTemplateArgumentKind", [Cursor, c_uint], c_int)


_printing_policy = declare("clang_getCursorPrintingPolicy", [Cursor], c_void_p)
_policy_property = declare("clang_PrintingPolicy_setProperty", [c_void_p, c_int, c_uint], None)
_policy_dispose = declare("clang_PrintingPolicy_dispose", [c_void_p], None)
_pretty_printed = declare("clang_getCursorPrettyPrinted", [Cursor, c_void_p], Text)
_TERSE_OUTPUT = 17
_SUPPRESS_INITIALIZERS = 6


def _collect(child: Cursor, _parent: Cursor, found: tuple[list[Cursor], Any]) -> int:
    child._tu = found[1]
    found[0].append(child)
    return 1  # the next one


_collector: Any = cindex.callbacks["cursor_visit"](_collect)


def index(in_order: bool) -> Index:
    """Return what parses. ``in_order``: a unit's cursors are as clang completes them, with all functions that it
    instantiates; a function that a declaration needs at once is in front of that.

    libclang has this order where it leaves out what a precompiled header declares; no unit here has one.
    """
    return Index.create(excludeDecls=in_order)


def children(cursor: Cursor) -> list[Cursor]:
    """Return the cursors below one, in source order: a third of the binding's time, which checks each for null."""
    found: list[Cursor] = []
    _children(cursor, _collector, (found, cursor._tu))
    return found


def walk(cursor: Cursor) -> Iterator[Cursor]:
    """Yield a cursor and all below it, in source order; the binding has a generator for each level."""
    waiting = [cursor]
    while waiting:
        current = waiting.pop()
        yield current
        waiting += reversed(children(current))


Cursor.get_children = lambda cursor: iter(children(cursor))
Cursor.walk_preorder = walk
Cursor.__eq__ = lambda cursor, other: cursor is other or _equal(cursor, other)


def printed(cursor: Cursor) -> str:
    """Return a declaration as clang prints it from its tree: macros are expanded, attributes stand behind the name."""
    return str(_pretty_printed(cursor, None))


def argument_types(function: Type) -> list[Type]:
    """Return the types of a function's parameters, also those of kinds that the binding does not know."""
    count = lib.clang_getNumArgTypes(function)
    return [lib.clang_getArgType(function, place) for place in range(count)]


def canonical_type(kind: Type) -> Type:
    """Return a type without typedefs; several analyses ask it of each.

    It is the same object for all that are this type, so that what has been asked of it once is known.
    """
    known = kind.__dict__
    if "_without_typedefs" not in known:
        found: Type = _canonical_type(kind)
        unit = found._tu = known["_tu"]
        known["_without_typedefs"] = unit.__dict__.setdefault("_types", {}).setdefault(bytes(found), found)
    return known["_without_typedefs"]


def declaration_of(kind: Type) -> Cursor:
    """Return the declaration that a type names, invalid if there is none; for what stands for a template's parameter,
    for which clang has none, that of the argument."""
    found: Cursor = kind.get_declaration()
    stands_for_another = found.kind.is_invalid() and kind.kind.name == "UNEXPOSED"
    return canonical_type(kind).get_declaration() if stands_for_another else found


def key_of(cursor: Cursor) -> int:
    """Return a number that is the same for all redeclarations: ``cursor.canonical.hash`` in a third of the time."""
    known = cursor.__dict__
    if "_key" not in known:
        known["_key"] = int(_hash(_canonical(cursor)))
    key: int = known["_key"]
    return key


def asked_once(ask: Callable[[Any], _Fact]) -> Callable[[Any], _Fact]:
    """Return a question about cursors or types whose answer stays with the object."""
    name = f"_{ask.__module__}.{ask.__qualname__}"

    @wraps(ask)
    def asked(of: Any) -> _Fact:
        known = of.__dict__
        if name not in known:
            known[name] = ask(of)
        fact: _Fact = known[name]
        return fact

    return asked


def member_name(field: Cursor) -> str:
    """Return a data member's name, empty for one of an anonymous union or structure."""
    name = str(field.spelling)
    return "" if "(" in name else name  # clang says ``S::(anonymous union at …)``


def in_system_header(cursor: Cursor) -> bool:
    """Whether a cursor's place is in a system header."""
    return bool(_in_system_header(_location(cursor)))


def top_level(unit: TranslationUnit) -> tuple[list[Cursor], list[Cursor]]:
    """Return a unit's top-level cursors in system headers, and the others: thousands, which are told apart once."""
    known: tuple[list[Cursor], list[Cursor]] | None = unit.__dict__.get("_top_level")
    if known is None:
        known = unit._top_level = _split_by_header(children(unit.cursor))
    return known


def _split_by_header(cursors: list[Cursor]) -> tuple[list[Cursor], list[Cursor]]:
    of_system: list[Cursor] = []
    of_user: list[Cursor] = []
    for cursor in cursors:
        (of_system if _in_system_header(_location(cursor)) else of_user).append(cursor)
    return of_system, of_user


def of_user(unit: TranslationUnit) -> list[Cursor]:
    """Return a unit's top-level cursors that are in no system header."""
    return top_level(unit)[1]


def binary_operator(cursor: Cursor) -> str:
    """Return the operator of a binary (or compound assignment) operator, or an empty string."""
    kind = _binary_kind(cursor)
    return BINARY_OPERATORS[kind] if 0 <= kind < len(BINARY_OPERATORS) else ""


def unary_operator(cursor: Cursor) -> str:
    """Return the operator of a unary operator, or an empty string."""
    kind = _unary_kind(cursor)
    return UNARY_OPERATORS[kind] if 0 <= kind < len(UNARY_OPERATORS) else ""


def referenced(cursor: Cursor) -> Cursor | None:
    """Return the declaration that a reference or call means; None where that is the cursor itself, or nothing.

    It is the same object for all that mean it, so that what the binding has asked of it once is known.
    """
    found = _referenced(cursor)
    if is_null(found) or _equal(found, cursor):
        return None
    unit = cursor._tu
    found._tu = unit
    known: dict[bytes, Cursor] = unit.__dict__.setdefault("_meant", {})
    return known.setdefault(bytes(found), found)


def _adopt(result: Cursor | None, owner: Cursor) -> Cursor | None:
    if result is None or is_null(result):
        return None
    result._tu = owner._tu
    return result


def template_of(cursor: Cursor) -> Cursor | None:
    """Return the template that an instantiation or specialization was made from."""
    return _adopt(_template_of(cursor), cursor)


def is_written(specialisation: Cursor, pattern: Cursor) -> bool:
    """Whether a specialisation of a template has a text of its own, unlike an instantiation."""
    definition = pattern.get_definition() or pattern
    mine = specialisation.location
    return all(
        mine.offset != p.location.offset or mine.file.name != p.location.file.name
        for p in (pattern, definition, pattern.canonical)
    )


_CLASSES = frozenset({CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.UNION_DECL})


def as_written(definition: Cursor) -> Cursor:
    """Return the definition that the text has of a function or class: of an instantiation that of its template. What
    the user instantiates explicitly is no text of a class."""
    template = template_of(definition)
    if template is None or (definition.kind not in _CLASSES and is_written(definition, template)):
        return definition
    return template.get_definition() or template


def pattern_of(instance: Cursor) -> Cursor | None:
    """Return the template that the program's text has: a member template of a class template is instantiated twice.
    That of a partial specialisation is what it specialises, which says nothing of it."""
    pattern = template_of(instance)
    while pattern is not None and pattern.kind != CursorKind.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION:
        outer = template_of(pattern)
        if outer is None:
            break
        pattern = outer
    return pattern


_WITH_ACCESS = frozenset(
    {CursorKind.FRIEND_DECL, CursorKind.CLASS_DECL, CursorKind.STRUCT_DECL, CursorKind.CLASS_TEMPLATE}
)


def is_forbidden(function: Cursor) -> bool:
    """Whether no code calls a function of a class without naming it: it is deleted, or private and without a
    definition, as that was written before C++11. Another file may define what is private for friends and classes
    inside."""
    if function.is_deleted_method():
        return True
    if function.access_specifier != cindex.AccessSpecifier.PRIVATE or function.get_definition() is not None:
        return False
    return all(child.kind not in _WITH_ACCESS for child in function.semantic_parent.get_children())


def initialiser(cursor: Cursor) -> Cursor | None:
    """Return the first value that a declaration of a variable, this one or another, gives it."""
    return _adopt(_initialiser(cursor), cursor) if _is_declared(cursor) else None


def overloads(cursor: Cursor) -> tuple[Cursor, ...]:
    """Return the candidates of an overloaded reference inside a template; libclang knows some for this kind alone."""
    if cursor._kind_id != _OVERLOADED:
        return ()
    found = (_adopt(_overload(cursor, i), cursor) for i in range(_overload_count(cursor)))
    return tuple(c for c in found if c is not None)


_OVERLOADED = CursorKind.OVERLOADED_DECL_REF.value


def is_virtual_call(cursor: Cursor) -> bool:
    """Whether a call by a method's name finds the function by the object's class."""
    return bool(_dynamic_call(cursor))


def overridden(method: Cursor) -> tuple[Cursor, ...]:
    """Return the methods of base classes that a method overrides directly."""
    found, count = POINTER(Cursor)(), c_uint()
    _overridden(method, byref(found), byref(count))
    copies = tuple(Cursor.from_buffer_copy(found[i]) for i in range(count.value))
    if found:
        _overridden_dispose(found)
    return tuple(c for copy in copies if (c := _adopt(copy, method)) is not None)


def is_virtual_base(specifier: Cursor) -> bool:
    """Whether a base class's specifier says ``virtual``."""
    return bool(_virtual_base(specifier))


def _is_declared(cursor: Cursor) -> bool:
    """Whether a cursor is a declaration: of others, as the name of an overload set, libclang reads bytes as one."""
    return bool(_is_declaration(cursor._kind_id))


def has_global_storage(cursor: Cursor) -> bool:
    """Whether a cursor is a variable with static storage duration."""
    return _is_declared(cursor) and bool(_global_storage(cursor) == 1)


def is_made_at_first_use(cursor: Cursor) -> bool:
    """Whether naming a variable may call a function: C++ makes ``thread_local`` ones of a thread when they are used."""
    return _is_declared(cursor) and bool(cursor.tls_kind.name == "DYNAMIC")


def evaluate_integer(cursor: Cursor) -> int | None:
    """Return the value of an integer constant expression, or None, also where it depends on who asks for it."""
    result = _evaluate(cursor)
    if not result:
        return None
    try:
        value = int(_evaluated_int(result)) if _evaluated_kind(result) == 1 else None
    finally:
        _evaluated_dispose(result)
    return None if value is None or depends_on_constancy(cursor) else value


def evaluate_floating(cursor: Cursor) -> float | None:
    """Return the value of a constant expression of a floating type no wider than ``double``, or None."""
    result = _evaluate(cursor)
    if not result:
        return None
    try:
        value = float(_evaluated_double(result)) if _evaluated_kind(result) == 2 else None
    finally:
        _evaluated_dispose(result)
    return None if value is None or depends_on_constancy(cursor) else value


def is_inline_namespace(cursor: Cursor) -> bool:
    """Whether a namespace is an inline one."""
    return bool(_inline_namespace(cursor))


def is_inline_function(cursor: Cursor) -> bool:
    """Whether a function is inline, as written or because a class holds its definition."""
    return bool(_inlined(cursor))


def printed_head(cursor: Cursor) -> str:
    """Return what clang prints of a declaration without the bodies in it."""
    return _printed_with(cursor, _TERSE_OUTPUT)


def printed_without_value(variable: Cursor) -> str:
    """Return what clang prints of a variable's declaration without its first value."""
    return _printed_with(variable, _SUPPRESS_INITIALIZERS)


def _printed_with(cursor: Cursor, wanted: int) -> str:
    policy = _printing_policy(cursor)
    try:
        _policy_property(policy, wanted, 1)
        return str(_pretty_printed(cursor, policy))
    finally:
        _policy_dispose(policy)


def is_constexpr(function: Cursor) -> bool:
    """Whether a function is ``constexpr`` or ``consteval``, in the standard that the unit was parsed in."""
    return re.search(r"\bconst(?:expr|eval)\b", printed_head(function)) is not None
