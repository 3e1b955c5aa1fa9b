"""The statements of ``sections`` and of loops with a scan on the host; target regions have readers of their own.

In: a construct. Out: errors at the statement or the clause.
"""

from __future__ import annotations

from rexcc.analysis.rules.facts import in_target, named, shown
from rexcc.openmp.model import ListItem, ReductionClause
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note


def check_sections(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """The sections stand in braces, and behind the first one each has its directive (11.3)."""
    if construct.directive.leaves[-1] != "sections" or in_target(construct) or construct.body is None:
        return
    body = construct.body
    if body.kind != "COMPOUND_STMT":
        sink.error(
            "omp-sections", "the sections must stand in braces", unit.span(body), Note("for this", construct.span)
        )
        return
    sections = {id(c.node) for c in construct.children if c.directive.name == "section"}
    loose = next((n for n in body.children[1:] if id(n) not in sections), None)
    if loose is not None:
        message = "this statement is in no section; write '#pragma omp section' before it, and braces around several"
        sink.error("omp-sections", message, unit.span(loose), Note("the sections start here", construct.span))


def check_scan(unit: ParsedUnit, construct: Construct, sink: DiagnosticSink) -> None:
    """A loop with ``inscan`` reductions has one ``scan`` that names just these variables (5.6)."""
    clauses = [c for c in construct.directive.of_type(ReductionClause) if any(m.name == "inscan" for m in c.modifiers)]
    is_loop = not {"for", "simd"}.isdisjoint(construct.directive.leaves)
    if not clauses or not is_loop or in_target(construct) or construct.body is None:
        return
    scans = [c for c in construct.descendants() if c.directive.name == "scan"]
    if len(scans) != 1:
        message = f"a loop with an 'inscan' reduction needs one 'scan' in its body, and there are {len(scans)}"
        place = scans[1].span if scans else clauses[0].span
        sink.error("omp-scan", message, place)
        return
    reduced = {v: i for c, i, v in named(construct, "reduction") if c in clauses}
    scanned = {v: i for _, i, v in named(scans[0], "inclusive", "exclusive")}
    _report(reduced, scanned, "is reduced with 'inscan' and not in the 'scan'", sink)
    _report(scanned, reduced, "is in the 'scan' and not reduced with 'inscan'", sink)


def _report(items: dict[Variable, ListItem], others: dict[Variable, ListItem], what: str, sink: DiagnosticSink) -> None:
    for variable, item in items.items():
        if variable not in others:
            sink.error("omp-scan", f"{shown(item)} {what}", item.whole.span)
