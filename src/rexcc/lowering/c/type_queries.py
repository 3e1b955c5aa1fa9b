"""Expressions whose type in C++ is another one: ``sizeof``, ``_Alignof``, ``_Generic``, ``typeof`` and ``auto``.

In: what asks for the type of an expression. Out: the type or number that C gives: a character constant, a comparison
and an enumerator are ``int``, ``c ? a : b`` and ``a, b`` are values, ``sizeof(void)`` is 1.
"""

from __future__ import annotations

import re

from clang.cindex import Type

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.declared_types import type_name
from rexcc.source.diagnostics import error
from rexcc.source.edits import Quote
from rexcc.source.patterns import regex

_TESTS = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||", ","})
_DEFINES = frozenset({"STRUCT_DECL", "UNION_DECL", "ENUM_DECL"})
_WORD = regex(r"(?<!struct )(?<!union )(?<!enum )\b[^\W\d]\w*")
_NO_NAMES = frozenset(
    {
        "default", "struct", "union", "enum", "const", "volatile", "restrict", "signed", "unsigned", "char", "short",
        "int", "long", "float", "double", "void",
    }
)  # fmt: skip
_TOKEN = regex(r"//[^\n]*|/\*[\s\S]*?\*/|\"(?:\\[\s\S]|[^\"\\])*\"|'(?:\\[\s\S]|[^'\\])+'|[()\[\]{},:?]")
_QUALIFIERS = ("const", "volatile", "restrict", "__restrict", "__restrict__", "_Atomic")
_DEDUCED = regex(
    r"(?:(?:const|volatile|static|register)\s+)*(?P<word>auto|__auto_type|(?:__)?typeof(?:_unqual)?(?:__)?)\b"
)
_SIZES = regex(r"sizeof\b|_?_?[aA]lignof\b|_Alignof\b|__alignof__\b")


def measure(edits: CEdits, node: Node) -> None:
    """Write the type, or the number, where ``sizeof`` or ``_Alignof`` has an expression that C++ types otherwise."""
    operand = node.children[-1] if node.children else None
    if library.evaluate_integer(node.cursor) == 0:
        edits.replace(node, "0ul")  # of a structure without members
        return
    if operand is None:
        text = edits.body.original(node)
        if re.fullmatch(r"sizeof\s*\(\s*(?:const\s+|volatile\s+)*void(?:\s+const|\s+volatile)*\s*\)", text):
            edits.replace(node, "1ul")
        return
    if operand.kind in _DEFINES or not operand.kind.endswith(("_EXPR", "_LITERAL", "OPERATOR")):
        if any(inner.kind in _DEFINES for inner in node.children):
            _number(edits, node)
        return
    kind = types.canonical(operand.type)
    if types.kind_name(kind) in ("VOID", "FUNCTIONPROTO", "FUNCTIONNOPROTO"):
        edits.replace(node, "1ul")
    elif has_other_type(edits, operand) or _holds(operand, "COMPOUND_LITERAL_EXPR"):
        _number(edits, node)


def _number(edits: CEdits, node: Node) -> None:
    value = library.evaluate_integer(node.cursor)
    if value is not None:
        edits.replace(node, f"{value}ul")


def _holds(node: Node, kind: str) -> bool:
    return any(inner.kind == kind for inner in node.walk())


def has_other_type(edits: CEdits, node: Node) -> bool:
    """Whether the type of an expression, or of what it is computed from, may be another one in C++."""
    for inner in node.walk():
        if inner.kind in ("CHARACTER_LITERAL", "CONDITIONAL_OPERATOR", "StmtExpr", "GENERIC_SELECTION_EXPR"):
            return True
        if inner.kind == "BINARY_OPERATOR" and inner.operator in _TESTS:
            return True
        if inner.kind == "UNARY_OPERATOR" and inner.operator == "!":
            return True
        if inner.kind == "INTEGER_LITERAL" and not edits.body.original(inner)[:1].isdigit():
            return True  # true and false of <stdbool.h>
        target = inner.referenced if inner.kind == "DECL_REF_EXPR" else None
        if target is not None and kind_of(target) == "ENUM_CONSTANT_DECL":
            return True
    return False


def choose(edits: CEdits, node: Node) -> None:
    """Put the chosen expression in the place of a ``_Generic``; raises CompileError where it is not clear."""
    if not edits.is_reachable(node, inside=True):
        return
    body = edits.body
    parts = _parts(body.text, body.text.index("(", body.start(node)), body.end(node))
    control = next(c for c in node.children if c.kind not in ("TYPE_REF",))
    wanted = _names_of(control.type)
    chosen = None
    for start, colon, end in parts[1:]:
        name = _type_name(edits, node, start, colon)
        if name in wanted or (name == "default" and chosen is None):
            chosen = (colon + 1, end)
        if name in wanted:
            break
    if chosen is None:
        raise error("unsupported-type", "it is not clear what this _Generic chooses on the device", body.span(node))
    edits.replace(node, ("(", Quote(*_stripped(body.text, *chosen)), ")"))


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def _parts(text: str, opened: int, end: int) -> list[tuple[int, int, int]]:
    """Return start, colon and end of each part between the commas of a bracketed list."""
    found: list[tuple[int, int, int]] = []
    depth, start, colon = 0, opened + 1, -1
    for token in _TOKEN.finditer(text, opened, end):
        if token[0] in ("(", "[", "{"):
            depth += 1
        elif token[0] in (")", "]", "}"):
            depth -= 1
        elif token[0] == ":" and depth == 1 and colon < 0:
            colon = token.start()
        if (token[0] == "," and depth == 1) or depth == 0:
            found.append((start, colon, token.start()))
            start, colon = token.end(), -1
        if depth == 0:
            break
    return found


def _names_of(kind: Type) -> frozenset[str]:
    """Return the normal spellings of the types that a controlling expression's is compatible with."""
    found = library.canonical_type(kind)
    names = {_without_qualifiers(str(found.spelling))}
    if types.kind_name(found) == "ENUM":
        names.add(_without_qualifiers(str(library.canonical_type(found.get_declaration().enum_type).spelling)))
    return frozenset(names)


def _without_qualifiers(text: str) -> str:
    if "*" in text:
        return _normal(re.sub(r"\*\s*(?:(?:const|volatile|restrict)\s*)+$", "*", text))
    return _normal(re.sub(r"\b(?:const|volatile)\b", "", text))


def _type_name(edits: CEdits, node: Node, start: int, colon: int) -> str:
    """Return the normal spelling of the type of an association: libclang has no nodes for the names in it."""
    text = _WORD.sub(lambda m: _meaning(edits, node, m[0]), edits.body.text[start:colon])
    text = re.sub(r"\b(struct|union|enum)\s+(?=(?:struct|union|enum)\b)", "", text)
    return _normal(re.sub(r"/\*[\s\S]*?\*/|//[^\n]*", " ", text))


def _meaning(edits: CEdits, node: Node, word: str) -> str:
    """Return the type that a word is the name of, where an expression stands; the word itself for others."""
    if word in _NO_NAMES:
        return word
    tree = edits.body.unit.tree
    for scope in (*node.ancestors(), tree.node(tree.unit.cursor)):
        inner = (d for c in scope.children for d in (c.children if c.kind == "DECL_STMT" else (c,)))
        named = next((d for d in inner if d.kind == "TYPEDEF_DECL" and d.spelling == word), None)
        if named is not None:
            return str(library.canonical_type(named.type).spelling)
    return word


def _normal(text: str) -> str:
    return re.sub(r"\w[\w\s]*", lambda m: _normal_words(m[0].split()), text).replace(" *", "*").replace(" ", "")


def _normal_words(words: list[str]) -> str:
    spelled = {"__signed__": "signed", "bool": "_Bool", "__const": "const", "__volatile__": "volatile",
               "complex": "_Complex", "__complex__": "_Complex"}  # fmt: skip
    found = [spelled.get(w, w) for w in words]
    if any(w in found for w in ("long", "short", "unsigned", "signed")):
        found = [w for w in found if w != "int"]
    if "char" not in found:
        found = [w for w in found if w != "signed"] or ["int"]
        if all(w in _QUALIFIERS for w in found):
            found.append("int" if "signed" in words or "int" in words else "")
    return "_".join(sorted(w for w in found if w))


def spell_out(edits: CEdits, variable: Node) -> None:
    """Write the type of a variable that is declared with ``auto``, or with ``typeof`` of such an expression."""
    body = edits.body
    text = body.original(variable)
    head = _DEDUCED.match(text)
    if head is None:
        _expand_deduced(edits, variable)
        return
    start = body.start(variable)
    if head["word"] in ("auto", "__auto_type"):
        if _says_auto(text, head["word"]):
            at = re.compile(rf"\b{re.escape(variable.spelling)}\b").search(text, head.end())
            if at is not None and edits.is_reachable(variable):
                low = start + head.start("word")
                kind = library.canonical_type(variable.type)
                body.edits.replace(low, start + at.end(), spelling.declare(_bare(kind), variable.spelling))
        return
    close = _closing(text, head.end())
    operand = next((c for c in variable.children if c.kind.endswith(("_EXPR", "_LITERAL", "OPERATOR"))), None)
    inside = operand is not None and start <= body.start(operand) < start + close
    if "unqual" in head["word"] or (inside and operand is not None and has_other_type(edits, operand)):
        kind = operand.type if inside and operand is not None else variable.type
        if edits.is_reachable(variable):
            name = type_name(library.canonical_type(_bare(kind) if "unqual" in head["word"] else kind))
            body.edits.rewrite(start + head.start("word"), start + close, name)


def _expand_deduced(edits: CEdits, variable: Node) -> None:
    """Ask for the macro that writes such a variable, if one does."""
    if edits.hiding(variable, inside=True) is None:
        return
    head = _DEDUCED.match(library.printed(variable.cursor))
    operand = next((c for c in variable.children if c.kind.endswith(("_EXPR", "_LITERAL", "OPERATOR"))), None)
    if head is not None and (head["word"] == "__auto_type" or (operand is not None and has_other_type(edits, operand))):
        edits.is_reachable(variable, inside=True)


def _bare(kind: Type) -> Type:
    return kind.get_unqualified_type() if hasattr(kind, "get_unqualified_type") else kind


def _says_auto(text: str, word: str) -> bool:
    """Whether ``auto`` stands for a type: no other one is written."""
    return word == "__auto_type" or re.match(r"[^=]*?\bauto\s+(?:(?:const|volatile)\s+)*\w+\s*=", text) is not None


def _closing(text: str, at: int) -> int:
    depth = 0
    for token in _TOKEN.finditer(text, at):
        depth += (token[0] == "(") - (token[0] == ")")
        if depth == 0 and token[0] == ")":
            return token.end()
    return at
