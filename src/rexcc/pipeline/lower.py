"""The lowering of one translation unit: each construct to a kernel or a block, and their edits of the user's text.

In: a unit whose directives are decided. Out: kernels and edits in :class:`Lowering`, from which the files are printed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.calls import note_block_uniform
from rexcc.analysis.checks import check_unit
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.device_constructs import all_constructs, is_kernel
from rexcc.analysis.device_declarations import check_device_declarations
from rexcc.analysis.device_layouts import check_device_layouts
from rexcc.analysis.device_types import check_device_types
from rexcc.analysis.host_only_functions import check_host_only
from rexcc.analysis.host_pointers import check_host_pointers
from rexcc.analysis.instantiation_notes import note_instantiations
from rexcc.analysis.requirements import check_requirements
from rexcc.analysis.separate import Separate
from rexcc.analysis.virtual_bases import check_virtual_bases
from rexcc.clang.standards import standard_in
from rexcc.clang.tree import Node
from rexcc.codegen.host.host_edits import HostEdits, check_all_lowered
from rexcc.frontend.files import UserFiles
from rexcc.lowering.data.mapper_functions import Mappers
from rexcc.lowering.dispatch import is_data_construct, lower_data, lower_region, needs_types
from rexcc.lowering.generic.block_uniform_functions import block_uniform_functions
from rexcc.lowering.maps.iterated import every_row
from rexcc.lowering.maps.map_facts import MapFacts, map_facts
from rexcc.lowering.maps.map_remarks import map_remark
from rexcc.lowering.model.launch import Kernel, MapRow
from rexcc.lowering.model.names import KernelNames
from rexcc.lowering.model.remarks import remark_diagnostics
from rexcc.lowering.outline import OutlineOptions
from rexcc.pipeline.records import TranslateOptions
from rexcc.pipeline.stages import stage
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.report.unit import DataConstruct
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import dataclass, field


@dataclass(eq=False)
class Lowering:
    """What the stages of one translation unit share; ``lowered`` are the places of the directives that are seen to,
    ``data`` the data constructs with what was made of them."""

    files: UserFiles
    unit: ParsedUnit
    options: TranslateOptions
    sink: DiagnosticSink
    declared: DeclareTarget
    edits: HostEdits
    names: KernelNames
    separate: Separate
    kernels: list[Kernel] = field(default_factory=list)
    lowered: set[int] = field(default_factory=set)
    data: list[DataConstruct] = field(default_factory=list)


def lower(state: Lowering) -> None:
    """Run the stages in order; each construct on its own, so that all errors of a file show in one run."""
    check_unit(state.unit, state.sink, state.options.openmp_version)
    check_requirements(state.unit, state.sink)
    mappers = Mappers(state.unit)
    for construct in all_constructs(state.unit) if state.unit.mappers else ():
        with stage("mappers", construct.span, state.sink):
            mappers.name_all(construct)
    facts = map_facts(state.declared, mappers.of_constructs)
    with stage("analysis of called functions", None, state.sink):
        note_block_uniform(state.unit, *block_uniform_functions(state.unit, state.declared, state.separate.exported))
    for function in state.unit.functions:
        for construct in function.walk():
            before = len(state.sink.found)
            with stage("lowering", construct.span, state.sink):
                _lower_construct(state, facts, function, construct)
            note_instantiations(state.unit, function, state.sink, before)
    for kernels in state.edits.instances.values():
        with stage("lowering", kernels[0].region.construct.span, state.sink):
            state.edits.replace_instances(kernels)
    functions = []
    for mapper in mappers.used_ones():
        with stage("mapper", mapper.span, state.sink):
            functions.append(mappers.function(mapper))
    for function_text in functions:  # one may be the first to use another that stands behind one before
        state.edits.declare_mapper(mappers.with_composed(function_text))
    state.edits.comment_out_mappers()
    with stage("lowering", None, state.sink):
        check_all_lowered(state.unit, state.edits, state.sink)
    for file, directive in state.declared.directives:
        for site in file.scan.pragmas:
            if site.text.origin.start <= directive.span.start and directive.span.end <= site.end:
                state.edits.comment_out(file, site.start, site.end)
    state.edits.insert_keys()
    state.edits.replace_requirements()
    state.edits.comment_out_answered()
    state.edits.replace_resolved()
    state.edits.respell_attributes()
    with stage("host initialisation", None, state.sink):
        main = _main_function(state.unit)
        if main is not None:
            state.edits.insert_init(main.cursor)


def _outline_options(state: Lowering) -> OutlineOptions:
    asked = state.options
    return OutlineOptions(
        asked.scheduler, state.unit.skipped, asked.remarks or asked.report, asked.reduction, asked.strict_aliasing,
        asked.wraps, asked.reciprocals,
    )  # fmt: skip


def _lower_construct(state: Lowering, facts: MapFacts, function: ConstructFunction, construct: Construct) -> None:
    if function.unused:
        is_data = is_data_construct(construct)
        if is_data and not needs_types(construct):  # the template's own text serves every instantiation
            block = lower_data(state.unit, construct, facts)
            state.edits.replace_data(construct, block)
            state.data.append((construct, block))
        elif is_data or is_kernel(construct):
            state.edits.refuse_instantiation(function, construct)
        return
    first = construct.probe.site.start not in state.lowered or function.template is None
    if is_kernel(construct):
        kernel = lower_region(
            state.unit, function, construct, state.declared, facts, state.names, _outline_options(state),
        )  # fmt: skip
        check_device_declarations(kernel.region, state.options.targets)
        others = [target for target in state.options.targets if not target.capabilities.are_hosts]
        for target in others:
            check_device_types(kernel.region, kernel.data, target)
            check_device_layouts(kernel.region, kernel.data, target)
            check_virtual_bases(kernel.region)
        if others and first:
            check_host_pointers(kernel.region, state.sink)
        for target in others or state.options.targets:
            check_host_only(kernel.region, standard_in(state.options.clang_arguments), target.capabilities, state.sink)
        state.kernels.append(kernel)
        state.edits.replace_kernel(kernel)
        for told in remark_diagnostics(state.unit, kernel.remarks, construct.span) if state.options.remarks else ():
            state.sink.add(told)
        if first:
            rows = every_row([a.row for a in kernel.arguments], kernel.row_loops)
            _map_remark(state, kernel.region.constructs, rows)
    elif is_data_construct(construct):
        if first:
            block = lower_data(state.unit, construct, facts)
            state.edits.replace_data(construct, block)
            state.data.append((construct, block))
            _map_remark(state, [construct], block.rows)
    else:
        return
    state.lowered.add(construct.probe.site.start)


def _map_remark(state: Lowering, constructs: Sequence[Construct], rows: Sequence[MapRow]) -> None:
    """Tell what a construct, with those joined with it, maps (``-Rrex=map``)."""
    if state.options.map_remarks:
        state.sink.add(map_remark([c.directive for c in constructs], rows))


def _main_function(unit: ParsedUnit) -> Node | None:
    mains = (n for n in unit.declarations if n.kind == "FUNCTION_DECL" and n.spelling == "main")
    return next((n for n in mains if n.cursor.is_definition() and n.file == unit.main), None)
