"""What a size expression of a map row is worth, where the compiler knows it.

In: the text of a size, as ``sections`` writes it, and the types of the variables it may name. Out: a number of bytes,
or None where only the run knows. What is not understood counts as unknown, so that a number is always right.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

from clang.cindex import Type

from rexcc.clang import types
from rexcc.program.constructs import Construct

_OPERAND = re.compile(r"sizeof\s*(\(?)(\*?)([^\W\d]\w*)((?:(?:\.|->)[^\W\d]\w*|\[\d+\])*)(\)?)(?![\w.\[(]|->)")
_STEP = re.compile(r"(\.|->)([^\W\d]\w*)|\[\d+\]")
_CASTS = re.compile(r"\((?:size_t|int64_t|__SIZE_TYPE__|__INT64_TYPE__)\)")
_WORD = re.compile(r"sizeof\((?:void \*|size_t|__SIZE_TYPE__)\)")
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


def named_types(*constructs: Construct) -> dict[str, Type]:
    """Return the types of the variables that the clauses of constructs name."""
    found: dict[str, Type] = {}
    for construct in constructs:
        for expression in construct.nodes:
            for node in expression.walk():
                if node.kind == "DECL_REF_EXPR" and node.referenced is not None:
                    found.setdefault(node.spelling, types.declared_type(node.referenced))
    return found


def constant_size(text: str, variables: Mapping[str, Type]) -> int | None:
    """Return the bytes that an expression of ``sizeof``, numbers and ``+ - * /`` stands for."""
    unknown = False

    def replaced(match: re.Match[str]) -> str:
        nonlocal unknown
        size = _size_of(match, variables)
        unknown = unknown or size is None
        return str(size)

    plain = _OPERAND.sub(replaced, _WORD.sub("8", _CASTS.sub("", text)))
    if unknown or not re.fullmatch(r"[\d+\-*/() ]+", plain):
        return None
    try:
        found = _value(ast.parse(plain.strip().replace("/", "//"), mode="eval").body)
    except (SyntaxError, ZeroDivisionError, ValueError):  # a leading zero is C's, and an octal number
        return None
    return found if found is not None and found >= 0 else None


def _value(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return node.value
    if not isinstance(node, ast.BinOp) or type(node.op) not in _ARITHMETIC:
        return None
    left, right = _value(node.left), _value(node.right)
    return None if left is None or right is None else _ARITHMETIC[type(node.op)](left, right)


def _size_of(match: re.Match[str], variables: Mapping[str, Type]) -> int | None:
    opening, star, name, steps, closing = match.groups()
    kind = variables.get(name)
    if kind is None or bool(opening) != bool(closing):
        return None
    for step in _STEP.finditer(steps):
        kind = _element(kind) if step[0].startswith("[") else _member(kind, step[1], step[2])
        if kind is None:
            return None
    if star:
        kind = _element(kind)
    return _bytes(kind) if kind is not None else None


def _element(kind: Type) -> Type | None:
    return types.pointee_of(kind) if types.is_pointer(kind) else types.element_of(types.without_reference(kind))


def _member(kind: Type, access: str, name: str) -> Type | None:
    record = _element(kind) if access == "->" else kind
    if record is None or not types.is_record(record):
        return None
    fields = types.canonical(record).get_fields()
    return next((field.type for field in fields if field.spelling == name), None)


def _bytes(kind: Type) -> int | None:
    found = types.canonical(kind)
    if types.is_variable_length(found):
        return None
    size = int(found.get_size())
    return size if size > 0 else None
