"""The closure of what kernels need: types, constants, functions, globals, macros and headers.

In: the nodes of region bodies. Out: :class:`Closure`: user declarations to copy, each once, the macros used in them,
and the system headers. Declarations are followed through clang's references; nothing is guessed from text.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Container, Iterable

from clang.cindex import Cursor, Type

from rexcc.analysis.constant_values import is_lambda
from rexcc.analysis.implicit_calls import CALLING, implicit_calls
from rexcc.analysis.linked_variables import is_static_member
from rexcc.analysis.member_constants import is_initialised_outside, is_member_constant
from rexcc.analysis.reachable_functions import NAMING, SHARED_KINDS, Place, is_elsewhere
from rexcc.analysis.unnamed_calls import may_be_unnamed
from rexcc.clang import library, spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.codegen.argument_declarations import classes_of_objects
from rexcc.codegen.closure_tables import (
    SCOPES,
    ScopeTables,
    file_scope,
    is_inside_record,
    is_local,
    is_written,
    must_exist,
    pattern_definition,
)
from rexcc.codegen.reachability import device_nodes
from rexcc.codegen.scopes import uses_enumeration
from rexcc.codegen.unit_order import Key, Places
from rexcc.codegen.written_names import MacroCollector, Usings
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass, field

_TYPE_DECLARATIONS = RECORD_KINDS | {
    "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL", "CONCEPT_DECL",
}  # fmt: skip
_WRITTEN_OUTSIDE = RECORD_KINDS | {"ENUM_DECL"}
"""Members of classes whose text may stand outside of the class, and be a specialisation."""
_TYPED = frozenset(
    {"VAR_DECL", "PARM_DECL", "FIELD_DECL", "CXX_FOR_RANGE_STMT", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
     "CXX_FUNCTIONAL_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR"}
)  # fmt: skip
"""Nodes whose type's spelling stands in their text."""
_NAMES = ("TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF")
_PARAMETERS = frozenset(
    {"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER", "PARM_DECL", "NAMESPACE"}
)


@dataclass(eq=False)
class Closure:
    """Declarations by their hash, in the order found; macros by definition place; includes by sort key.

    ``forward`` are the declarations of classes and templates of C++ that are defined later. ``namespaces`` are those
    that using directives and aliases name: they must exist, be they empty. ``members`` are the definitions of constant
    static members outside of their classes, ``unevaluated`` the functions of which only a declaration is needed.
    ``undefined`` are the functions that this file calls and does not define, ``absent`` those that templates may mean.
    """

    declarations: dict[int, Node] = field(default_factory=dict)
    variables: dict[int, Node] = field(default_factory=dict)
    forward: dict[int, Node] = field(default_factory=dict)
    macros: dict[tuple[str, int], Node] = field(default_factory=dict)
    includes: dict[str, Key] = field(default_factory=dict)
    local_types: dict[int, Node] = field(default_factory=dict)
    namespaces: dict[int, Cursor] = field(default_factory=dict)
    undefined: dict[int, tuple[Cursor, Node]] = field(default_factory=dict)
    absent: set[int] = field(default_factory=set)

    members: dict[int, Node] = field(default_factory=dict)
    unevaluated: dict[int, Node] = field(default_factory=dict)

    def has_function(self, name: str) -> bool:
        """Whether device code has a function, or a template of functions, of a name."""
        return any(n.kind in FUNCTION_KINDS and n.spelling == name for n in self.declarations.values())


class ClosureBuilder:
    """Collects a closure, in any number of calls; ``host`` are the methods of which devices have no bodies."""

    def __init__(self, unit: ParsedUnit, places: Places, host: Container[Place] = frozenset()) -> None:
        self.unit = unit
        self._host = host
        self.places = places
        self.closure = Closure()
        self._seen: set[int] = set()
        self._scanned: set[int] = set()  # instantiations whose bodies were followed; what is written is declared, too
        self._waiting: deque[Cursor] = deque()
        self._named: set[int] = set()
        self._macros = MacroCollector(unit, self.closure.macros, self._include)
        self.scoped = tuple(file_scope(unit.declarations))
        self._tables = ScopeTables(unit, self.scoped)
        self.usings = Usings(unit, (n for n in self.scoped if n.kind == "USING_DECLARATION"))
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
            if node.kind in _NAMES:
                self._visit(node)
        self._drain()

    def add_scope(self) -> None:
        """Add the using directives at file and namespace scope, and the using declarations of what the closure has."""
        for node in self.scoped:
            if node.kind == "USING_DIRECTIVE":
                self.closure.declarations[int(node.cursor.hash)] = node
                self._scan(node)
            elif (node.kind == "USING_DECLARATION" or uses_enumeration(node)) and self.usings.needs(node):
                self.closure.declarations[int(node.cursor.hash)] = node
        self._drain()

    def add_declaration(self, cursor: Cursor) -> None:
        """Add a declaration itself."""
        self._waiting.append(cursor)
        self._drain()

    def add_unevaluated(self, function: Node, with_body: bool) -> None:
        """Add a function that unevaluated operands name: its declaration, or all of it."""
        key = int(function.cursor.canonical.hash)
        if with_body:
            self.add_declaration(function.cursor)
        elif key not in self.closure.declarations and key not in self.closure.unevaluated:
            self.closure.unevaluated[key] = function
            for node in function.children:
                if node.kind not in ("COMPOUND_STMT", "PARM_DECL"):
                    self._visit(node)
            self._drain()

    def has(self, declaration: Cursor) -> bool:
        """Whether the closure has a declaration, or has looked at it."""
        return int(declaration.canonical.hash) in self._seen

    def includes(self, declaration: Cursor) -> bool:
        """Whether the closure has the header that declares something of the system's."""
        path = library.file_location(declaration.location, self.unit.tree.names)[0]
        found = self.places.system_include(path)
        return found is None or found[1] in self.closure.includes

    @property
    def size(self) -> int:
        """How many declarations the closure has looked at."""
        return len(self._seen) + len(self._scanned) + len(self.closure.unevaluated)

    def add_globals(self, function: Node) -> None:
        """Add the variables that a function names itself, which kernels that call it get as arguments."""
        for node in function.walk() if self._passed else ():
            variable = named_variable(node)
            if variable is not None and variable in self._passed:
                self.add_declaration(variable.cursor)

    def _drain(self) -> None:
        while self._waiting:
            self._declare(self._waiting.popleft())

    def _scan(self, top: Node) -> None:
        behind = (c.end for c in top.children if c.kind.endswith("_ATTR"))  # clang's ranges end at the brace
        self._macros.add(top.file, top.start, max(top.end, *behind, top.end))
        for node in device_nodes(top, self._host):
            self._visit(node)

    def _visit(self, node: Node) -> None:
        if node.kind == "OVERLOADED_DECL_REF":
            for candidate in library.overloads(node.cursor):
                self._waiting.append(candidate)
                if kind_of(candidate) in FUNCTION_KINDS and is_elsewhere(candidate):
                    self.closure.absent.add(int(candidate.canonical.hash))
        target = node.referenced
        if target is not None:
            self._waiting += [target, *self.usings.of_qualified(node, target), *self.usings.of_alias(node, target)]
            if node.kind in NAMING and kind_of(target) in SHARED_KINDS:
                self._check_defined(node, target)
            pattern = library.template_of(target)
            if pattern is not None:
                self._waiting.append(pattern)
                if kind_of(target) in FUNCTION_KINDS:
                    self._scan_instance(target)
        if node.kind in CALLING or (target is not None and kind_of(target) in FUNCTION_KINDS):
            for function in implicit_calls(node):
                self._waiting.append(function)
                if (pattern := library.template_of(function)) is not None:
                    self._waiting.append(pattern)
                    self._scan_instance(function)
        if node.kind in _TYPED:
            self._need_type(node.type)
        if target is not None and kind_of(target) == "NAMESPACE" and must_exist(node):
            self.closure.namespaces[int(target.canonical.hash)] = target.canonical

    def _check_defined(self, node: Node, target: Cursor) -> None:
        """Remember a call or the address of a user function that has no body in this translation unit."""
        if is_elsewhere(target) and is_unevaluated(node):
            if library.template_of(target) is None:  # a template's declaration does for its instances
                self.add_unevaluated(self.unit.tree.node(target.canonical), with_body=False)
        elif is_elsewhere(target):
            self.closure.undefined.setdefault(int(target.canonical.hash), (target, node))

    def _scan_instance(self, instance: Cursor) -> None:
        """Follow the typed body of an instantiation: in the pattern, dependent calls have no target yet."""
        key = int(instance.hash)
        if key in self._scanned or library.in_system_header(instance):
            return
        self._scanned.add(key)
        for child in self.unit.tree.node(instance).children:
            if child.kind == "COMPOUND_STMT":
                self._scan(child)

    def _need_type(self, kind: Type) -> None:
        current = types.without_reference(kind)
        for _ in range(20):
            declaration = current.get_declaration()
            if declaration is not None and not declaration.kind.is_invalid():
                self._waiting.append(declaration)
            elif spelling.is_used(current):
                self._waiting += self.usings.meanings(current)
            below = types.element_of(current)
            if below is None and types.kind_name(current.get_canonical()) == "POINTER":
                below = types.pointee_of(current)
            if below is None:
                break
            current = below
        self._waiting += classes_of_objects(self.unit, str(types.canonical(current).spelling))
        for index in range(max(0, current.get_num_template_arguments())):
            argument = current.get_template_argument_type(index)
            if types.kind_name(argument) != "INVALID":
                self._need_type(argument)

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
        if kind in ("ENUM_CONSTANT_DECL", "FIELD_DECL") or kind in ("CONSTRUCTOR", "DESTRUCTOR"):
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
        path = library.file_location(cursor.location, self.unit.tree.names)[0]
        found = self.places.system_include(path)
        if found is not None:
            self.closure.includes.setdefault(found[1], found[0])

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
        if is_inside_record(definition) or is_local(definition) or (node.file, node.start) in self._host:
            return
        self.closure.declarations[int(cursor.canonical.hash)] = node
        self._scan(node)
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
                    self._visit(node)

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
        for before in self._tables.forward.get(int(outer.canonical.hash), ()):
            if before.cursor != node.cursor:
                self.closure.forward[int(before.cursor.hash)] = before
                self._scan(before)
        if kind_of(outer) in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
            self._need_type(outer.underlying_typedef_type)
            if is_local(outer):  # its text may be that of the type it means
                self._need_type(library.canonical_type(outer.underlying_typedef_type))
