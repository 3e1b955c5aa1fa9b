"""Alignments that declarations of variables ask for beyond those of their types (``alignas``, ``aligned``).

In: a variable's cursor. Out: bytes. libclang's tree has the attributes without their arguments, but prints them, with
macros expanded.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.clang import library, types
from rexcc.source.patterns import regex

_ATTRIBUTE = regex(r"\b(?:alignas|_Alignas|(?:__)?aligned(?:__)?)\b\s*(?P<argument>\()?")
_LARGEST = 16
"""What ``aligned`` without an argument means (GCC, "Common Variable Attributes"), on hosts of 64 bits."""
_TYPES = {"char": 1, "short": 2, "int": 4, "float": 4, "long": 8, "long long": 8, "double": 8, "long double": 16}
_BUILT_IN = regex(r"(?:(?:sizeof|alignof|_Alignof|__alignof__)\s*\()?\s*((?:unsigned |long |short )*[a-z]+)\s*\)?")
_NUMBER = regex(r"(?:0[xX][0-9a-fA-F]+|\d+)(?=[uUlL]*\b)[uUlL]*")
_WORD = regex(r"[A-Za-z_]\w*")


def wanted_alignment(variable: Cursor) -> int | None:
    """Return the alignment of a variable where it is stricter than its type's, 0 otherwise; None where only a compiler
    could compute it."""
    if not any(child.kind.name == "ALIGNED_ATTR" for child in variable.get_children()):
        return 0
    values = [_value(variable, argument) for argument in _arguments(library.printed(variable))]
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return None
    wanted = max(known, default=0)
    return wanted if wanted > types.canonical(variable.type).get_align() else 0


def _arguments(declaration: str) -> list[str]:
    """Return the arguments of the attributes in a printed declaration, empty for one without."""
    head = re.split(r" = |\{", declaration, maxsplit=1)[0]
    return [_balanced(head, m.end()) if m["argument"] else "" for m in _ATTRIBUTE.finditer(head)]


def _balanced(text: str, start: int) -> str:
    depth, at = 1, start
    while depth and at < len(text):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    return text[start : at - 1].strip()


def _value(variable: Cursor, argument: str) -> int | None:
    if not argument:
        return _LARGEST
    built_in = _BUILT_IN.fullmatch(argument)
    if built_in is not None and built_in[1].removeprefix("unsigned ") in _TYPES:
        return _TYPES[built_in[1].removeprefix("unsigned ")]
    factors = [_factor(variable, part) for part in re.split(r"\s*([*/])\s*", argument)[::2]]
    operators = re.findall(r"[*/]", argument)
    result = factors[0]
    for operator, factor in zip(operators, factors[1:], strict=True):
        if result is None or factor is None or factor == 0:
            return None
        result = result * factor if operator == "*" else result // factor
    return result


def _factor(variable: Cursor, text: str) -> int | None:
    if _NUMBER.fullmatch(text):
        return int(text.rstrip("uUlL"), 0) if not re.fullmatch(r"0\d+[uUlL]*", text) else None
    built_in = _BUILT_IN.fullmatch(text)
    if built_in is not None and built_in[1].removeprefix("unsigned ") in _TYPES:
        return _TYPES[built_in[1].removeprefix("unsigned ")]
    if _WORD.fullmatch(text) and not _is_hidden(variable, text):
        return _constant(variable.translation_unit.cursor, text)
    return None


def _is_hidden(variable: Cursor, name: str) -> bool:
    """Whether something around a variable may have the name of a constant at file scope."""
    scope = variable.semantic_parent
    while scope is not None and not scope.kind.is_translation_unit():
        if any(inner.spelling == name and inner.kind.is_declaration() for inner in scope.walk_preorder()):
            return True
        scope = scope.semantic_parent
    return False


def _constant(scope: Cursor, name: str) -> int | None:
    """Return the value of a constant or an enumerator at file scope."""
    for cursor in scope.get_children():
        if cursor.kind.name == "VAR_DECL" and cursor.spelling == name:
            return library.evaluate_integer(cursor)
        if cursor.kind.name == "ENUM_DECL":
            for enumerator in cursor.get_children():
                if enumerator.spelling == name:
                    return int(enumerator.enum_value)
    return None
