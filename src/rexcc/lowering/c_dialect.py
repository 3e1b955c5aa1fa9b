"""C code for a C++ compiler (nvcc), without changing what it means.

In: a piece of C device code. Out: edits for what C++ rejects: implicit conversions from ``void *`` and to enumerations
become casts. ``restrict``, ``_Bool`` and the like are macros of ``rex_nvidia.h``; C++ keywords used as names get other
names in the whole text, see :func:`rename`.
"""

from __future__ import annotations

import re

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.body import DeviceBody
from rexcc.lowering.extents import is_runtime_pointer
from rexcc.source.diagnostics import error

CPLUSPLUS_ONLY = (
    "and", "and_eq", "bitand", "bitor", "bool", "catch", "class", "compl", "concept", "constexpr", "const_cast",
    "decltype", "delete", "dynamic_cast", "explicit", "export", "false", "friend", "mutable", "namespace", "new",
    "noexcept", "not", "not_eq", "operator", "or", "or_eq", "private", "protected", "public", "reinterpret_cast",
    "requires", "static_cast", "template", "this", "throw", "true", "try", "typeid", "typename", "using",
    "virtual", "xor", "xor_eq",
)  # fmt: skip
TYPED_WORDS = frozenset({"bool", "false", "true"})
"""Keywords that C has too, in headers: names only where the user declares them."""
_WORD = re.compile(
    r"//[^\n]*|/\*[\s\S]*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|^[ \t]*#(?![ \t]*define\b)[^\n]*"
    rf"|\bnamespace(?= rex_in_)|\b(?P<word>{'|'.join(CPLUSPLUS_ONLY)})\b",
    re.M,
)
"""A word, or what is no name of the user's: comments, literals, directives, our namespaces."""
_POSTFIX = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "PAREN_EXPR",
                      "INTEGER_LITERAL", "UNARY_OPERATOR", "CSTYLE_CAST_EXPR", "UNEXPOSED_EXPR"})  # fmt: skip


def lower_c(body: DeviceBody, top: Node) -> None:
    """Add the casts that C++ wants below a node."""
    for node in top.walk():
        if node.kind == "UNEXPOSED_EXPR" and len(node.children) == 1 and node.start < node.end:
            _cast(body, node)
        if node.kind == "CHARACTER_LITERAL" and _is_measured(node):
            body.wrap(node, "((int)", ")")  # a character constant is an int in C
        if node.kind == "INIT_LIST_EXPR":
            _order_designators(body, node)
        if node.kind == "CXX_COMPLEX" or types.kind_name(types.canonical(node.type)) == "COMPLEX":
            raise error("unsupported-type", "C complex numbers cannot be used in a target region yet", body.span(node))


def _is_measured(node: Node) -> bool:
    parent = node.parent
    while parent is not None and parent.kind == "PAREN_EXPR":
        parent = parent.parent
    return parent is not None and parent.kind == "CXX_UNARY_EXPR"


def _cast(body: DeviceBody, node: Node) -> None:
    child = node.children[0]
    wanted, given = types.canonical(node.type), types.canonical(child.type)
    if types.kind_name(wanted) == "POINTER" and types.kind_name(given) == "POINTER":
        to_void = types.kind_name(wanted.get_pointee().get_canonical()) == "VOID"
        from_void = types.kind_name(given.get_pointee().get_canonical()) == "VOID"
        if to_void or not from_void or re.search(r"\bNULL\b", body.original(child)):
            return
        if is_runtime_pointer(wanted):
            return  # a view, which takes any pointer
    elif types.kind_name(wanted) != "ENUM" or types.kind_name(given) == "ENUM":
        return
    if child.kind in _POSTFIX:
        body.edits.insert(body.start(child), f"({types.spell(node.type)})")
    else:
        body.wrap(child, f"({types.spell(node.type)})(", ")")


def _order_designators(body: DeviceBody, node: Node) -> None:
    """Put ``.field = value`` initialisers into the order of the fields, which C++ insists on."""
    text = body.original(node)
    if not re.match(r"\{\s*\.", text):
        return
    entries = _entries(text)
    names = [re.match(r"\s*\.(\w+)\s*=", text[a:b]) for a, b in entries]
    if not all(names):
        return
    declaration = types.canonical(node.type).get_declaration()
    fields = [str(f.spelling) for f in declaration.get_children() if f.kind.name == "FIELD_DECL"]
    order = sorted(range(len(entries)), key=lambda i: fields.index(names[i][1]) if names[i][1] in fields else -1)  # type: ignore[index]
    if order == list(range(len(entries))):
        return
    start = body.start(node)
    pieces = [body.edited(start + a, start + b).strip() for a, b in (entries[i] for i in order)]
    body.edits.replace(start, body.end(node), "{" + ", ".join(pieces) + "}")


def _entries(text: str) -> list[tuple[int, int]]:
    """Return the ranges between the commas of a braced list."""
    found: list[tuple[int, int]] = []
    depth, start = 0, 1
    for match in re.finditer(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|[()\[\]{},]", text):
        if match[0] in ("(", "[", "{"):
            depth += 1
        elif match[0] in (")", "]", "}"):
            depth -= 1
        if (match[0] == "," and depth == 1) or depth == 0:
            if text[start : match.start()].strip():
                found.append((start, match.start()))
            start = match.end()
    return found


def keywords_in(text: str) -> frozenset[str]:
    """Return the C++ keywords that a C text uses as names."""
    return frozenset(match["word"] for match in _WORD.finditer(text) if match["word"])


def rename(text: str, words: frozenset[str]) -> str:
    """Give other names to the words of a C text that are C++ keywords; not by macros, which ``and`` cannot be."""
    return _WORD.sub(lambda m: c_name(m[0]) if m["word"] in words else m[0], text) if words else text


def c_name(word: str) -> str:
    """Return the name that device code has for a name of a C program."""
    return f"rex_c_{word}" if word in CPLUSPLUS_ONLY else word
