"""Directives that break a rule or that no stage lowers yet, refused before anything is built on them.

In: a parsed unit. Out: errors in the sink; whether the unit needs lowering at all. Host-only OpenMP is the host
compiler's. An ``error`` directive that speaks at compile time says what the user wants said (OpenMP 5.2, 8.5.1); what a
metadirective chooses counts where it counts: inside target regions for the device, elsewhere for the host.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.allocators import check_allocations
from rexcc.analysis.counted_conditions import check_counted_conditions
from rexcc.analysis.device_constructs import all_constructs, is_ours
from rexcc.analysis.rules.table import check_rules
from rexcc.frontend.forms import METADIRECTIVES
from rexcc.frontend.scan import FileScan, PragmaSite
from rexcc.openmp.model import Clause, Directive, ExpressionClause
from rexcc.openmp.parser import parse_directive
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.text import Span

_OURS = frozenset({"target", "assume"})
"""The first words of directives that host compilers must not see: clang 19 does not know the last."""

_DATA = frozenset({"target data", "target enter data", "target exit data", "target update"})
_DECLARE = frozenset({"declare target", "begin declare target", "end declare target", "groupprivate"})
_REFUSED = frozenset({"interop"})
_DATA_CLAUSES = frozenset(
    {
        "map",
        "device",
        "if",
        "nowait",
        "depend",
        "nogroup",
        "priority",
        "use_device_ptr",
        "use_device_addr",
        "to",
        "from",
    }
)
_TARGET_CLAUSES = frozenset({"ompx_attribute", "ompx_dyn_cgroup_mem"})


def needs_lowering(unit: ParsedUnit) -> bool:
    """Whether a unit has target constructs or declarations."""
    if any(d.name in _DECLARE | _REFUSED | {"declare mapper"} for _, d in unit.declaratives):
        return True
    if any(_is_changed(file.scan) for file in unit.files.values()) or any(True for _ in stated_errors(unit)):
        return True
    probed = (p.directive for f in unit.files.values() for p in f.probes)
    return any(d.leaves[0].split(" ")[0] in _OURS and _is_active(unit, d.span) for d in probed)


def _is_changed(scan: FileScan) -> bool:
    """Whether the host compiler has to read something else than the user wrote."""
    return bool(scan.source.numbers) or any(site.resolved is not None or site.is_attribute for site in scan.pragmas)


def _is_active(unit: ParsedUnit, span: Span) -> bool:
    """Whether the preprocessor keeps a place of the user's text."""
    return not any(start <= span.start < end for start, end in unit.skipped.get(span.source.path, ()))


def check_unit(unit: ParsedUnit, sink: DiagnosticSink, version: int) -> None:
    """Refuse what OpenMP forbids and what cannot be lowered yet, by name and place."""
    is_decided = not sink.has_errors  # an error before this stage ends the decisions, and metadirectives are left
    report_stated_errors(unit, sink)
    check_counted_conditions(unit, sink)
    for _, directive in unit.declaratives:
        _check_declarative(directive, sink)
    for construct in all_constructs(unit):
        if is_decided and construct.directive.name in METADIRECTIVES:
            message = "this metadirective stands where rexcc cannot resolve it"
            sink.error("unsupported-metadirective", message, construct.span)
        for clause in construct.directive.clauses:
            _check_clause(construct, clause, sink)
        if is_ours(construct):
            check_allocations(construct, sink)
    check_rules(unit, sink, version)


def _check_declarative(directive: Directive, sink: DiagnosticSink) -> None:
    if directive.name in _REFUSED:
        sink.error("unsupported-construct", f"'{directive.name}' cannot be lowered yet", directive.span)


def _check_clause(construct: Construct, clause: Clause, sink: DiagnosticSink) -> None:
    name = construct.directive.name
    if name in _DATA and clause.name not in _DATA_CLAUSES:
        sink.error("unsupported-clause", f"'{clause.name}' on '{name}' cannot be lowered yet", clause.span)
    if construct.directive.leaves[0] == "target" and clause.name in _TARGET_CLAUSES:
        sink.error("unsupported-clause", f"'{clause.name}' on '{name}' cannot be lowered yet", clause.span)
    if clause.name == "ompx_bare":
        message = "'ompx_bare' has all threads of a team execute the statement, as if it were a kernel itself; "
        message += "take it away and write '#pragma omp parallel' in front of the statement"
        sink.error("unsupported-clause", message, clause.span)
    modifiers = getattr(clause, "modifiers", ())
    if clause.name == "device" and any(m.name == "ancestor" for m in modifiers):
        message = "'device(ancestor: …)' cannot be lowered: no device of rexcc can start regions on the host"
        sink.error("unsupported-clause", message, clause.span)


_LITERAL = regex(r'\s*(?:u8|[uUL])?"((?:[^"\\]|\\.)*)"\s*')
_ESCAPED = regex(r"\\([\"'\\?])")


def report_stated_errors(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Report what the program asks to report when it is compiled."""
    for _, directive in stated_errors(unit):
        message = _message(directive)
        if directive.keyword("severity") == "warning":
            sink.warning("omp-stated-warning", message, directive.span)
        else:
            sink.error("omp-stated-error", message, directive.span)


def stated_errors(unit: ParsedUnit) -> Iterator[tuple[PragmaSite, Directive]]:
    """Yield the ``error`` directives that act at compile time, in active code."""
    for file in unit.files.values():
        skipped = unit.skipped.get(file.scan.source.path, ())
        for site in file.scan.pragmas:
            if any(start <= site.start < end for start, end in skipped):
                continue
            directive = _counting(site)
            if directive is not None and directive.keyword("at") != "execution":
                yield site, directive


def _counting(site: PragmaSite) -> Directive | None:
    """Return the ``error`` directive of a site, None for any other."""
    counts = site.resolved.host if site.resolved is not None and not site.resolved.in_region else site.text
    if not counts.text.lstrip().startswith("error"):
        return None
    directive = parse_directive(counts, DiagnosticSink())
    return directive if directive is not None and directive.name == "error" else None


def _message(directive: Directive) -> str:
    clause = next((c for c in directive.of_type(ExpressionClause) if c.name == "message"), None)
    literal = _LITERAL.fullmatch(clause.expression.text) if clause is not None else None
    return _ESCAPED.sub(r"\1", literal[1]) if literal is not None else "an error directive stands here"
