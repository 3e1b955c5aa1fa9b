"""Functions that device code may call through pointers of the host (``indirect``; OpenMP 5.2, 7.8.3).

In: a unit with its ``declare target`` directives. Out: the functions that ``indirect`` speaks of, and the calls through
pointers in a piece of code. A pointer's value is a host address; device code finds the device's function by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import WeakKeyDictionary

from clang.cindex import Cursor

from rexcc.analysis.declare_target import (
    blocks,
    device_directives,
    has_list,
    is_host_only,
    listed_items,
    qualified_name,
)
from rexcc.analysis.requirements import is_false
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.frontend.unit import ParsedUnit
from rexcc.openmp.model import Directive
from rexcc.source.diagnostics import DiagnosticSink

_SCOPES = RECORD_KINDS | {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}
_KNOWN: WeakKeyDictionary[ParsedUnit, tuple[Cursor, ...]] = WeakKeyDictionary()


def indirect_functions(unit: ParsedUnit) -> tuple[Cursor, ...]:
    """Return the functions, static methods and templates that ``indirect`` speaks of, in the unit's order: their
    definitions where the unit has them."""
    if unit not in _KNOWN:
        _KNOWN[unit] = tuple(_found(unit))
    return _KNOWN[unit]


def _found(unit: ParsedUnit) -> Iterator[Cursor]:
    directives = device_directives(unit)
    if not any(_is_indirect(d) for _, d in directives):
        return
    ranges = [(f, start, end) for f, start, end, begin in blocks(directives, DiagnosticSink()) if _is_indirect(begin)]
    lists = (d for _, d in directives if has_list(d) and _is_indirect(d) and not is_host_only(d))
    names = {item.whole.text.strip().removeprefix("::") for d in lists for _, item in listed_items(d)}
    seen: set[int] = set()
    for node in _functions(unit.declarations):
        file = unit.files.get(node.file)
        inside = file is not None and any(
            f is file and start <= file.original(node.start) < end for f, start, end in ranges
        )
        if not inside and not names & {node.spelling, qualified_name(node.cursor)}:
            continue
        key = int(node.cursor.canonical.hash)
        if key not in seen and node.spelling != "main":
            seen.add(key)
            yield node.cursor.get_definition() or node.cursor


def _is_indirect(directive: Directive) -> bool:
    return any(not is_false(clause) for clause in directive.named("indirect"))


def _functions(declarations: Iterable[Node]) -> Iterator[Node]:
    """Yield what ordinary pointers to functions may point to."""
    for node in declarations:
        if node.kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE") or (
            node.kind == "CXX_METHOD" and node.cursor.is_static_method()
        ):
            yield node
        elif node.kind in _SCOPES:
            yield from _functions(node.children)


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
