"""``nowait``, ``depend`` and ``in_reduction``: the target task (OpenMP 5.2, 5.5.10, 13.8 and 15.9.5).

In: a construct with these clauses. Out: the host's ``task`` directive for its block: deferred under ``nowait``,
undeferred otherwise, so that dependences order it either way. What is passed by address is shared, everything else
first-private, as evaluated when the task is made. A variable in ``in_reduction`` means, inside the task, the private
copy of the thread that executes it; so this is what the block maps, and what its host version adds to.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.attributes import Kind
from rexcc.analysis.list_roots import root_key
from rexcc.clang import types
from rexcc.lowering.model import Kernel
from rexcc.openmp.model import DependClause, Directive, ReductionClause
from rexcc.openmp.unparse import clauses_text

_BY_ADDRESS = frozenset({Kind.MAPPED, Kind.MAPPED_IMPLICITLY, Kind.DEVICE_ADDRESS})


def task_directive(kernel: Kernel) -> str:
    """Return the ``task`` directive of a kernel's block, empty where no clause asks for a task."""
    construct = kernel.region.construct
    reduced = {root_key(construct, item) for clause in _reductions(construct.directive) for item in clause.items}
    shared = [
        a.variable.name
        for a in kernel.data.attributes
        if a.kind in _BY_ADDRESS and not a.variable.is_global and not types.is_pointer(a.variable.cursor.type)
        and a.variable.key not in reduced
    ]  # fmt: skip
    return task_line(construct.directive, shared)


def task_line(directive: Directive, shared: Iterable[str]) -> str:
    """Return the ``task`` directive for a construct, or an empty string."""
    depends = list(directive.of_type(DependClause))
    reductions = _reductions(directive)
    if not depends and not reductions and not directive.has("nowait"):
        return ""
    parts = ["#pragma omp task"]
    if depends or reductions:
        parts.append(clauses_text([*reductions, *depends]))
    names = ", ".join(shared)
    if names:
        parts.append(f"shared({names})")
    if not directive.has("nowait"):
        parts.append("if(0)")
    return " ".join(parts)


def _reductions(directive: Directive) -> list[ReductionClause]:
    """Return the clauses by which the task takes part in a reduction."""
    return [clause for clause in directive.of_type(ReductionClause) if clause.name == "in_reduction"]
