"""Whether a global variable's first value is known when the program is compiled.

In: a variable. Out: an answer. C knows no other values; in C++ a constructor or a function may have to run, which only
the host does.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.clang import classes, library, types
from rexcc.clang.tree import kind_of
from rexcc.clang.unevaluated import SIZE_OPERATOR

_ADDRESSED = frozenset({"UNARY_OPERATOR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR"})
_RUNNING = frozenset({"LAMBDA_EXPR", "CXX_NEW_EXPR", "CXX_THROW_EXPR", "CXX_DYNAMIC_CAST_EXPR"})


def has_constant_value(cursor: Cursor) -> bool:
    """Whether the definition of a variable gives it a constant, or nothing."""
    first = library.initialiser(cursor.get_definition() or cursor)
    return first is None or _is_constant(first, False) or library.evaluate_integer(first) is not None


def is_repeatable(cursor: Cursor) -> bool:
    """Whether device code can have a constant's definition: this unit has it, no code has to run for its value, and no
    part of it changes."""
    if is_plain_lambda(cursor):
        return True
    if (
        not types.is_constant(cursor.type)
        or changes_in_part(cursor)
        or library.initialiser(cursor.get_definition() or cursor) is None
    ):
        return False
    return library.is_constexpr(cursor) or has_constant_value(cursor)


def changes_in_part(constant: Cursor) -> bool:
    """Whether a constant has members that are mutable."""
    kind = types.innermost(types.canonical(constant.type))
    return types.is_record(kind) and classes.has_mutable_part(kind)


def is_lambda(cursor: Cursor) -> bool:
    """Whether a variable is a lambda, or a class that of one."""
    return "(lambda" in str(cursor.type.spelling)


def is_plain_lambda(cursor: Cursor) -> bool:
    """Whether a variable is a lambda without captures, of which every copy is the same."""
    first = library.initialiser(cursor.get_definition() or cursor) if is_lambda(cursor) else None
    while first is not None and kind_of(first) != "LAMBDA_EXPR":
        first = next(iter(first.get_children()), None)
    return first is not None and all(kind_of(c) != "VARIABLE_REF" for c in first.get_children())


def _is_constant(expression: Cursor, addressed: bool) -> bool:
    kind = kind_of(expression)
    if kind in _RUNNING:
        return False
    if kind == SIZE_OPERATOR:  # nothing of which the size is asked for is executed
        return True
    if kind == "CALL_EXPR" and not _is_constant_call(expression):
        return False
    if kind == "DECL_REF_EXPR" and not addressed and not _is_constant_name(expression):
        return False
    takes = kind == "UNARY_OPERATOR" and library.unary_operator(expression) == "&"
    below = takes or (addressed and kind in _ADDRESSED)
    return all(_is_constant(child, below) for child in expression.get_children())


def _is_constant_name(reference: Cursor) -> bool:
    """Whether a name stands for a value: a constant, an enumerator, a function; an array's is an address."""
    target = reference.referenced
    if target is None or kind_of(target) != "VAR_DECL" or types.is_array(target.type):
        return True
    return types.is_constant(target.type) and has_constant_value(target)


def _is_constant_call(call: Cursor) -> bool:
    """Whether a call is of a constexpr function, or of a constructor that nobody has written or that does nothing."""
    called = call.referenced
    if called is None:
        return False
    return _is_constant_function(called)


def _is_constant_function(called: Cursor) -> bool:
    definition = called.get_definition() or called
    written = [token.spelling for token in definition.get_tokens()]
    if "{" in written:
        head, body = written[: written.index("{")], written[written.index("{") :]
    else:
        head, body = written, []
    if {"constexpr", "consteval"} & set(head):
        return True
    if kind_of(called) not in ("CONSTRUCTOR", "FUNCTION_TEMPLATE"):
        return False
    if _is_implicit(called):
        return _is_constant_class(called.semantic_parent)
    is_class = bool(re.match(r"struct|class|union|template", " ".join(head)))  # the class's own text: an implicit one
    if is_class or "default" in head:
        return True
    takes = any(kind_of(c) == "PARM_DECL" for c in definition.get_children())  # nvcc runs such a one
    return body == ["{", "}"] and ":" not in head and not takes


def _is_implicit(constructor: Cursor) -> bool:
    """Whether nobody has written a constructor: it stands where its class's name does."""
    record = constructor.semantic_parent
    return record is not None and constructor.location == record.location


def _is_constant_class(record: Cursor) -> bool:
    """Whether the implicit constructor of a class runs nothing."""
    for part in record.get_children():
        if part.kind.name not in ("FIELD_DECL", "CXX_BASE_SPECIFIER"):
            continue
        if not all(_is_constant(value, False) for value in part.get_children() if value.kind.is_expression()):
            return False
        kind = part.type
        while (element := types.element_of(kind)) is not None:
            kind = element
        if types.is_record(kind) and not _is_constant_default(types.canonical(kind).get_declaration()):
            return False
    return True


def _is_constant_default(record: Cursor) -> bool:
    written = [c for c in record.get_children() if c.kind.name == "CONSTRUCTOR" and c.is_default_constructor()]
    return all(_is_constant_function(c) for c in written) if written else _is_constant_class(record)
