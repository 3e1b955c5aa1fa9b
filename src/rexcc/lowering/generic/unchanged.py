"""Which barriers of team code nothing needs, because a parallel leaves what threads read before it as it is.

In: the parallels of a team's code and what its threads have read since they met. Out: answers for the walker::

    #pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += a[i] * a[i];
    float f = 1 / sqrtf(s);                          // every thread reads s
    #pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] *= f;           // and none waits for the others here

A thread that comes to a parallel early must not change what another one has yet to read in front of it. That cannot
happen to a variable of the team that is one number, whose address nothing takes and no lambda knows, for only its name
leads to it: the parallel would have to assign to it, or to have it in a clause.

Behind a parallel the threads meet. So where an iteration ends with one, and nothing jumps over that, no thread still
reads for an iteration when another one has begun the next.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.memory import Places
from rexcc.lowering.generic.plan import Form, Part
from rexcc.lowering.generic.scope import TeamScope
from rexcc.lowering.text.variable_uses import may_change
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable

_JUMPS = frozenset({"BREAK_STMT", "CONTINUE_STMT", "GOTO_STMT", "INDIRECT_GOTO_STMT", "RETURN_STMT", "ASM_STMT"})
_LABELS = frozenset({"CASE_STMT", "DEFAULT_STMT", "LABEL_STMT"})


def leaves_unchanged(scope: TeamScope, construct: Construct, read: Places) -> bool:
    """Whether a parallel changes nothing of what threads may still be reading."""
    if not read:
        return read is not None
    left = scope.found_by_name - _changed(construct)
    return all(not memory.pointee and memory.variable in left for memory in read)


def ends_with_parallel(iteration: Part) -> bool:
    """Whether all threads meet at the end of each iteration of a loop, behind a parallel."""
    last = iteration
    while last.form is Form.BLOCK and last.parts:
        last = last.parts[-1]
    return last.form is Form.PARALLEL and not any(n.kind in _JUMPS | _LABELS for n in _sequential(iteration))


def _changed(construct: Construct) -> frozenset[Variable]:
    """Return the variables that a parallel may change by their names, and those of its clauses."""
    every = tuple(construct.walk())
    copied = frozenset(v for one in every for v in one.environment.copied())
    uses = ((named_variable(node), node) for node in construct.node.walk())
    return copied | {variable for variable, use in uses if variable is not None and may_change(use)}


def _sequential(part: Part) -> Iterator[Node]:
    """Yield the nodes of a part outside of its parallels."""
    if part.form is Form.PARALLEL:
        return
    if part.form in (Form.LEAF, Form.DECLARATION, Form.RETURN):
        yield from part.node.walk()
        return
    yield part.node
    for expression in (*part.conditions, *part.steps, *([part.first] if part.first is not None else [])):
        yield from expression.walk()
    for inner in part.parts:
        yield from _sequential(inner)
