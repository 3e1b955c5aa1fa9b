"""Dispatch: many spellings of constructs, few lowering paths.

In: a construct. Out: a kernel for a target region, or None for a data construct; both with their host text, or nothing
for constructs that are the host compiler's.
"""

from __future__ import annotations

from contextlib import suppress

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.regions import TargetRegion, build_region
from rexcc.analysis.sharing import region_data
from rexcc.clang import types
from rexcc.clang.hidden_types import hiding, local_names
from rexcc.clang.tree import Node
from rexcc.lowering.data.data_constructs import DataBlock, lower_standalone, lower_target_data
from rexcc.lowering.generic.region import calls_together
from rexcc.lowering.generic.team_functions import TeamFunctions
from rexcc.lowering.loops.scan import region_scan
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.names import KernelNames
from rexcc.lowering.outline import OutlineOptions, outline
from rexcc.lowering.spread import spread
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError
from rexcc.source.records import replace

_STANDALONE = frozenset({"target enter data", "target exit data", "target update"})


def is_data_construct(construct: Construct) -> bool:
    """Whether a construct only moves data."""
    return construct.directive.name in _STANDALONE or construct.directive.name == "target data"


def needs_types(construct: Construct) -> bool:
    """Whether lowering a data construct of a template needs types that only an instantiation tells: what sections are
    of, or what an ``auto`` in a list item's type stands for."""
    found = construct.items_of(*construct.directive.clauses)
    return any(_has_unknown_type(item.node, bool(item.item.sections)) for item in found if item.node is not None)


def _has_unknown_type(base: Node, has_sections: bool) -> bool:
    kind = types.without_reference(base.type)
    if has_sections and types.is_dependent(kind):
        return True
    while types.is_pointer(kind):
        kind = types.pointee_of(kind)
    return types.kind_name(types.canonical(types.innermost(kind))) == "AUTO"


def lower_region(
    unit: ParsedUnit, owner: ConstructFunction, construct: Construct, declared: DeclareTarget, facts: MapFacts,
    names: KernelNames, options: OutlineOptions,
) -> Kernel:  # fmt: skip
    """Return the kernel of a target region; raises CompileError."""
    region = build_region(unit, owner, construct)
    walked = _walked(region, declared)
    if walked is not None:
        with suppress(CompileError):  # as a region of one thread it may be possible
            return _outline(walked, declared, facts, names, options)
    return _outline(spread(region, declared), declared, facts, names, options)


def _outline(
    region: TargetRegion, declared: DeclareTarget, facts: MapFacts, names: KernelNames, options: OutlineOptions
) -> Kernel:
    data = region_data(region, declared)
    captured = [attribute.variable.cursor for attribute in data.attributes]
    with hiding(region.body, (*captured, *local_names(region.owner.node))):
        return outline(region, data, facts, names, options)


def _walked(region: TargetRegion, declared: DeclareTarget) -> TargetRegion | None:
    """Return a region without parallels of its own for which all threads call functions together that have some."""
    if (
        region.has_inner_parallel
        or region.has_parallel
        or any(region.clauses("linear", "induction", "lastprivate", "ordered"))
    ):
        return None
    if region.owner.template is not None or region_scan(region) is not None:
        return None
    if not region.unit.kept(TeamFunctions).any_named(region.body):
        return None
    walked = replace(region, has_inner_parallel=True)
    return walked if calls_together(walked, region_data(walked, declared)) else None


def lower_data(unit: ParsedUnit, construct: Construct, facts: MapFacts) -> DataBlock:
    """Return the host text of a data construct; raises CompileError."""
    if construct.directive.name in _STANDALONE:
        return lower_standalone(construct, facts)
    return lower_target_data(unit, construct, facts)
