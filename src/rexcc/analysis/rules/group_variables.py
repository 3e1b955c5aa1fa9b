"""Variables of contention groups: which variables may be some, and where they may be named (OpenMP 6.0, 7.13).

In: a unit with ``groupprivate`` directives. Out: errors for names of no variable, for variables that cannot be one of
each team, for clauses that name one, and for code that would use another group's.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.declare_target_directives import device_directives, names_of, qualified_name
from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.group_variables import GroupVariable, GroupVariables
from rexcc.analysis.linked_variables import is_static_member
from rexcc.analysis.rules.facts import in_target, is_known
from rexcc.clang import classes, types
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.text import Span

_CODE = "omp-groupprivate"
_CLAUSES = (
    "private", "firstprivate", "lastprivate", "linear", "induction", "reduction", "in_reduction", "task_reduction",
    "shared", "copyin", "copyprivate", "map", "to", "from", "use_device_ptr", "use_device_addr", "is_device_ptr",
    "has_device_addr", "allocate", "uses_allocators",
)  # fmt: skip
_WORDS = frozenset({"inline", "thread_local", "__thread", "_Thread_local"})


def check_group_variables(unit: ParsedUnit, sink: DiagnosticSink) -> None:
    """Report what cannot be a variable of contention groups, and what no such variable may be used for."""
    groups = unit.kept(GroupVariables)
    for one in groups.listed:
        _check_variable(unit, one, sink)
    if groups.listed:
        _check_declared(unit, groups, sink)
        for construct in all_constructs(unit):
            _check_clauses(construct, groups, sink)
            _check_group(construct, groups, sink)


def _check_variable(unit: ParsedUnit, one: GroupVariable, sink: DiagnosticSink) -> None:
    name, place = one.item.whole.text.strip(), one.item.whole.span
    if one.cursor is None:
        message = f"'{name}' is no variable that is declared in front of this directive"
        sink.error("omp-bad-list-item", message, place)
        return
    kind = one.cursor.type
    if not is_known(kind):
        return  # a template's instantiations tell
    if types.is_reference(kind) or kind.get_size() <= 0:
        message = f"'{name}' has a type that no variable of a team can have: a reference, or one that is not complete"
        sink.error("omp-list-item-type", message, place, *_declared_note(unit, one.cursor))
        return
    obstacle = _obstacle(unit, one.cursor)
    if obstacle and not one.is_host_only:
        message = f"'{name}' {obstacle}; that cannot be lowered yet for a groupprivate variable"
        sink.error("unsupported-declaration", message, place, *_declared_note(unit, one.cursor))


def _obstacle(unit: ParsedUnit, cursor: Cursor) -> str:
    """Return why a variable cannot be one of teams, empty for nothing."""
    element = types.innermost(cursor.type)
    if types.is_record(element) and not classes.is_trivial(element):
        return "has a constructor or a destructor, which nobody would call for each team"
    if is_static_member(cursor):
        return "is a static member of a class"
    if types.is_constant(cursor.type):
        return "is constant"
    head = [token.spelling for token in cursor.get_tokens()]
    name = str(cursor.spelling)
    word = next((w for w in head[: head.index(name) if name in head else 0] if w in _WORDS), "")
    return f"is '{word}'" if word else ""


def _declared_note(unit: ParsedUnit, cursor: Cursor) -> Iterator[Note]:
    yield Note("it is declared here", unit.span(unit.tree.node(cursor)))


def _check_declared(unit: ParsedUnit, groups: GroupVariables, sink: DiagnosticSink) -> None:
    """A variable has one kind of storage on devices."""
    names: dict[str, Span] = {}
    for _, directive in device_directives(unit):
        names |= {name: directive.span for clause, name in names_of(directive) if clause != "local"}
    for one in groups.listed:
        if one.cursor is None or one.is_of_block:
            continue
        place = next((names[n] for n in (str(one.cursor.spelling), qualified_name(one.cursor)) if n in names), None)
        if place is not None:
            message = f"'{one.item.whole.text.strip()}' is groupprivate and in a list of 'declare target'"
            sink.error(_CODE, message, place, Note("made so here", one.item.whole.span))


def _check_clauses(construct: Construct, groups: GroupVariables, sink: DiagnosticSink) -> None:
    for found in construct.items(*_CLAUSES):
        one = groups.of(found.variable) if found.variable is not None else None
        if one is not None:
            message = f"'{found.item.whole.text.strip()}' is groupprivate and cannot be in '{found.clause.name}': "
            message += "the threads of a team share it, and it has no value when the team begins"
            sink.error(_CODE, message, found.item.whole.span, Note("made so here", one.item.whole.span))


def _check_group(construct: Construct, groups: GroupVariables, sink: DiagnosticSink) -> None:
    """The host's variable is that of its first contention group; devices have none of ``device_type(host)``."""
    if construct.body is None:
        return
    leaf = construct.directive.leaves[0]
    if leaf == "target" and "data" not in construct.directive.name:
        for one, use in groups.used_in(construct.body):
            if one.is_host_only:
                message = f"'{one.item.whole.text.strip()}' is groupprivate with device_type(host), and devices have "
                sink.error(_CODE, message + "no such variable", _span(construct, use.file, use.start, one))
                return
    if leaf == "teams" and not in_target(construct):
        used = [*groups.used_in(construct.body), *groups.used_by_functions(construct.body)]
        for one, _ in used[:1]:
            message = (
                f"teams of the host cannot have a groupprivate variable each yet; '{one.item.whole.text.strip()}' "
            )
            sink.error("unsupported-construct", message + "is used in this construct", construct.span)


def _span(construct: Construct, file: str, start: int, one: GroupVariable) -> Span:
    name = one.item.whole.text.strip().rpartition("::")[2]
    at = construct.file.original(start)
    return construct.file.scan.source.span(at, at + len(name))
