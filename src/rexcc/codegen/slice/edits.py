"""The single edits that make the user's declarations device code.

In: a declaration's node and its text. Out: edits: qualifiers, members made accessible, bodies of the host left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container

from rexcc.analysis.captures import capture_list
from rexcc.analysis.reachable_functions import Place
from rexcc.clang import locations, spelling
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.closure.reachability import is_host_body
from rexcc.codegen.places.macro_declarations import expand_use
from rexcc.lowering.model.names import PARAMETER_KINDS
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.definitions import KEYWORD
from rexcc.lowering.text.extents import bracket_end, end_with_macro
from rexcc.source.lexical import BLANK, BLOCK_COMMENT
from rexcc.source.patterns import regex
from rexcc.target.model import Words

_TEMPLATE = regex(rf"{BLANK}template{BLANK}<")
_REQUIRES = regex(r"\s*requires\b[\s!]*")
_AND_OR = regex(r"\s*(?:&&|\|\|)[\s!]*")
_NAME = regex(r"(?:::)?\w+(?:\s*::\s*\w+)*\s*")
_MEMBER = regex(r"\s*::\s*\w+")
_ARGUMENT = regex(r"\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")


def alias_end(body: DeviceBody, end: int) -> int:
    """Return where a typedef of one name ends, the attributes behind the name included; clang leaves them out."""
    behind = re.compile(rf"(?:\s|{BLOCK_COMMENT})*(?=[A-Za-z_]|\[\[)[^;{{}}]*").match(body.text, end)
    return behind.end() if behind is not None and not body.text[:end].endswith(";") else end


def type_name(node: Node, body: DeviceBody) -> str:
    """Return how device code names a type by its keyword: ``struct S``.

    An unnamed one has the given name: a variable of a type without a name is no symbol that the runtime could find.
    """
    place = spelling.unnamed_place(str(node.type.spelling))
    keyword = KEYWORD.match(body.text, body.start(node))
    name = node.spelling if place is None else spelling.given_name(*place)
    if place is not None and node.kind == "ENUM_DECL" and not body.unit.is_cplusplus:
        return name  # it stands for an integer type
    return f"{keyword[1]} {name}" if keyword else name


def semicolon(text: str) -> str:
    """Return a declaration's text with its semicolon."""
    return text if text.endswith(";") else f"{text};"


def qualifier(node: Node, words: Words) -> str:
    """Return the qualifiers of a function: operators and methods are needed on both sides."""
    text = node.spelling
    inside = kind_of(node.cursor.semantic_parent) in RECORD_KINDS
    return f"{words.both if inside or text.startswith('operator') else words.device} "


def qualifier_place(body: DeviceBody, node: Node) -> int:
    """Return where a function's qualifiers may stand: after its template headers and their constraints."""
    at = body.start(node)
    parameters = {body.start(n): body.end(n) for n in node.children if n.kind in PARAMETER_KINDS}
    while (match := _TEMPLATE.match(body.text, at)) is not None:
        at = _behind_parameters(body.text, match.end(), parameters)
        at = _behind_constraint(body.text, at)
    blank = re.compile(r"\s*").match(body.text, at)
    return blank.end() if blank and at != body.start(node) else at


def _behind_constraint(text: str, at: int) -> int:
    """Return where the ``requires`` clause at an offset ends; the offset where there is none."""
    clause = _REQUIRES.match(text, at)
    while clause is not None:
        at = _behind_operand(text, clause.end())
        clause = _AND_OR.match(text, at)
    return at


def _behind_operand(text: str, at: int) -> int:
    """Return where an operand of a ``requires`` clause ends: one in parentheses, ``requires (…) {…}``, a name."""
    asks = _REQUIRES.match(text, at)
    if asks is not None:
        at = asks.end()
        at = bracket_end(text, at) if text[at] == "(" else at
        return bracket_end(text, text.index("{", at))
    if text[at] == "(":
        return bracket_end(text, at)
    name = _NAME.match(text, at)
    at = name.end() if name is not None else at
    at = _behind_parameters(text, at + 1, {}) if text[at] == "<" else at
    member = _MEMBER.match(text, at)
    return member.end() if member is not None else at


def _behind_parameters(text: str, at: int, parameters: dict[int, int]) -> int:
    """Return where a list of template parameters ends; a ``>`` in parentheses or in a default value does not end it."""
    depth, inside = 1, 0
    while depth and at < len(text):
        end = parameters.get(at, at)
        if end > at:
            closed_too = text[at:end].endswith(">>") and text.count(">", at, end) > text.count("<", at, end)
            at = end - 1 if closed_too else end
            continue
        inside += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[at], 0)
        depth += {"<": 1, ">": -1}.get(text[at], 0) if not inside else 0
        at += 1
    return at


def aligned_range(body: DeviceBody, node: Node) -> tuple[int, int]:
    """Return the range of a variable's declaration with what aligns it in front or behind, which clang's leaves out."""
    start, end = body.start(node), end_with_macro(body, node)
    for attribute in (child for child in node.children if child.kind == "ALIGNED_ATTR"):
        first, last = body.start(attribute), body.end(attribute)
        bracket = body.text.rfind("[[", 0, first)
        if bracket >= 0 and body.text.find("]]", bracket, first) < 0:
            first, last = bracket, body.text.index("]]", last) + 2
        elif (argument := _ARGUMENT.match(body.text, last)) is not None:
            last = argument.end()
        if last <= start:
            start = min(start, first)
        elif first >= end:
            end = max(end, last)
    return start, end


def mark_friend(node: Node, body: DeviceBody, is_there: Callable[[str], bool]) -> None:
    """Put the qualifiers on a function that a class declares or defines as a friend.

    One that has to be declared before (``friend T dot<>(V)``, ``friend int ns::look(V)``) and ``is_there`` in no
    device code, by its name, is left out: nothing there calls it.
    """
    for child in node.children:
        if child.kind in FUNCTION_KINDS:
            text = body.original(node)
            offset = text.find("friend")
            if offset < 0:
                expand_use(body, node)
                continue
            if _needs_declaration(child, text) and not is_there(child.spelling):
                body.edits.replace(body.start(node), body.end(node), "")
                continue
            place = body.start(node) + offset + len("friend ")
            body.edits.before(place, body.end(node), f"{body.unit.target.words.both} ")


def _needs_declaration(friend: Node, text: str) -> bool:
    """Whether a friend is a specialisation of a template, or a function of a namespace that is named."""
    if friend.cursor.is_definition() or friend.kind != "FUNCTION_DECL":
        return False
    symbol = friend.spelling.removeprefix("operator").strip()
    name = rf"operator\s*{re.escape(symbol)}" if symbol != friend.spelling else rf"\b{symbol}"
    in_namespace = any(child.kind == "NAMESPACE_REF" for child in friend.children)
    return in_namespace or re.search(rf"{name}\s*<", text) is not None


def mark_lambdas(body: DeviceBody, node: Node) -> bool:
    """Put the qualifier on the lambdas in a variable's first value, behind their captures; tell whether it has any."""
    found = [inner for inner in node.walk() if inner.kind == "LAMBDA_EXPR"]
    for inner in found:
        end = body.start(inner) + capture_list(body.original(inner)).end
        bare = re.compile(r"\s*[{]").match(body.text, end) is not None
        body.edits.insert(end, f" {body.unit.target.words.device} {'()' if bare else ''}".rstrip() + " ")
    return bool(found)


_INITIALISERS = regex(r"(?<!:):(?!:)(?:\s|/\*(?:(?!\*/)[\s\S])*\*/|//[^\n]*\n)*(?:[\w:]+::)?$")
"""The colon in front of what a constructor's first initialiser names."""

_INITIALISED = frozenset({"MEMBER_REF", "TYPE_REF", "TEMPLATE_REF"})


def drop_body(node: Node, body: DeviceBody, host: Container[Place]) -> None:
    """Leave only the declaration of a method that the host alone executes; lines keep their numbers."""
    for child in node.children:
        if is_host_body(node, child, host):
            start, end = _start_of_body(body, node, child), body.end(child)
            lines = body.text.count("\n", start, end)
            body.edits.rewrite(start, end, "; /* the host's */" + "\n" * lines)


def drop_first_value(node: Node, body: DeviceBody) -> None:
    """Leave only the declaration of a static member whose first value a constructor of the host makes."""
    start, end = body.start(node), body.end(node)
    word = re.compile(r"\binline\s").search(body.text, start, end)
    _, name = locations.file_location(node.cursor.location, node.tree.names)
    behind = body.file.original(name) + len(node.spelling)
    if word is None or word.start() >= behind or not body.text.startswith(node.spelling, behind - len(node.spelling)):
        return
    body.edits.rewrite(word.start(), word.end(), "")
    body.edits.rewrite(behind, end, "\n" * body.text.count("\n", behind, end))


def _start_of_body(body: DeviceBody, method: Node, block: Node) -> int:
    """Return where a method's body begins, a constructor's with its initialisers."""
    _, name = locations.file_location(method.cursor.location, method.tree.names)
    head = max([name, *(child.end for child in method.children if child.kind == "PARM_DECL")])
    behind = [c for c in method.children if c.start >= head and c.end <= block.start and c.kind in _INITIALISED]
    colons = (_INITIALISERS.search(body.text, body.start(method), body.start(child)) for child in behind)
    return next((colon.start() for colon in colons if colon is not None), body.start(block))


def end_of_member(body: DeviceBody, node: Node) -> int:
    """Return where the declaration or definition of a class's member ends, its semicolon included."""
    end = body.end(node)
    match = re.compile(rf"(?:\s|{BLOCK_COMMENT})*;").match(body.text, end)
    return match.end() if match is not None and not body.text[:end].endswith("}") else end


def _open_base(base: Node, body: DeviceBody) -> None:
    """Make a base class accessible."""
    start, end = body.start(base), body.end(base)
    hidden = re.compile(r"\b(?:private|protected)\b").search(body.text, start, end)
    if hidden is not None:
        body.edits.replace(hidden.start(), hidden.end(), "public")
    elif not re.compile(r"\bpublic\b").search(body.text, start, end):
        body.edits.insert(start, "public ")


def open_record(node: Node, body: DeviceBody) -> None:
    """Make all members accessible: the kernel stands for a method."""
    for child in node.children:
        if child.kind == "CXX_ACCESS_SPEC_DECL":
            written = re.sub(r"private|protected", "public", body.original(child))
            body.edits.replace(body.start(child), body.end(child), written)
        if child.kind == "CXX_BASE_SPECIFIER":
            _open_base(child, body)
    brace = body.text.find("{", body.start(node), body.end(node))
    if brace >= 0 and node.kind.startswith("CLASS"):  # a declaration has none
        body.edits.insert(brace + 1, " public:")
