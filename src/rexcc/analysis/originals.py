"""Which uses of a variable in a construct mean the variable around it.

In: a variable with its uses in a construct's statement. Out: the uses that nested constructs do not make private; a
variable without such a use is not needed inside. Clauses that take the first value or bring the last one back, such as
``firstprivate`` and ``reduction``, need the original.
"""

from __future__ import annotations

from rexcc.analysis.indices import associated_indices
from rexcc.analysis.references import Variable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct

_NEEDING = frozenset({"firstprivate", "lastprivate", "linear", "reduction", "in_reduction", "task_reduction", "map"})


def original_uses(outer: Construct, variable: Variable) -> list[Node]:
    """Return the uses of a variable in a construct that mean the variable outside of it."""
    private = [c for c in outer.descendants() if _privatises(c, variable.key)]
    return [use for use in variable.uses if not any(_covers(c, use) for c in private)]


def is_only_measured(variable: Variable) -> bool:
    """Whether a variable is there for its size alone: it is used, but only as an operand that is not evaluated."""
    if not variable.uses or types.has_runtime_extent(types.without_reference(variable.cursor.type)):
        return False
    return all(any(a.kind == "CXX_UNARY_EXPR" for a in use.ancestors()) for use in variable.uses)


def _privatises(construct: Construct, key: int) -> bool:
    """Whether a construct gives its statement a variable of its own, without a look at the original."""
    named = {item.clause.name for item in construct.items("private", *_NEEDING) if item.key == key}
    if named & _NEEDING:
        return False
    return "private" in named or key in associated_indices(construct)


def _covers(construct: Construct, use: Node) -> bool:
    places = (construct.node, construct.body)
    return any(p is not None and p.file == use.file and p.start <= use.start < p.end for p in places)
