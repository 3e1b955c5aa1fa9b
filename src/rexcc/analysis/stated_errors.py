"""``error`` directives that speak at compile time (OpenMP 5.2, 8.5.1).

In: a parsed unit. Out: the user's errors and warnings, at their places. What a metadirective chooses counts where it
counts: inside target regions for the device, elsewhere for the host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rexcc.frontend.scan import PragmaSite
from rexcc.openmp.model import Directive, ExpressionClause, KeywordClause
from rexcc.openmp.parser import parse_directive
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink

_LITERAL = re.compile(r'\s*(?:u8|[uUL])?"((?:[^"\\]|\\.)*)"\s*')
_ESCAPED = re.compile(r"\\([\"'\\?])")


def report_stated_errors(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Report what the program asks to report when it is compiled."""
    for _, directive in stated_errors(unit):
        message = _message(directive)
        if _keyword(directive, "severity") == "warning":
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
            if directive is not None and _keyword(directive, "at") != "execution":
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


def _keyword(directive: Directive, name: str) -> str:
    return next((c.keyword for c in directive.of_type(KeywordClause) if c.name == name), "")
