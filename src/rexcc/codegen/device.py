"""The device file ``rex_lib_<name>.cu`` and the CPU device's entry points ``rex_host_<name>.cpp``.

In: the kernels of a translation unit. Out: their text, each kernel next to where its function would stand, preceded by
the slice of the user's declarations that the kernels need.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.codegen.closure import ClosureBuilder
from rexcc.codegen.kernel import kernel_name, kernel_text, signature, this_record
from rexcc.codegen.places import Places
from rexcc.codegen.slice import Piece, SliceOptions, SliceWriter
from rexcc.frontend.files import UserFiles
from rexcc.frontend.unit import ParsedUnit
from rexcc.lowering.c_dialect import keyword_macros
from rexcc.lowering.model import Kernel
from rexcc.source.diagnostics import DiagnosticSink

NOT_ON_DEVICE = frozenset({"<omp.h>", '"omp.h"'})
_CUDA_VECTORS = [f"{base}{n}" for base in ("char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong",
                 "ulonglong", "float", "double") for n in (1, 2, 3, 4)]  # fmt: skip
CUDA_NAMES = frozenset([*_CUDA_VECTORS, "dim3", "max", "min", "rsqrt", "rsqrtf", "saturate", "umin", "umax", "atomicAdd",
                        "half", "clock", "__ldg", "norm", "rnorm", "sinpi", "cospi", "erfcx", "y0", "y1", "yn", "j0", "j1",
                        "jn", "signbit", "clamp", "lerp", "llmin", "llmax", "ullmin", "ullmax", "float2half", "surface",
                        "texture", "cudaError", "normf", "fdividef", "fdivide", "exp10", "exp10f"])  # fmt: skip


@dataclass(frozen=True)
class DeviceFile:
    """The device file's text, the writer of its slice, and whether all of it stands in ``namespace rex_user``.

    ``scopes`` gives, by kernel stem, the namespace of a function's local types that the kernel stands in.
    """

    text: str
    writer: SliceWriter
    in_namespace: bool
    scopes: dict[str, str]


def device_file(
    files: UserFiles,
    unit: ParsedUnit,
    kernels: list[Kernel],
    declared: DeclareTarget,
    names: tuple[str, str, str],
    arguments: tuple[str, ...],
    sink: DiagnosticSink,
) -> DeviceFile:
    """Return the device file; ``names`` are the user's file, the host file and the device file, ``arguments`` clang's."""
    places = Places(files, unit)
    builder = ClosureBuilder(unit, places)
    for kernel in kernels:
        _add_kernel(builder, kernel)
    for cursor in declared.variables.values():
        builder.add_declaration(cursor)
    closure = builder.closure
    for target, node in closure.undefined.values():
        message = f"'{target.spelling}' is called in a target region but not defined in this file"
        sink.error("undefined-device-function", message, unit.span(node))
    for member in closure.static_members.values():
        message = (
            f"the static member '{member.spelling}' cannot be used in a target region yet; make it a global variable"
        )
        sink.error("unsupported-static-member", message, unit.span(unit.tree.node(member)))
    opened = frozenset(r for k in kernels if (r := this_record(k)))
    writer = SliceWriter(unit, places, declared, closure, SliceOptions(unit.skipped, opened))
    scopes = {k.stem: writer.local_scope(k.region.owner.template or k.region.owner.node) for k in kernels}
    pieces = writer.pieces() + [_kernel_piece(places, k, scopes[k.stem]) for k in kernels]
    pieces.sort(key=lambda p: p.key)
    body = "\n".join(p.text for p in pieces)
    includes = sorted((key, name) for name, key in closure.includes.items() if name not in NOT_ON_DEVICE)
    head = _head(unit, names, [name for _, name in includes], arguments, body, any(k.uses_xomp for k in kernels))
    clashing = sorted({n for p in pieces for n in p.names if n in CUDA_NAMES})
    return DeviceFile(head + _wrapped(clashing, body), writer, bool(clashing), scopes)


def _add_kernel(builder: ClosureBuilder, kernel: Kernel) -> None:
    builder.ignore_variables(a.variable.key for a in kernel.data.attributes if a.kind.name != "DEVICE_GLOBAL")
    region = kernel.region
    for loop in region.loops:
        builder.add_type(loop.index_type)
        builder.add_body(loop.statement)
    builder.add_body(region.body)
    for _, expression in kernel.data.closures:
        builder.add_body(expression)
    for attribute in kernel.data.attributes:
        if attribute.kind.name != "CLOSURE":
            builder.add_type(attribute.variable.cursor.type)
        if attribute.kind.name == "DEVICE_GLOBAL":
            builder.add_declaration(attribute.variable.cursor)
    if this_record(kernel):
        builder.add_declaration(region.owner.node.cursor.semantic_parent)


def _kernel_piece(places: Places, kernel: Kernel, scope: str) -> Piece:
    owner = kernel.region.owner.template or kernel.region.owner.node
    construct = kernel.region.construct
    start = construct.file.original(owner.start)
    return Piece(
        (*places.key(construct.file.scan.source.path, start), construct.probe.site.start),
        _scoped(scope, kernel_text(kernel)),
    )


def _scoped(scope: str, text: str) -> str:
    return f"namespace {scope} {{\n{text}}}\n" if scope else text


def _head(
    unit: ParsedUnit,
    names: tuple[str, str, str],
    includes: list[str],
    defines: tuple[str, ...],
    body: str,
    uses_xomp: bool,
) -> str:
    source, host, _ = names
    lines = [f"/* Kernels of {source}, generated by rexcc. Host side: {host} */"]
    if not unit.is_cplusplus:
        lines.append("#define REX_SOURCE_IS_C")
    lines.append('#include "rex_nvidia.h"')
    if uses_xomp:
        lines.append('#include "xomp_cuda_lib_inlined.cu"')
    lines += _command_line_macros(defines)
    lines += [f"#include {name}" for name in includes]
    if not unit.is_cplusplus:
        lines += keyword_macros(re.sub(r"^namespace rex_in_.*", "", body, flags=re.M))
    return "\n".join(lines) + "\n" + "".join(f"{u}\n" for u in _using_directives(unit)) + "\n"


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


def _using_directives(unit: ParsedUnit) -> list[str]:
    """Return the ``using namespace`` directives at file scope, with the namespaces they name declared first."""
    found: list[str] = []
    for node in unit.declarations:
        text = unit.user_text(node)
        match = re.fullmatch(r"using\s+namespace\s+([\w:]+)", text)
        if match and f"using namespace {match[1]};" not in found:
            nested = match[1].split("::")
            opened = " ".join(f"namespace {n} {{" for n in nested)
            found += [f"{opened} {'}' * len(nested)}", f"using namespace {match[1]};"]
    return found


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
        '#include "rex_host_device.h"',
    ]
    parts += [f"#define {kernel_name(k)} {k.stem}body__" for k in kernels]
    parts.append(f'#include "{device}"')
    parts += [f"#undef {kernel_name(k)}" for k in kernels]
    if made.in_namespace:
        parts.append("using namespace rex_user;")
    parts += [_scoped(made.scopes[k.stem], _entry_point(k)) for k in kernels]
    return "\n".join(parts) + "\n"


def _entry_point(kernel: Kernel) -> str:
    arguments = ", ".join(["__rex_kernel_launch_env", *(p.name for p in kernel.parameters)])
    run = "rex_run_teams_synchronised" if kernel.synchronises else "rex_run_teams"
    head = f'\nextern "C" void {kernel_name(kernel)}{signature(kernel, ("const rex_geometry *__rex_geometry",))} {{'
    return f"{head}\n  {run}(__rex_geometry, [=] {{ {kernel.stem}body__({arguments}); }});\n}}"
