"""Readers of the clauses that choose: ``match``, ``when``, ``otherwise``.

In: a clause being read. Out: the clause with its context selector and, for the last two, the directive that stands
there, parsed as if it stood alone, so that its errors are reported whether or not it is ever chosen.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.openmp.expressions import has_argument
from rexcc.openmp.lexer import Part
from rexcc.openmp.model import Clause, Directive, PragmaText
from rexcc.openmp.selectors import ContextSelector, MatchClause, WhenClause, read_selector
from rexcc.openmp.site import Site
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.text import Span

ParseDirective = Callable[[PragmaText, DiagnosticSink], "Directive | None"]
_METADIRECTIVES = ("metadirective", "begin metadirective", "end metadirective")


def read_match(site: Site) -> Clause | None:
    """Read ``match(selector)``."""
    if not has_argument(site, site.inside):
        return None
    selector = read_selector(site, site.inside)
    return MatchClause(site.name, site.span, site.stream.expression(site.inside), selector) if selector else None


def read_when(site: Site, parse: ParseDirective) -> Clause | None:
    """Read ``when([selector]: [directive])``, ``otherwise([directive])``."""
    selector: ContextSelector | None = None
    rest = site.inside
    if site.name == "when":
        if not has_argument(site, site.inside):
            return None
        colon = next((i for i in site.stream.top_level(site.inside) if site.stream.text(i) == ":"), None)
        if colon is None:
            site.error("omp-missing-colon", f"missing ':' in clause '{site.name}'", site.inside)
            return None
        selector = read_selector(site, Part(site.inside.first, colon))
        rest = Part(colon + 1, site.inside.stop)
        if selector is None:
            return None
    argument = site.stream.expression(site.inside) if site.inside.size else None
    if not rest.size:
        return WhenClause(site.name, site.span, argument, selector, None)
    variant = parse(_pragma(site, rest), site.sink)
    if variant is None:
        return None
    if variant.name in _METADIRECTIVES:
        site.error("omp-nested-metadirective", f"'{variant.name}' cannot be a variant of a metadirective", rest)
        return None
    return WhenClause(site.name, site.span, argument, selector, variant)


def _pragma(site: Site, part: Part) -> PragmaText:
    """Return a range of the clause as a pragma of its own, with its place."""
    pragma = site.stream.pragma
    start, end = site.stream.tokens[part.first].start(), site.stream.tokens[part.stop - 1].end()
    if not pragma.exact:
        return PragmaText(pragma.text[start:end], pragma.origin, exact=False)
    base = pragma.origin.start
    return PragmaText(pragma.text[start:end], Span(pragma.origin.source, base + start, base + end))
