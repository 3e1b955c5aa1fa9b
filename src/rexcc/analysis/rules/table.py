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
from rexcc.source.records import dataclass

CheckFunction = Callable[[FunctionUses, DiagnosticSink], None]
CheckUnit = Callable[[ParsedUnit, DiagnosticSink], None]
CheckConstruct = Callable[[ParsedUnit, Construct, DiagnosticSink], None]


@dataclass(frozen=True)
class Rule:
    """A rule about one construct and the code of its findings."""

    code: str
    check: CheckConstruct


RULES: tuple[Rule, ...] = (
    Rule("omp-nesting", nesting.check_nesting),
    Rule("omp-clause-value", values.check_counts),
    Rule("omp-clause-value", values.check_numbers),
    Rule("omp-clause-value", values.check_integers),
    Rule("omp-clause-value", values.check_alignments),
    Rule("omp-clause-value", values.check_constants),
    Rule("omp-clause-value", values.check_linear_steps),
    Rule("omp-clause-conflict", relations.check_lengths),
    Rule("omp-clause-conflict", relations.check_depths),
    Rule("omp-clause-conflict", relations.check_teams),
    Rule("omp-clause-conflict", relations.check_linear_steps),
    Rule("omp-clause-conflict", relations.check_schedules),
    Rule("omp-clause-conflict", relations.check_inscan),
    Rule("omp-clause-conflict", relations.check_reduction_modifiers),
    Rule("omp-clause-conflict", relations.check_alone),
    Rule("omp-concurrent-call", relations.check_concurrent_calls),
    Rule("omp-const-item", items.check_const),
    Rule("omp-threadprivate", items.check_threadprivate),
    Rule("omp-loop-variable", items.check_loop_variables),
    Rule("omp-list-item-type", items.check_types),
    Rule("omp-list-item-type", items.check_bit_fields),
    Rule("omp-list-item-type", items.check_incomplete),
    Rule("omp-list-item-type", items.check_functions),
    Rule("omp-list-item-type", items.check_this),
    Rule("omp-unknown-reduction", items.check_joined_reductions),
    Rule("omp-bad-list-item", dependences.check_all_memory),
    Rule("omp-list-item-type", dependences.check_objects),
    Rule("omp-bad-iterator", dependences.check_iterators),
    Rule("omp-mapped-private", items.check_mapped_privates),
    Rule("omp-data-sharing", check_lists),
    Rule("omp-repeated-item", lists.check_repeated),
    Rule("omp-allocate-item", lists.check_allocated),
    Rule("omp-copyprivate", lists.check_copied),
    Rule("omp-sections", host_blocks.check_sections),
    Rule("omp-scan", host_blocks.check_scan),
    Rule("omp-reduction-type", items.check_reduced_types),
    Rule("omp-loop-form", loop_form.check_heads),
    Rule("omp-loop-form", loop_form.check_loops_are_there),
    Rule("omp-loop-form", loop_form.check_non_rectangular),
    Rule("omp-private-original", items.check_shared_originals),
    Rule("omp-section-bounds", sections.check_section_values),
    Rule("omp-section-bounds", sections.check_bounds),
    Rule("omp-section-gaps", sections.check_gaps),
    Rule("omp-mapper-unknown", mappers.check_used_mappers),
    Rule("omp-bad-iterator", iterators.check_iterators),
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
                rule.check(unit, construct, sink)
        if not function.unused and not sink.has_errors:
            facts = uses_of(unit, function)
            for suspect in SUSPICIONS:
                suspect(facts, sink)
        note_instantiations(unit, function, sink, before)
    for check in UNIT_RULES:
        check(unit, sink)
    unit_rules.check_versions(unit, version, sink)
