"""Where the keys of templates' kernels stand in the user's files.

In: the lowered kernels of template instantiations. Out: lines for offsets of files, all that one declaration wants in
front of it together: the keys' own templates before the template that launches, and the key of an instantiation
before the declaration for which compilers make it. Most are made at the end of the file, where their keys stand.
"""

from __future__ import annotations

from rexcc.clang.tree import Node
from rexcc.frontend.probe import ProbedFile
from rexcc.lowering.host.template_keys import (
    key_declaration,
    key_specialisation,
    outermost_declaration,
)
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.names import PARAMETER_KINDS
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error

KeyLines = dict[tuple[str, int], list[str]]
"""Lines by path and offset in the user's text."""


def specialise_key(kernel: Kernel, lines: KeyLines) -> None:
    """Add the key of an instantiation that compilers make before the end of the file.

    Raises CompileError where it is not known where.
    """
    place = kernel.region.owner.place
    if place is None:
        return
    if place.start is None:
        message = (
            "this function template is instantiated before the end of the file, for a type, where its kernel cannot "
        )
        message += "be declared; write its return type instead of 'auto'"
        raise error("unsupported-template", message, kernel.region.construct.span)
    lines.setdefault((place.file, place.start), []).append(key_specialisation(kernel))


def declare_key(unit: ParsedUnit, kernel: Kernel, lines: KeyLines) -> None:
    """Add the template of a kernel's keys; raises CompileError for templates that cannot have one."""
    template = kernel.region.owner.template
    assert template is not None
    outer = unit.tree.node(outermost_declaration(template.cursor))
    file = unit.files[outer.file]
    start = file.original(_declaration_start(outer, file))
    lines.setdefault((outer.file, start), []).append(key_declaration(kernel))


def _declaration_start(declaration: Node, file: ProbedFile) -> int:
    """Return where a declaration starts; clang leaves out the class's header of a member template defined outside."""
    first = min([declaration.start, *(c.start for c in declaration.children if c.kind in PARAMETER_KINDS)])
    return first if first == declaration.start else file.buffer.rfind("template", 0, first)
