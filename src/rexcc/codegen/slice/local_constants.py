"""Constants of a function that its local types name.

In: the types that device code has outside of the function. Out: the statements that declare the constants, for the
same namespace. A type's extents, bit-fields, initialisers and methods may use the value of a constant of the function.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.source.patterns import regex

_CONSTANT = regex(r"(?:constexpr|const)\b")


def constants_of(owner: Node, declared: Iterable[Node]) -> list[Node]:
    """Return the statements of a function with the automatic constants that types, and these constants, name."""
    statements = [n for n in owner.walk() if n.kind == "DECL_STMT" and any(map(_is_constant, n.children))]
    by_place = {(child.file, child.start): statement for statement in statements for child in statement.children}
    found: list[Node] = []
    waiting = list(declared)
    while waiting:
        for place in _named(waiting.pop()):
            statement = by_place.get(place)
            if statement is not None and statement not in found:
                found.append(statement)
                waiting.append(statement)
    return found


def _is_constant(variable: Node) -> bool:
    """Whether a variable is an automatic one with a first value that its text says is constant."""
    if variable.kind != "VAR_DECL" or library.has_global_storage(variable.cursor):
        return False
    kind = variable.cursor.type
    is_plain = not (types.is_reference(kind) or types.is_volatile(kind) or types.is_array(kind))
    return is_plain and library.initialiser(variable.cursor) is not None


def _named(code: Node) -> Iterator[tuple[str, int]]:
    for node in code.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is not None and kind_of(target) == "VAR_DECL":
            declared = code.tree.node(target)
            yield declared.file, declared.start


def is_written_so(text: str) -> bool:
    """Whether a declaration's text begins as that of a constant."""
    return _CONSTANT.match(text) is not None
