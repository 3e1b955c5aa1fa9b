"""Variables of a function that its local types name.

In: the types that device code has outside of the function. Out: the statements that declare the constants among these
variables, for the same namespace: a type's extents, bit-fields, initialisers and methods may use the value of one; and
the other variables, of which a type can only ask for their own types (``decltype(n)``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.source.patterns import regex

_CONSTANT = regex(r"(?:constexpr|const)\b")
_CONSTEXPR = regex(r"\bconstexpr\b")
_VARIABLES = ("VAR_DECL", "PARM_DECL")


def named_variables(
    owner: Node, declared: Iterable[Node], is_constant: Callable[[Node], bool]
) -> tuple[list[Node], list[Node]]:
    """Return what types name of a function's variables: the statements that ``is_constant`` takes for those of
    automatic constants, with what these name, and the other variables."""
    statements = [n for n in owner.walk() if n.kind == "DECL_STMT" and any(map(_has_value, n.children))]
    by_place = {(child.file, child.start): statement for statement in statements for child in statement.children}
    found: list[Node] = []
    others: dict[tuple[str, int], Node] = {}
    waiting = list(declared)
    while waiting:
        code = waiting.pop()
        for variable in _named(code):
            place = variable.file, variable.start
            statement = by_place.get(place)
            if statement is not None and statement not in found and is_constant(statement):
                found.append(statement)
                waiting.append(statement)
            elif statement not in found and variable.is_inside(owner) and not variable.is_inside(code):
                others[place] = variable
    return found, [variable for variable in others.values() if not library.has_global_storage(variable.cursor)]


def _has_value(variable: Node) -> bool:
    """Whether a variable is an automatic one with a first value."""
    if variable.kind != "VAR_DECL" or library.has_global_storage(variable.cursor):
        return False
    kind = variable.cursor.type
    is_plain = not (types.is_reference(kind) or types.is_volatile(kind) or types.is_array(kind))
    return is_plain and library.initialiser(variable.cursor) is not None


def _named(code: Node) -> Iterator[Node]:
    for node in code.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is not None and kind_of(target) in _VARIABLES:
            yield code.tree.node(target)


def is_written_so(text: str) -> bool:
    """Whether a declaration's text begins as that of a constant."""
    return _CONSTANT.match(text) is not None


def has_constant_values(text: str, variables: Iterable[Node]) -> bool:
    """Whether variables of a declaration with such a text are constants whose values the compiler knows."""
    if _CONSTEXPR.search(text) is not None:
        return True
    values = (library.evaluate_integer(n.children[-1].cursor) if n.children else None for n in variables)
    return all(value is not None for value in values)
