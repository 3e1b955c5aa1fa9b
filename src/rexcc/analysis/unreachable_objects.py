"""Objects of a function's own that no pointer can point to.

In: a local variable of a class. Out: whether nobody but the code that names it has its address, or that of a part: what
points to memory then points to something else, on the device as on the host, where a pointer is translated from one
that points to the same variable. Constructors and functions that made the object where it lies count, and so do the
combiners and initializers of reductions of its class, which get it, or a copy, by a reference.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.kept_addresses import DEPTH, is_made_in_place, is_own, leads_away
from rexcc.clang import types
from rexcc.clang.tree import VARIABLE_KINDS, Node
from rexcc.program.constructs import ConstructFunction
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable

_OF_REDUCTIONS = frozenset({"omp_out", "omp_in", "omp_priv", "omp_orig"})


def is_unreachable_object(unit: ParsedUnit, function: ConstructFunction, variable: Variable) -> bool:
    """Whether a variable is an object of a class that is the function's own, of which nobody else has the address."""
    kind = variable.cursor.type
    if not types.is_record(kind) or types.is_reference(kind) or not is_own(unit, function.node, variable.cursor):
        return False
    if is_made_in_place(unit, variable.cursor) or leads_away(unit, function.node, variable, DEPTH):
        return False
    return not any(leads_away(unit, code, each, DEPTH) for code, each in _reduced(unit, variable))


def _reduced(unit: ParsedUnit, variable: Variable) -> Iterator[tuple[Node, Variable]]:
    """Yield the names that declared reductions of a variable's class have for objects, with the code that has them."""
    record = types.canonical(variable.cursor.type)
    for probe in (node for declared in unit.reductions for node in declared.nodes):
        named = (n for n in probe.walk() if n.kind in VARIABLE_KINDS and n.spelling in _OF_REDUCTIONS)
        for declaration in named:
            kind = types.canonical(types.without_reference(declaration.type))
            if not types.is_record(kind) or kind == record:
                yield probe, Variable(declaration.cursor)
