"""The conditions of ``declare variant``, which stand where no statement can.

In: the files. Out: declarations to parse behind those directives, by which clang computes the conditions, and the
values that they got.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang.tree import Node
from rexcc.frontend.files import UserFiles
from rexcc.frontend.scan import FileScan
from rexcc.openmp.contexts import Value
from rexcc.openmp.model import Expression
from rexcc.openmp.parser import parse_directive
from rexcc.openmp.selectors import MatchClause
from rexcc.program.unit import ParsedUnit
from rexcc.resolution.choices import literal_value
from rexcc.source.diagnostics import DiagnosticSink

_NAME = "__rex_condition_"


def condition_probes(files: UserFiles) -> dict[str, dict[int, str]]:
    """Return for each file the declarations to put behind directives."""
    found: dict[str, dict[int, str]] = {}
    for name, scan in files.scans.items():
        for end, expression in _conditions(scan):
            text = " ".join(expression.text.split())
            probe = f"enum {{ {_probe_name(expression)} = ({text}) ? 1 : 0 }};"
            behind = found.setdefault(name, {})
            behind[end] = behind.get(end, "") + probe
    return found


def values_of(unit: ParsedUnit) -> Value:
    """Return the values that clang computed; None for what is none of those conditions."""
    computed = {node.spelling: int(node.cursor.enum_value) for top in unit.declarations for node in _probes(top)}

    def value(expression: Expression) -> int | None:
        known = literal_value(expression)
        return known if known is not None else computed.get(_probe_name(expression))

    return value


def report_conditions(files: UserFiles, problems: DiagnosticSink, sink: DiagnosticSink) -> None:
    """Report the conditions that clang could not compute."""
    for name, scan in files.scans.items():
        for end, expression in _conditions(scan):
            at = [p.span for p in problems.found if p.code == "base-language" and p.span is not None]
            if any(span.source.path == name and span.start == end for span in at):
                message = "the condition of a function's variant has to be a constant"
                sink.error("omp-variant-condition", message, expression.span)


def _conditions(scan: FileScan) -> Iterator[tuple[int, Expression]]:
    for site in scan.pragmas:
        if "variant" not in site.text.text or "condition" not in site.text.text:
            continue
        directive = parse_directive(site.text, DiagnosticSink())
        clauses = directive.of_type(MatchClause) if directive is not None else iter(())
        for trait in (t for clause in clauses for t in clause.selector.of("user")):
            if trait.expression is not None and literal_value(trait.expression) is None:
                yield site.end, trait.expression


def _probe_name(expression: Expression) -> str:
    return f"{_NAME}{expression.span.start}_{len(expression.text)}"


def _probes(node: Node) -> Iterator[Node]:
    if node.kind == "ENUM_CONSTANT_DECL" and node.spelling.startswith(_NAME):
        yield node
    elif node.kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "STRUCT_DECL", "CLASS_DECL", "ENUM_DECL"):
        for child in node.children:
            yield from _probes(child)
