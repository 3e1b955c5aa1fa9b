"""``nowait`` and ``depend``: the target task (OpenMP 5.2, 13.8 and 15.9.5).

In: a construct with these clauses. Out: the host's ``task`` directive for its block: deferred under ``nowait``,
undeferred otherwise, so that dependences order it either way. What is passed by address is shared, everything else
first-private, as evaluated when the task is made.
"""

from __future__ import annotations

from collections.abc import Iterable

from rexcc.analysis.attributes import Kind
from rexcc.clang import types
from rexcc.lowering.model import Kernel
from rexcc.openmp.model import DependClause, Directive
from rexcc.openmp.unparse import clauses_text

_BY_ADDRESS = frozenset({Kind.MAPPED, Kind.MAPPED_IMPLICITLY, Kind.DEVICE_ADDRESS})


def task_directive(kernel: Kernel) -> str:
    """Return the ``task`` directive of a kernel's block, empty where there is no ``nowait`` and no ``depend``."""
    shared = [
        a.variable.name
        for a in kernel.data.attributes
        if a.kind in _BY_ADDRESS and not a.variable.is_global and not types.is_pointer(a.variable.cursor.type)
    ]
    return task_line(kernel.region.construct.directive, shared)


def task_line(directive: Directive, shared: Iterable[str]) -> str:
    """Return the ``task`` directive for a construct, or an empty string."""
    depends = list(directive.of_type(DependClause))
    if not depends and not directive.has("nowait"):
        return ""
    parts = ["#pragma omp task"]
    if depends:
        parts.append(clauses_text(depends))
    names = ", ".join(shared)
    if names:
        parts.append(f"shared({names})")
    if not directive.has("nowait"):
        parts.append("if(0)")
    return " ".join(parts)
