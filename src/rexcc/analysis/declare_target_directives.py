"""The ``declare target`` directives of a unit: which declarations of its text they speak of.

In: the declarative directives. Out: the blocks (``declare target`` … ``end declare target``, ``begin declare target``),
which are ranges of a file, the names in lists with their clauses, and the functions that are in one or the other.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.reachable_functions import DEFINED_KINDS
from rexcc.clang.tree import RECORD_KINDS, Node
from rexcc.clang.unit_files import included_file
from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.model import Directive, KeywordClause, ListClause, ListItem, MotionClause
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note

_OPENERS = ("declare target", "begin declare target")
_ENDER = "end declare target"
_FUNCTION_SCOPES = RECORD_KINDS | {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}
_LISTS = ("to", "enter", "link", "local")


def device_directives(unit: ParsedUnit) -> tuple[tuple[ProbedFile, Directive], ...]:
    """Return the ``declare target`` directives of a unit in all their forms, each with its file."""
    return tuple((f, d) for f, d in unit.declaratives if d.name in (*_OPENERS, _ENDER))


def functions_of(unit: ParsedUnit, wanted: Callable[[Directive], bool]) -> Iterator[Node]:
    """Yield the functions, methods and templates that some ``declare target`` directives speak of, in the unit's order.

    ``wanted`` chooses the directives. Of several declarations of a function the first one counts.
    """
    directives = device_directives(unit)
    if not any(wanted(d) for _, d in directives):
        return
    found = [(f, start, end) for f, start, end, begin in blocks(directives, DiagnosticSink()) if wanted(begin)]
    ranges = Blocks(unit, found)
    lists = (d for _, d in directives if has_list(d) and wanted(d) and not is_host_only(d))
    names = {item.whole.text.strip().removeprefix("::") for d in lists for _, item in listed_items(d)}
    seen: set[int] = set()
    for node in _functions(unit.declarations):
        inside = ranges.contain(node)
        key = int(node.cursor.canonical.hash)
        if key in seen or node.spelling == "main":
            continue
        if inside or names & {node.spelling, qualified_name(node.cursor)}:
            seen.add(key)
            yield node


class Blocks:
    """Blocks of a unit; what a file declares that is included between the directives of one is in it too."""

    def __init__(self, unit: ParsedUnit, ranges: list[tuple[ProbedFile, int, int]]) -> None:
        self._unit = unit
        self._ranges = ranges
        self._included: dict[str, tuple[str, int]] = {}
        names = {posixpath.normpath(name): name for name in unit.files}
        for node in unit.declarations if ranges else ():
            if node.kind == "INCLUSION_DIRECTIVE" and node.file in unit.files:
                name = names.get(posixpath.normpath(included_file(node.cursor, unit.tree.names)), "")
                self._included.setdefault(name, (node.file, node.start))

    def contain(self, node: Node) -> bool:
        """Whether a declaration is in one of the blocks."""
        place: tuple[str, int] | None = (node.file, node.start)
        seen: set[str] = set()
        while place is not None and place[0] in self._unit.files and place[0] not in seen:
            file = self._unit.files[place[0]]
            seen.add(place[0])
            if any(f is file and start <= file.original(place[1]) < end for f, start, end in self._ranges):
                return True
            place = self._included.get(place[0])
        return False


def _functions(declarations: Iterable[Node]) -> Iterator[Node]:
    for node in declarations:
        if node.kind == "FUNCTION_TEMPLATE" or node.kind in DEFINED_KINDS:
            yield node
        elif node.kind in _FUNCTION_SCOPES:
            yield from _functions(node.children)


def has_list(directive: Directive) -> bool:
    """Whether a directive names what it is for, and so begins no block."""
    return bool(directive.items) or any(
        isinstance(c, MotionClause | ListClause) and c.name in _LISTS for c in directive.clauses
    )


def blocks(
    directives: tuple[tuple[ProbedFile, Directive], ...], sink: DiagnosticSink
) -> list[tuple[ProbedFile, int, int, Directive]]:
    """Return the blocks that reach devices: file, begin, end, and the directive that begins each."""
    ranges: list[tuple[ProbedFile, int, int, Directive]] = []
    opened: list[tuple[ProbedFile, Directive]] = []
    for file, directive in directives:
        if directive.name == _ENDER:
            if not opened:
                sink.error("omp-unmatched-end", "'end declare target' without 'declare target'", directive.span)
                continue
            begin_file, begin = opened.pop()
            if begin_file is file and not is_host_only(begin):
                ranges.append((file, begin.span.end, directive.span.start, begin))
        elif not has_list(directive):
            _check_clauses(directive, sink)
            opened.append((file, directive))
    for _, directive in opened:
        sink.error("omp-unmatched-begin", f"'{directive.name}' without 'end declare target'", directive.span)
    return ranges


def listed_names(
    directives: tuple[tuple[ProbedFile, Directive], ...], sink: DiagnosticSink
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names in lists, those of ``link`` clauses apart."""
    names: set[str] = set()
    links: set[str] = set()
    for _, directive in directives:
        if not has_list(directive):
            continue
        _check_clauses(directive, sink)
        _check_lists(directive, sink)
        for clause, name in names_of(directive) if not is_host_only(directive) else ():
            (links if clause == "link" else names).add(name)
    return frozenset(names), frozenset(links)


def names_of(directive: Directive) -> Iterator[tuple[str, str]]:
    """Yield the names in a directive's lists, each with its clause."""
    for clause, item in listed_items(directive):
        yield clause, item.whole.text.strip().removeprefix("::")


def is_host_only(directive: Directive) -> bool:
    """Whether a directive keeps its declarations off devices."""
    return any(isinstance(c, KeywordClause) and c.keyword == "host" for c in directive.named("device_type"))


def _check_clauses(directive: Directive, sink: DiagnosticSink) -> None:
    for clause in directive.clauses:
        if clause.name == "device_type" and is_host_only(directive):
            sink.warning("declare-target-host", "'device_type(host)' keeps these off the device", clause.span)


def _check_lists(directive: Directive, sink: DiagnosticSink) -> None:
    """A variable has storage on devices, or is linked to what is mapped there."""
    first: dict[str, tuple[str, ListItem]] = {}
    for clause, item in listed_items(directive):
        name = item.whole.text.strip().removeprefix("::")
        before, where = first.setdefault(name, (clause, item))
        if before != clause and "link" in (before, clause):
            message = f"'{name}' is in '{clause}' and in '{before}'; leave it in one of them"
            sink.error("omp-bad-list-item", message, item.whole.span, Note("the first one is here", where.whole.span))


def listed_items(directive: Directive) -> Iterator[tuple[str, ListItem]]:
    """Yield the list items with their clause; ``local`` items differ from ``enter`` items only where copies are checked
    (``--check``)."""
    yield from (("", item) for item in directive.items)
    for clause in directive.clauses:
        if isinstance(clause, MotionClause | ListClause) and clause.name in _LISTS:
            yield from ((clause.name, item) for item in clause.items)


def qualified_name(cursor: Cursor) -> str:
    """Return a declaration's name with its scopes."""
    names: list[str] = []
    current: Cursor | None = cursor
    while current is not None and current.spelling and not current.kind.is_translation_unit():
        names.append(str(current.spelling))
        current = current.semantic_parent
    return "::".join(reversed(names))
