"""What the ``requires`` directives of a unit ask of the implementation (OpenMP 5.2, 8.2).

In: a parsed unit. Out: the requirements that libomptarget has to know, as its flags; errors for what no device of ours
does. ``dynamic_allocators`` and ``unified_address`` ask for nothing that is not so anyway, and
``atomic_default_mem_order`` is the atomic constructs'.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.model import Clause, Directive, ExpressionClause
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

UNIFIED_SHARED_MEMORY = 8
"""The flag of libomptarget's."""

_SHARED = frozenset({"unified_shared_memory", "self_maps"})
_REFUSED = {
    "reverse_offload": "no device of rexcc can start regions on the host",
    "device_safesync": "rexcc cannot promise the progress of device threads yet",
}


def requirements(unit: ParsedUnit) -> int:
    """Return libomptarget's flags."""
    shared = any(clause.name in _SHARED and _is_asked(clause) for _, _, clause in _clauses(unit))
    return UNIFIED_SHARED_MEMORY if shared else 0


def check_requirements(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Refuse what cannot be honoured."""
    for _, _, clause in _clauses(unit):
        if clause.name in _REFUSED and _is_asked(clause):
            message = f"'requires {clause.name}' cannot be honoured: {_REFUSED[clause.name]}"
            sink.error("unsupported-requirement", message, clause.span)


def requires_directives(unit: ParsedUnit) -> Iterator[tuple[ProbedFile, Directive]]:
    """Yield the ``requires`` directives of a unit."""
    return ((file, directive) for file, directive in unit.declaratives if directive.name == "requires")


def _clauses(unit: ParsedUnit) -> Iterator[tuple[ProbedFile, Directive, Clause]]:
    return ((f, d, clause) for f, d in requires_directives(unit) for clause in d.clauses)


def _is_asked(clause: Clause) -> bool:
    """Whether a clause asks for something: its argument, from OpenMP 6.0 on, may say that it does not."""
    return not is_false(clause)


def is_false(clause: Clause) -> bool:
    """Whether a clause that asks for something has an argument that says that it does not."""
    return isinstance(clause, ExpressionClause) and clause.expression.text.strip() in ("0", "false")
