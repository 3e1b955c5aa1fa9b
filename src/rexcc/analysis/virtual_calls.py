"""Calls of virtual functions in device code (OpenMP 5.2, 13.8: also on objects that the host has made).

In: a unit and pieces of its code. Out: the calls, and the :class:`VirtualFunction` behind each: which function of the
program is called, under which name device code finds the one for the object's class. Functions of a template's
instantiations are one: the template's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from clang.cindex import Cursor

from rexcc.analysis.object_classes import (
    TEMPLATES,
    ObjectClass,
    key_of,
    object_classes,
    text_of,
    ways_to_base,
)
from rexcc.analysis.virtual_declarations import declaration_parts, template_parts
from rexcc.clang import library, locations, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass

PREFIX = "rex_virtual_"
CALL_OPERATOR = "operator()"
_SCOPES = RECORD_KINDS | {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}


@dataclass(frozen=True, eq=False)
class VirtualFunction:
    """A virtual function as a class of the program's text declares it, and its name for objects of any making."""

    method: Cursor
    record: Cursor
    name: str

    @cached_property
    def key(self) -> int:
        """What is equal for all calls of it."""
        return int(self.method.canonical.hash)


@dataclass(frozen=True, eq=False)
class VirtualCall:
    """A call by a method's name, which stands from ``start`` to ``end`` in the parsed buffer, or by an operator's sign:
    then both are the end of the object's expression."""

    node: Node
    method: Cursor
    start: int
    end: int

    @property
    def is_by_sign(self) -> bool:
        """Whether no name stands in the call."""
        return self.start == self.end

    def text(self, function: VirtualFunction) -> str:
        """Return what stands in the name's place when the call is another function's."""
        return f".{function.name}" if self.is_by_sign else function.name


def virtual_calls(top: Node) -> Iterator[VirtualCall]:
    """Yield the calls of virtual functions of the user's below a node."""
    for node in top.walk():
        target = node.referenced if node.kind == "CALL_EXPR" and node.children else None
        if target is None or kind_of(target) not in ("CXX_METHOD", "CONVERSION_FUNCTION"):
            continue
        if not target.is_virtual_method() or library.in_system_header(target) or _is_final(target):
            continue
        if library.is_virtual_call(node.cursor):
            yield _named_call(node, target)
        elif is_by_sign(node):  # not `p->Base::f()`
            yield VirtualCall(node, target, node.children[0].end, node.children[0].end)


def is_by_sign(call: Node) -> bool:
    """Whether what stands first in a call is an object, not the name of a method."""
    callee = call.children[0].bare()
    named = callee.referenced
    return callee.kind != "MEMBER_REF_EXPR" or named is None or kind_of(named) not in FUNCTION_KINDS


def _named_call(node: Node, target: Cursor) -> VirtualCall:
    at = locations.file_location(node.children[0].bare().cursor.location, node.tree.names)[1]
    return VirtualCall(node, target, at, at + len(str(target.spelling)))


def _is_final(method: Cursor) -> bool:
    return any(kind_of(c) == "CXX_FINAL_ATTR" for m in (method, method.semantic_parent) for c in m.get_children())


def is_called_directly(call: VirtualCall, body: Node) -> bool:
    """Whether the object is a variable of the piece of code that the call stands in, which knows its class."""
    callee = call.node.children[0].bare()
    thing: Node | None = callee
    if not call.is_by_sign:
        thing = callee.children[0].bare() if callee.children else None
    variable = thing.referenced if thing is not None and thing.kind == "DECL_REF_EXPR" else None
    if variable is None or not types.is_record(variable.type) or types.is_reference(variable.type):
        return False
    node = body.tree.node(variable)
    return not library.has_global_storage(variable) and node.is_inside(body)


def virtual_function(unit: ParsedUnit, call: VirtualCall) -> VirtualFunction | str | None:
    """Return what a call's name becomes; why objects of the host cannot be called, or None where there are none."""
    return unit.kept(_Unit).function(call)


def overridden_functions(unit: ParsedUnit, method: Cursor) -> Iterator[VirtualFunction]:
    """Yield a virtual method, and what it overrides, as functions that device code may call by their names."""
    waiting = [method]
    while waiting:
        found = waiting.pop()
        waiting += library.overridden(found)
        function = unit.kept(_Unit).by_name(written_method(found))
        if isinstance(function, VirtualFunction) and str(found.spelling).isidentifier():
            yield function


class _Unit:
    """The virtual functions of one unit."""

    def __init__(self, unit: ParsedUnit) -> None:
        self.unit = unit
        self.names: dict[str, list[str]] = {}
        self.known: dict[int, VirtualFunction | str | None] = {}
        for node in _methods(unit.declarations):
            if node.cursor.is_virtual_method() and not library.overridden(node.cursor):
                signatures = self.names.setdefault(node.spelling, [])
                if _signature(node.cursor) not in signatures:
                    signatures.append(_signature(node.cursor))

    def function(self, call: VirtualCall) -> VirtualFunction | str | None:
        """Return the function of a call, each once."""
        method = written_method(call.method)
        found = self.by_name(method)
        if not isinstance(found, VirtualFunction):
            return found
        if (call.is_by_sign or not str(method.spelling).isidentifier()) and method.spelling != CALL_OPERATOR:
            return "it is an operator"
        expected = r"\s*\(" if call.is_by_sign else re.escape(str(method.spelling))
        return found if self._stands(call, expected) else "the call is a macro's"

    def by_name(self, method: Cursor) -> VirtualFunction | str | None:
        """Return what a method is for calls by its name, as for calls."""
        key = int(method.canonical.hash)
        if key not in self.known:
            self.known[key] = self._made(method)
        return self.known[key]

    def _stands(self, call: VirtualCall, expected: str) -> bool:
        file = self.unit.files.get(call.node.file)
        return file is not None and bool(re.compile(expected).match(file.scan.source.text, file.original(call.start)))

    def _made(self, method: Cursor) -> VirtualFunction | str | None:
        record = text_of(method.semantic_parent)
        node = self.unit.tree.node(record)
        if node.file not in self.unit.files:
            return None
        if node.file == self.unit.main and not objects_of(self.unit, record):
            return None
        if kind_of(record.semantic_parent) in TEMPLATES or kind_of(record).endswith("PARTIAL_SPECIALIZATION"):
            return f"'{record.spelling}' is a partial specialisation or a member of a class template"
        if kind_of(record.semantic_parent) not in _SCOPES | {"TRANSLATION_UNIT"}:
            return f"'{record.spelling}' is declared in a function"
        if types.is_variadic(method.type):
            return f"'{method.spelling}' takes any number of arguments"
        declared = declaration_parts(self.unit, self.unit.tree.node(method))
        if declared is None or template_parts(self.unit, record) is None:
            return f"the declaration of '{method.spelling}' or its class has a form that is not understood"
        return VirtualFunction(method, record, self._name(method))

    def _name(self, method: Cursor) -> str:
        """Return ``rex_virtual_f``, with a number for the second ``f`` that is another function."""
        first = method
        while above := library.overridden(first):
            first = written_method(above[0])
        known = self.names.get(str(method.spelling), [])
        number = known.index(_signature(first)) + 1 if _signature(first) in known else 1
        name = "call" if method.spelling == CALL_OPERATOR else method.spelling
        return f"{PREFIX}{name}" + (f"_{number}" if number > 1 else "")


def objects_of(unit: ParsedUnit, record: Cursor) -> list[ObjectClass]:
    """Return the classes of objects that a pointer to a class may point to."""
    return [o for o in object_classes(unit) if ways_to_base(o.text, key_of(record))]


def written_method(method: Cursor) -> Cursor:
    """Return a method as the program's text has it: of an instantiation its template's."""
    pattern = library.template_of(method)
    while pattern is not None and (above := library.template_of(pattern)) is not None:
        pattern = above
    return pattern.canonical if pattern is not None else method.canonical


def _methods(declarations: tuple[Node, ...]) -> Iterator[Node]:
    for node in declarations:
        if node.kind == "CXX_METHOD":
            yield node
        elif node.kind in _SCOPES:
            yield from _methods(node.children)


def _signature(method: Cursor) -> str:
    text = str(types.canonical(method.type).spelling)
    return re.sub(r"^.*?(?=\()", "", text)


def overrider(text: Cursor, function: VirtualFunction) -> Cursor | None:
    """Return the function that a class's objects have for a virtual one, as the text of it or a base declares it.

    Where bases depend on a template's parameters, clang does not say what overrides what: then the name does.
    """
    for method in text.get_children():
        if kind_of(method) == "CXX_METHOD" and _overrides(method, function):
            return method
    if int(text.canonical.hash) == key_of(function.record):
        return function.method
    above = (ways[0][0][0] for ways in [ways_to_base(text, key_of(function.record))] if ways and ways[0])
    base = next(above, None)
    return overrider(base, function) if base is not None else None


def _overrides(method: Cursor, function: VirtualFunction) -> bool:
    if int(written_method(method).hash) == function.key:
        return True
    if method.spelling != function.method.spelling or method.is_static_method():
        return False
    if kind_of(method.semantic_parent) in TEMPLATES and not library.overridden(method):
        return True
    return any(_overrides(above, function) for above in library.overridden(method))
