"""The stage that decides at compile time, before anything else looks at the directives.

In: the user's files and the devices of the build. Out: the files as they are when the winning directives stand where
their metadirectives stood, with the places of both. Files without any of these constructs come back as they are.
"""

from __future__ import annotations

import re
from dataclasses import replace

from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.resolution.branches import branching
from rexcc.frontend.resolution.choices import Choice, Place, Surroundings, choose, other_devices, requirements_of
from rexcc.frontend.resolution.delimited import pairs, with_braces
from rexcc.frontend.resolution.rewriting import rewrite
from rexcc.frontend.scan import FileScan, PragmaSite, Resolved
from rexcc.frontend.unit import ParsedUnit, parse_unit
from rexcc.openmp.contexts import Device
from rexcc.openmp.model import Directive, PragmaText
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import end_of
from rexcc.openmp.unparse import unparse
from rexcc.source.diagnostics import DiagnosticSink

_DECIDED = re.compile(r"\bmetadirective\b")
_ROUNDS = 16
"""How deep metadirectives that the program decides may be nested."""


def resolve(
    files: UserFiles, language: str, arguments: tuple[str, ...], devices: tuple[Device, ...], sink: DiagnosticSink
) -> UserFiles:
    """Return the files with everything decided; ``devices`` are those of the build, the main one first."""
    if not any(_DECIDED.search(site.text.text) for scan in files.scans.values() for site in scan.pragmas):
        return files
    files = with_braces(files)
    for _ in range(_ROUNDS):
        around = _surroundings(files, language, arguments, devices)
        if around is None:
            break
        choose(around)
        replacements = branching(around.choices.values(), sink)
        if sink.has_errors or not replacements:
            _warn(around, sink)
            return _applied(files, around.choices)
        sources = {path: rewrite(files.source(path), found) for path, found in replacements.items()}
        files = rewritten(files, sources)
    return files


def _surroundings(
    files: UserFiles, language: str, arguments: tuple[str, ...], devices: tuple[Device, ...]
) -> Surroundings | None:
    """Parse the files as they are; None where the program is wrong, which the parse to come reports."""
    problems = DiagnosticSink()
    unit: ParsedUnit | None = parse_unit(files, language, arguments, problems)
    if unit is None or problems.has_errors:
        return None
    return Surroundings(unit, devices, requirements_of(unit))


def _warn(around: Surroundings, sink: DiagnosticSink) -> None:
    for choice in around.choices.values():
        if other_devices(around, choice):
            message = "this metadirective is resolved for the GPU; the CPU device executes the same kernel"
            sink.warning("variant-of-the-gpu", message, choice.directive.span)


def _applied(files: UserFiles, choices: dict[Place, Choice]) -> UserFiles:
    """Return the files with the chosen directives at the places of their metadirectives."""
    scans: dict[str, FileScan] = {}
    for name, scan in files.scans.items():
        ended = {p.end.start: p.begin for p in pairs(scan, "metadirective")[0] if p.end is not None}
        sites = [_resolved(site, choices.get((name, site.start))) for site in scan.pragmas]
        begun = {site.start: site for site in sites}
        sites = [_ended(s, begun[ended[s.start].start]) if s.start in ended else s for s in sites]
        scans[name] = replace(scan, pragmas=tuple(sites))
    return UserFiles(files.main, scans, files.included)


def _resolved(site: PragmaSite, choice: Choice | None) -> PragmaSite:
    if choice is None or not choice.is_static:
        return site
    host, device = choice.host[0].variant, choice.device[0].variant
    if not choice.in_region and any(v is not None and "target" in v.leaves for v in (host, device)):
        device = host  # no device code has a target construct
    return replace(site, text=_pragma(site, device), resolved=Resolved(_pragma(site, host), choice.in_region))


def _ended(site: PragmaSite, begin: PragmaSite) -> PragmaSite:
    """Return the end of a delimited metadirective as that of the directive that was chosen."""
    if begin.resolved is None:
        return site
    directive = parse_directive(begin.resolved.host, DiagnosticSink())
    end = (end_of(directive) if directive is not None else "") or "nothing"
    text = PragmaText(end, site.text.origin, exact=False)
    return replace(site, text=text, resolved=Resolved(text, begin.resolved.in_region))


def _pragma(site: PragmaSite, variant: Directive | None) -> PragmaText:
    """Return a directive that stands in another one as a pragma of its own."""
    if variant is None:
        return PragmaText("nothing", site.text.origin, exact=False)
    if not site.text.exact:
        return PragmaText(unparse(variant), site.text.origin, exact=False)
    start = variant.span.start - site.text.origin.start
    return PragmaText(site.text.text[start : start + variant.span.end - variant.span.start], variant.span)
