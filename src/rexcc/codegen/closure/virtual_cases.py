"""Which virtual functions device code calls on objects of the host, and for objects of which classes.

In: a unit's kernels. Out: :class:`VirtualFunctions`: for each function the classes whose objects may be the host's and
what they have for it; the places of the calls in functions.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_obstacles import call_elsewhere, library_obstacle, variable_obstacle
from rexcc.analysis.object_classes import TEMPLATES, ObjectClass, is_alone, key_of, text_of, ways_to_base, with_bases
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.virtual_calls import (
    VirtualFunction,
    is_by_sign,
    is_called_directly,
    objects_of,
    overridden_functions,
    overrider,
    virtual_calls,
    virtual_function,
)
from rexcc.clang import library, locations, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.codegen.registration.virtual_functions import HIDDEN, Case, VirtualFunctions
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note

CODE = "host-virtual-call"


def called_virtually(
    unit: ParsedUnit, kernels: list[Kernel], declared: DeclareTarget, also: tuple[Cursor, ...], sink: DiagnosticSink,
    mark: str,
) -> VirtualFunctions:  # fmt: skip
    """Return the virtual functions that kernels and functions ``also`` call, directly or through others, those of cases
    included; ``mark`` is the unit's."""
    found = VirtualFunctions(unit, mark)
    if not unit.is_cplusplus:
        return found
    regions = [part for k in kernels for part in k.region.device_parts]
    lambdas = [c.definition for k in kernels for c in k.data.closures]
    for own in (f for method in also if mark and _is_virtual(method) for f in overridden_functions(unit, method)):
        if found.is_joined(own) and own.key not in found.cases:  # calls of other files may mean it
            found.cases[own.key] = (own, [])
            place = unit.tree.node(own.method)
            found.cases[own.key][1].extend(_cases(found, own, place, declared, DiagnosticSink()))
    known = -1
    while known < len(found.cases):
        known = len(found.cases)
        functions = list(called_bodies(unit.tree, [*regions, *lambdas], also=(*also, *found.methods)))
        functions += _first_values([*regions, *lambdas, *functions])
        for body in (*regions, *lambdas, *functions):
            for call in virtual_calls(body):
                function = virtual_function(unit, call)
                if not isinstance(function, VirtualFunction) or is_called_directly(call, body):
                    continue
                if function.key not in found.cases:
                    found.cases[function.key] = (function, [])
                    found.cases[function.key][1].extend(_cases(found, function, call.node, declared, sink))
    _note_places(found, functions, [*regions, *lambdas], sink)
    return found


def _is_virtual(function: Cursor) -> bool:
    return kind_of(function) == "CXX_METHOD" and bool(function.is_virtual_method())


def _first_values(bodies: list[Node]) -> list[Node]:
    """Return the members of classes whose constructors are called: their first values are code, too."""
    found: dict[int, Node] = {}
    for node in (n for body in bodies for n in body.walk() if n.kind == "CALL_EXPR"):
        target = node.referenced
        if target is None or kind_of(target) != "CONSTRUCTOR" or library.in_system_header(target):
            continue
        for member in text_of(target.semantic_parent).get_children():
            if kind_of(member) == "FIELD_DECL":
                found[int(member.hash)] = node.tree.node(member)
    return list(found.values())


def _note_places(found: VirtualFunctions, functions: list[Node], regions: list[Node], sink: DiagnosticSink) -> None:
    """Note the names in functions; where instantiations of a template disagree, or no name stands, warn."""
    names: dict[tuple[str, int], set[tuple[int, str]]] = {}
    inside = {id(body) for body in functions}
    for body in (*regions, *functions):
        for call in virtual_calls(body):
            function = virtual_function(found.unit, call)
            if function is None or is_called_directly(call, body):
                continue
            if isinstance(function, str):
                _warn(found.unit, call.node, call.method, function, sink)
            elif id(body) in inside:
                names.setdefault((call.node.file, call.start), set()).add((call.end - call.start, call.text(function)))
    for place, node in [use for body in functions for use in _calls(body)]:
        target = node.referenced
        if place in names and (len(names[place]) > 1 or target is None or not target.is_virtual_method()):
            _warn(found.unit, node, target, "other instantiations of the template call another function", sink)
            del names[place]
    found.places |= {(*place, length, name) for place, texts in names.items() for length, name in texts}


def _calls(body: Node) -> Iterator[tuple[tuple[str, int], Node]]:
    """Yield the calls in a function, each with the place that the name of a virtual function would have."""
    for node in (n for n in body.walk() if n.kind == "CALL_EXPR" and n.children):
        callee, at = node.children[0], node.children[0].end
        if not is_by_sign(node):
            at = locations.file_location(callee.bare().cursor.location, body.tree.names)[1]
        yield (node.file, at), node


def _warn(unit: ParsedUnit, node: Node, method: Cursor | None, why: str, sink: DiagnosticSink) -> None:
    name = f"'{method.spelling}'" if method is not None else "what is called"
    message = f"{name} is virtual and can be called here only on objects that the device has made: {why}"
    sink.warning(CODE, message, unit.span(node), Note("an object of the host ends the program on a GPU"))


def _cases(
    found: VirtualFunctions, function: VirtualFunction, call: Node, declared: DeclareTarget, sink: DiagnosticSink
) -> Iterator[Case]:
    """Yield the cases of a function; warn about classes that have none."""
    for made in objects_of(found.unit, function.record):
        method = overrider(made.text, function)
        why = _obstacle(found.unit, made, function, method, declared)
        if method is not None and not why:
            (way,) = ways_to_base(made.text, key_of(function.record))
            name = spelling.spell(types.canonical(function.record.type))
            offset = "0" if is_alone(made.text, way) else f"REX_OFFSET_OF_BASE({made.name}, {name})"
            yield Case(made, method, found.row(made, offset))
            continue
        is_others = method is not None and method.get_definition() is None and found.is_joined(function)
        if (made.name, why) in found.told or is_others:  # the file that defines it tells of it
            continue
        found.told.add((made.name, why))
        message = f"'{function.method.spelling}' is virtual and cannot be called on objects of '{made.name}' that the "
        message += f"host has made: {why}"
        note = Note("such an object ends the program on a GPU; of those that the device makes it can be called")
        sink.warning(CODE, message, found.unit.span(call), note)


def _obstacle(
    unit: ParsedUnit, made: ObjectClass, function: VirtualFunction, method: Cursor | None, declared: DeclareTarget
) -> str:
    """Return why objects of a class have no case, empty where they have."""
    ways = ways_to_base(made.text, key_of(function.record))
    if any(virtual for way in ways for _, virtual in way):
        return "the class has virtual bases"
    if len(ways) > 1:
        return f"it has several parts of class '{function.record.spelling}'"
    if not made.symbol:
        return "the class is a template's instantiation that this file does not make objects of"
    if not is_alone(made.text, ways[0]):
        hidden = (made.cursor, function.record)
        if kind_of(function.record) in TEMPLATES or any(c.access_specifier.name in HIDDEN for c in hidden):
            return "the class has several bases, of which the host file cannot name one"
    if method is None or method.get_definition() is None:
        return "the function is not defined in this file"
    bodies = list(called_bodies(unit.tree, [], also=[method]))
    text = [*bodies, *map(unit.tree.node, with_bases(made.text))]  # device code has all of the class
    found = variable_obstacle(unit, bodies, declared) or library_obstacle(bodies)
    if found is not None:
        return f"its function {found.why}"
    found = call_elsewhere(text)
    return f"it {found.why}" if found is not None else ""
