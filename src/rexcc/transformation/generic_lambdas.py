"""Which generic lambdas have to become classes: what their parameters are is known of a class's call operator alone, of
which clang makes instantiations.

In: a unit whose lambdas are as the user wrote them. Out: the places of the outermost generic lambdas that regions stand
in, and of those that regions name and that have constructs of whose operands the types depend on parameters.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Type

from rexcc.analysis.device_constructs import is_ours, region_bodies
from rexcc.analysis.references import collect
from rexcc.clang import locations, types
from rexcc.clang.tree import kind_of
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.patterns import regex

GENERIC = regex(r"\[[^\[\]\n]*\]\s*(?:<|\([^()]*\bauto\b)")
"""The head of a generic lambda."""


def generic_lambdas(unit: ParsedUnit) -> list[tuple[str, int]]:
    """Return the files and offsets of the generic lambdas that have to become classes."""
    around: set[tuple[str, int]] = set()
    others: set[tuple[str, int]] = set()
    for function in unit.functions:
        for construct in function.walk():
            above = [n for n in construct.node.ancestors() if n.kind == "LAMBDA_EXPR" and n.file in unit.files]
            found = [n for n in above if GENERIC.match(unit.user_text(n))]
            if found and is_ours(construct):
                around.add((found[-1].file, found[-1].start))
            elif found and _depends(construct):
                others.add((found[-1].file, found[-1].start))
    return sorted(around | (others & _named_by_regions(unit) if others else set()))


def _depends(construct: Construct) -> bool:
    """Whether types in a construct depend on parameters."""
    return any(types.kind_name(types.canonical(node.type)) == "DEPENDENT" for node in construct.node.walk())


def _named_by_regions(unit: ParsedUnit) -> set[tuple[str, int]]:
    """Return the places of the lambdas that variables of regions are."""
    used = collect(region_bodies(construct for function in unit.functions for construct in function.walk()))
    kinds = (kind for variable in used.variables.values() for kind in closures_in(variable.cursor.type))
    return {locations.file_location(kind.get_declaration().location, unit.tree.names) for kind in kinds}


def closures_in(kind: Type) -> Iterator[Type]:
    """Yield the types of lambdas in a type: itself, or the arguments of a class's template."""
    if types.kind_name(kind) == "INVALID":
        return
    bare = types.canonical(types.without_reference(kind))
    if "(lambda at" not in str(bare.spelling):
        return
    if kind_of(bare.get_declaration()) == "CLASS_DECL" and bare.get_num_template_arguments() <= 0:
        yield bare
    for index in range(max(0, bare.get_num_template_arguments())):
        yield from closures_in(bare.get_template_argument_type(index))
