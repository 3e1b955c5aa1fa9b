"""Variables that code can change without naming them: through pointers, references, lambdas or other functions.

In: a translation unit. Out: whether a variable may be one of them, asked of all uses in the functions with constructs.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.library import has_global_storage
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit


def is_aliased(unit: ParsedUnit, variable: Cursor) -> bool:
    """Whether a variable may be changed by code that does not name it."""
    if types.is_reference(variable.type) or has_global_storage(variable):
        return True
    return variable_key(variable) in unit.kept(_aliased)


def _aliased(unit: ParsedUnit) -> frozenset[int]:
    """Return the keys of the variables whose address gets elsewhere, or that a lambda names."""
    return frozenset(key for function in unit.functions for key in _aliased_in(function.node))


def _aliased_in(top: Node) -> Iterator[int]:
    for node in top.walk():
        target = node.referenced if node.kind == "DECL_REF_EXPR" else None
        if target is None or kind_of(target) not in VARIABLE_KINDS:
            continue
        if address_leaves(node) or any(above.kind == "LAMBDA_EXPR" for above in node.ancestors()):
            yield variable_key(target)
