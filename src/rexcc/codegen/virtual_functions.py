"""The virtual functions that device code calls on objects of the host: which, for objects of which classes.

In: a unit's kernels. Out: :class:`VirtualFunctions`: for each function the classes whose objects may be the host's and
what they have for it; the places of the calls in functions; the lines of the host file, which has the tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor, LinkageKind

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
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import dataclass, field

NamePlace = tuple[str, int, int, str]
"""File, where a name begins in the parsed buffer and its length, and the name that device code calls."""

CODE = "host-virtual-call"
_HIDDEN = ("PRIVATE", "PROTECTED")
_TABLE = "rex_vtables"
POINTER = "rex_host_vtables"
"""The image's pointer to the host's table."""
_FIRST = 2
"""The rows of a table begin with the range of the host file's module."""


@dataclass(frozen=True)
class Row:
    """A pointer that objects of the host have: that of a class's part, which is at ``offset``, an expression."""

    symbol: str
    offset: str
    what: str


@dataclass(frozen=True, eq=False)
class Case:
    """What a function is for objects of a class: ``method`` of a class, found by a row of the table."""

    made: ObjectClass
    method: Cursor
    row: int


@dataclass(eq=False)
class VirtualFunctions:
    """The functions with their cases, in the order in which device code calls them; ``mark`` is that of a unit whose
    image may be joined with others'."""

    unit: ParsedUnit
    mark: str = ""
    cases: dict[int, tuple[VirtualFunction, list[Case]]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    places: set[NamePlace] = field(default_factory=set)
    told: set[tuple[str, str]] = field(default_factory=set)

    @property
    def methods(self) -> tuple[Cursor, ...]:
        """The functions of the cases, which device code calls in a way that does not show."""
        return tuple(c.method.get_definition() or c.method for _, cases in self.cases.values() for c in cases)

    @property
    def classes(self) -> Iterator[Cursor]:
        """The classes of the cases."""
        return (c.made.cursor for _, cases in self.cases.values() for c in cases)

    @property
    def opened(self) -> frozenset[int]:
        """The outermost classes of hidden functions and classes, by hash: the cases name them."""
        named = [c for _, cases in self.cases.values() for case in cases for c in (case.method, case.made.cursor)]
        return frozenset(_outermost_hash(c) for c in named if c.access_specifier.name in _HIDDEN)

    def row(self, made: ObjectClass, offset: str) -> int:
        """Return the number of a class's row."""
        row = Row(made.symbol, offset, made.name)
        if row not in self.rows:
            self.rows.append(row)
        return _FIRST + self.rows.index(row)

    def host_lines(self, mark: str) -> list[str]:
        """The host's table and the pointer to it that the runtime attaches; ``mark`` makes symbols of the program."""
        if not self.cases:
            return []
        symbols = list(dict.fromkeys(r.symbol for r in self.rows))
        names = {symbol: f"__rex_vtable_{mark}_{n}" for n, symbol in enumerate(symbols)}
        lines = ["/* What objects of the host point to, by which device code knows their classes. */"]
        lines += ['#include "rex_virtual.h"', *(f'REX_VTABLE({names[s]}, "{s}")' for s in symbols)]
        lines.append(f"static const void *{_TABLE}[{_FIRST + len(self.rows)}] = {{REX_MODULE_BEGIN, REX_MODULE_END}};")
        lines += ["REX_FIND_VTABLES {"] if self.rows else []
        for n, row in enumerate(self.rows):
            lines.append(f"  {_TABLE}[{_FIRST + n}] = rex_vtable_of({names[row.symbol]}, {row.offset}); // {row.what}")
        lines += ["}"] if self.rows else []
        return [*lines, f"REX_GLOBAL_POINTER_TO({POINTER}, {_TABLE})"]

    @property
    def global_rows(self) -> list[str]:
        """The row of the storage that the runtime copies to devices."""
        return [f'    {{&{POINTER}, "{_TABLE}", sizeof {_TABLE}}},'] if self.cases else []

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the device file that are symbols, of which each unit has its own."""
        if not self.cases:
            return ()
        finders = (finder(f) for f, cases in self.cases.values() if cases and self.is_joined(f))
        return (POINTER, *(f.name for f, _ in self.cases.values() if f.name.isidentifier()), *finders)

    def is_joined(self, function: VirtualFunction) -> bool:
        """Whether other files may have further classes with a function: one that they know by its symbol. Templates are
        left out, of which each instantiation has functions of its own."""
        is_known = function.record.linkage == LinkageKind.EXTERNAL
        return bool(self.mark) and is_known and kind_of(function.record) not in TEMPLATES

    @property
    def asks(self) -> tuple[str, ...]:
        """The functions that find those of all files."""
        return tuple(joined_finder(f) for f, _ in self.cases.values() if self.is_joined(f))

    @property
    def finds(self) -> tuple[tuple[str, str], ...]:
        """Their names with the symbols of those that find this file's."""
        found = (f for f, cases in self.cases.values() if cases and self.is_joined(f))
        return tuple((joined_finder(f), f"{finder(f)}_{self.mark}") for f in found)

    def entries(self, mark: str) -> list[str]:
        """The entry of the device's pointer to that storage; its symbol has the unit's mark, if there is one."""
        symbol = f"{POINTER}_{mark}" if mark else POINTER
        return [f'REX_GLOBAL_ENTRY(&{POINTER}, "{symbol}", sizeof {POINTER})'] if self.cases else []


def finder(function: VirtualFunction) -> str:
    """Return the name of the function that finds a virtual one for the classes of this file."""
    return f"rex_find_{function.method.mangled_name}"


def joined_finder(function: VirtualFunction) -> str:
    """Return the name of the one that asks all files of an image (``rex_device_joined.h``)."""
    return f"rex_joined_{function.method.mangled_name}"


def called_virtually(
    unit: ParsedUnit, kernels: list[Kernel], declared: DeclareTarget, also: tuple[Cursor, ...], sink: DiagnosticSink,
    mark: str = "",
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
            at = library.file_location(callee.bare().cursor.location, body.tree.names)[1]
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
        if kind_of(function.record) in TEMPLATES or any(c.access_specifier.name in _HIDDEN for c in hidden):
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


def _outermost_hash(cursor: Cursor) -> int:
    outer: Iterable[Cursor] = _around(cursor)
    return int(list(outer)[-1].canonical.hash)


def _around(cursor: Cursor) -> Iterator[Cursor]:
    yield cursor
    parent = cursor.semantic_parent
    while parent is not None and (kind_of(parent) in TEMPLATES or kind_of(parent) in ("STRUCT_DECL", "CLASS_DECL")):
        yield parent
        parent = parent.semantic_parent
