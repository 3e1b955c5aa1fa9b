"""The stage that makes the loops of transformations, before anything else looks at the constructs.

In: the user's files. Out: the files with transformed loops in place of the directives, innermost transformations first,
because an outer one changes what an inner one has made. Outside of target regions a transformation whose loops this
stage cannot read is left to the host compiler. Files without transformations, and units without constructs for
devices, come back as they are.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.checks import needs_lowering
from rexcc.analysis.device_constructs import is_ours
from rexcc.analysis.rules.table import RULES
from rexcc.analysis.rules.unit_rules import check_version
from rexcc.frontend.files import UserFiles, rewritten
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.rewriting import Replacement, rewrite
from rexcc.source.diagnostics import CompileError, DiagnosticSink
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.transformation.edits import commented, transformed
from rexcc.transformation.nest import NAMES, is_transformation

_NAMED = regex(rf"\b(?:{'|'.join(sorted(NAMES))})\b")
_ROUNDS = 16
"""How deep transformations may be nested."""


@dataclass(frozen=True)
class _Found:
    """A transformation: its construct, in each instantiation of a template."""

    instances: tuple[Construct, ...]
    of_template: bool

    @property
    def construct(self) -> Construct:
        """The first instantiation's construct."""
        return self.instances[0]


def transform_loops(
    files: UserFiles, language: str, arguments: tuple[str, ...], version: int, sink: DiagnosticSink
) -> UserFiles:
    """Return the files with transformed loops; ``version`` is the OpenMP version that was asked for, 0 for none."""
    for _ in range(_ROUNDS):
        if not any(_NAMED.search(site.text.text) for scan in files.scans.values() for site in scan.pragmas):
            break
        problems = DiagnosticSink()
        unit = parse_unit(files, language, arguments, problems)
        if unit is None or problems.has_errors or not needs_lowering(unit):
            break  # what is wrong is found again by the parse to come
        replacements = _replacements(unit, version, sink)
        if not replacements:
            break
        sources = {path: rewrite(files.source(path), found) for path, found in replacements.items()}
        files = rewritten(files, sources)
    return files


def _replacements(unit: ParsedUnit, version: int, sink: DiagnosticSink) -> dict[str, list[Replacement]]:
    """Return the edits of the innermost transformations, by file."""
    found: dict[str, list[Replacement]] = {}
    for one in _innermost(unit):
        edits = _edits(unit, one, sink)
        if edits:
            found.setdefault(one.construct.probe.site.source.path, []).extend(edits)
            for rule in RULES:
                rule(unit, one.construct, sink)
            check_version(one.construct.directive, version, sink)
    return found


def _innermost(unit: ParsedUnit) -> Iterator[_Found]:
    """Yield the transformations that hold no other."""
    instances: dict[tuple[str, int], list[Construct]] = {}
    templates: set[tuple[str, int]] = set()
    for function in unit.functions:
        for construct in function.walk() if not function.unused else ():
            if is_transformation(construct) and not any(map(is_transformation, construct.descendants())):
                site = (construct.probe.site.source.path, construct.probe.site.start)
                instances.setdefault(site, []).append(construct)
                templates |= {site} if function.template is not None else set()
    return (_Found(tuple(found), site in templates) for site, found in instances.items())


def _edits(unit: ParsedUnit, one: _Found, sink: DiagnosticSink) -> list[Replacement]:
    """Return the edits of a transformation, none where the host compiler gets it as it is."""
    construct = one.construct
    site = construct.probe.site
    if any(c.name == "apply" for c in construct.directive.clauses):
        return []
    if site.is_attribute and not (site.original.startswith("[[") and site.original.endswith("]]")):
        return []
    try:
        every = [transformed(unit, each, one.of_template) for each in one.instances]
    except CompileError as problem:
        if not is_ours(construct):
            return []
        sink.add(problem.diagnostic)
        return [commented(construct)]  # what else is wrong shows in the same run
    return every[0] if all(edits == every[0] for edits in every) else []
