"""Functions that device code may call through pointers of the host (``indirect``; OpenMP 5.2, 7.8.3).

In: a unit with its ``declare target`` directives. Out: the functions that ``indirect`` speaks of, and the calls through
pointers in a piece of code. A pointer's value is a host address; device code finds the device's function by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from clang.cindex import Cursor

from rexcc.analysis.declare_target import functions_of
from rexcc.analysis.requirements import is_false
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.openmp.model import Directive
from rexcc.program.unit import ParsedUnit

_KNOWN: WeakKeyDictionary[ParsedUnit, tuple[Cursor, ...]] = WeakKeyDictionary()


def indirect_functions(unit: ParsedUnit) -> tuple[Cursor, ...]:
    """Return the functions, static methods and templates that ``indirect`` speaks of, in the unit's order: their
    definitions where the unit has them."""
    if unit not in _KNOWN:
        _KNOWN[unit] = tuple(_found(unit))
    return _KNOWN[unit]


def _found(unit: ParsedUnit) -> Iterator[Cursor]:
    """Yield what ordinary pointers to functions may point to."""
    for node in functions_of(unit, _is_indirect):
        if node.kind != "CXX_METHOD" or node.cursor.is_static_method():
            yield node.cursor.get_definition() or node.cursor


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
