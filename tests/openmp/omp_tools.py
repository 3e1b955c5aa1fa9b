"""Helpers of the OpenMP tests: parse a line, list its errors by column, forget places."""

from __future__ import annotations

from rexcc.openmp.model import Directive, PragmaText
from rexcc.openmp.parser import parse_directive
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink
from rexcc.source.text import SourceText


def pragma(text: str) -> PragmaText:
    """Return the pragma of a source that has nothing else."""
    source = SourceText("t.c", text)
    return PragmaText(text, source.span(0, len(text)))


def parse(text: str) -> Directive:
    """Parse a directive that has no errors."""
    sink = DiagnosticSink()
    directive = parse_directive(pragma(text), sink)
    assert directive is not None and not sink.found, sink.found
    return directive


def diagnose(text: str) -> list[Diagnostic]:
    """Return the findings of a directive."""
    sink = DiagnosticSink()
    parse_directive(pragma(text), sink)
    return sink.found


def errors(text: str) -> list[tuple[str, int, str]]:
    """Return code, 1-based column and source text of each error."""
    found = []
    for diagnostic in diagnose(text):
        assert diagnostic.span is not None
        found.append((diagnostic.code, diagnostic.span.column, diagnostic.span.text))
    return found
