"""Variables that code can change without naming them: through pointers, references, lambdas or other functions.

In: a translation unit. Out: whether a variable may be one of them, asked of all uses in the functions with constructs.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.lambda_values import may_be_bound
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable


def is_aliased(unit: ParsedUnit, variable: Variable) -> bool:
    """Whether a variable may be changed by code that does not name it."""
    if may_be_bound(variable) or variable.is_global:
        return True
    return variable in unit.kept(_aliased)


def _aliased(unit: ParsedUnit) -> frozenset[Variable]:
    """Return the variables whose address gets elsewhere, or that a lambda names."""
    return frozenset(variable for function in unit.functions for variable in _aliased_in(function.node))


def _aliased_in(top: Node) -> Iterator[Variable]:
    is_in_lambda = any(above.kind == "LAMBDA_EXPR" for above in top.ancestors())
    in_lambdas = {node for made in top.walk() if made.kind == "LAMBDA_EXPR" for node in made.walk()}
    for node in top.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or kind_of(target) not in VARIABLE_KINDS:
            continue
        if address_leaves(node) or is_in_lambda or node in in_lambdas:
            yield Variable(target)
