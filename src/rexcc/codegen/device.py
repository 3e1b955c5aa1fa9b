"""The device file ``rex_lib_<name>`` and the CPU device's entry points ``rex_host_<name>.cpp``.

In: the kernels of a translation unit. Out: their text, each kernel next to where its function would stand, preceded by
the slice of the user's declarations that the kernels need.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence

from clang.cindex import Cursor

from rexcc.analysis.copied_objects import copying_definitions
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.device_obstacles import Obstacle
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.separate import NOTHING_SEPARATE, Separate, symbol
from rexcc.analysis.used_reductions import constructs_at
from rexcc.clang.library import in_system_header
from rexcc.clang.tree import Node, namespaces_around
from rexcc.codegen.base_file import base_file_words
from rexcc.codegen.copied_constants import copied_constants
from rexcc.codegen.declaration_closure import Closure, ClosureBuilder
from rexcc.codegen.device_closure import add_functions, add_kernels, refuse_undefined, settle_undeclared
from rexcc.codegen.device_head import LINKED, device_head, device_includes, include_of_our_header, kinds_of_types
from rexcc.codegen.device_names import DeviceNames, ascii_names, keyword_names
from rexcc.codegen.explicit_instances import explicit_instantiations
from rexcc.codegen.function_names import names_in, with_function_names
from rexcc.codegen.host_methods import HostMethods, methods_without_functions
from rexcc.codegen.indirect import IndirectFunctions, called_indirectly
from rexcc.codegen.kernel import kernel_name, kernel_text, signature
from rexcc.codegen.layouts import shared_types
from rexcc.codegen.library_objects import with_own_objects
from rexcc.codegen.local_types import LocalTypes
from rexcc.codegen.macro_replay import Replay
from rexcc.codegen.macro_states import MacroStates, Use
from rexcc.codegen.member_objects import MemberObjects, member_objects
from rexcc.codegen.own_namespaces import OwnNamespaces, own_namespaces
from rexcc.codegen.packing import Packing
from rexcc.codegen.pieces import Piece, SliceOptions
from rexcc.codegen.reachability import (
    called_functions,
    kernel_key,
    opened_records,
    reached_by_lambdas,
)
from rexcc.codegen.scopes import empty_namespace, in_scopes, local_usings, namespaces_in_unnamed, using_text
from rexcc.codegen.slice import SliceWriter
from rexcc.codegen.unevaluated_functions import add_unevaluated_functions
from rexcc.codegen.unit_order import Places
from rexcc.codegen.user_reductions import reached_reductions, reduction_pieces
from rexcc.codegen.virtual_functions import VirtualFunctions, called_virtually
from rexcc.codegen.virtual_text import definitions, members
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.frontend.files import UserFiles
from rexcc.frontend.statements import statement_end
from rexcc.lowering.c.dialect import set_apart
from rexcc.lowering.c.names import TypeNames, every_declaration
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.compiler_macros import for_device
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.line_directives import OWN, with_own_lines
from rexcc.source.records import dataclass, replace
from rexcc.target.messages import Reached
from rexcc.target.model import Target


@dataclass(frozen=True)
class DeviceFile:
    """The device file's text, the writer of its slice, and the namespaces that the program has not.

    ``scopes`` gives, by kernel stem, the namespaces that the kernel stands in; ``indirect`` are the functions that it
    calls through pointers, ``virtual`` the virtual ones that it calls on objects of the host; ``separate`` is what
    the unit has in common with others; ``reached`` are the functions that kernels reach, by file,
    first and last line; ``kernels`` are the texts of kernels, by stem, as the printer has made them; ``begins`` are the
    lines that include our header, nothing where they are this unit's own.
    """

    text: str
    writer: SliceWriter
    namespaces: OwnNamespaces
    scopes: dict[str, tuple[str, ...]]
    names: DeviceNames
    indirect: IndirectFunctions
    virtual: VirtualFunctions
    separate: Separate
    reached: Reached
    kernels: Mapping[str, str]
    begins: tuple[str, ...]
    constants: tuple[Cursor, ...] = ()

    def kernel(self, stem: str) -> str:
        """Return the text of a kernel as it stands in the file, its ``#line`` directives as they were made."""
        text = self.kernels[stem]
        return self.names.applied(text if self.writer.unit.is_cplusplus else set_apart(text))


def device_file(
    files: UserFiles,
    unit: ParsedUnit,
    kernels: list[Kernel],
    declared: DeclareTarget,
    names: tuple[str, str, str],
    arguments: tuple[str, ...],
    sink: DiagnosticSink,
    separate: Separate = NOTHING_SEPARATE,
) -> DeviceFile:
    """Return the device file; ``names`` are the user's, the host and the device file, ``arguments`` clang's.

    ``separate`` are the functions that device code of this and of other units have in common, nothing where the
    devices' linkers cannot join them.
    """
    indirect = called_indirectly(unit, kernels, separate, sink)
    unnamed = (*indirect.functions, *separate.exported, *_copying_functions(unit, kernels))
    virtual = called_virtually(unit, kernels, declared, unnamed, sink, separate.mark)
    also = (*unnamed, *virtual.methods)
    settle_undeclared(unit, kernels, declared, also, sink)
    places = Places(files, unit)
    called = called_functions(unit.tree, kernels, also)
    host = HostMethods(unit, kernels, called)
    reductions = reached_reductions(unit, kernels, called)
    made = unit, places, kernels, declared, separate, virtual, also, reductions
    builder, reached = _whole_closure(made, host, called)
    refuse_undefined(builder, separate, sink)
    options = _slice_options(
        builder, kernels, (called, host), (indirect, virtual), Packing(unit, places, arguments), separate,
        member_objects(unit, kernels, also, declared, builder.closure.declarations.values()),
    )  # fmt: skip
    writer = SliceWriter(unit, places, declared, builder.closure, options)
    local = LocalTypes(unit, places, writer, kernels)
    scopes = {k.stem: local.scope(k.region, k.stem) for k in kernels}
    pieces = writer.pieces() + local.pieces(kernels)
    texts = _kernel_texts(builder, kernels)
    pieces += _kernel_pieces(unit, places, kernels, texts, local, scopes)
    pieces += reduction_pieces(unit, places, reductions)
    pieces.sort(key=lambda p: p.key)
    pieces = Replay(MacroStates(files, unit), places).pieces(pieces)
    pieces += _tables(indirect, virtual) + _instances(unit, separate)
    clashing = _names_of_the_language(unit, pieces, builder.closure)
    namespaces = own_namespaces(unit, clashing, separate.mark)
    body = "\n".join(namespaces.outside(p.text) if p.is_of_system else p.text for p in pieces)
    device_names = _device_names(unit, builder.closure, kernels)
    body = device_names.applied(body if unit.is_cplusplus else set_apart(body))
    body = with_own_objects(unit, _code(builder, kernels), body)
    own = indirect.names + virtual.names if separate.mark else ()
    our_header = include_of_our_header(unit, arguments, separate.mark, own)
    head = device_head(
        unit, names, device_includes(unit, builder.closure), arguments, _own_includes(unit, kernels, indirect, virtual),
        our_header, (_users_texts(files, builder, pieces), kinds_of_types(kernels)),
    )  # fmt: skip
    separate = _without_renamed(unit, separate, clashing, sink)
    text = with_own_lines(head + for_device(_empty_namespaces(builder) + namespaces.surround(body)), names[2])
    joining = (node for reduction in reductions for node in reduction.nodes)
    return DeviceFile(
        text, writer, namespaces, scopes, device_names, indirect, virtual, separate, reached, texts,
        () if own else our_header, copied_constants(unit, kernels, also, builder.closure, joining),
    )  # fmt: skip


def _copying_functions(unit: ParsedUnit, kernels: list[Kernel]) -> tuple[Cursor, ...]:
    """Return the functions that copy objects of clauses in regions and in the functions that they call."""
    if not unit.is_cplusplus:
        return ()
    regions = [construct for kernel in kernels for construct in kernel.region.constructs]
    inner = [construct for kernel in kernels for construct in kernel.region.constructs[-1].descendants()]
    called = constructs_at(unit, called_functions(unit.tree, kernels))
    return copying_definitions(unit, (*regions, *inner, *called))


def _code(builder: ClosureBuilder, kernels: list[Kernel]) -> tuple[Node, ...]:
    """Return the user's declarations and the code of regions that a device file has."""
    return (*builder.closure.declarations.values(), *(part for k in kernels for part in k.region.device_parts))


def _empty_namespaces(builder: ClosureBuilder) -> str:
    """Return declarations of the library's namespaces, which may have nothing in the file."""
    return "".join(empty_namespace(c) for c in builder.closure.namespaces.values() if in_system_header(c))


_Made = tuple[
    ParsedUnit, Places, list[Kernel], DeclareTarget, Separate, VirtualFunctions, tuple[Cursor, ...],
    tuple[DeclaredReduction, ...],
]  # fmt: skip
"""What a closure is made of."""


def _whole_closure(made: _Made, host: HostMethods, called: frozenset[Place]) -> tuple[ClosureBuilder, Reached]:
    """Return the closure in which methods that are there for functions that device code lacks are the host's."""
    builder, reached = _closure(*made, host)
    missing = (builder.closure.undefined.keys() | builder.closure.absent) - set(builder.imported)
    further = methods_without_functions(made[0].tree, builder.closure.declarations.values(), called, missing)
    others = [place for place in further if place not in host]
    if not others:
        return builder, reached
    host.add(others)
    return _closure(*made, host)


def _closure(
    unit: ParsedUnit, places: Places, kernels: list[Kernel], declared: DeclareTarget, separate: Separate,
    virtual: VirtualFunctions, also: tuple[Cursor, ...], reductions: tuple[DeclaredReduction, ...],
    host: Container[Place],
) -> tuple[ClosureBuilder, Reached]:  # fmt: skip
    """Return a builder with what kernels need, the classes whose virtual functions they call, and what they reach."""
    builder = ClosureBuilder(unit, places, host)
    builder.imported = {int(function.canonical.hash) for function, _ in separate.imported}
    add_kernels(builder, kernels, declared)
    for cursor in virtual.classes:
        builder.add_declaration(cursor)
    reached = add_functions(builder, kernels, also)
    for node in (n for r in reductions for n in r.nodes):
        builder.add_body(node)
    add_unevaluated_functions(builder, (part for k in kernels for part in k.region.device_parts))
    builder.add_scope()
    return builder, reached


def _instances(unit: ParsedUnit, separate: Separate) -> list[Piece]:
    """Return the instantiations that other units call."""
    text = explicit_instantiations(separate.exported, unit.target.words)
    return [Piece((), f"{OWN}\n{text}")] if text else []


def _tables(indirect: IndirectFunctions, virtual: VirtualFunctions) -> list[Piece]:
    """Return the pieces that translate the host's pointers to functions, and its objects' virtual functions."""
    found = [Piece((), f"{OWN}\n{indirect.device_text}")] if indirect.any else []
    return [*found, *([Piece((), f"{OWN}\n{definitions(virtual)}")] if virtual.cases else [])]


def _users_texts(files: UserFiles, builder: ClosureBuilder, pieces: list[Piece]) -> list[str]:
    """Return the user's texts of which pieces are made, and his macros that these use."""
    texts = [files.source(use.path).text[use.start : use.end] for piece in pieces for use in piece.uses]
    return texts + [builder.unit.user_text(macro) for macro in builder.closure.macros.values()]


def _own_includes(
    unit: ParsedUnit, kernels: list[Kernel], indirect: IndirectFunctions, virtual: VirtualFunctions
) -> list[str]:
    """Return the headers of ours that the file includes besides the first."""
    ours = [f'"{unit.target.xomp}"'] if any(k.uses_xomp for k in kernels) else []
    ours += ['"rex_device_indirect.h"'] if indirect.any else []
    ours += ['"rex_device_joined.h"'] if indirect.asks or virtual.asks else []
    ours += ['"rex_device_arrivals.h"'] if kernels and _updates_host(unit) else []
    return ours + (['"rex_device_virtual.h"'] if virtual.cases else [])


def _updates_host(unit: ParsedUnit) -> bool:
    """Whether an update brings something home, perhaps from behind kernels."""
    return any(c.directive.name == "target update" and c.directive.has("from") for c in all_constructs(unit))


def _without_renamed(unit: ParsedUnit, separate: Separate, clashing: Sequence[str], sink: DiagnosticSink) -> Separate:
    """Return the functions in common without those that other units do not find: where names of the device's language
    keep a file of C++ in a namespace of its own, functions have other symbols, but for those of ``extern "C"``."""
    if not clashing or not unit.is_cplusplus:
        return separate
    language = unit.target.language
    why = f"stands in a file that has names of {language}'s: {', '.join(clashing)}"
    for function, call in separate.imported:
        if symbol(unit, function) != function.spelling:
            message = f"'{function.displayname}' is called in device code but not defined in this file, which has "
            message += f"names of {language}'s: {', '.join(clashing)}"
            note = Note('rename these, or declare the function in extern "C"')
            sink.error("undefined-device-function", message, unit.span(call), note)
    renamed = [f for f in separate.exported if symbol(unit, f) != f.spelling]
    kept = (*separate.kept, *((f, Obstacle(why, unit.tree.node(f))) for f in renamed))
    return replace(separate, exported=tuple(f for f in separate.exported if f not in renamed), kept=kept)


def _slice_options(
    builder: ClosureBuilder, kernels: list[Kernel], functions: tuple[frozenset[Place], Container[Place]],
    pointers: tuple[IndirectFunctions, VirtualFunctions], packing: Packing, separate: Separate,
    objects: MemberObjects,
) -> SliceOptions:  # fmt: skip
    (called, host), (indirect, virtual) = functions, pointers
    return SliceOptions(
        builder.unit.skipped, opened_records(kernels) | virtual.opened, called, host, indirect.calls,
        frozenset(virtual.places), members(virtual),
        frozenset({*builder.imported, *(int(f.canonical.hash) for f in separate.exported)}), packing,
        shared_types(kernels),
        frozenset(a.variable for k in kernels for a in k.data.attributes), objects,
        reached_by_lambdas(kernels), separate.mark,
    )  # fmt: skip


def _kernel_texts(builder: ClosureBuilder, kernels: list[Kernel]) -> dict[str, str]:
    """Return the kernels' texts by their stems."""
    unit = builder.unit
    in_macros = names_in(unit.user_text(n) for n in builder.closure.macros.values())
    return {
        kernel.stem: with_function_names(unit, kernel, kernel_text(kernel, _usings(builder, kernel)), in_macros)
        for kernel in kernels
    }


def _kernel_pieces(
    unit: ParsedUnit, places: Places, kernels: list[Kernel], texts: Mapping[str, str], local: LocalTypes,
    scopes: Mapping[str, tuple[str, ...]],
) -> list[Piece]:  # fmt: skip
    found = []
    for kernel in kernels:
        scoped = in_scopes(scopes[kernel.stem], local.of_template(kernel) + texts[kernel.stem])
        found.append(Piece(kernel_key(unit, places, kernel), scoped, uses=_uses(unit, kernel)))
    return found


def _names_of_the_language(unit: ParsedUnit, pieces: list[Piece], closure: Closure) -> list[str]:
    """Return the names at global scope that the device's language has, too."""
    written = {n for p in pieces for n in p.names} | _outermost_namespaces(closure)
    return sorted(written & set(unit.target.names))


def _outermost_namespaces(closure: Closure) -> set[str]:
    """Return the names of the namespaces at global scope that device code has declarations of the user's in."""
    declared = (namespaces_around(node.cursor) for node in closure.declarations.values())
    return {str(spaces[-1].spelling) for spaces in declared if spaces and not in_system_header(spaces[-1])}


def _device_names(unit: ParsedUnit, closure: Closure, kernels: list[Kernel]) -> DeviceNames:
    """Return what names of the program become in device code."""
    made = [*closure.declarations.values(), *closure.variables.values()]
    words = ascii_names(made)
    words |= base_file_words((f.scan.source.text for f in unit.files.values()), unit.files[unit.main].scan.source.path)
    if unit.is_cplusplus:
        return DeviceNames(words, TypeNames(()))
    passed = (unit.tree.node(a.variable.cursor) for k in kernels for a in k.data.attributes)
    tops = [*made, *closure.local_types.values(), *(k.region.owner.node for k in kernels), *passed]
    declared = list(every_declaration(tops, unit.files))
    keywords = keyword_names(unit, declared, closure.macros.values())
    return DeviceNames({**words, **keywords}, TypeNames((*unit.declarations, *declared)))


def _uses(unit: ParsedUnit, kernel: Kernel) -> tuple[Use, ...]:
    """Return the ranges of the user's text in a kernel: the region's, and those of lambdas from outside of it."""
    construct, body = kernel.region.construct, kernel.region.body
    found = [Use(construct.file.scan.source.path, construct.probe.site.start, statement_end(construct.file, body))]
    for node in (c.definition for c in kernel.data.closures):
        file = unit.files[node.file]
        found.append(Use(node.file, file.original(node.start), file.original(node.end)))
    return tuple(found)


def _usings(builder: ClosureBuilder, kernel: Kernel) -> tuple[str, ...]:
    """Return the lines with which a kernel sees the names that its function sees."""
    always = ("USING_DIRECTIVE", "NAMESPACE_ALIAS")
    kept = (u for u in local_usings(kernel.region) if u.kind in always or builder.usings.needs(u))
    texts = tuple(text for u in kept if (text := using_text(builder.unit.user_text(u))))
    spaces = namespaces_in_unnamed(kernel.region.owner.node.cursor)
    return (*(f"using namespace ::{space};" for space in spaces), *texts)


def cpu_device_file(
    kernels: list[Kernel], source: str, device: str, made: DeviceFile, targets: tuple[Target, Target]
) -> str:
    """Return the entry points for the host plugin: a wrapper per kernel that runs its threads.

    ``targets`` are the one that the device file is for, and the one that is started so.
    """
    parts = [f"/* CPU device entry points of {device}, generated by rexcc from {source}. */", *_begin(made, targets)]
    parts += [f"#define {kernel_name(k)} {k.stem}body__" for k in kernels]
    parts.append(f'#include "{device}"')
    parts += [f"#undef {kernel_name(k)}" for k in kernels]
    parts += made.namespaces.opened
    parts += [
        in_scopes(made.scopes[k.stem], f"{made.names.applied(_entry_point(k, s))}\n") for k in kernels for s in k.stems
    ]
    parts += made.namespaces.closed
    return "\n".join(parts) + "\n"


def cpu_device_headers(made: DeviceFile, targets: tuple[Target, Target]) -> str:
    """Return what the file with entry points includes before it differs from those of other units, as a header that
    can be precompiled: what stands in between are names of kernels. Empty where it differs from the start."""
    return "\n".join((*_begin(made, targets), *made.begins, "")) if made.begins else ""


def _begin(made: DeviceFile, targets: tuple[Target, Target]) -> list[str]:
    written_for, started = targets
    linked = [LINKED] if made.separate.mark else []
    return [*written_for.definitions, *linked, f'#include "{started.entry_header}"']


def _entry_point(kernel: Kernel, stem: str) -> str:
    arguments = ", ".join(["__rex_kernel_launch_env", *(p.name for p in kernel.parameters)])
    run = "rex_run_teams_synchronised" if kernel.synchronises else "rex_run_teams"
    name = f"{stem}kernel__"
    head = f'\nextern "C" void {name}{signature(kernel, ("const rex_geometry *__rex_geometry",), name)} {{'
    if stem != kernel.stem:
        return f"{head}\n  {kernel_name(kernel)}({arguments}, __rex_geometry);\n}}"
    return f"{head}\n  {run}(__rex_geometry, [=] {{ {kernel.stem}body__({arguments}); }});\n}}"
