"""What the ``requires`` directives of a unit ask of the implementation (OpenMP 5.2, 8.2).

In: a parsed unit. Out: the requirements that libomptarget has to know, as its flags; errors for what no device of ours
does. ``dynamic_allocators`` and ``unified_address`` ask for nothing that is not so anyway, and
``atomic_default_mem_order`` is the atomic constructs'.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.device_constructs import all_constructs
from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.model import Clause, DefaultmapClause, Directive, ExpressionClause, MapClause
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.text import Span

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
    if not requirements(unit):
        mapping = (*(c.directive for c in all_constructs(unit)), *(m.probe.directive for m in unit.mappers))
        for directive in mapping:
            _check_self_maps(directive, sink)


def _check_self_maps(directive: Directive, sink: DiagnosticSink) -> None:
    """Refuse ``self`` (OpenMP 6.0) in a unit that does not say that host and device share memory.

    libomptarget shares all memory that a program maps or none, and the program's heap has to be memory that the device
    reads from the beginning on.
    """
    for clause in directive.clauses:
        if isinstance(clause, DefaultmapClause) and clause.behavior == "self":
            _refuse_self(clause.span, sink)
        for modifier in clause.modifiers if isinstance(clause, MapClause) else ():
            if modifier.name == "self":
                _refuse_self(modifier.span, sink)


def _refuse_self(span: Span, sink: DiagnosticSink) -> None:
    message = "'self' takes a program that shares its memory with devices: '#pragma omp requires self_maps' says so"
    sink.error("unsupported-modifier", message, span)


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
