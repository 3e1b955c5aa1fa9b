"""Which uses of a variable in a construct mean the variable around it.

In: a variable with its uses in a construct's statement. Out: the uses that nested constructs do not make private; a
variable without such a use is not needed inside. Clauses that take the first value or bring the last one back, such as
``firstprivate`` and ``reduction``, need the original.
"""

from __future__ import annotations

from rexcc.analysis.references import UsedVariable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.clang.unevaluated import is_measured
from rexcc.program.constructs import Construct
from rexcc.program.environment import Sharing
from rexcc.program.variables import Variable


def original_uses(outer: Construct, variable: UsedVariable) -> list[Node]:
    """Return the uses of a variable in a construct that mean the variable outside of it."""
    private = [c.environment for c in outer.descendants() if _is_replaced(c, variable)]
    return [use for use in variable.uses if not any(inner.covers(use) for inner in private)]


def is_only_measured(variable: UsedVariable) -> bool:
    """Whether a variable is there for its size alone: it is used, but only as an operand that is not evaluated."""
    if not variable.uses or types.has_runtime_extent(types.without_reference(variable.cursor.type)):
        return False
    return all(map(is_measured, variable.uses))


def _is_replaced(construct: Construct, variable: Variable) -> bool:
    """Whether a construct gives its statement a variable of its own, without a look at the original."""
    entries = [e for leaf in construct.environment.leaves.values() if (e := leaf.get(variable)) is not None]
    named = any(item.variable == variable for item in construct.items("map"))
    looks = any(e.item is not None and e.sharing not in (Sharing.PRIVATE, Sharing.SHARED) for e in entries)
    return bool(construct.environment.copies(variable)) and not looks and not named
