"""The closure of what kernels need: types, constants, functions, globals, macros and headers.

In: the nodes of region bodies. Out: :class:`Closure`: user declarations to copy, each once, the macros used in them,
and the system headers. Declarations are followed through clang's references; nothing is guessed from text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Container, Iterable

from clang.cindex import Cursor, Type

from rexcc.analysis.constant_values import is_lambda
from rexcc.analysis.linked_variables import is_static_member
from rexcc.analysis.member_constants import is_initialised_outside, is_member_constant
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.unnamed_calls import may_be_unnamed
from rexcc.clang import library, locations, types
from rexcc.clang.library import is_written
from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.specialisations import is_declared_specialisation
from rexcc.clang.tree import FUNCTION_KINDS, NAME_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.closure.references import References
from rexcc.codegen.closure.tables import (
    SCOPES,
    ScopeTables,
    file_scope,
    is_inside_record,
    is_local,
    pattern_definition,
)
from rexcc.codegen.places.unit_order import Places
from rexcc.codegen.places.written_names import MacroCollector, Usings
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable

_TYPE_DECLARATIONS = RECORD_KINDS | {
    "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL", "CONCEPT_DECL",
}  # fmt: skip
_WRITTEN_OUTSIDE = RECORD_KINDS | {"ENUM_DECL"}
"""Members of classes whose text may stand outside of the class, and be a specialisation."""
_PARAMETERS = frozenset(
    {"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER", "PARM_DECL", "NAMESPACE"}
)


class ClosureBuilder:
    """Collects a closure, in any number of calls; ``host`` are the methods of which devices have no bodies."""

    def __init__(self, unit: ParsedUnit, places: Places, host: Container[Place] = frozenset()) -> None:
        self.unit = unit
        self._host = host
        self.places = places
        self.closure = Closure()
        self._seen: set[int] = set()
        self._waiting: deque[Cursor] = deque()
        self._named: set[int] = set()
        self.scoped = tuple(file_scope(unit.declarations))
        self._tables = ScopeTables(unit, self.scoped)
        self.usings = Usings(unit, (n for n in self.scoped if n.kind == "USING_DECLARATION"))
        macros = MacroCollector(unit, self.closure.macros, self._include)
        self._references = References(unit, self.closure, self.usings, macros, host, self._tables.specialisations)
        self._captured: set[Variable] = set()
        self._passed: set[Variable] = set()
        self.linked: Collection[Variable] = ()
        self.imported: Collection[int] = ()

    def ignore_variables(self, variables: Iterable[Variable]) -> None:
        """Name variables that reach kernels as arguments, so that they are not copied as globals."""
        self._captured = set(variables)

    def add_body(self, node: Node) -> None:
        """Add everything a statement or function body refers to."""
        self._scan(node)
        self._drain()

    def add_type(self, kind: Type) -> None:
        """Add the declarations that a type's spelling needs."""
        self._need_type(kind)
        self._drain()

    def add_spelling(self, variable: Cursor) -> None:
        """Add what the type in a variable's declaration is written with, alias templates for one."""
        for node in self.unit.tree.node(variable).children:
            if node.kind in NAME_KINDS:
                self._waiting.extend(self._references.of_node(node))
        self._drain()

    def add_scope(self) -> None:
        """Add the using directives at file and namespace scope, and the using declarations of what the closure has."""
        for node in self.scoped:
            if node.kind == "USING_DIRECTIVE":
                self.closure.declarations[int(node.cursor.hash)] = node
                self._scan(node)
            elif (node.kind == "USING_DECLARATION" or uses_enumeration(node)) and self._needs(node):
                self.closure.declarations[int(node.cursor.hash)] = node
        self._drain()

    def _needs(self, using: Node) -> bool:
        """Whether device code has what a using declaration names: no variable that it reaches by a pointer."""
        return self.usings.needs(using, self.linked)

    def add_declaration(self, cursor: Cursor) -> None:
        """Add a declaration itself."""
        self._waiting.append(cursor)
        self._drain()

    def add_unevaluated(self, function: Node, with_body: bool) -> None:
        """Add a function that unevaluated operands name: its declaration, or all of it."""
        if with_body:
            self._waiting.append(function.cursor)
        else:
            self._waiting.extend(self._references.of_unevaluated(function))
        self._drain()

    def has(self, declaration: Cursor) -> bool:
        """Whether the closure has a declaration, or has looked at it."""
        return int(declaration.canonical.hash) in self._seen

    def includes(self, declaration: Cursor) -> bool:
        """Whether the closure has the header that declares something of the system's."""
        path = locations.file_location(declaration.location, self.unit.tree.names)[0]
        found = self.places.system_include(path)
        return found is None or found[1] in self.closure.includes

    @property
    def size(self) -> int:
        """How many declarations the closure has looked at."""
        return len(self._seen) + self._references.instances + len(self.closure.unevaluated)

    def add_globals(self, function: Node) -> None:
        """Add the variables that a function names itself, which kernels that call it get as arguments."""
        for node in function.walk() if self._passed else ():
            variable = named_variable(node)
            if variable is not None and variable in self._passed:
                self.add_declaration(variable.cursor)

    def add_constants(self) -> None:
        """Add the constants, kernels' arguments too, that functions name which initial values of constants may call."""
        declared = self.closure.declarations.values() if self._passed else ()
        functions = [node for node in declared if node.kind in ("FUNCTION_DECL", "FUNCTION_TEMPLATE")]
        for node in (n for function in functions for n in function.walk()):
            variable = named_variable(node)
            if variable is not None and variable in self._passed and types.is_constant(variable.type):
                self.add_declaration(variable.cursor)

    def _drain(self) -> None:
        while self._waiting:
            self._declare(self._waiting.popleft())

    def _scan(self, top: Node) -> None:
        self._waiting.extend(self._references.of_code(top))

    def _need_type(self, kind: Type) -> None:
        self._waiting.extend(self._references.of_type(kind))

    def _declare(self, cursor: Cursor) -> None:
        kind = kind_of(cursor)
        if kind in _PARAMETERS or cursor.kind.is_invalid() or kind == "TRANSLATION_UNIT":
            return
        if kind != "VAR_DECL":  # which kernels may have otherwise than functions
            if int(cursor.hash) in self._named:
                return
            self._named.add(int(cursor.hash))
        if kind != "VAR_DECL" or Variable(cursor) not in self._captured:
            self.usings.note(cursor)
        if library.in_system_header(cursor):
            self._include(cursor)
            return
        if kind in ("ENUM_CONSTANT_DECL", "FIELD_DECL", "CONSTRUCTOR", "DESTRUCTOR"):
            self._waiting.append(cursor.semantic_parent)
        if kind in ("ENUM_CONSTANT_DECL", "FIELD_DECL"):
            return
        key = int(cursor.canonical.hash)
        if key in self._seen:
            return
        self._seen.add(key)
        if kind == "VAR_DECL":
            self._variable(cursor)
        elif kind in FUNCTION_KINDS:
            self._function(cursor)
        elif kind in _TYPE_DECLARATIONS:
            self._type_declaration(cursor)
        elif kind in ("NAMESPACE_ALIAS", "USING_DECLARATION") and not is_local(cursor):
            self._keep(cursor)
        elif kind == "UNEXPOSED_DECL":
            self._variable_template(cursor)

    def _include(self, cursor: Cursor) -> None:
        """Include the header that declares something of the system's, and the one that defines it.

        They may be two that know nothing of each other: ``<tuple>`` declares ``std::array``.
        """
        for declared in (cursor, cursor.get_definition() or pattern_definition(cursor)):
            if declared is None or not library.in_system_header(declared):
                continue
            path = locations.file_location(declared.location, self.unit.tree.names)[0]
            found = self.places.system_include(path)
            if found is not None and found[1] not in self.closure.includes:
                self.closure.includes[found[1]] = found[0]
                for key, name in self.places.in_front(found[0]):
                    self.closure.includes.setdefault(name, key)

    def _variable(self, cursor: Cursor) -> None:
        variable = Variable(cursor)
        if variable in self.linked:
            self._need_type(cursor.type)  # of its pointer, where a function uses that
            if is_static_member(cursor):
                self._waiting.append(cursor.semantic_parent)
            return
        if variable in self._captured:
            self._seen.discard(int(cursor.canonical.hash))  # another kernel, or a function, may need the global itself
            self._passed.add(variable)
            return
        if not variable.is_global:
            return
        parent = cursor.semantic_parent
        if parent is not None and kind_of(parent) in RECORD_KINDS:
            self._waiting.append(parent)
            self._member(cursor)
            return
        if parent is not None and kind_of(parent) not in SCOPES:
            return  # a function's static: its kernel or function carries it
        node = self.unit.tree.node(cursor.get_definition() or cursor)
        self.closure.variables[variable.key] = node
        self._scan(node)
        self._need_type(cursor.type)

    def _member(self, cursor: Cursor) -> None:
        """Keep the definitions of a constant member that give it its first value outside of its class."""
        if not is_member_constant(cursor):
            return
        pattern = library.template_of(cursor)
        for declared in (cursor, pattern) if pattern is not None else (cursor,):
            definition = declared.get_definition()
            if definition is None or (declared is not pattern and pattern and not is_written(definition, pattern)):
                continue
            node = self.unit.tree.node(definition)
            if node.file in self.unit.files and is_initialised_outside(self.unit, node):
                self.closure.members[int(node.cursor.hash)] = node
                self._scan(node)

    def _variable_template(self, cursor: Cursor) -> None:
        """Keep all declarations of a variable template; a reference names an instantiation, which has the same name."""
        parent = cursor.semantic_parent
        if parent is not None and kind_of(parent) in RECORD_KINDS:
            self._waiting.append(parent)
        for node in self._tables.templates.get(str(cursor.spelling), ()):
            if node.cursor.semantic_parent == parent and self.unit.user_text(node).startswith("template"):
                self.closure.variables[int(node.cursor.hash)] = node
                self._scan(node)
        self._scan(self.unit.tree.node(cursor))

    def _function(self, cursor: Cursor) -> None:
        if (parent := cursor.semantic_parent) is not None and kind_of(parent) in RECORD_KINDS:
            self._waiting.append(parent)
        self._waiting += self._tables.specialisations.get(int(cursor.canonical.hash), ())
        if is_declared_specialisation(cursor):
            self._keep_forward(None, cursor)
            return
        definition = cursor.get_definition() or pattern_definition(cursor)
        if definition is None and (
            kind_of(cursor) == "FUNCTION_TEMPLATE" or int(cursor.canonical.hash) in self.imported
        ):
            definition = cursor.canonical
        if definition is None:
            return
        pattern = library.template_of(definition)
        if pattern is not None and not is_written(definition, pattern):
            return  # an instantiation: its pattern is copied
        node = self.unit.tree.node(definition)
        if is_inside_record(definition) or is_local(definition):
            return
        if (node.file, node.start) in self._host:
            self.closure.absent.add(int(cursor.canonical.hash))
            return
        self.closure.declarations[int(cursor.canonical.hash)] = node
        self._scan(node)
        self._keep_forward(node, node.cursor)
        self._waiting += self._tables.made_together(node)
        if cursor.canonical != definition:
            self._scan(self.unit.tree.node(cursor.canonical))  # it may name types that the definition does not

    def _type_declaration(self, cursor: Cursor) -> None:
        if is_lambda(cursor):
            return  # it has no text but the lambda's
        self._waiting += self._tables.specialisations.get(int(cursor.canonical.hash), ())
        if self._tables.specialisations:  # code need not name those that make, copy or convert an object
            unnamed = filter(may_be_unnamed, types.members_of(cursor.type))
            self._waiting += (s for m in unnamed for s in self._tables.specialisations.get(int(m.canonical.hash), ()))
        pattern = library.template_of(cursor)
        if pattern is not None:
            self._waiting.append(pattern)
            if not is_written(cursor, pattern):
                self._scan_initialisers(cursor)
                return
        for guide in self._tables.guides.get(int(cursor.canonical.hash), ()):
            self.closure.forward[int(guide.cursor.hash)] = guide
            self._scan(guide)
        self._keep(cursor.get_definition() or cursor)

    def _scan_initialisers(self, instance: Cursor) -> None:
        """Follow the first values of an instantiation's members: in the pattern, dependent calls have no target yet."""
        if not library.in_system_header(instance):
            for member in instance.type.get_fields():
                for node in self.unit.tree.node(member).walk():
                    self._waiting.extend(self._references.of_node(node))

    def _keep_forward(self, node: Node | None, declared: Cursor) -> None:
        """Keep the declarations in front of a definition: what stands in between may use them."""
        for before in self._tables.forward.get(int(declared.canonical.hash), ()):
            if node is None or before.cursor != node.cursor:
                self.closure.forward[int(before.cursor.hash)] = before
                self._scan(before)

    def _keep(self, cursor: Cursor) -> None:
        """Keep a declaration, and the outermost record that it is in; local ones go with their kernel."""
        outer = cursor
        parent = outer.semantic_parent
        while parent is not None and kind_of(parent) in RECORD_KINDS:
            outer, parent = parent, parent.semantic_parent
        if outer is not cursor:
            self._waiting.append(outer)
            if is_inside_record(cursor) or kind_of(cursor) not in _WRITTEN_OUTSIDE:
                return
            outer = cursor
        node = self._tables.with_typedef(self.unit.tree.node(outer))
        kept = self.closure.local_types if is_local(outer) else self.closure.declarations
        kept[int(outer.canonical.hash)] = node
        self._scan(node)
        self._waiting += self._tables.made_together(node)
        self._keep_forward(node, outer)
        if kind_of(outer) in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
            self._need_type(outer.underlying_typedef_type)
            if is_local(outer):  # its text may be that of the type it means
                self._need_type(library.canonical_type(outer.underlying_typedef_type))
