"""A kernel as it stands between the lowering and the printer: ``--emit=kernel``.

In: a lowered region. Out: lines: its directive, how it is launched, its arguments with the rows that bring them, and
the tree of its statements. Also the statements in the order in which the printer has them, for the verifier.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.tuned_kernels import key_of
from rexcc.inspection.model import KernelNode
from rexcc.kernel.dump import dump
from rexcc.kernel.ir import Code
from rexcc.kernel.verifier import problems
from rexcc.lowering.model.launch import Argument, Geometry, Kernel, MapRow
from rexcc.lowering.model.map_types import expression


class MalformedKernelError(Exception):
    """Stages have made a kernel that breaks the rules of :mod:`rexcc.kernel.verifier`: a defect of the compiler."""


def all_code(kernel: Kernel) -> Code:
    """Return all statements of a kernel: those before its loop or block, its code, and those at its end."""
    start, end = _around(kernel)
    return (*start, *kernel.code, *end)


def verify(kernel: Kernel) -> None:
    """Raise MalformedKernelError where a kernel's statements are not what they must be."""
    found = list(problems(all_code(kernel)))
    if found:
        raise MalformedKernelError(f"{kernel.stem}kernel__: {'; '.join(found)}")


def kernel_node(kernel: Kernel) -> KernelNode:
    """Return a kernel for ``--emit=kernel``."""
    key = key_of(kernel.region.unit, kernel.region.construct)
    names = tuple(f"{stem}kernel__" for stem in kernel.stems)
    return KernelNode(names, key.file, key.function, key.directive, key.text, kernel_listing(kernel))


def kernel_listing(kernel: Kernel) -> str:
    """Return what stands about a kernel in the output of ``--emit=kernel``."""
    span = kernel.region.construct.span
    start, end = _around(kernel)
    directives = " + ".join(construct.directive.name for construct in kernel.region.constructs)
    lines = [
        f"kernel {kernel.stem}kernel__",
        f"  at {span.source.users_path(span.start)}:{span.line}: {directives}",
        f"  launch: {', '.join(_launch(kernel.geometry))}",
        "  arguments:",
        *(f"    {line}" for argument in kernel.arguments for line in _argument(argument)),
        *_part("start", start),
        *_part("code", kernel.code),
        *_part("end", end),
    ]
    return "\n".join(lines) + "\n"


def _around(kernel: Kernel) -> tuple[Code, Code]:
    start: Code = kernel.locals
    end: Code = ()
    for parameter in kernel.parameters:
        start, end = (*start, *parameter.prologue), (*end, *parameter.epilogue)
    return (*start, *kernel.closures, *kernel.entry), end


def _part(name: str, code: Code) -> Iterator[str]:
    if code:
        yield f"  {name}:"
        yield from dump(code, "    ")


def _argument(argument: Argument) -> Iterator[str]:
    name = argument.parameter.name if argument.parameter is not None else "no parameter"
    yield f"{name}: {_row(argument.row)}"


def _row(row: MapRow) -> str:
    begin = f"from {row.begin.text}, " if row.begin and row.begin != row.base else ""
    mapper = f", by {row.mapper}" if row.mapper else ""
    return f"{row.what}: {row.base.text}, {begin}{row.size.text} bytes, {expression(row.flags)}{mapper}"


def _launch(geometry: Geometry) -> Iterator[str]:
    teams = geometry.teams.text if geometry.teams else "chosen at run time"
    threads = geometry.threads.text if geometry.threads else f"up to {geometry.limit}"
    yield "one team" if geometry.one_team else f"teams {teams}"
    yield "one thread" if geometry.one_thread else f"threads {threads}"
    if geometry.bound:
        yield f"launch bounds {geometry.bound}"
    if geometry.lanes:
        yield f"several teams of {geometry.lanes} threads a block"
    if geometry.registers:
        yield f"up to {geometry.registers} registers"
    if geometry.most > geometry.limit:
        yield f"up to {geometry.most} threads where teams are few"
    if geometry.has_large:
        yield "a form for blocks of so many"
    if geometry.has_small_grids:
        yield "a form for small grids"
    if geometry.is_by_threads:
        yield "a form for threads that come around"
    elif geometry.has_wide:
        yield "a form for nests that 32 bits cannot count"
    if geometry.tripcount:
        yield f"trip count {geometry.tripcount}"
    if geometry.team_chunk:
        yield f"chunks of {geometry.team_chunk} for a team"
    if geometry.teams_if:
        yield f"one team unless {geometry.teams_if}"
    if geometry.shared_bytes:
        yield f"{geometry.shared_bytes} bytes of team memory"
    if geometry.tile > 1:
        yield f"{geometry.tile} iterations side by side"
