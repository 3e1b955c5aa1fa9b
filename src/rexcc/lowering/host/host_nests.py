"""Collapsed loops with code between them, for the host's compiler.

In: the clauses of a loop directive. Out: those with which the host shares only the outermost loop. gcc takes code
between collapsed loops from version 14 on, and clang 19 lets a ``continue`` of the innermost loop skip the code behind
it. OpenMP leaves open how often such code is executed; this way it is once for each iteration around it.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.clang.tree import Node
from rexcc.openmp.model import Clause, Expression, ListClause, ListItem
from rexcc.program.loop_shape import counted_variables, is_perfect
from rexcc.program.variables import Variable

_PRIVATE = frozenset({"private", "firstprivate", "lastprivate"})


def without_collapse(statement: Node, depth: int, clauses: Sequence[Clause]) -> list[Clause]:
    """Return the clauses of a nest of ``depth`` loops; where it has code between them, those of its outermost loop.

    The indices of the others stay private. What is linear is so in the iterations of all loops together.
    """
    collapse = next((c for c in clauses if c.name == "collapse"), None)
    if collapse is None or is_perfect(statement, depth) or any(c.name == "linear" for c in clauses):
        return list(clauses)
    listed = {i.base.text.strip() for c in clauses if isinstance(c, ListClause) and c.name in _PRIVATE for i in c.items}
    outer = set(counted_variables(statement, 1))
    inner = (v for v in counted_variables(statement, depth) if v not in outer)
    indices = [v for v in inner if v.name not in listed]
    kept = [c for c in clauses if c is not collapse]
    return [*kept, _private(indices, collapse)] if indices else kept


def _private(variables: Sequence[Variable], place: Clause) -> Clause:
    names = (Expression(v.name, place.span) for v in variables)
    return ListClause("private", place.span, tuple(ListItem(name, name) for name in names))
