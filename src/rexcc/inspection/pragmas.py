"""Each directive of the user's files, with its place and what it belongs to.

In: a parsed unit. Out: :class:`PragmaList`. Directives nest as their statements do; those between a ``begin`` directive
and its ``end`` nest too. What the preprocessor left out is listed as inactive.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node
from rexcc.frontend.forms import Form, form_of
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.scan import PragmaSite
from rexcc.inspection.model import Applied, ClauseNode, DirectiveNode, PragmaList
from rexcc.openmp.directives import Association
from rexcc.openmp.model import Directive
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.tables import association_of, end_of
from rexcc.openmp.unparse import clause_text, expression_text
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.records import dataclass, replace
from rexcc.source.text import Span

_STATEMENTS = {"FOR_STMT": "loop", "CXX_FOR_RANGE_STMT": "loop", "COMPOUND_STMT": "block"}
_SCOPES = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}) | RECORD_KINDS


@dataclass(frozen=True)
class _Found:
    """A directive before nesting; ``reach`` is the end of what it applies to."""

    node: DirectiveNode
    reach: int


def pragma_list(unit: ParsedUnit) -> PragmaList:
    """Return all directives of the user's files that are right."""
    constructs = _by_site(unit)
    found = (node for file in unit.files.values() for node in _nested(_in_file(unit, file, constructs)))
    return PragmaList(unit.main, tuple(found))


def clause_nodes(directive: Directive) -> tuple[ClauseNode, ...]:
    """Return the clauses of a directive in canonical spelling."""
    return tuple(ClauseNode(clause.name, clause_text(clause), clause.span) for clause in directive.clauses)


def statement_of(unit: ParsedUnit, construct: Construct) -> Applied | None:
    """Return the statement that a construct applies to; None for a stand-alone one."""
    body = construct.body
    if body is None:
        return None
    inner = next((c for c in construct.children if c.node.start == body.start), None)
    if inner is not None:
        return Applied("directive", place_of(inner.probe.site), inner.directive.name)
    return Applied(_STATEMENTS.get(body.kind, "statement"), unit.span(body))


def place_of(site: PragmaSite) -> Span:
    """Return the whole directive as the user wrote it."""
    return Span(site.source, site.start, site.end)


def _by_site(unit: ParsedUnit) -> dict[tuple[str, int], Construct]:
    """Return the constructs by file and place; of a template's the first instantiation's."""
    found: dict[tuple[str, int], Construct] = {}
    for function in unit.functions:
        for construct in function.walk():
            site = construct.probe.site
            found.setdefault((site.source.path, site.start), construct)
    return found


def _in_file(unit: ParsedUnit, file: ProbedFile, constructs: dict[tuple[str, int], Construct]) -> list[_Found]:
    read = ((site, parse_directive(site.text, DiagnosticSink())) for site in file.scan.pragmas)
    pairs = [(site, directive) for site, directive in read if directive is not None]
    partners = _partners(pairs)
    declarations = sorted(_declarations(unit, file), key=lambda node: node.start)
    found: list[_Found] = []
    for site, directive in pairs:
        construct = constructs.get((site.source.path, site.start))
        applied = statement_of(unit, construct) if construct is not None else None
        reach = _end_of_body(unit, construct) if construct is not None else site.end
        partner = partners.get(site.start)
        if partner is not None:
            kind = "end" if partner[0].start > site.start else "begin"
            applied = Applied(kind, place_of(partner[0]), partner[1].name)
            reach = max(site.end, partner[0].start)
        elif association_of(directive) is Association.DECLARATION:
            applied = _declaration_after(unit, file, site, declarations)
        found.append(_Found(_node(unit, site, directive, applied), reach))
    return found


def _node(unit: ParsedUnit, site: PragmaSite, directive: Directive, applied: Applied | None) -> DirectiveNode:
    skipped = unit.skipped.get(site.source.path, ())
    return DirectiveNode(
        directive.name,
        place_of(site),
        _written(site.original),
        not any(start <= site.start < end for start, end in skipped),
        form_of(directive) is not Form.BLANK,
        expression_text(directive.argument) if directive.argument is not None else "",
        clause_nodes(directive),
        association_of(directive).name.lower(),
        applied,
    )


def _written(original: str) -> str:
    if original.startswith("_Pragma"):
        return "_Pragma"
    return "#pragma" if original.startswith(("#", "%:")) else "[[omp::]]"


def _end_of_body(unit: ParsedUnit, construct: Construct) -> int:
    body = unit.span(construct.body) if construct.body is not None else None
    end = construct.probe.site.end
    return max(end, body.end) if body is not None else end


def _partners(pairs: list[tuple[PragmaSite, Directive]]) -> dict[int, tuple[PragmaSite, Directive]]:
    """Return for the beginning and the end of each delimited range the other one, by place."""
    found: dict[int, tuple[PragmaSite, Directive]] = {}
    waiting: list[tuple[PragmaSite, Directive]] = []
    for site, directive in pairs:
        if association_of(directive) is Association.DELIMITED:
            waiting.append((site, directive))
        elif waiting and end_of(waiting[-1][1]) == directive.name:
            begin = waiting.pop()
            found[begin[0].start] = (site, directive)
            found[site.start] = begin
    return found


def _declarations(unit: ParsedUnit, file: ProbedFile) -> Iterator[Node]:
    """Yield the functions of a file, members too."""
    waiting = list(unit.declarations)
    while waiting:
        node = waiting.pop()
        if node.kind in FUNCTION_KINDS and unit.files.get(node.file) is file:
            yield node
        elif node.kind in _SCOPES:
            waiting += node.children


def _declaration_after(unit: ParsedUnit, file: ProbedFile, site: PragmaSite, functions: list[Node]) -> Applied | None:
    after = next((node for node in functions if file.original(node.start) >= site.end), None)
    return Applied("declaration", unit.span(after), after.spelling) if after is not None else None


def _nested(found: list[_Found]) -> tuple[DirectiveNode, ...]:
    """Put each directive into the one before it whose reach it is in."""
    top: list[DirectiveNode] = []
    index = 0
    while index < len(found):
        here = found[index]
        stop = index + 1
        while stop < len(found) and found[stop].node.place.start < here.reach:
            stop += 1
        top.append(replace(here.node, children=_nested(found[index + 1 : stop])))
        index = stop
    return tuple(top)
