"""Calls through pointers to functions that device code can only have from the host.

In: a region, in a unit in which ``indirect`` names no function. Out: a warning for each call, in the region or a
function that it calls, through a pointer that a variable or an object holds: as mapped ones have it, it is an address
of host code. Pointers that device code may have made itself are left alone: where it names a function without calling
it, calls one of another unit, or reads a variable of the unit that may have such addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.indirect import indirect_functions, pointer_calls
from rexcc.analysis.reachable_functions import called_bodies, is_elsewhere
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.source.diagnostics import DiagnosticSink, Note

_HELD = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "DECL_REF_EXPR"})
_OF_OBJECTS = frozenset({"CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"})
_MADE_HERE = frozenset({"LAMBDA_EXPR"})


def check_host_pointers(region: TargetRegion, sink: DiagnosticSink) -> None:
    """Warn of calls through pointers of the host's (``host-function-pointer``)."""
    unit = region.unit
    bodies = [*region.device_parts, *called_bodies(unit.tree, region.device_parts)]
    calls = [callee for body in bodies for callee in pointer_calls(body) if _called(callee).kind in _HELD]
    if not calls or indirect_functions(unit) or any(map(_may_make_pointers, _nodes(bodies))):
        return
    for callee in {(callee.file, callee.start): callee for callee in calls}.values():
        message = f"'{unit.user_text(callee)}' is a pointer to a function of the host, which a GPU cannot call: this "
        message += "file has no function that 'declare target indirect' names"
        start = Note("the region starts here", region.construct.span)
        sink.warning("host-function-pointer", message, unit.span(callee), start)


def _called(callee: Node) -> Node:
    """Return what holds the pointer: ``(*p->f)(x)`` is ``p->f(x)``."""
    found = callee.bare()
    while found.operator == "*" and found.children:
        found = found.children[0].bare()
    return found


def _nodes(bodies: Iterable[Node]) -> Iterator[Node]:
    return (node for body in bodies for node in body.walk())


def _may_make_pointers(node: Node) -> bool:
    """Whether code takes a function's address, or has pointers from elsewhere on the device."""
    target = node.referenced
    if node.kind in _MADE_HERE or target is None:
        return node.kind in _MADE_HERE
    if kind_of(target) in FUNCTION_KINDS:
        is_of_object = kind_of(target) in _OF_OBJECTS and not target.is_static_method()
        return is_elsewhere(target) or not (is_of_object or node.kind == "CALL_EXPR" or _is_called(node))
    is_global = kind_of(target) == "VAR_DECL" and library.has_global_storage(target)
    return is_global and types.holds_pointers(target.type)


def _is_called(name: Node) -> bool:
    """Whether the name of a function is that of what a call calls, an operator's too."""
    above = name.parent
    while above is not None and above.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        above = above.parent
    return above is not None and above.kind == "CALL_EXPR" and above.refers_to(name.referenced)
