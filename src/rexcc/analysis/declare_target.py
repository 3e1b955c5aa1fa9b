"""What ``declare target`` says about a translation unit's functions and variables.

In: the declarative directives of the unit. Out: :class:`DeclareTarget`, which answers whether a declaration is on the
device. Blocks (``declare target`` … ``end declare target``, ``begin declare target``) are ranges of a file; lists name
declarations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from clang.cindex import Cursor

from rexcc.analysis.references import variable_key
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.frontend.probe import ProbedFile
from rexcc.frontend.unit import ParsedUnit
from rexcc.openmp.model import Clause, Directive, KeywordClause, ListClause, ListItem, MotionClause
from rexcc.source.diagnostics import DiagnosticSink

_OPENERS = ("declare target", "begin declare target")
_ENDER = "end declare target"


@dataclass(frozen=True, eq=False)
class DeclareTarget:
    """The device declarations of a unit: variables in source order, keyed by declaration."""

    variables: dict[int, Cursor]
    directives: tuple[tuple[ProbedFile, Directive], ...]

    def has_variable(self, cursor: Cursor) -> bool:
        """Whether a variable lives on the device."""
        return variable_key(cursor) in self.variables


def declare_target(unit: ParsedUnit, sink: DiagnosticSink) -> DeclareTarget:
    """Read the ``declare target`` directives of a unit."""
    directives = tuple((f, d) for f, d in unit.declaratives if d.name in (*_OPENERS, _ENDER))
    if not directives:
        return DeclareTarget({}, ())
    ranges = _blocks(directives, sink)
    named = _listed(directives, sink)
    variables: dict[int, Cursor] = {}
    for node in _global_variables(unit.declarations):
        file = unit.files.get(node.file)
        inside = file is not None and any(
            f is file and start <= file.original(node.start) < end for f, start, end in ranges
        )
        if inside or node.spelling in named or _qualified(node.cursor) in named:
            variables.setdefault(variable_key(node.cursor), node.cursor.get_definition() or node.cursor)
    return DeclareTarget(variables, directives)


def _has_list(directive: Directive) -> bool:
    return bool(directive.items) or any(
        isinstance(c, MotionClause | ListClause) and c.name in ("to", "enter", "link", "local")
        for c in directive.clauses
    )


def _blocks(
    directives: tuple[tuple[ProbedFile, Directive], ...], sink: DiagnosticSink
) -> list[tuple[ProbedFile, int, int]]:
    ranges: list[tuple[ProbedFile, int, int]] = []
    opened: list[tuple[ProbedFile, Directive]] = []
    for file, directive in directives:
        if directive.name == _ENDER:
            if not opened:
                sink.error("omp-unmatched-end", "'end declare target' without 'declare target'", directive.span)
                continue
            begin_file, begin = opened.pop()
            if begin_file is file:
                ranges.append((file, begin.span.end, directive.span.start))
        elif not _has_list(directive):
            opened.append((file, directive))
    for _, directive in opened:
        sink.error("omp-unmatched-begin", f"'{directive.name}' without 'end declare target'", directive.span)
    return ranges


def _listed(directives: tuple[tuple[ProbedFile, Directive], ...], sink: DiagnosticSink) -> frozenset[str]:
    names: list[str] = []
    for _, directive in directives:
        for clause in directive.clauses:
            _check_clause(clause, sink)
        for item in _items(directive):
            names.append(item.whole.text.strip().removeprefix("::"))
    return frozenset(names)


def _check_clause(clause: Clause, sink: DiagnosticSink) -> None:
    if clause.name == "link":
        sink.error("unsupported-clause", "'link' on declare target cannot be lowered yet", clause.span)
    if clause.name in ("indirect", "local"):
        sink.error("unsupported-clause", f"'{clause.name}' on declare target cannot be lowered yet", clause.span)
    if isinstance(clause, KeywordClause) and clause.name == "device_type" and clause.keyword == "host":
        sink.warning("declare-target-host", "'device_type(host)' keeps these off the device", clause.span)


def _items(directive: Directive) -> Iterator[ListItem]:
    yield from directive.items
    for clause in directive.clauses:
        if isinstance(clause, MotionClause | ListClause) and clause.name in ("to", "enter", "link"):
            yield from clause.items


def _global_variables(declarations: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the variables at file and namespace scope; a class's static members cannot live on the device yet."""
    for node in declarations:
        if node.kind == "VAR_DECL":
            if node.cursor.semantic_parent.kind.name not in RECORD_KINDS:
                yield node
        elif node.kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
            yield from _global_variables(node.children)


def _qualified(cursor: Cursor) -> str:
    names: list[str] = []
    current: Cursor | None = cursor
    while current is not None and current.spelling and not current.kind.is_translation_unit():
        names.append(str(current.spelling))
        current = current.semantic_parent
    return "::".join(reversed(names))
