"""The device file ``rex_lib_<name>.cu`` and the CPU device's entry points ``rex_host_<name>.cpp``.

In: the kernels of a translation unit. Out: their text, each kernel next to where its function would stand, preceded by
the slice of the user's declarations that the kernels need.
"""

from __future__ import annotations

import re

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.linked_variables import Way, add_link, is_lone
from rexcc.analysis.reached import called_bodies
from rexcc.analysis.references import variable_key
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.analysis.separate import NOTHING_SEPARATE, Separate
from rexcc.clang.library import in_system_header, template_of
from rexcc.clang.tree import Node
from rexcc.codegen.ascii_names import AsciiNames
from rexcc.codegen.closure import Closure, ClosureBuilder
from rexcc.codegen.function_names import names_in, with_function_names
from rexcc.codegen.indirect import IndirectFunctions, called_indirectly
from rexcc.codegen.kernel import kernel_name, kernel_text, signature, this_record
from rexcc.codegen.layouts import shared_types
from rexcc.codegen.local_types import LocalTypes
from rexcc.codegen.macro_states import MacroStates, Use
from rexcc.codegen.packing import Packing
from rexcc.codegen.places import Places
from rexcc.codegen.reach import called_functions, host_methods, kernel_key, opened_records, undeclared_globals
from rexcc.codegen.replay import Replay
from rexcc.codegen.scopes import empty_namespace, in_scopes, local_usings, using_text
from rexcc.codegen.slice import Piece, SliceOptions, SliceWriter
from rexcc.codegen.user_reductions import reached_reductions, reduction_pieces
from rexcc.codegen.virtual_functions import VirtualFunctions, called_virtually
from rexcc.codegen.virtual_text import definitions, members
from rexcc.frontend.files import UserFiles
from rexcc.frontend.statements import statement_end
from rexcc.lowering.c.dialect import TYPED_WORDS, keywords_in, rename
from rexcc.lowering.c.names import TypeNames, every_declaration
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.records import dataclass
from rexcc.target.cpu import CPU

NOT_ON_DEVICE = frozenset({"<omp.h>", '"omp.h"'})
_COMPLEX = re.compile(r"\b(?:_Complex|__complex__)\b")
_HALF = re.compile(r"\b_Float16\b|\d\.?[fF]16\b")


_LAST_HEADERS = {"<complex>": '"rex_device_std_complex.h"'}
"""Headers of the C++ library of which device code has another form, which stands behind all others."""
_LINKED = "#define REX_LINKED_UNITS"
_WAY_OUT = "only the CPU device's images can call functions of other files yet (--target=host)"


@dataclass(frozen=True)
class DeviceNames:
    """The names of a program's that device code has others for: ``words`` are C++ keywords that a C program uses as
    names, ``types`` knows what its types are called, ``ascii`` its functions and variables."""

    words: frozenset[str]
    types: TypeNames
    ascii: AsciiNames

    def applied(self, text: str) -> str:
        """Return text of the program with the names of device code."""
        return self.ascii.applied(self.types.applied(rename(text, self.words)))


@dataclass(frozen=True)
class DeviceFile:
    """The device file's text, the writer of its slice, and whether all of it stands in ``namespace rex_user``.

    ``scopes`` gives, by kernel stem, the namespaces that the kernel stands in; ``indirect`` are the functions that it
    calls through pointers, ``virtual`` the virtual ones that it calls on objects of the host; ``linked`` whether the
    devices' linker joins the file with those of other units; ``reached`` are the functions that kernels reach, by file,
    first and last line.
    """

    text: str
    writer: SliceWriter
    in_namespace: bool
    scopes: dict[str, tuple[str, ...]]
    names: DeviceNames
    indirect: IndirectFunctions
    virtual: VirtualFunctions
    linked: bool
    reached: tuple[tuple[str, int, int], ...]


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
    indirect = called_indirectly(unit, kernels, sink)
    virtual = called_virtually(unit, kernels, declared, indirect.functions, sink)
    also = (*indirect.functions, *virtual.methods, *separate.exported)
    _settle_undeclared(unit, kernels, declared, also, sink)
    places = Places(files, unit)
    called = called_functions(unit.tree, kernels, also)
    host = host_methods(unit, called)
    builder = ClosureBuilder(unit, places, host)
    builder.linked = declared.linked.keys()
    builder.imported = {int(function.canonical.hash) for function, _ in separate.imported}
    for kernel in kernels:
        _add_kernel(builder, kernel)
    builder.ignore_variables(())
    for cursor in declared.variables.values():
        linked = declared.link_of(cursor)
        if linked is None or linked.way is Way.MAPPED:  # others only where functions use them
            builder.add_declaration(cursor)
    regions = (part for k in kernels for part in k.region.device_parts)
    for cursor in virtual.classes:
        builder.add_declaration(cursor)
    reached_lines: dict[tuple[str, int, int], None] = {}
    for function in called_bodies(unit.tree, regions, also=also):  # also what nobody names: destructors
        reached_lines[_lines(unit, function)] = None
        builder.add_declaration(function.cursor)
        pattern = template_of(function.cursor)
        if pattern is not None:
            builder.add_declaration(pattern)
    reductions = reached_reductions(unit, kernels, called)
    for node in (n for r in reductions for n in r.nodes):
        builder.add_body(node)
    builder.add_scope()
    closure = builder.closure
    for key, (target, node) in closure.undefined.items():
        if key not in builder.imported:
            message = f"'{target.spelling}' is called in a target region but not defined in this file"
            sink.error("undefined-device-function", message, unit.span(node), Note(_WAY_OUT))
    opened = opened_records(kernels) | virtual.opened
    reached = SliceOptions(
        unit.skipped, opened, called, host, indirect.calls, frozenset(virtual.places), members(virtual),
        frozenset({*builder.imported, *(int(f.canonical.hash) for f in separate.exported)}),
        Packing(unit, places, arguments), shared_types(t for k in kernels for t in k.variables.values()),
        frozenset(a.variable.key for k in kernels for a in k.data.attributes),
    )  # fmt: skip
    writer = SliceWriter(unit, places, declared, closure, reached)
    local = LocalTypes(unit, places, writer)
    scopes = {k.stem: local.scope(k.region, k.stem) for k in kernels}
    pieces = writer.pieces() + local.pieces(kernels)
    in_macros = names_in(unit.user_text(n) for n in closure.macros.values())
    for kernel in kernels:
        text = with_function_names(unit, kernel, kernel_text(kernel, _usings(builder, kernel)), in_macros)
        text = local.of_template(kernel) + text
        scoped = in_scopes(scopes[kernel.stem], text)
        pieces.append(Piece(kernel_key(unit, places, kernel), scoped, uses=_uses(unit, kernel)))
    pieces += reduction_pieces(unit, places, reductions)
    pieces.sort(key=lambda p: p.key)
    pieces = Replay(MacroStates(files, unit), places).pieces(pieces)
    pieces += [Piece((), indirect.device_text)] if indirect.functions else []
    pieces += [Piece((), definitions(virtual))] if virtual.cases else []
    body = "\n".join(p.text for p in pieces)
    words, type_names = frozenset[str](), TypeNames(())
    if not unit.is_cplusplus:
        words = _renamed_words(unit, closure, kernels, body)
        tops = [*closure.declarations.values(), *closure.variables.values(), *closure.local_types.values()]
        tops += [k.region.owner.node for k in kernels]
        type_names = TypeNames((*unit.declarations, *every_declaration(tops, unit.files)))
    made = [*closure.declarations.values(), *closure.variables.values()]
    ascii_names = AsciiNames(made, (f.spelling for f in (*separate.exported, *(f for f, _ in separate.imported))))
    device_names = DeviceNames(words, type_names, ascii_names)
    body = device_names.applied(body)
    left = NOT_ON_DEVICE if unit.is_cplusplus else NOT_ON_DEVICE | {"<complex.h>"}
    includes = sorted((key, name) for name, key in closure.includes.items() if name not in left)
    empty = "".join(empty_namespace(c) for c in closure.namespaces.values() if in_system_header(c))
    ours = ['"xomp_cuda_lib_inlined.cu"'] if any(k.uses_xomp for k in kernels) else []
    ours += ['"rex_device_indirect.h"'] if indirect.functions else []
    ours += ['"rex_device_virtual.h"'] if virtual.cases else []
    head = _head(unit, names, [name for _, name in includes], arguments, body, ours, separate)
    clashing = sorted({n for p in pieces for n in p.names if n in unit.target.names})
    text = head + empty + _wrapped(clashing, body)
    lines = tuple(reached_lines)
    return DeviceFile(text, writer, bool(clashing), scopes, device_names, indirect, virtual, separate.any, lines)


def _lines(unit: ParsedUnit, function: Node) -> tuple[str, int, int]:
    """Return a function's file, first and last line."""
    span = unit.span(function)
    if span is None:
        return "", 0, 0
    return span.source.users_path(span.start), span.line, span.source.users_line(max(span.start, span.end - 1))


def _settle_undeclared(
    unit: ParsedUnit, kernels: list[Kernel], declared: DeclareTarget, also: tuple[Cursor, ...], sink: DiagnosticSink
) -> None:
    """Refuse the host's variables in functions that kernels call; in unified shared memory the device has them too."""
    unified = requirements(unit) & UNIFIED_SHARED_MEMORY != 0
    for variable, node in list(undeclared_globals(unit.tree, kernels, declared, also)):
        if not is_lone(variable):
            message = f"'{variable.spelling}', a static member of a class template, is used in a function that a "
            message += "target region calls, which cannot be lowered yet"
            sink.error("unsupported-static-member", message, unit.span(node))
        elif unified:
            declared.variables[variable_key(variable)] = variable.get_definition() or variable
            add_link(declared.linked, variable, Way.FOUND)
        else:
            message = (
                f"'{variable.spelling}' is a variable of the host, used in a function that a target region calls; "
                "put it between 'declare target' and 'end declare target'"
            )
            sink.error("undeclared-device-variable", message, unit.span(node))


def _renamed_words(unit: ParsedUnit, closure: Closure, kernels: list[Kernel], body: str) -> frozenset[str]:
    """Return the C++ keywords that device code made from C has as names; ``and`` of <iso646.h> is an operator."""
    found = keywords_in(body)
    if found - TYPED_WORDS:
        found -= unit.system.macros.keys()
    if not found & TYPED_WORDS:
        return found
    tops = [*closure.declarations.values(), *closure.variables.values(), *(k.region.owner.node for k in kernels)]
    declared = {n.spelling for n in every_declaration(tops, unit.files)}
    return found - (TYPED_WORDS - declared)


def _add_kernel(builder: ClosureBuilder, kernel: Kernel) -> None:
    usings = tuple(local_usings(kernel.region))
    builder.usings.add(u for u in usings if u.kind == "USING_DECLARATION")
    builder.ignore_variables(a.variable.key for a in kernel.data.attributes if a.kind.name != "DEVICE_GLOBAL")
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
    if this_record(kernel):
        builder.add_declaration(region.owner.node.cursor.semantic_parent)
    for using in usings:
        if using.kind != "USING_DECLARATION":
            builder.add_body(using)


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
    kept = (u for u in local_usings(kernel.region) if u.kind != "USING_DECLARATION" or builder.usings.needs(u))
    return tuple(text for u in kept if (text := using_text(builder.unit.user_text(u))))


def _head(
    unit: ParsedUnit,
    names: tuple[str, str, str],
    includes: list[str],
    defines: tuple[str, ...],
    body: str,
    ours: list[str],
    separate: Separate,
) -> str:
    source, host, _ = names
    lines = [f"/* Kernels of {source}, generated by rexcc. Host side: {host} */"]
    if not unit.is_cplusplus:
        lines.append("#define REX_SOURCE_IS_C")
    lines += [_LINKED] if separate.any else []
    lines.append(f'#include "{unit.target.header}"')
    lines += [f"#include {name}" for name in ours]
    lines += _command_line_macros(defines)
    lines += [f"#include {name}" for name in includes if name not in _LAST_HEADERS]
    lines += [f"#include {_LAST_HEADERS[name]}" for name in includes if name in _LAST_HEADERS]
    has_words = not unit.is_cplusplus and unit.system.includes("complex.h")
    if has_words or (not unit.is_cplusplus and _COMPLEX.search(body)):
        lines += ["#define REX_COMPLEX_WORDS"] if has_words else []
        lines.append('#include "rex_device_complex.h"')
    if _HALF.search("\n".join([*_command_line_macros(defines), body])):
        lines.append('#include "rex_device_half.h"')
    return "\n".join(lines) + "\n\n"


def _command_line_macros(arguments: tuple[str, ...]) -> list[str]:
    """Return the ``-D`` and ``-U`` of the command line as directives: as options they would hit CUDA's own headers."""
    lines: list[str] = []
    waiting = ""
    for argument in arguments:
        if argument in ("-D", "-U"):
            waiting = argument
            continue
        option, text = (waiting, argument) if waiting else (argument[:2], argument[2:])
        waiting = ""
        if option == "-D":
            name, given, value = text.partition("=")
            lines.append(f"#define {name} {value if given else '1'}".rstrip())
        elif option == "-U":
            lines.append(f"#undef {text}")
    return lines


def _wrapped(clashing: list[str], body: str) -> str:
    """Put everything into a namespace of its own where a user's name is also one of CUDA's."""
    if not clashing:
        return body
    why = ", ".join(clashing)
    return f"namespace rex_user {{ /* CUDA has its own: {why} */\n{body}\n}} // namespace rex_user\n"


def cpu_device_file(kernels: list[Kernel], source: str, device: str, made: DeviceFile) -> str:
    """Return the CPU device's entry points: one wrapper per kernel that runs its teams and threads."""
    parts = [
        f"/* CPU device entry points of {device}, generated by rexcc from {source}. */",
        *([_LINKED] if made.linked else []),
        f'#include "{CPU.header}"',
    ]
    parts += [f"#define {kernel_name(k)} {k.stem}body__" for k in kernels]
    parts.append(f'#include "{device}"')
    parts += [f"#undef {kernel_name(k)}" for k in kernels]
    parts += ["namespace rex_user {"] if made.in_namespace else []
    parts += [in_scopes(made.scopes[k.stem], f"{made.names.applied(_entry_point(k))}\n") for k in kernels]
    parts += ["} // namespace rex_user"] if made.in_namespace else []
    return "\n".join(parts) + "\n"


def _entry_point(kernel: Kernel) -> str:
    arguments = ", ".join(["__rex_kernel_launch_env", *(p.name for p in kernel.parameters)])
    run = "rex_run_teams_synchronised" if kernel.synchronises else "rex_run_teams"
    head = f'\nextern "C" void {kernel_name(kernel)}{signature(kernel, ("const rex_geometry *__rex_geometry",))} {{'
    return f"{head}\n  {run}(__rex_geometry, [=] {{ {kernel.stem}body__({arguments}); }});\n}}"
