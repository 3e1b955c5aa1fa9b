"""The constants of a device image that may be there twice, as the runtime has to know them.

In: kernels, and the closure of what they need. Out: lines of the host file with the constants' names and sizes, by
which the runtime finds them in the image; none where a kernel could tell one copy from another, or where anything else
has storage for the whole program.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.attributes import Kind
from rexcc.analysis.indistinct_constants import Constants, stored
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.codegen.declaration_closure import Closure
from rexcc.lowering.model.launch import Kernel
from rexcc.program.unit import ParsedUnit


def copied_constants(
    unit: ParsedUnit, kernels: Iterable[Kernel], also: Iterable[Cursor], closure: Closure, joining: Iterable[Node]
) -> tuple[Cursor, ...]:
    """Return the constants of the image if no kernel can tell which copy of it it has; ``joining`` are the expressions
    of reductions."""
    kernels = list(kernels)
    regions = [part for kernel in kernels for part in kernel.region.device_parts] + list(joining)
    bodies = [*regions, *called_bodies(unit.tree, regions, also=also)]
    arrays = [a.variable.cursor for k in kernels for a in k.data.attributes if a.kind is Kind.CONSTANT_ARRAY]
    named = (*(n.cursor for n in closure.variables.values()), *stored(bodies), *arrays)
    constants = tuple({int(c.canonical.hash): c for c in named}.values())
    records = (n for n in closure.declarations.values() if n.kind in RECORD_KINDS)
    code = [*bodies, *closure.variables.values(), *closure.members.values(), *records]
    return constants if Constants(unit, code).all_indistinct(constants) else ()


def constant_lines(constants: Iterable[Cursor]) -> list[str]:
    """Return the table of the constants."""
    rows = [f'    {{"{c.spelling}", {c.type.get_size()}}},' for c in constants]
    if not rows:
        return []
    return [
        "static const struct rex_offload_constant __rex_offload_constants[] = {", *rows, "};",
        "#undef REX_OFFLOAD_CONSTANTS", f"#define REX_OFFLOAD_CONSTANTS __rex_offload_constants, {len(rows)}",
    ]  # fmt: skip
