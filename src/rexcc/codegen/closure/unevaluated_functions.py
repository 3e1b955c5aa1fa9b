"""Functions named in unevaluated operands, and specialisations that library templates find for the user's types.

In: a closure. Out: the closure with them. A template tests with ``decltype``, ``sizeof``, ``noexcept`` and ``requires``
which functions there are for its arguments' types, and does something else where there are none: a function that is
never called is needed all the same, as a declaration. Names of such functions are taken from the user's text, because
clang does not look them up before a template is instantiated, and keeps no instantiation of an unevaluated operand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from clang.cindex import Cursor

from rexcc.clang import library, types
from rexcc.clang.library import is_written
from rexcc.clang.tree import Node, kind_of
from rexcc.codegen.closure.declaration_closure import ClosureBuilder
from rexcc.source.lexical import COMMENT
from rexcc.source.patterns import regex

_OPERATORS = regex(r"\b(?P<word>decltype|sizeof|noexcept|requires|concept|alignof|__typeof__|typeof)\b\s*")
_TEMPLATE = regex(r"\btemplate\b|\bauto\b")
_NAMES = regex(
    r"[A-Za-z_]\w*|<=>|->\*|->|\+\+|--|&&|\|\||(?:<<|>>)=?|[-+*/%^&|!=<>]=?|~|,|\(\s*\)|\[",
)
_REWRITTEN = {"!=": ("==",), "<": ("<=>",), ">": ("<=>", "<"), "<=": ("<=>",), ">=": ("<=>",), "[": ("[]",)}
"""Operators by which C++20 may mean others."""
_TRAITS = regex(
    r"\b(?:is_(?:nothrow_)?swappable\w*|swappable\w*|equality_comparable\w*|totally_ordered\w*|three_way_comparable\w*|"
    r"(?:semi)?regular|is_eq|sortable|strict_weak_order|weakly_incrementable|\w+_iterator|\w*range)\b"
)
"""Traits and concepts of the standard library that test for functions of the user's."""
_OF_TRAITS = frozenset(
    {"swap", "begin", "end", "size", "data", "operator==", "operator!=", "operator<", "operator>", "operator<="}
    | {"operator>=", "operator<=>", "operator++", "operator*", "operator-"}
)
_OF_HOST = frozenset({"hash", "formatter"})
"""Templates of the library that nothing but its other parts for the host instantiates."""
_FUNCTIONS = frozenset({"FUNCTION_DECL", "FUNCTION_TEMPLATE"})
_CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION", "UNEXPOSED_DECL"})


def add_unevaluated_functions(builder: ClosureBuilder, others: Iterable[Node]) -> None:
    """Add what a unit's templates may test for, until nothing is new; ``others`` are regions."""
    if not builder.unit.is_cplusplus:
        return
    functions = [n for n in builder.scoped if n.kind in _FUNCTIONS]
    of_library = [n for n in builder.scoped if n.kind in _CLASSES and _is_of_library(n)]
    texts = [builder.unit.user_text(n) for n in others]
    before = -1
    while before != (before := builder.size):
        for node in of_library:
            if _is_instantiated(builder, node):
                builder.add_declaration(node.cursor)
        names = _unevaluated_names(builder, texts)
        for node in (n for n in functions if n.spelling in names) if names else ():
            if _takes_known(builder, node):
                builder.add_unevaluated(node, _needs_body(builder, node))


def _is_of_library(node: Node) -> bool:
    """Whether a declaration of the user's specialises a class template of a system header."""
    pattern = library.template_of(node.cursor)
    return pattern is not None and library.in_system_header(pattern) and is_written(node.cursor, pattern)


def _is_instantiated(builder: ClosureBuilder, node: Node) -> bool:
    """Whether the library may use a specialisation in device code: that has all types it is for."""
    named = [_meant(n) for n in node.children if n.kind in ("TYPE_REF", "TEMPLATE_REF")]
    users = [c for c in named if c is not None and not library.in_system_header(c)]
    users = [c for c in users if not kind_of(c).startswith("TEMPLATE_")]
    if not users or not all(map(builder.has, users)):
        return False
    pattern = library.template_of(node.cursor)
    return pattern is None or node.spelling not in _OF_HOST or builder.includes(pattern)


def _meant(node: Node) -> Cursor | None:
    """Return the class, template or enumeration that a name in a type means, behind typedefs."""
    target = node.referenced
    if target is not None and kind_of(target) in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
        declaration = types.canonical(target.underlying_typedef_type).get_declaration()
        return None if declaration.kind.is_invalid() else declaration
    return target


def _unevaluated_names(builder: ClosureBuilder, regions: list[str]) -> set[str]:
    """Return the names of functions in unevaluated operands of the closure's templates."""
    closure = builder.closure
    texts = [builder.unit.user_text(n) for n in (*closure.declarations.values(), *closure.variables.values())]
    return {name for text in (*texts, *regions) for name in _names_in(text)}


@lru_cache(maxsize=16384)
def _names_in(text: str) -> frozenset[str]:
    """Return the names of functions in a text's unevaluated operands; a growing closure asks for them again."""
    names = set(_OF_TRAITS if _TRAITS.search(text) else ())
    if (_OPERATORS.search(text) and _TEMPLATE.search(text)) or re.search(r"\bconcept\b", text):
        for operand in _unevaluated_operands(re.sub(COMMENT, " ", text)):
            names.update(name for word in _NAMES.findall(operand) for name in _functions_of(word))
    return frozenset(names)


def _functions_of(word: str) -> Iterator[str]:
    """Yield the names of the functions that a word or an operator may mean."""
    if word[0].isalpha() or word[0] == "_":
        yield word
    else:
        yield from (f"operator{meant}" for meant in ("".join(word.split()), *_REWRITTEN.get(word, ())))


def _unevaluated_operands(text: str) -> Iterator[str]:
    """Yield the unevaluated operands in a text."""
    for found in _OPERATORS.finditer(text):
        at = found.end()
        if found["word"] == "concept":
            yield text[at : (text + ";").index(";", at)]
            continue
        end = at
        while end < len(text) and text[end] in "({" and (end == at or found["word"] == "requires"):
            end = _behind_bracket(text, end)
            end += len(text[end:]) - len(text[end:].lstrip())
        yield text[at:end] if end > at else re.split(r"[;{]", text[at:], maxsplit=1)[0]


def _behind_bracket(text: str, at: int) -> int:
    depth = 0
    for place in range(at, len(text)):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def _takes_known(builder: ClosureBuilder, function: Node) -> bool:
    """Whether device code has all types of a function's parameters, and one of them is the user's or any type."""
    is_users = function.kind == "FUNCTION_TEMPLATE"
    for parameter in (c for c in function.children if c.kind == "PARM_DECL"):
        for node in parameter.walk():
            named = _meant(node) if node.kind in ("TYPE_REF", "TEMPLATE_REF") else None
            if named is None or kind_of(named).startswith("TEMPLATE_"):
                continue
            if library.in_system_header(named):
                if not builder.includes(named):
                    return False
            elif not builder.has(named):
                return False
            else:
                is_users = True
    return is_users


def _needs_body(builder: ClosureBuilder, function: Node) -> bool:
    """Whether a declaration alone would not do: a template, a constant's function, one whose result is deduced."""
    text = builder.unit.user_text(function).partition("{")[0]
    return function.kind == "FUNCTION_TEMPLATE" or re.search(r"\b(?:constexpr|consteval|auto)\b", text) is not None
