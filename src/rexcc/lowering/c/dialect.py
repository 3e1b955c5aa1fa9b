"""C code for a C++ compiler (a device's, the host's), without changing what it means.

In: a piece of C device code. Out: edits for what C++ rejects or takes for something else, one kind of difference in
each module of :mod:`rexcc.lowering.c`. ``restrict``, ``_Bool`` and the like are macros of ``rex_nvidia.h``; names of C
that C++ keeps for itself get others in the whole text (:mod:`rexcc.codegen.device.device_names`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.clang.tree import Node
from rexcc.lowering.c.complex_numbers import lower_imaginary, lower_operator
from rexcc.lowering.c.conversions import convert, is_plain
from rexcc.lowering.c.declarations import keep_shadowing, lower_function, lower_parameter, lower_variable, type_call
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.c.increments import step_truth
from rexcc.lowering.c.initialisers import fit_string, lay_out
from rexcc.lowering.c.inner_types import answer, keep_definition, move_definition
from rexcc.lowering.c.jumps import split_declarations
from rexcc.lowering.c.literals import name_literal
from rexcc.lowering.c.member_names import name_hidden
from rexcc.lowering.c.memory import count_bytes, name_volatile, read_volatile, write_volatile
from rexcc.lowering.c.names import lower_members, lower_types
from rexcc.lowering.c.specifiers import spread_alignments
from rexcc.lowering.c.type_queries import choose, measure, spell_out
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.lexical import COMMENT, LITERAL
from rexcc.source.patterns import regex

CPLUSPLUS_ONLY = frozenset({
    "alignas", "alignof", "and", "and_eq", "bitand", "bitor", "bool", "catch", "char16_t", "char32_t", "char8_t",
    "class", "co_await", "co_return", "co_yield", "compl", "concept", "constexpr", "const_cast", "consteval",
    "constinit", "decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend", "mutable", "namespace",
    "new", "noexcept", "not", "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public",
    "reinterpret_cast", "requires", "static_cast", "template", "this", "thread_local", "throw", "true", "try",
    "typeid", "typename", "using", "virtual", "wchar_t", "xor", "xor_eq",
})  # fmt: skip
TYPED_WORDS = frozenset({
    "alignas", "alignof", "bool", "char16_t", "char32_t", "char8_t", "false", "nullptr", "thread_local", "true",
    "wchar_t",
})  # fmt: skip
"""Words that C has too, in headers: names only where the user declares them."""
_WORD = regex(rf"{COMMENT}|{LITERAL}|\b(?P<word>{'|'.join(sorted(CPLUSPLUS_ONLY))})\b")

_TOUCHING = regex(r"[\"'][A-Za-z_$]")
_LITERALS = regex(rf"{COMMENT}|^[ \t]*#(?![ \t]*define\b)[^\n]*|(?P<touching>{LITERAL})|\d(?:['\w.]|[eEpP][+-])*", re.M)
"""A literal, or what is none and has quotation marks: comments, directives, numbers of C23."""
_NAME = regex(r"[A-Za-z_$]")


def lower_c(body: DeviceBody, top: Node) -> None:
    """Make the edits below a node; raises CompileError for what has no form in C++."""
    edits = CEdits(body)
    split_declarations(edits, top)
    for node in top.walk():
        if is_plain(node):
            answer(edits, node)
            read_volatile(edits, node)
            convert(edits, node)
        else:
            _lower_one(edits, node, top)


def lower_c_types(body: DeviceBody, top: Node) -> None:
    """Make the edits in the declaration of a type."""
    edits = CEdits(body)
    lower_types(edits, top)
    lower_members(edits, top)
    name_hidden(edits, top)
    for node in top.walk():
        if node.kind in ("CXX_UNARY_EXPR", "GENERIC_SELECTION_EXPR"):
            _lower_one(edits, node, top)
        elif node.kind == "FIELD_DECL":
            spread_alignments(edits, node)


def _lower_one(edits: CEdits, node: Node, top: Node) -> None:
    match node.kind:
        case "CXX_UNARY_EXPR":
            keep_definition(edits, node, top)
            measure(edits, node)
        case "GENERIC_SELECTION_EXPR":
            choose(edits, node)
        case "BINARY_OPERATOR" | "COMPOUND_ASSIGNMENT_OPERATOR" | "UNARY_OPERATOR":
            if node.kind == "BINARY_OPERATOR":
                write_volatile(edits, node)
            count_bytes(edits, node)
            lower_operator(edits, node)
            if node.kind == "UNARY_OPERATOR":
                step_truth(edits, node)
        case "CSTYLE_CAST_EXPR":
            move_definition(edits, node, top)
        case "UNEXPOSED_EXPR":
            keep_definition(edits, node, top)
            answer(edits, node)
        case "COMPOUND_LITERAL_EXPR":
            move_definition(edits, node, top)
            name_literal(edits, node, top)
        case "INIT_LIST_EXPR":
            lay_out(edits, node)
        case "IMAGINARY_LITERAL":
            lower_imaginary(edits, node)
        case "STRING_LITERAL":
            fit_string(edits, node)
        case "DECL_STMT":
            lower_types(edits, node)
            lower_members(edits, node)
            name_hidden(edits, node)
        case "FUNCTION_DECL":
            lower_function(edits, node)
        case "PARM_DECL":
            lower_parameter(edits, node)
        case "VAR_DECL":
            spread_alignments(edits, node)
            spell_out(edits, node)
            lower_variable(edits, node)
        case "MEMBER_REF_EXPR":
            name_volatile(edits, node)
        case "FOR_STMT":
            keep_shadowing(edits, node)
        case "CALL_EXPR":
            type_call(edits, node)


def keywords_in(texts: Iterable[str]) -> frozenset[str]:
    """Return the C++ keywords in texts of the user's."""
    return frozenset(match["word"] for text in texts for match in _WORD.finditer(text) if match["word"])


def set_apart(text: str) -> str:
    """Put a blank behind each literal of a C text that a name follows, ``"%"PRId64``: C++ takes it for a suffix."""
    if not _TOUCHING.search(text):
        return text
    return _LITERALS.sub(lambda m: f"{m[0]} " if m["touching"] and _NAME.match(text, m.end()) else m[0], text)


def c_name(word: str) -> str:
    """Return the name that device code has for a name of a C program."""
    return f"rex_c_{word}" if word in CPLUSPLUS_ONLY else word
