"""Functions of a unit that calls may not reach although it defines them: the program may have another definition.

In: a parsed unit. Out: their names. Clang shows an attribute only at the declarations from its own on, and none that a
pragma makes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.clang import library
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

_AROUND_FUNCTIONS = frozenset({"NAMESPACE", "LINKAGE_SPEC"}) | RECORD_KINDS
_WEAK = regex(r"pragma[ \t]+weak[ \t]+(\w+)|_Pragma[ \t]*\([ \t]*\"weak[ \t]+(\w+)")
"""GCC's pragma, with the name that the linker knows."""
_ATTRIBUTE = regex(r"\bweak\b")


def replaceable_functions(unit: ParsedUnit) -> frozenset[str]:
    """Return the names of functions of which some declaration has an attribute, and those that a pragma makes weak."""
    return frozenset(weak_by_pragmas(unit) | {node.spelling for node in _with_attributes(unit, unit.declarations)})


def weak_by_pragmas(unit: ParsedUnit) -> set[str]:
    """Return the names that pragmas make weak."""
    texts = (file.scan.source.text for file in unit.files.values())
    return {first or second for text in texts if "weak" in text for first, second in _WEAK.findall(text)}


def weak_functions(unit: ParsedUnit) -> frozenset[str]:
    """Return the names of those that some declaration, or a pragma, makes weak."""
    declared = (node for node in _with_attributes(unit, unit.declarations) if _says_weak(node))
    return frozenset(weak_by_pragmas(unit) | {node.spelling for node in declared})


def _says_weak(declaration: Node) -> bool:
    return _ATTRIBUTE.search(library.printed_head(declaration.cursor)) is not None


def _with_attributes(unit: ParsedUnit, declarations: Iterable[Node]) -> Iterator[Node]:
    for node in declarations:
        if node.file not in unit.files:
            continue
        if node.kind in _AROUND_FUNCTIONS:
            yield from _with_attributes(unit, node.children)
        elif node.kind == "FUNCTION_DECL" and any(c.kind.endswith("_ATTR") for c in node.children):
            yield node
