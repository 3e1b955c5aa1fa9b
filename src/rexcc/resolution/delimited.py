"""What stands between a directive that begins and the one that ends it.

In: the directives of a file. Out: the pairs; for ``begin metadirective`` with directives that have a statement, braces
that make one of what stands between.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.scan import FileScan, PragmaSite
from rexcc.openmp.parser import parse_directive
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import Span

_FIRST_WORDS = regex(r"\s*(\w+(?:\s+\w+)*)")


@dataclass(frozen=True)
class Pair:
    """Two directives of a file, None for the second where the end is missing."""

    begin: PragmaSite
    end: PragmaSite | None


def name_of(site: PragmaSite) -> str:
    """Return the words that a directive begins with."""
    match = _FIRST_WORDS.match(site.text.text)
    return " ".join(match[1].replace("_", " ").split()) if match else ""


def pairs(scan: FileScan, name: str) -> tuple[list[Pair], list[PragmaSite]]:
    """Return the pairs of ``begin`` and ``end`` of a directive, and the ends that have no beginning."""
    opened: list[PragmaSite] = []
    found: list[Pair] = []
    left: list[PragmaSite] = []
    for site in scan.pragmas:
        words = name_of(site)
        if words.startswith(f"begin {name}"):
            opened.append(site)
        elif words.startswith(f"end {name}") and opened:
            found.append(Pair(opened.pop(), site))
        elif words.startswith(f"end {name}"):
            left.append(site)
    return [*found, *(Pair(site, None) for site in opened)], left


def place_of(site: PragmaSite) -> Span:
    """Return the place of a directive's own text."""
    text = site.text.text
    return site.text.span(len(text) - len(text.lstrip()), len(text.rstrip()))


def with_braces(files: UserFiles, sink: DiagnosticSink) -> UserFiles:
    """Return the files with braces where a ``begin metadirective`` governs statements; report what has no partner."""
    sources = {}
    for name, scan in files.scans.items():
        matched, left = pairs(scan, "metadirective")
        for site in left:
            sink.error("omp-unmatched-end", "'end metadirective' without 'begin metadirective'", place_of(site))
        for site in (pair.begin for pair in matched if pair.end is None):
            sink.error("omp-unmatched-begin", "'begin metadirective' without 'end metadirective'", place_of(site))
        found = [r for pair in matched for r in _braces(pair)]
        if found:
            sources[name] = rewrite(scan.source, found)
    return rewritten(files, sources) if sources else files


def _braces(pair: Pair) -> Iterator[Replacement]:
    directive = parse_directive(pair.begin.text, DiagnosticSink())
    if pair.end is None or directive is None or form_of(directive) is not Form.BODY:
        return
    text = pair.begin.source.text
    line_end = text.find("\n", pair.begin.end)
    if line_end < 0:
        return
    yield Replacement(line_end + 1, line_end + 1, ("{\n",))
    yield Replacement(pair.end.start, pair.end.end, ("}",))
