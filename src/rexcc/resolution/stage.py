"""The stage that decides at compile time, before anything else looks at the directives.

In: the user's files, the variants between ``begin`` and ``end declare variant``, which have names of their own already
(``begun_variants``), and the devices of the build. Out: the files as they are when the winning directives stand where
their metadirectives stood, with the places of both. Files without any of these constructs come back as they are.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.frontend.files import UserFiles, rewritten
from rexcc.frontend.scan import FileScan, PragmaSite, Resolved
from rexcc.openmp.contexts import Device
from rexcc.openmp.model import Directive, PragmaText
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import end_of
from rexcc.openmp.unparse import unparse
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.begun_variants import BegunVariant
from rexcc.resolution.branches import branching
from rexcc.resolution.choices import Choice, Surroundings, choose, other_devices, requirements_of
from rexcc.resolution.conditions import condition_probes, report_conditions, values_of
from rexcc.resolution.delimited import name_of, pairs, with_braces
from rexcc.resolution.implied_bases import declare_implied
from rexcc.resolution.renaming import rename_calls
from rexcc.resolution.rewriting import rewrite
from rexcc.resolution.variants import Variants, find_variants
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.records import replace

_DECIDED = regex(r"\b(?:metadirective|variant|declare_variant|dispatch)\b")
_ROUNDS = 16
"""How deep metadirectives that the program decides may be nested."""


def resolve(
    files: UserFiles,
    begun: Sequence[BegunVariant],
    language: str,
    arguments: tuple[str, ...],
    devices: tuple[Device, ...],
    sink: DiagnosticSink,
) -> UserFiles:
    """Return the files with everything decided; ``devices`` are those of the build, the main one first."""
    if not begun and not any(_DECIDED.search(site.text.text) for scan in files.scans.values() for site in scan.pragmas):
        return files
    files = with_braces(declare_implied(files, begun, language, arguments), sink)
    for _ in range(_ROUNDS):
        around = _surroundings(files, language, arguments, devices, sink)
        if around is None:
            break
        variants = find_variants(around.unit, begun, sink)
        around.prefixes.update(variants.prefixes())
        choose(around)
        replacements = branching(around.choices.values(), sink)
        if sink.has_errors or not replacements:
            _warn(around, sink)
            return _decided(files, around, variants, sink)
        sources = {path: rewrite(files.source(path), found) for path, found in replacements.items()}
        files = rewritten(files, sources)
    return files


def _surroundings(
    files: UserFiles, language: str, arguments: tuple[str, ...], devices: tuple[Device, ...], sink: DiagnosticSink
) -> Surroundings | None:
    """Parse the files as they are; None where the program is wrong, which the parse to come reports."""
    problems = DiagnosticSink()
    unit: ParsedUnit | None = parse_unit(files, language, arguments, problems, condition_probes(files))
    if unit is None or problems.has_errors:
        report_conditions(files, problems, sink)
        return None
    return Surroundings(unit, devices, requirements_of(unit))


def _decided(files: UserFiles, around: Surroundings, variants: Variants, sink: DiagnosticSink) -> UserFiles:
    """Return the files with calls of the chosen functions and with the chosen directives.

    The first change texts, so a metadirective is known by its number in the file from then on.
    """
    renaming = rename_calls(around, variants, values_of(around.unit), sink)
    numbered = {name: _choices(scan, around) for name, scan in files.scans.items()}
    sources = {name: rewrite(files.source(name), found) for name, found in renaming.replacements.items()}
    files = rewritten(files, sources)
    scans: dict[str, FileScan] = {}
    for name, scan in files.scans.items():
        scans[name] = replace(_applied(scan, numbered[name]), host_words=renaming.host_words(name))
    return replace(files, scans=scans)


def _warn(around: Surroundings, sink: DiagnosticSink) -> None:
    for choice in around.choices.values():
        if other_devices(around, choice):
            message = "this metadirective is resolved for the GPU; the CPU device executes the same kernel"
            sink.warning("variant-of-the-gpu", message, choice.directive.span)


def _choices(scan: FileScan, around: Surroundings) -> list[tuple[Choice | None, int]]:
    """Return the choices of a file's metadirectives, in their order, each with where the directive's text was."""
    return [
        (around.choices.get((scan.source.path, site.start)), site.text.origin.start)
        for site in scan.pragmas
        if _is_chosen(site)
    ]


def _is_chosen(site: PragmaSite) -> bool:
    return name_of(site).removeprefix("begin ").startswith("metadirective")


def _applied(scan: FileScan, choices: list[tuple[Choice | None, int]]) -> FileScan:
    """Return a file with the chosen directives at the places of its metadirectives."""
    nothing = PragmaText("nothing", scan.source.span(0, 0), exact=False)
    ended = {p.end.start: p.begin for p in pairs(scan, "metadirective")[0] if p.end is not None}
    left = iter(choices)
    sites = [_resolved(site, *next(left)) if _is_chosen(site) else site for site in scan.pragmas]
    begun = {site.start: site for site in sites}
    sites = [_ended(s, begun[ended[s.start].start]) if s.start in ended else s for s in sites]
    sites = [_hidden(site, nothing) if name_of(site).startswith("declare variant") else site for site in sites]
    return replace(scan, pragmas=tuple(sites))


def _hidden(site: PragmaSite, nothing: PragmaText) -> PragmaSite:
    """Return a directive that the host compiler shall not read: all calls have the right names already."""
    return replace(site, resolved=Resolved(nothing, False))


def _resolved(site: PragmaSite, choice: Choice | None, was: int) -> PragmaSite:
    if choice is None or not choice.is_static:
        return site
    host, device = choice.host[0].variant, choice.device[0].variant
    if not choice.in_region and any(v is not None and "target" in v.leaves for v in (host, device)):
        device = host  # no device code has a target construct
    return replace(site, text=_pragma(site, device, was), resolved=Resolved(_pragma(site, host, was), choice.in_region))


def _ended(site: PragmaSite, begin: PragmaSite) -> PragmaSite:
    """Return the end of a delimited metadirective as that of the directive that was chosen."""
    if begin.resolved is None:
        return site
    directive = parse_directive(begin.resolved.host, DiagnosticSink())
    end = (end_of(directive) if directive is not None else "") or "nothing"
    text = PragmaText(end, site.text.origin, exact=False)
    return replace(site, text=text, resolved=Resolved(text, begin.resolved.in_region))


def _pragma(site: PragmaSite, variant: Directive | None, was: int) -> PragmaText:
    """Return a directive that stands in another one as a pragma of its own.

    ``was`` is where the other one's text began in the file in which the choice was made, before calls were renamed.
    """
    if variant is None:
        return PragmaText("nothing", site.text.origin, exact=False)
    if not site.text.exact:
        return PragmaText(unparse(variant), site.text.origin, exact=False)
    start, end = variant.span.start - was, variant.span.end - was
    return PragmaText(site.text.text[start:end], site.text.span(start, end))
