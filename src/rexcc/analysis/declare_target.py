"""What ``declare target`` says about a translation unit's variables.

In: the ``declare target`` directives of the unit. Out: :class:`DeclareTarget`, which answers whether a variable is on
the device, and what of it the device's image has.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from functools import cached_property

from clang.cindex import Cursor, LinkageKind

from rexcc.analysis.constant_values import is_lambda, is_plain_lambda
from rexcc.analysis.declare_target_directives import (
    Blocks,
    blocks,
    device_directives,
    listed_names,
    names_of,
    qualified_name,
)
from rexcc.analysis.device_constructs import all_constructs, region_bodies
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.initial_addresses import add_pointees, check_pointees
from rexcc.analysis.linked_variables import Linked, Way, is_copied, is_definition, is_lone, linked_variables, marked
from rexcc.analysis.replaceable_functions import weak_by_pragmas
from rexcc.analysis.requirements import UNIFIED_SHARED_MEMORY, requirements
from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.model import Directive
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import DiagnosticSink, Note
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field, replace

_CLASSES = RECORD_KINDS - {"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
_WEAK = regex(r"\b(?:__)?weak(?:__)?\b")
"""What clang prints in front of the name of a variable that several files may define, or behind it."""


@dataclass(frozen=True, eq=False)
class DeclareTarget:
    """The device declarations of a unit: variables in source order with their definitions, as far as there are any;
    ``linked`` are those of them that the image has no storage of, ``mark`` tells the unit from others whose images the
    devices' linkers join with its own; it is empty where they join none. Of ``local`` ones (6.0, 9.9) each device has a
    variable of its own, no copy of the host's; of ``groups`` (6.0, 7.13) each team has."""

    variables: dict[Variable, Cursor]
    directives: tuple[tuple[ProbedFile, Directive], ...]
    linked: dict[Variable, Linked] = field(default_factory=dict)
    local: frozenset[Variable] = frozenset()
    groups: frozenset[Variable] = frozenset()
    mark: str = ""

    def of_unit(self, mark: str) -> DeclareTarget:
        """Return this with the names of a unit whose image may be joined with others', which has a mark."""
        return replace(self, linked=marked(self.linked, mark), mark=mark) if mark else self

    def has_variable(self, variable: Variable) -> bool:
        """Whether a variable lives on the device."""
        return variable in self.variables

    @cached_property
    def in_image(self) -> frozenset[Variable]:
        """The variables of which the image has the storage."""
        return frozenset(self.variables.keys() - self.linked.keys())

    def link_of(self, variable: Variable) -> Linked | None:
        """Return how device code reaches a variable that the image has no storage of, None for any other one."""
        return self.linked.get(variable)


def declare_target(
    unit: ParsedUnit, sink: DiagnosticSink, alone: bool = True, is_common: bool = False
) -> DeclareTarget:
    """Read the ``declare target`` directives of a unit; ``alone`` tells that there is no other unit, ``is_common`` that
    several files may define a variable of C without a first value (``-fcommon``)."""
    directives, of_groups = device_directives(unit), unit.kept(GroupVariables)
    if not directives and not of_groups.directives:
        return DeclareTarget({}, ())
    ranges = Blocks(unit, [(f, start, end) for f, start, end, _ in blocks(directives, sink)])
    named, links = listed_names(directives, sink)
    local = {name for _, d in directives for clause, name in names_of(d) if clause == "local"}
    variables: dict[Variable, Cursor] = {}
    linked: set[Variable] = set()
    defined: set[Variable] = set()
    apart: set[Variable] = set()
    globals_of_unit = list(_global_variables(unit.declarations))
    for node in globals_of_unit:
        inside = ranges.contain(node)
        variable, names = Variable(node.cursor), {node.spelling, qualified_name(node.cursor)}
        if is_definition(node.cursor):
            defined.add(variable)
        if names & links:
            linked.add(variable)
        if names & local:
            apart.add(variable)
        is_groups = of_groups.of(variable) is not None
        if (inside or names & (named | links)) and not is_groups and not is_plain_lambda(node.cursor):
            variables.setdefault(variable, node.cursor.get_definition() or node.cursor)
    add_pointees(variables, globals_of_unit)
    _check_threadprivate(unit, variables, sink)
    _check_members(unit, ranges, sink)
    unified = requirements(unit) & UNIFIED_SHARED_MEMORY != 0
    merged = _merged(unit, globals_of_unit, variables, is_common)
    found = linked_variables(variables, linked, defined, merged, unified, alone)
    _check_copied(unit, found, sink)
    check_pointees(unit, variables, found, sink)
    groups = of_groups.on_devices()
    every = (*directives, *of_groups.directives)
    return DeclareTarget(variables | groups, every, found, frozenset(apart), frozenset(groups))


def _check_copied(unit: ParsedUnit, linked: dict[Variable, Linked], sink: DiagnosticSink) -> None:
    """Refuse the objects of which the device would have bytes that mean nothing there."""
    for found in linked.values():
        if is_lambda(found.cursor):
            message = f"'{found.cursor.spelling}' cannot be on the device: a lambda with captures belongs to the host"
            note = Note("a class with an operator() can be on both")
            sink.error("unsupported-initialiser", message, unit.span(unit.tree.node(found.cursor)), note)
            continue
        if found.way is Way.COPIED and not is_copied(found.cursor.type):
            message = f"'{found.cursor.spelling}' cannot be on the device: its constructor runs on the host only"
            note = Note("a constexpr constructor gives it a value that the device's image can have")
            sink.error("unsupported-initialiser", message, unit.span(unit.tree.node(found.cursor)), note)


def _merged(
    unit: ParsedUnit, declared: Iterable[Node], variables: Container[Variable], is_common: bool
) -> set[Variable]:
    """Return the variables of which the linker makes one of the definitions that several files have: weak and inline
    ones, and those of C that ``-fcommon`` is about. Each of the declarations may say it, and macros may."""
    weak = weak_by_pragmas(unit)
    found: set[Variable] = set()
    for node in declared:
        variable = Variable(node.cursor)
        if variable not in variables or variable in found:
            continue
        is_weak = str(node.cursor.mangled_name) in weak or _WEAK.search(library.printed_without_value(node.cursor))
        if is_weak or _is_inline(unit, node) or (is_common and _is_tentative(unit, node.cursor)):
            found.add(variable)
    return found


def _is_inline(unit: ParsedUnit, node: Node) -> bool:
    head = [token.spelling for token in node.cursor.get_tokens()] if unit.is_cplusplus else []
    return "inline" in head[: head.index(node.spelling) if node.spelling in head else 0]


def _is_tentative(unit: ParsedUnit, cursor: Cursor) -> bool:
    """Whether a declaration of C is a definition if there is no other (C11, 6.9.2)."""
    is_outside = not unit.is_cplusplus and cursor.linkage == LinkageKind.EXTERNAL
    return is_outside and cursor.storage_class.name != "EXTERN" and library.initialiser(cursor) is None


def _check_members(unit: ParsedUnit, ranges: Blocks, sink: DiagnosticSink) -> None:
    """Refuse regions that name declared static members of class templates: each instantiation is another variable,
    and the kernel would have a copy that nobody else sees (``unsupported-static-member``)."""
    if not unit.is_cplusplus or not any(map(ranges.contain, _members_of_templates(unit.declarations))):
        return
    bodies = region_bodies(all_constructs(unit))
    for use in (node for body in bodies for node in body.walk() if node.kind in ("DECL_REF_EXPR", "MEMBER_REF_EXPR")):
        member = use.referenced
        if member is None or kind_of(member) != "VAR_DECL" or is_lone(member) or types.is_constant(member.type):
            continue
        if ranges.contain(unit.tree.node(member)):
            message = f"'{unit.user_text(use)}', a static member of a class template, cannot be declared for the device"
            hint = "make it a variable at namespace scope, or leave it out of 'declare target' and map it"
            sink.error("unsupported-static-member", f"{message} yet; {hint}", unit.span(use))


def _members_of_templates(declarations: Iterable[Node]) -> Iterator[Node]:
    """Yield the static members of class templates, and what a class template in a class has."""
    for node in declarations:
        if node.kind == "VAR_DECL" and not is_lone(node.cursor):
            yield node
        elif node.kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", "CLASS_TEMPLATE", *_CLASSES):
            yield from _members_of_templates(node.children)


def _check_threadprivate(unit: ParsedUnit, variables: dict[Variable, Cursor], sink: DiagnosticSink) -> None:
    """A threadprivate variable has no single storage that a device could have a copy of (7.8); nor has a thread-local
    one."""
    for cursor in (c for c in variables.values() if c.tls_kind.name != "NONE"):
        message = f"'{cursor.spelling}' is thread-local and cannot be in 'declare target'; "
        message += "devices have no copy for each thread"
        sink.error("omp-threadprivate", message, unit.span(unit.tree.node(cursor)))
    for _, directive in unit.declaratives:
        for item in directive.items if directive.name == "threadprivate" else ():
            name = item.whole.text.strip().removeprefix("::")
            cursor = next((c for c in variables.values() if name in (str(c.spelling), qualified_name(c))), None)
            if cursor is not None:
                message = (
                    f"'{name}' is threadprivate and cannot be in 'declare target'; devices have no copy for each thread"
                )
                note = Note("declared here", unit.span(unit.tree.node(cursor)))
                sink.error("omp-threadprivate", message, item.whole.span, note)


def _global_variables(declarations: tuple[Node, ...]) -> Iterator[Node]:
    """Yield the variables at file and namespace scope and the static members of classes, not of class templates."""
    for node in declarations:
        if node.kind == "VAR_DECL":
            if is_lone(node.cursor):
                yield node
        elif node.kind in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL", *_CLASSES):
            yield from _global_variables(node.children)
