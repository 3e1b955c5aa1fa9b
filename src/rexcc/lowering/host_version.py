"""The host version of a region: the user's own statement under the host's OpenMP.

In: a region. Out: the directive it runs under on the host (``parallel for`` for a distributed loop, nothing for a bare
``target``), and the copies that keep first-private variables of the target construct private there too.
"""

from __future__ import annotations

from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.sharing import Kind
from rexcc.clang import types
from rexcc.lowering.model import Kernel
from rexcc.openmp.model import Clause, Directive, ExpressionClause
from rexcc.openmp.unparse import clauses_text

_LOOP_CLAUSES = ("private", "firstprivate", "shared", "default", "reduction", "collapse", "schedule", "num_threads")
_PARALLEL_CLAUSES = ("private", "firstprivate", "shared", "default", "reduction", "num_threads")


def host_directive(region: TargetRegion) -> str:
    """Return the host's directive for the target construct's own statement, with ``#pragma``; empty for none."""
    return _host_form(region.construct.directive, bool(region.merged))


def _host_form(directive: Directive, has_inner: bool) -> str:
    leaves = [leaf for leaf in directive.leaves if leaf not in ("target", "simd")]
    if not leaves:
        return ""
    if "for" in leaves or ("distribute" in leaves and "parallel" not in leaves):
        return f"#pragma omp parallel for {_clauses(directive, _LOOP_CLAUSES)}".rstrip()
    if "parallel" in leaves:
        return f"#pragma omp parallel {_clauses(directive, _PARALLEL_CLAUSES)}".rstrip()
    return _one_team(directive) if not has_inner else ""


def _one_team(directive: Directive) -> str:
    """A league on the host is one team of one thread: the statement as it stands, privates aside."""
    text = _clauses(directive, ("private", "firstprivate", "shared", "default", "reduction"))
    return f"#pragma omp parallel num_threads(1) {text}".rstrip() if text else ""


def inner_directive(directive: Directive, has_inner: bool) -> str:
    """Return what stands, on the host, for a directive merged into a target construct."""
    return _host_form(directive, has_inner)


def _clauses(directive: Directive, names: tuple[str, ...]) -> str:
    kept: list[Clause] = [c for c in directive.clauses if c.name in names]
    for clause in directive.of_type(ExpressionClause):
        if clause.name == "if" and clause.modifiers and clause.modifiers[0].name == "parallel":
            kept.append(clause)
    return clauses_text(kept)


def host_copies(kernel: Kernel) -> list[str]:
    """Return lines that give the host version its own copy of each first-private variable that the region changes.

    Each copy is two lines, the second inside a block of its own, because a variable cannot be initialised from an outer
    one of the same name.
    """
    lines: list[str] = []
    for attribute in kernel.data.attributes:
        variable = attribute.variable
        changed = variable.written or variable.exposed
        if attribute.kind not in (Kind.VALUE, Kind.POINTER, Kind.FIRSTPRIVATE) or not changed or attribute.copied:
            continue
        if types.is_array(variable.cursor.type) or variable.is_global:
            continue
        name = variable.name
        lines.append(f"__typeof__({name}) __rex_{name} = {name}; {{")
        lines.append(f"__typeof__(__rex_{name}) {name} = __rex_{name}; {{")
    return lines
