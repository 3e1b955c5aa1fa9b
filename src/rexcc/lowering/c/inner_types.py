"""Types that C code defines inside of expressions, where C++ lets nobody define one, and what asks about types.

In: casts, compound literals, ``offsetof``, ``__builtin_types_compatible_p`` and ``__builtin_choose_expr``. Out: the
definition at the start of the block and the type's name in its place; the number; the expression that is chosen.
"""

from __future__ import annotations

from rexcc.clang import library, spelling
from rexcc.clang.tree import Node
from rexcc.frontend.macros import macro_table
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.c.literals import block_of, is_place, place_in_block
from rexcc.lowering.c.names import base_type, constants
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit
from rexcc.source.edits import Content, Quote, content
from rexcc.source.patterns import regex

_DEFINED = frozenset({"STRUCT_DECL", "UNION_DECL", "ENUM_DECL"})
_COMPATIBLE = "__builtin_types_compatible_p"
_CHOICE = "__builtin_choose_expr"
_WORDS = ("offsetof", "__builtin_offsetof", _COMPATIBLE, _CHOICE)
_FIRST = regex(r"\w+(?=\s*\()")


def move_definition(edits: CEdits, node: Node, top: Node) -> None:
    """Define the type that a cast or a compound literal defines at the start of its block."""
    defined = next((c for c in node.children if c.kind in _DEFINED and c.cursor.is_definition()), None)
    block = block_of(node, top)
    if defined is None or block is None or not edits.is_reachable(defined, inside=True):
        return
    if not is_place(edits, block):
        return
    found = _parts(edits.body, defined)
    if found is not None:
        _define(edits, block, node, found[0])
        edits.body.edits.rewrite(edits.body.start(defined), edits.body.end(defined), found[1])


def keep_definition(edits: CEdits, node: Node, top: Node) -> None:
    """Define the type of which an expression asks for a number at the start of its block, for what names it later."""
    defined = next((c for c in node.children if c.kind in _DEFINED and c.cursor.is_definition()), None)
    block = block_of(node, top) if defined is not None else None
    if defined is None or block is None or not edits.is_reachable(defined, inside=True):
        return
    if not (defined.kind == "ENUM_DECL" or _has_tag(defined)) or not is_place(edits, block):
        return
    found = _parts(edits.body, defined)
    if found is not None:
        _define(edits, block, node, found[0])


def _define(edits: CEdits, block: Node, node: Node, definition: Content) -> None:
    if edits.is_first(next(c for c in node.children if c.kind in _DEFINED), "definition"):
        place_in_block(edits, block, node, definition)


def _has_tag(defined: Node) -> bool:
    return spelling.unnamed_place(str(defined.type.spelling)) is None


def move_result(body: DeviceBody, function: Node) -> None:
    """Define the type that a function's declaration defines as that of its result in front of it."""
    defined = _result_type(function)
    found = _parts(body, defined) if defined is not None else None
    if defined is not None and found is not None:
        body.edits.before(body.start(function), body.end(function), content(found[0], " "))
        body.edits.rewrite(body.start(defined), body.end(defined), found[1])


def name_result(body: DeviceBody, function: Node) -> int:
    """Name the type that a function's declaration defines, which has a declaration of its own; return where that ends,
    0 where there is none."""
    defined = _result_type(function)
    found = _parts(body, defined) if defined is not None else None
    if defined is None or found is None:
        return 0
    body.edits.rewrite(body.start(defined), body.end(defined), found[1])
    return body.end(defined)


def _result_type(function: Node) -> Node | None:
    """Return the definition of a type in a function's declaration, in front of its name."""
    defined = next((c for c in function.children if c.kind in _DEFINED and c.cursor.is_definition()), None)
    return defined if defined is not None and function.start <= defined.start else None


def _parts(body: DeviceBody, defined: Node) -> tuple[Content, str] | None:
    """Return the definition of a type as a declaration, and how it is named."""
    start, end = body.start(defined), body.end(defined)
    brace = body.text.find("{", start)
    if not start < brace < end:
        return None
    if defined.kind == "ENUM_DECL":
        return content(f" {constants(defined)};"), base_type(defined)
    place = spelling.unnamed_place(str(defined.type.spelling))
    head = body.text[start:brace].rstrip() + (f" {spelling.given_name(*place)}" if place is not None else "")
    found = (n for n in defined.walk() if n.kind == "ENUM_DECL" and n.cursor.is_definition())
    inner = list({enumeration.start: enumeration for enumeration in found}.values())
    for enumeration in inner:
        body.edits.rewrite(body.start(enumeration), body.end(enumeration), base_type(enumeration))
    named = "".join(f" {constants(enumeration)};" for enumeration in inner)
    return content(f"{named} {head} ", Quote(brace, end), ";"), f"{head.split()[0]} {head.split()[-1]}"


def answer(edits: CEdits, node: Node) -> None:
    """Write the number, or the expression, in the place of what asks about types."""
    asking = edits.body.unit.kept(_asking)
    word = _FIRST.match(edits.body.original(node)) if asking else None
    if word is None:
        return
    use = edits.hiding(node, inside=True)
    if word[0] not in _WORDS and use is None:
        return
    if word[0] not in _WORDS:
        if use is not None and use.definition.spelling in asking:
            edits.is_reachable(node, inside=True)
    elif word[0] == _CHOICE:
        _choose(edits, node)
    elif word[0] == _COMPATIBLE or any(c.kind in _DEFINED for c in node.children):
        value = library.evaluate_integer(node.cursor)
        if value is not None:
            edits.replace(node, f"{value}" if word[0] == _COMPATIBLE else f"{value}ul")


def _choose(edits: CEdits, node: Node) -> None:
    if len(node.children) == 3 and edits.is_reachable(node, inside=True):
        condition, chosen, other = node.children
        value = library.evaluate_integer(condition.cursor)
        if value is not None:
            edits.replace(node, ("(", edits.body.quoted(chosen if value else other), ")"))


def _asking(unit: ParsedUnit) -> frozenset[str]:
    """Return the names of macros whose bodies ask about types, and what they ask with; nothing where nobody asks."""
    if not any(word in file.scan.source.text for file in unit.files.values() for word in _WORDS):
        return frozenset()
    return macro_table(file.scan for file in unit.files.values()).users({*_WORDS})
