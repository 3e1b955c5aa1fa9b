"""Variables of contention groups (OpenMP 6.0, 7.13, ``groupprivate``): each team of a league has its own, without a
value when the team begins; the threads of the team share it.

In: the ``groupprivate`` directives of a unit. Out: :class:`GroupVariables`. On devices such a variable lies in the
memory of a block: at file or namespace scope it is a variable of the device file, which functions of the file use too;
one of a block around a region is the region's own; one that device code declares is static there.

The host's threads are one contention group, so the variable stays as it is there: constructs of the host that form
teams are refused where they use one, and host versions of regions, which are contention groups of their own, have a
copy of it (``host_copies``).
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.function_facts import function_facts
from rexcc.analysis.linked_variables import is_definition
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.clang import locations
from rexcc.clang.scopes import enclosing_scope
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.frontend.probe import ProbedFile
from rexcc.openmp.model import Directive, KeywordClause, ListItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, variable_of
from rexcc.source.records import dataclass

_SCOPES = RECORD_KINDS | {"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"}
_USES = frozenset({"DECL_REF_EXPR", "MEMBER_REF_EXPR"})


@dataclass(frozen=True, eq=False)
class GroupVariable:
    """A variable that a directive lists; ``is_of_block``: a function's block declares it. None is found for a name that
    nothing in front of the directive declares."""

    item: ListItem
    directive: Directive
    cursor: Cursor | None
    is_of_block: bool = False

    @property
    def is_host_only(self) -> bool:
        """Whether devices have no such variable."""
        return _device_type(self.directive) == "host"

    @property
    def is_device_only(self) -> bool:
        """Whether the program does not use the host's variable."""
        return _device_type(self.directive) == "nohost"


class GroupVariables:
    """The variables of contention groups of a unit, in the order of their directives."""

    def __init__(self, unit: ParsedUnit) -> None:
        self._unit = unit
        found = ((file, d) for file, d in unit.declaratives if d.name == "groupprivate")
        self.directives = tuple(found)
        self.listed = tuple(made for file, d in self.directives for made in _listed(unit, file, d))
        known = [(one, one.cursor) for one in self.listed if one.cursor is not None]
        self._of_file = {Variable(cursor): one for one, cursor in known if not one.is_of_block}
        self._of_block = {self._place(cursor): one for one, cursor in known if one.is_of_block}

    def of(self, variable: Variable) -> GroupVariable | None:
        """Return what a directive says of a variable, None for any other one."""
        if not self.listed:
            return None
        found = self._of_file.get(variable)
        return found or (self._of_block.get(self._place(variable.cursor)) if self._of_block else None)

    def on_devices(self) -> dict[Variable, Cursor]:
        """Return the variables of file and namespace scope that device files have, with their definitions."""
        kept = ((v, one.cursor) for v, one in self._of_file.items() if not one.is_host_only)
        return {variable: cursor for variable, cursor in kept if cursor is not None}

    def used_in(self, code: Node) -> Iterator[tuple[GroupVariable, Node]]:
        """Yield the variables that code itself names, with each use."""
        for node in code.walk() if self.listed else ():
            variable = variable_of(node.referenced) if node.kind in _USES else None
            found = self.of(variable) if variable is not None else None
            if found is not None:
                yield found, node

    def used_by_functions(self, code: Node) -> Iterator[tuple[GroupVariable, Node]]:
        """Yield the same of the functions that code calls, directly or through others."""
        for function in function_facts(self._unit).reached(code) if self._of_file else ():
            if not lacks_definition(function):
                yield from self.used_in(self._unit.tree.node(function.get_definition() or function))

    def _place(self, cursor: Cursor) -> tuple[str, int]:
        """Return where a variable is declared, which is one place for all instantiations of a template."""
        return locations.file_location(cursor.location, self._unit.tree.names)


def _device_type(directive: Directive) -> str:
    clauses = (c for c in directive.named("device_type") if isinstance(c, KeywordClause))
    return next((c.keyword for c in clauses), "any")


def _listed(unit: ParsedUnit, file: ProbedFile, directive: Directive) -> Iterator[GroupVariable]:
    for item in directive.items:
        name = item.whole.text.strip()
        place = directive.span.start
        local = _in_blocks(unit, file, name, place)
        if local is not None:
            yield GroupVariable(item, directive, local, is_of_block=True)
        else:
            yield GroupVariable(item, directive, _in_scopes(unit, file, name.removeprefix("::"), place))


def _in_scopes(unit: ParsedUnit, file: ProbedFile, name: str, place: int) -> Cursor | None:
    """Return the variable at file or namespace scope that a name means at a place: that of the innermost scope, and its
    definition, if the unit has one."""
    around, (*written, last) = _scopes_at(unit, file, place), name.split("::")
    found: list[tuple[int, bool, Cursor]] = []
    for cursor in _global_variables(unit.declarations):
        scopes = [str(s.spelling) for s in reversed(_scopes_of(cursor)) if s.spelling]
        depth = len(scopes) - len(written)
        if str(cursor.spelling) == last and depth >= 0 and scopes == [*around[:depth], *written]:
            found.append((depth, is_definition(cursor), cursor))
    return max(found, key=lambda one: one[:2])[2] if found else None


def _scopes_at(unit: ParsedUnit, file: ProbedFile, place: int) -> list[str]:
    """Return the names of the scopes around a place, outermost first."""
    path = next(path for path, one in unit.files.items() if one is file)
    names: list[str] = []
    inside: Node | None = None
    waiting = unit.declarations
    while waiting:
        scopes = (n for n in waiting if n.kind in _SCOPES and n.file == path)
        inside = next((n for n in scopes if file.original(n.start) <= place < file.original(n.end)), None)
        waiting = inside.children if inside is not None else ()
        names += [inside.spelling] if inside is not None and inside.spelling else []
    return names


def _scopes_of(cursor: Cursor) -> list[Cursor]:
    found: list[Cursor] = []
    current = enclosing_scope(cursor)
    while current is not None and not current.kind.is_translation_unit():
        found += [current] if kind_of(current) in _SCOPES else []
        current = enclosing_scope(current)
    return found


def _global_variables(declarations: tuple[Node, ...]) -> Iterator[Cursor]:
    for node in declarations:
        if node.kind == "VAR_DECL":
            yield node.cursor
        elif node.kind in _SCOPES:
            yield from _global_variables(node.children)


def _in_blocks(unit: ParsedUnit, file: ProbedFile, name: str, place: int) -> Cursor | None:
    """Return the variable of a name that is declared in front of a place by the innermost block around it."""
    path = next(path for path, one in unit.files.items() if one is file)
    waiting = [node for node in unit.declarations if node.file == path]
    found: Cursor | None = None
    while waiting:
        node = waiting.pop()
        if node.file != path or not file.original(node.start) <= place < file.original(node.end):
            continue
        if node.kind == "COMPOUND_STMT":
            found = _declared(file, node, name, place) or found
        waiting += node.children
    return found


def _declared(file: ProbedFile, block: Node, name: str, place: int) -> Cursor | None:
    statements = (s for s in block.children if s.kind == "DECL_STMT" and file.original(s.start) < place)
    variables = [d for s in statements for d in s.children if d.kind == "VAR_DECL" and d.spelling == name]
    return variables[-1].cursor if variables else None
