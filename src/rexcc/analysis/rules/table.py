"""The table of rules, and the function that applies it.

In: a parsed unit. Out: findings in the sink. A rule is one function; adding one is adding a row here and its
explanation, a file in ``rexcc/explanations``.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.instantiation_notes import note_instantiations
from rexcc.analysis.list_rules import check_lists
from rexcc.analysis.rules import (
    dependences,
    device_memory,
    group_variables,
    hidden_variables,
    host_blocks,
    items,
    iterators,
    lists,
    loop_form,
    mappers,
    member_pointers,
    nesting,
    private_values,
    races,
    relations,
    requires,
    results,
    sections,
    task_copies,
    unit_rules,
    unlisted_members,
    values,
)
from rexcc.analysis.rules.uses import FunctionUses, uses_of
from rexcc.analysis.structured_blocks import check_structured_blocks
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

CheckFunction = Callable[[FunctionUses, DiagnosticSink], None]
CheckUnit = Callable[[ParsedUnit, DiagnosticSink], None]
CheckConstruct = Callable[[ParsedUnit, Construct, DiagnosticSink], None]


RULES: tuple[CheckConstruct, ...] = (
    nesting.check_nesting,
    values.check_counts,
    values.check_numbers,
    values.check_integers,
    values.check_alignments,
    values.check_constants,
    values.check_linear_steps,
    relations.check_lengths,
    relations.check_depths,
    relations.check_teams,
    relations.check_linear_steps,
    relations.check_schedules,
    relations.check_inscan,
    relations.check_reduction_modifiers,
    relations.check_alone,
    relations.check_concurrent_calls,
    items.check_const,
    items.check_threadprivate,
    items.check_loop_variables,
    items.check_types,
    items.check_bit_fields,
    items.check_incomplete,
    items.check_functions,
    items.check_this,
    items.check_joined_reductions,
    dependences.check_all_memory,
    dependences.check_objects,
    dependences.check_iterators,
    items.check_mapped_privates,
    check_lists,
    lists.check_repeated,
    lists.check_allocated,
    lists.check_copied,
    host_blocks.check_sections,
    host_blocks.check_scan,
    items.check_reduced_types,
    loop_form.check_heads,
    loop_form.check_loops_are_there,
    loop_form.check_non_rectangular,
    items.check_shared_originals,
    sections.check_section_values,
    sections.check_bounds,
    sections.check_gaps,
    mappers.check_used_mappers,
    iterators.check_iterators,
)


SUSPICIONS: tuple[CheckFunction, ...] = (
    results.check_lost_results,
    results.check_reduced_maps,
    results.check_from_reads,
    private_values.check_private_values,
    device_memory.check_unmapped_pointers,
    member_pointers.check_unmapped_members,
    unlisted_members.check_unlisted_members,
    device_memory.check_unmapped_updates,
    races.check_races,
    task_copies.check_task_copies,
)
"""What is legal and almost surely not meant, by function."""

UNIT_RULES: tuple[CheckUnit, ...] = (
    check_structured_blocks,
    unit_rules.check_pairs,
    unit_rules.check_mappers,
    unit_rules.check_hints,
    lists.check_listed_names,
    mappers.check_declared_mappers,
    unit_rules.check_extensions,
    requires.check_requires,
    requires.check_assumes,
    hidden_variables.check_hidden_variables,
    group_variables.check_group_variables,
)
"""The rules about all of a unit together."""


def check_rules(unit: ParsedUnit, sink: DiagnosticSink, version: int) -> None:
    """Apply all rules; ``version`` is the OpenMP version that the user asks for, 0 for none."""
    for function in unit.functions:
        before = len(sink.found)
        for construct in function.walk():
            for rule in RULES:
                rule(unit, construct, sink)
        if not function.unused and not sink.has_errors:
            facts = uses_of(unit, function)
            for suspect in SUSPICIONS:
                suspect(facts, sink)
        note_instantiations(unit, function, sink, before)
    for check in UNIT_RULES:
        check(unit, sink)
    unit_rules.check_versions(unit, version, sink)
