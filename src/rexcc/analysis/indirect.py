"""Functions that device code may call through pointers of the host (``indirect``; OpenMP 5.2, 7.8.3).

In: a unit with its ``declare target`` directives. Out: the functions that ``indirect`` speaks of, and the calls through
pointers in a piece of code. A pointer's value is a host address; device code finds the device's function by it.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.declare_target_directives import functions_of
from rexcc.analysis.requirements import is_false
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.openmp.model import Directive
from rexcc.program.unit import ParsedUnit


def indirect_functions(unit: ParsedUnit) -> tuple[Cursor, ...]:
    """Return the functions, static methods and templates that ``indirect`` speaks of, in the unit's order: their
    definitions where the unit has them."""
    return unit.kept(_found)


def _found(unit: ParsedUnit) -> tuple[Cursor, ...]:
    """Return what ordinary pointers to functions may point to."""
    named = (node.cursor for node in functions_of(unit, _is_indirect) if not _is_of_object(node))
    return tuple(cursor.get_definition() or cursor for cursor in named)


def _is_of_object(node: Node) -> bool:
    return node.kind not in ("FUNCTION_DECL", "FUNCTION_TEMPLATE") and not node.cursor.is_static_method()


def _is_indirect(directive: Directive) -> bool:
    return any(not is_false(clause) for clause in directive.named("indirect"))


def pointer_calls(top: Node) -> Iterator[Node]:
    """Yield, for each call through a pointer to a function below a node, the expression that is called."""
    for node in top.walk():
        if node.kind != "CALL_EXPR" or not node.children:
            continue
        callee = node.children[0]
        target = callee.bare().referenced
        if target is not None and kind_of(target) in FUNCTION_KINDS:
            continue
        if types.is_function_pointer(callee.type) or types.is_function(callee.type):
            yield callee
