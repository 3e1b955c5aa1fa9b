"""The device functions of declared reductions, where their directives stand.

In: kernels. Out: the declared reductions that they reach, and the pieces of the device file that hold their combiners
and initializers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.used_reductions import constructs_at
from rexcc.codegen.places.macro_states import Use
from rexcc.codegen.places.scopes import in_scopes, namespaces_written
from rexcc.codegen.places.unit_order import Places
from rexcc.codegen.slice.pieces import Piece
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.reductions.user_reductions import functions, has_functions, used_reductions
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.line_directives import line_directive


def reached_reductions(
    unit: ParsedUnit, kernels: Iterable[Kernel], called: frozenset[Place]
) -> tuple[DeclaredReduction, ...]:
    """Return the declared reductions of kernels and of the functions that they call, by place."""
    return used_reductions(unit, _constructs(unit, kernels, called)) if unit.reductions else ()


def reduction_pieces(unit: ParsedUnit, places: Places, reductions: Iterable[DeclaredReduction]) -> list[Piece]:
    """Return the pieces that define the functions of reductions."""
    found: list[Piece] = []
    for declared in reductions:
        if not has_functions(declared):
            continue
        site, path = declared.probe.site, declared.file.scan.source.path
        place = line_directive(site.source.users_line(site.start), site.source.users_path(site.start))
        text = in_scopes(namespaces_written(declared.nodes[0].cursor), f"{place}\n{functions(unit, declared)}")
        found.append(
            Piece((*places.key(path, site.start), declared.probe.index), text, uses=(Use(path, site.start, site.end),))
        )
    return found


def _constructs(unit: ParsedUnit, kernels: Iterable[Kernel], called: frozenset[Place]) -> Iterator[Construct]:
    for kernel in kernels:
        yield from kernel.region.constructs
        yield from kernel.region.constructs[-1].descendants()
    yield from constructs_at(unit, called)
