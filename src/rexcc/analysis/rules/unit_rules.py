"""Rules about a whole translation unit: versions, begin and end, what is declared and never used.

In: a parsed unit. Out: findings in the sink.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.rules.facts import critical_name
from rexcc.openmp.directives import Association
from rexcc.openmp.model import Directive
from rexcc.openmp.tables import CLAUSE_ROWS, CONSTRUCTS, association_of, end_of, modifiers_of
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import Diagnostic, DiagnosticSink, Note, Severity
from rexcc.source.patterns import regex
from rexcc.source.text import Span

_EXTENSION = "ompx_"
_MAPPER = regex(r"\s*(?:(?P<name>\w+)\s*:(?!:))?")


def every_directive(unit: ParsedUnit) -> Iterator[Directive]:
    """Yield the directives of a unit that the preprocessor keeps, each once."""
    seen: set[tuple[str, int]] = set()
    for directive in [*(d for _, d in unit.declaratives), *(c.directive for c in all_constructs(unit))]:
        place = (directive.span.source.path, directive.span.start)
        if place not in seen:
            seen.add(place)
            yield directive


def check_hints(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """All ``critical`` constructs of a name have the same hint (15.2)."""
    first: dict[str, tuple[Construct, int]] = {}
    for construct in all_constructs(unit):
        name = critical_name(construct.directive) if construct.directive.leaves == ("critical",) else ""
        hint = construct.directive.expression("hint")
        value = construct.value_of(hint) if hint is not None else 0
        if not name or value is None:
            continue
        other, before = first.setdefault(name, (construct, value))
        if value != before:
            message = f"all 'critical ({name})' have the same hint; it is {value} here and {before} elsewhere"
            sink.error("omp-clause-conflict", message, construct.span, Note("the first one is here", other.span))


def check_versions(unit: ParsedUnit, version: int, sink: DiagnosticSink) -> None:
    """Warn of directives and clauses that are newer than the version that ``-fopenmp-version=`` asks for."""
    for directive in every_directive(unit):
        check_version(directive, version, sink)


def check_version(directive: Directive, version: int, sink: DiagnosticSink) -> None:
    """Warn where a directive or a clause of it is newer than a version, 0 for any."""
    since = CONSTRUCTS[directive.name].since
    if since > version > 0:
        _warn_of_version(directive.name, since, version, directive.span, sink)
        return
    for clause in directive.clauses if version else ():
        since = CLAUSE_ROWS[clause.name].since
        if since > version and not clause.name.startswith(_EXTENSION):
            _warn_of_version(clause.name, since, version, clause.span, sink)


def _warn_of_version(name: str, since: int, version: int, place: Span, sink: DiagnosticSink) -> None:
    message = f"'{name}' came with OpenMP {_shown(since)}, and -fopenmp-version={version} asks for {_shown(version)}"
    sink.warning("omp-version", message, place)


def _shown(version: int) -> str:
    return f"{version // 10}.{version % 10}"


def check_pairs(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Each begin has its end in the same file; ``declare target`` and metadirectives have readers of their own."""
    opened: list[Directive] = []
    for _, directive in unit.declaratives:
        association = association_of(directive)
        if "declare target" in directive.name or "metadirective" in directive.name:
            continue
        if association is Association.DELIMITED:
            opened.append(directive)
        elif association is Association.END:
            begin = next((d for d in reversed(opened) if _closes(directive, d)), None)
            if begin is not None:
                opened.remove(begin)
            else:
                message = f"'{directive.name}' without '{directive.name.replace('end', 'begin', 1)}'"
                sink.error("omp-unmatched-end", message, directive.span)
    for directive in opened:
        sink.error("omp-unmatched-begin", f"'{directive.name}' without '{end_of(directive)}'", directive.span)


def _closes(end: Directive, begin: Directive) -> bool:
    return end_of(begin) == end.name and begin.span.source is end.span.source


def check_mappers(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """A mapper with a name that the main file declares is used."""
    for name, place in unused_mappers(unit).values():
        if place.source.path == unit.main:
            message = f"the mapper '{name}' is never used; a 'map' with 'mapper({name})' uses it"
            sink.warning("omp-unused-mapper", message, place)


def unused_mappers(unit: ParsedUnit) -> dict[Span, tuple[str, Span]]:
    """Return the mappers with a name that no clause uses: by the place of their directive, the name and its place."""
    used = {
        m.argument.text.rpartition("::")[2].strip()
        for directive in every_directive(unit)
        for clause in directive.clauses
        for m in modifiers_of(clause)
        if m.name == "mapper" and m.argument is not None
    }
    found: dict[Span, tuple[str, Span]] = {}
    for _, directive in unit.declaratives:
        if directive.name != "declare mapper" or directive.argument is None:
            continue
        match = _MAPPER.match(directive.argument.text)
        name = match["name"] if match is not None else None
        if match is not None and name and name != "default" and name not in used:
            start = directive.argument.span.start + match.start("name")
            found[directive.span] = (name, directive.span.source.span(start, start + len(name)))
    return found


def check_extensions(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Remark what is an extension of one compiler."""
    for directive in every_directive(unit):
        for clause in directive.clauses:
            names = [(clause.name, clause.span), *((m.name, m.span) for m in modifiers_of(clause))]
            for name, place in names:
                if name.startswith(_EXTENSION):
                    message = f"'{name}' is an extension of LLVM; other compilers do not know it"
                    sink.add(Diagnostic(Severity.REMARK, "rex-extension", message, place))
