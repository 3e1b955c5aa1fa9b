"""Memory that the user asked for: alignments of private copies, and ``allocate`` and ``groupprivate`` directives in
device code (6.5, 6.6; 6.0, 7.13).

In: clauses, variables, or device code with directives. Out: the alignments that clauses and the declarations of
variables ask for; edits of the declarations that
a directive names. A static variable in the memory of a team gets its storage; all others are where
they are anyway, whatever their allocator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.analysis.allocators import alignments
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.alignments import wanted_alignment
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.openmp.model import Directive, ExpressionClause
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.patterns import regex

_HERE = frozenset({"allocate", "groupprivate"})
_STATIC = regex(r"static\b")
_TEAM = frozenset({"omp_pteam_mem_alloc", "omp_cgroup_mem_alloc"})


def region_alignments(region: TargetRegion) -> dict[str, int]:
    """Return the alignments, by variable, of a region's own private copies."""
    found: dict[str, int] = {}
    for construct in region.constructs:
        found |= alignments(construct)
    return found


def own_alignments(unit: ParsedUnit, variables: Iterable[Variable]) -> dict[str, int]:
    """Return the alignments, by name, that variables ask for in their declarations; their copies have them as well.

    Raises CompileError for one that only a compiler could compute.
    """
    found: dict[str, int] = {}
    for variable in variables:
        wanted = wanted_alignment(variable.cursor)
        if wanted is None:
            message = f"the alignment of '{variable.name}' cannot be lowered yet; write it as a number"
            raise error("unsupported-type", message, unit.span(unit.tree.node(variable.cursor)))
        if wanted and types.is_variable_length(variable.type):
            message = f"the alignment of '{variable.name}', an array of run-time extent, cannot be lowered yet; "
            message += "give it a constant extent"
            raise error("unsupported-type", message, unit.span(unit.tree.node(variable.cursor)))
        if wanted:
            found[variable.name] = wanted
    return found


def lower_allocations(body: DeviceBody, top: Node) -> None:
    """Give the variables below a node what ``allocate`` directives say of them; raises CompileError."""
    start, end = body.start(top), body.end(top)
    for file, directive in body.unit.declaratives:
        if file is not body.file or directive.name not in _HERE or not start <= directive.span.start < end:
            continue
        for item in directive.items:
            declared = list(_declared(body, top, item.base.text.strip(), directive.span.start))
            if declared and directive.name == "groupprivate":
                _lower_group(body, directive, *declared[-1])
            elif declared:
                _lower(body, directive, *declared[-1])


def _declared(body: DeviceBody, top: Node, name: str, offset: int) -> Iterator[tuple[Node, Node]]:
    """Yield the declarations of a name in front of a place, each with its statement."""
    for statement in top.walk():
        for child in statement.children if statement.kind == "DECL_STMT" else ():
            if child.kind == "VAR_DECL" and child.spelling == name and body.start(child) < offset:
                yield statement, child


def _lower_group(body: DeviceBody, directive: Directive, statement: Node, variable: Node) -> None:
    """Let a static variable of device code lie in the memory of the team (OpenMP 6.0, 7.13)."""
    if directive.keyword("device_type") == "host":
        return
    if _STATIC.match(body.text, body.start(statement)) is None:
        message = f"'{variable.spelling}' in device code is groupprivate and not declared 'static'"
        raise error("unsupported-declaration", message, body.span(variable))
    _lie_with_team(body, directive, statement, variable)


def _lie_with_team(body: DeviceBody, directive: Directive, statement: Node, variable: Node) -> None:
    start = body.start(statement)
    static = _STATIC.match(body.text, start)
    assert static is not None
    if library.initialiser(variable.cursor) is not None:
        message = f"'{variable.spelling}' lies in the memory of a team, which cannot have a first value; assign it"
        raise error("unsupported-clause", message, directive.span)
    body.edits.replace(start, static.end(), body.unit.target.words.team_memory)


def _lower(body: DeviceBody, directive: Directive, statement: Node, variable: Node) -> None:
    clauses = {c.name: c.expression.text.strip() for c in directive.of_type(ExpressionClause)}
    wanted, allocator = clauses.get("align", ""), clauses.get("allocator", "")
    start = body.start(statement)
    if wanted and not wanted.isdigit():
        message = f"the alignment '{wanted}' cannot be lowered yet; write it as a number"
        raise error("unsupported-clause", message, directive.span)
    if wanted and int(wanted) > types.canonical(variable.type).get_align():
        if types.is_variable_length(variable.type):
            message = f"the alignment of '{variable.spelling}', an array of run-time extent, cannot be lowered yet; "
            message += "give it a constant extent"
            raise error("unsupported-clause", message, directive.span)
        body.edits.before(start, len(body.text), f"alignas({wanted}) ")
        body.needs.aligned[Variable(variable.cursor)] = int(wanted)
    if _STATIC.match(body.text, start) is not None and allocator.rpartition("::")[2].strip() in _TEAM:
        _lie_with_team(body, directive, statement, variable)
