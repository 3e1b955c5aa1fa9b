"""How a function is called, as far as that decides whether a call and a definition of two files fit.

In: a function's cursor. Out: the kinds and sizes of its result and parameters. Types that C calls compatible (C23,
6.2.7), as an enumeration and its integer, have one form; so have types that a file declares otherwise and that are
passed alike.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.library import argument_types, canonical_type

_POINTERS = frozenset({"POINTER", "LVALUEREFERENCE", "RVALUEREFERENCE", "NULLPTR", "BLOCKPOINTER"})
_FLOATING = frozenset({"FLOAT", "DOUBLE", "LONGDOUBLE", "FLOAT16", "HALF", "FLOAT128", "IBM128"})


def call_form(function: Cursor) -> str:
    """Return the form of a function's calls, empty where its declaration does not tell its parameters (C, ``f()``)."""
    kind = canonical_type(function.type)
    if types.kind_name(kind) != "FUNCTIONPROTO":
        return ""
    parameters = " ".join(map(_passed, argument_types(kind)))
    dots = " ..." if types.is_variadic(kind) else ""
    return f"{_passed(kind.get_result())}({parameters}{dots})"


def _passed(kind: Type) -> str:
    """Return how a value of a type is passed: its kind, and its size where that is known."""
    name = types.kind_name(canonical_type(kind))
    if name in _POINTERS:
        return "pointer"
    if name == "VOID":
        return "void"
    of_numbers = "floating" if name in _FLOATING else "complex" if name == "COMPLEX" else "integer"
    group = of_numbers if types.is_scalar(kind) else "other"
    return f"{group}{kind.get_size()}"
