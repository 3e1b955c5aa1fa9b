"""How the user's text declares virtual functions and the class templates that they are members of.

In: declarations. Out: their parts, from which device text makes declarations of its own; None for forms that are not
understood.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.analysis.object_classes import TEMPLATES
from rexcc.clang import locations, spelling, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass

_COMMENT = r"/\*[\s\S]*?\*/|//[^\n]*"
_LEFT_OUT = regex(rf"{_COMMENT}|\[\[[^\]]*\]\]|\b(?:virtual|inline|constexpr)\b")
_BEHIND = regex(r"[^{;=]*?(?=[{;=]|\boverride\b|\bfinal\b|$)")
_VALUE = regex(r"(?<![=<>!])=(?!=)[\s\S]*")
_TOKENS = regex(rf"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])+'|{_COMMENT}|[()]")


@dataclass(frozen=True)
class Parts:
    """What stands before a function's name, its parameters as written, and what stands behind them."""

    before: str
    parameters: str
    behind: str


def declaration_parts(unit: ParsedUnit, node: Node) -> Parts | None:
    """Take the declaration of a member function apart."""
    file = unit.files[node.file]
    text, start = file.scan.source.text, file.original(node.start)
    at = file.original(locations.file_location(node.cursor.location, node.tree.names)[1])
    spelled = r"operator\s*\(\s*\)" if node.spelling == "operator()" else re.escape(node.spelling)
    name = re.compile(rf"{spelled}\s*").match(text, at)
    before = _LEFT_OUT.sub(" ", text[start:at])
    close = _closing(text, name.end()) if name else -1
    if name is None or close < 0 or before.count("(") != before.count(")") or "__attribute__" in before:
        return None
    behind = _BEHIND.match(_LEFT_OUT.sub(" ", text[close + 1 : close + 400]))
    parameters = re.sub(r"\s*\n\s*", " ", re.sub(_COMMENT, "", text[name.end() + 1 : close]))
    return Parts(_on_line(before).lstrip(), parameters, _on_line(behind[0] if behind else "").rstrip())


def _on_line(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def _closing(text: str, at: int) -> int:
    """Return where the parenthesis is closed that is opened at a place."""
    depth = 0
    for match in _TOKENS.finditer(text, at):
        depth += {"(": 1, ")": -1}.get(match[0], 0)
        if depth == 0:
            return match.start()
    return -1


def without_value(unit: ParsedUnit, node: Node) -> str:
    """Return a parameter's text without its default."""
    return _on_line(_VALUE.sub("", re.sub(_COMMENT, "", unit.user_text(node)))).strip()


def template_parts(unit: ParsedUnit, record: Cursor) -> tuple[str, str] | None:
    """Return the header of a class template, empty for a class, and how a definition outside of it names the class."""
    if kind_of(record) not in TEMPLATES:
        return "", spelling.spell(types.canonical(record.type))
    texts: list[str] = []
    names: list[str] = []
    for child in unit.tree.node(record).children:
        if not child.kind.startswith("TEMPLATE_") or not child.kind.endswith("PARAMETER"):
            continue
        text = without_value(unit, child)
        if not child.spelling or not re.search(rf"\b{child.spelling}$", text) or "TEMPLATE_TEMPLATE" in child.kind:
            return None
        texts.append(text)
        names.append(child.spelling + ("..." if "..." in text else ""))
    return f"template <{', '.join(texts)}> ", f"{_scope(record)}{record.spelling}<{', '.join(names)}>"


def _scope(record: Cursor) -> str:
    names = ""
    parent = record.semantic_parent
    while parent is not None and (kind_of(parent) in RECORD_KINDS or kind_of(parent) in ("NAMESPACE", "LINKAGE_SPEC")):
        names = f"{parent.spelling}::{names}" if parent.spelling and kind_of(parent) != "LINKAGE_SPEC" else names
        parent = parent.semantic_parent
    return names
