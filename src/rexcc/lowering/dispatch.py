"""Dispatch: many spellings of constructs, few lowering paths.

In: a construct. Out: a kernel for a target region, or None for a data construct; both with their host text, or nothing
for constructs that are the host compiler's.
"""

from __future__ import annotations

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.regions import build_region
from rexcc.analysis.sharing import region_data
from rexcc.lowering.data.data_constructs import DataBlock, lower_standalone, lower_target_data
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.model.names import KernelNames
from rexcc.lowering.outline import OutlineOptions, outline
from rexcc.lowering.spread import spread
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit

_STANDALONE = frozenset({"target enter data", "target exit data", "target update"})


def is_data_construct(construct: Construct) -> bool:
    """Whether a construct only moves data."""
    return construct.directive.name in _STANDALONE or construct.directive.name == "target data"


def lower_region(
    unit: ParsedUnit, owner: ConstructFunction, construct: Construct, declared: DeclareTarget, facts: MapFacts,
    names: KernelNames, options: OutlineOptions,
) -> Kernel:  # fmt: skip
    """Return the kernel of a target region; raises CompileError."""
    region = spread(build_region(unit, owner, construct), declared)
    return outline(region, region_data(region, declared), facts, names, options)


def lower_data(unit: ParsedUnit, construct: Construct, facts: MapFacts) -> DataBlock:
    """Return the host text of a data construct; raises CompileError."""
    if construct.directive.name in _STANDALONE:
        return lower_standalone(construct, facts)
    return lower_target_data(unit, construct, facts)
