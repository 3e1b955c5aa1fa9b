"""What the device file of a unit declares: what its kernels use, and the functions that they reach.

In: kernels and the unit's variables on the device. Out: a filled :class:`ClosureBuilder`; errors for variables of the
host, and for functions that are not defined.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.host_variables import ADDRESS, INITIALISER, STATIC_MEMBER, UNDECLARED, reach_of
from rexcc.analysis.linked_variables import Way, add_link
from rexcc.analysis.reachable_functions import Place, called_bodies
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.analysis.separate import Separate
from rexcc.clang.library import in_system_header, template_of
from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.tree import Node
from rexcc.codegen.closure.argument_declarations import argument_declarations
from rexcc.codegen.closure.declaration_closure import ClosureBuilder
from rexcc.codegen.closure.host_methods import HostMethods, methods_without_functions
from rexcc.codegen.closure.reachability import undeclared_globals
from rexcc.codegen.closure.unevaluated_functions import add_unevaluated_functions
from rexcc.codegen.places.member_usings import member_types, needs_class
from rexcc.codegen.places.scopes import local_usings, namespaces_in_unnamed
from rexcc.codegen.places.unit_order import Places
from rexcc.codegen.registration.virtual_functions import VirtualFunctions
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.lowering.instances.packs import named_by_empty_packs
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import dataclass
from rexcc.target.messages import Reached

_MESSAGES = {
    UNDECLARED: "'{}' is a variable of the host, used in a function that a target region calls; put it between "
    "'declare target' and 'end declare target'",
    ADDRESS: "'{}', a constant that holds the address of a variable of the host, is used in a function that a target "
    "region calls; put both between 'declare target' and 'end declare target', or pass the pointer as an argument",
    STATIC_MEMBER: "'{}', a static member of a class template, is used in a function that a target region calls, "
    "which cannot be lowered yet; pass it as an argument, or make it a variable at namespace scope",
    INITIALISER: "'{}', a constant of the host, is used in a function that a target region calls, and has no value "
    "that could be copied to the device",
}
_NOTES = {INITIALISER: "a constexpr constructor, in this file, gives it a value that device code can have"}


def reach_undeclared(
    unit: ParsedUnit, kernels: list[Kernel], declared: DeclareTarget, also: tuple[Cursor, ...], sink: DiagnosticSink
) -> None:
    """Let functions that kernels call reach variables of the host, or refuse those that they cannot reach."""
    unified = requirements(unit) & UNIFIED_SHARED_MEMORY != 0
    for variable, node in list(undeclared_globals(unit.tree, kernels, declared, also)):
        in_lambda = any(node.is_inside(c.definition) for k in kernels for c in k.data.closures)
        reach = reach_of(variable, unified, in_lambda)
        if reach.way is not None:
            declared.variables[Variable(variable)] = variable.get_definition() or variable
            add_link(declared.linked, variable, reach.way, declared.mark)
        elif reach.code:
            notes = (Note(text) for text in (_NOTES.get(reach.code),) if text is not None)
            sink.error(reach.code, _MESSAGES[reach.code].format(variable.spelling), unit.span(node), *notes)


def add_kernels(builder: ClosureBuilder, kernels: list[Kernel], declared: DeclareTarget) -> None:
    """Add what kernels use, and the variables of ``declare target``."""
    builder.linked = declared.linked.keys()
    for kernel in kernels:
        _add_kernel(builder, kernel)
    builder.ignore_variables(())
    for variable, cursor in declared.variables.items():
        linked = declared.link_of(variable)
        is_kept = linked is None or linked.way is Way.MAPPED or linked.is_looked_for
        if is_kept:  # others only where functions use them
            builder.add_declaration(cursor)


_TEMPLATE = "a template's definition has to stand in the file that calls it on the device"


def add_functions(builder: ClosureBuilder, kernels: list[Kernel], also: tuple[Cursor, ...]) -> Reached:
    """Add the functions that kernels reach, also those that nobody names: destructors; return what they reach."""
    unit = builder.unit
    regions = [part for k in kernels for part in k.region.device_parts]
    lines: dict[tuple[str, int, int], None] = {}
    bodies = list(regions)
    for function in called_bodies(unit.tree, regions, also=also):
        bodies.append(function)
        lines[_lines(unit, function)] = None
        builder.add_declaration(function.cursor)
        builder.add_globals(function)
        pattern = template_of(function.cursor)
        if pattern is not None:
            builder.add_declaration(pattern)
    builder.add_constants()
    return Reached(tuple(lines), tuple(_library_calls(unit, bodies).items()), tuple(_assembly(unit, bodies)))


def _assembly(unit: ParsedUnit, bodies: Iterable[Node]) -> Iterator[str]:
    """Yield the places of inline assembly in device code."""
    for node in (n for body in bodies for n in body.walk() if n.kind.endswith("ASM_STMT")):
        span = unit.span(node)
        if span is not None:
            yield span.place


def _library_calls(unit: ParsedUnit, bodies: Iterable[Node]) -> dict[str, str]:
    """Return the functions of libraries that device code calls and no header defines, with the place of a call each."""
    found: dict[str, str] = {}
    for node in (n for body in bodies for n in body.walk() if n.kind == "CALL_EXPR"):
        callee = node.referenced
        if callee is None or callee.spelling in found or not in_system_header(callee):
            continue
        span = unit.span(node)
        if span is not None and callee.get_definition() is None:
            found[callee.spelling] = span.place
    return found


def refuse_undefined(builder: ClosureBuilder, separate: Separate, sink: DiagnosticSink) -> None:
    """Refuse functions that device code calls and no unit of the device's defines, or can define for it."""
    called = {key: found for key, found in builder.closure.undefined.items() if key not in builder.imported}
    called |= {int(target.canonical.hash): (target, node) for target, node in separate.lacking}
    for target, node in called.values():
        message = f"'{target.spelling}' is called in a target region but not defined in this file"
        refusal = _TEMPLATE if template_of(target) is not None else separate.refusal
        notes = [Note(refusal)] if refusal else []
        sink.error("undefined-device-function", message, builder.unit.span(node), *notes)


def _add_kernel(builder: ClosureBuilder, kernel: Kernel) -> None:
    usings = tuple(local_usings(kernel.region))
    builder.usings.add(u for u in usings if u.kind == "USING_DECLARATION")
    builder.ignore_variables(a.variable for a in kernel.data.attributes if a.kind.name != "DEVICE_GLOBAL")
    region = kernel.region
    for loop in region.loops:
        builder.add_type(loop.index_type)
    for part in region.device_parts:
        builder.add_body(part)
    for closure in kernel.data.closures:
        builder.add_body(closure.definition)
    for attribute in kernel.data.attributes:
        if attribute.kind.name != "CLOSURE":
            builder.add_type(attribute.variable.cursor.type)
            builder.add_spelling(attribute.variable.cursor)
        if attribute.kind.name == "DEVICE_GLOBAL":
            builder.add_declaration(attribute.variable.cursor)
    for variable in named_by_empty_packs(region, kernel.data):
        builder.add_type(variable.type)
    for cursor in argument_declarations(region):
        builder.add_declaration(cursor)
    if kernel.this_type is not None or needs_class(member_types(region)):
        builder.add_declaration(region.owner.node.cursor.semantic_parent)
    if kernel.this_type is not None:
        builder.add_type(kernel.this_type)
    for using in usings:
        if using.kind in ("USING_DIRECTIVE", "NAMESPACE_ALIAS") or (
            uses_enumeration(using) and builder.usings.needs(using)
        ):
            builder.add_body(using)
    for space in namespaces_in_unnamed(region.owner.node.cursor).values():  # the kernel has using directives for these
        builder.closure.namespaces[int(space.canonical.hash)] = space.canonical


def _lines(unit: ParsedUnit, function: Node) -> tuple[str, int, int]:
    """Return a function's file, first and last line."""
    span = unit.span(function)
    if span is None:
        return "", 0, 0
    return span.source.users_path(span.start), span.line, span.source.users_line(max(span.start, span.end - 1))


@dataclass(frozen=True, eq=False)
class DeviceCode:
    """What a closure is made of; ``also`` are the functions that device code has though no kernel names them."""

    unit: ParsedUnit
    places: Places
    kernels: list[Kernel]
    declared: DeclareTarget
    separate: Separate
    virtual: VirtualFunctions
    also: tuple[Cursor, ...]
    reductions: tuple[DeclaredReduction, ...]


def whole_closure(code: DeviceCode, host: HostMethods, called: frozenset[Place]) -> tuple[ClosureBuilder, Reached]:
    """Return the closure in which methods that are there for functions that device code lacks are the host's."""
    builder, reached = _closure(code, host)
    missing = (builder.closure.undefined.keys() | builder.closure.absent) - set(builder.imported)
    declarations = builder.closure.declarations.values()
    further = methods_without_functions(code.unit.tree, declarations, called, missing, code.declared)
    others = [place for place in further if place not in host]
    if not others:
        return builder, reached
    host.add(others)
    return _closure(code, host)


def _closure(code: DeviceCode, host: Container[Place]) -> tuple[ClosureBuilder, Reached]:
    """Return a builder with what kernels need, the classes whose virtual functions they call, and what they reach."""
    builder = ClosureBuilder(code.unit, code.places, host)
    builder.imported = {int(function.canonical.hash) for function, _ in code.separate.imported}
    add_kernels(builder, code.kernels, code.declared)
    for cursor in code.virtual.classes:
        builder.add_declaration(cursor)
    reached = add_functions(builder, code.kernels, code.also)
    for node in (n for r in code.reductions for n in r.nodes):
        builder.add_body(node)
    add_unevaluated_functions(builder, (part for k in code.kernels for part in k.region.device_parts))
    builder.add_scope()
    return builder, reached
