"""The declared reductions that clauses mean (OpenMP 5.2, 5.5.11).

In: constructs, or pieces of code with the functions that they call. Out: the types that clauses reduce, each with its
place; the declared reductions, whose combiners and initializers are code of the same device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Type

from rexcc.analysis.declared_scopes import find_declared
from rexcc.analysis.reachable_functions import Place
from rexcc.clang import types
from rexcc.frontend.declared_reductions import DeclaredReduction
from rexcc.openmp.model import ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.text import Span


def reduced_types(construct: Construct, clause: ReductionClause) -> Iterator[tuple[Type, Span]]:
    """Yield the types whose values a clause joins: of arrays those of their elements."""
    for listed in construct.items_of(clause):
        if listed.named is not None:
            item, kind = listed.item, types.without_reference(listed.named.type)
            yield (types.shape_of(kind).element if item.sections or types.is_array(kind) else kind), item.whole.span


def reductions_of(unit: ParsedUnit, constructs: Iterable[Construct]) -> Iterator[DeclaredReduction]:
    """Yield the declared reductions that the clauses of constructs mean."""
    for construct in constructs if unit.reductions else ():
        for clause in construct.directive.of_type(ReductionClause):
            for kind, place in reduced_types(construct, clause):
                declared = find_declared(unit, clause.operator, kind, place)
                if declared is not None:
                    yield declared


def constructs_at(unit: ParsedUnit, places: frozenset[Place]) -> Iterator[Construct]:
    """Yield the constructs of functions that are defined at some places, outer before inner."""
    for function in unit.functions:
        written = function.template or function.node
        if (written.file, written.start) in places:
            yield from function.walk()
