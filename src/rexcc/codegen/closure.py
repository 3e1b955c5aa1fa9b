"""The closure of what kernels need: types, constants, functions, globals, macros and headers.

In: the nodes of region bodies. Out: :class:`Closure`: user declarations to copy, each once, the macros used in them, and
the system headers. Declarations are followed through clang's references; nothing is guessed from text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from clang.cindex import Cursor, Type

from rexcc.analysis.references import variable_key
from rexcc.clang import library, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.codegen.places import Key, Places
from rexcc.frontend.unit import ParsedUnit

_TYPE_DECLARATIONS = RECORD_KINDS | {
    "ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL", "TYPE_ALIAS_TEMPLATE_DECL", "CONCEPT_DECL",
}  # fmt: skip
_SCOPES = frozenset({"TRANSLATION_UNIT", "NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_PARAMETERS = frozenset(
    {"TEMPLATE_TYPE_PARAMETER", "TEMPLATE_NON_TYPE_PARAMETER", "TEMPLATE_TEMPLATE_PARAMETER", "PARM_DECL", "NAMESPACE"}
)


@dataclass(eq=False)
class Closure:
    """Declarations by their hash, in the order found; macros by definition place; includes by sort key."""

    declarations: dict[int, Node] = field(default_factory=dict)
    variables: dict[int, Node] = field(default_factory=dict)
    macros: dict[tuple[str, int], Node] = field(default_factory=dict)
    includes: dict[str, Key] = field(default_factory=dict)
    local_types: dict[int, Node] = field(default_factory=dict)
    static_members: dict[int, Cursor] = field(default_factory=dict)
    undefined: dict[int, tuple[Cursor, Node]] = field(default_factory=dict)


class ClosureBuilder:
    """Collects a closure; ``add_body`` and ``add_type`` may be called any number of times."""

    def __init__(self, unit: ParsedUnit, places: Places) -> None:
        self.unit = unit
        self.places = places
        self.closure = Closure()
        self._seen: set[int] = set()
        self._waiting: list[Cursor] = []
        self._macro_index = _macro_uses(unit)
        self._macro_names = {n.spelling: n for n in unit.declarations if n.kind == "MACRO_DEFINITION"}
        self._scoped = tuple(_file_scope(unit.declarations))
        self._specialisations = _specialisations(self._scoped)
        self._captured: set[int] = set()

    def ignore_variables(self, keys: Iterable[int]) -> None:
        """Name variables that reach kernels as arguments, so that they are not copied as globals."""
        self._captured = set(keys)

    def add_body(self, node: Node) -> None:
        """Add everything a statement or function body refers to."""
        self._scan(node)
        self._drain()

    def add_type(self, kind: Type) -> None:
        """Add the declarations that a type's spelling needs."""
        self._need_type(kind)
        self._drain()

    def add_declaration(self, cursor: Cursor) -> None:
        """Add a declaration itself."""
        self._waiting.append(cursor)
        self._drain()

    def add_range(self, file: str, start: int, end: int) -> None:
        """Add the macros used in a range of a parsed buffer."""
        self._macros_in(file, start, end)

    def _drain(self) -> None:
        while self._waiting:
            self._declare(self._waiting.pop(0))

    def _scan(self, top: Node) -> None:
        self._macros_in(top.file, top.start, top.end)
        for node in top.walk():
            self._visit(node)

    def _visit(self, node: Node) -> None:
        if node.kind in ("OVERLOADED_DECL_REF", "DECL_REF_EXPR", "MEMBER_REF_EXPR"):
            for candidate in library.overloads(node.cursor):
                self._waiting.append(candidate)
        target = node.referenced
        if target is not None:
            self._waiting.append(target)
            if node.kind == "CALL_EXPR" and kind_of(target) == "FUNCTION_DECL":
                self._check_defined(node, target)
            pattern = library.template_of(target)
            if pattern is not None:
                self._waiting.append(pattern)
                if kind_of(target) in FUNCTION_KINDS:
                    self._scan_instance(target)
        if node.kind in ("VAR_DECL", "PARM_DECL", "FIELD_DECL", "CXX_FOR_RANGE_STMT"):
            self._need_type(node.type)

    def _check_defined(self, node: Node, target: Cursor) -> None:
        """Remember a call of a user function that has no body in this translation unit."""
        pattern = library.template_of(target)
        if target.get_definition() or (pattern is not None and pattern.get_definition()):
            return
        if library.in_system_header(target) or not target.location.file or target.spelling.startswith("__builtin"):
            return
        self.closure.undefined.setdefault(int(target.canonical.hash), (target, node))

    def _scan_instance(self, instance: Cursor) -> None:
        """Follow the typed body of an instantiation: in the pattern, dependent calls have no target yet."""
        key = int(instance.hash)
        if key in self._seen or library.in_system_header(instance):
            return
        self._seen.add(key)
        for child in self.unit.tree.node(instance).children:
            if child.kind == "COMPOUND_STMT":
                self._scan(child)

    def _need_type(self, kind: Type) -> None:
        current = types.without_reference(kind)
        for _ in range(20):
            declaration = current.get_declaration()
            if declaration is not None and not declaration.kind.is_invalid():
                self._waiting.append(declaration)
            below = types.element_of(current)
            if below is None and types.kind_name(current.get_canonical()) == "POINTER":
                below = types.pointee_of(current)
            if below is None:
                break
            current = below
        for index in range(max(0, current.get_num_template_arguments())):
            argument = current.get_template_argument_type(index)
            if types.kind_name(argument) != "INVALID":
                self._need_type(argument)

    def _declare(self, cursor: Cursor) -> None:
        kind = kind_of(cursor)
        if kind in _PARAMETERS or cursor.kind.is_invalid() or kind == "TRANSLATION_UNIT":
            return
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
        elif kind in ("NAMESPACE_ALIAS", "USING_DECLARATION"):
            self._keep(cursor)

    def _include(self, cursor: Cursor) -> None:
        path = library.file_location(cursor.location, self.unit.tree.names)[0]
        found = self.places.system_include(path)
        if found is not None:
            self.closure.includes.setdefault(found[1], found[0])

    def _variable(self, cursor: Cursor) -> None:
        if variable_key(cursor) in self._captured or not library.has_global_storage(cursor):
            return
        parent = cursor.semantic_parent
        if parent is not None and kind_of(parent) in RECORD_KINDS:
            self._waiting.append(parent)
            if not cursor.type.is_const_qualified():
                self.closure.static_members.setdefault(variable_key(cursor), cursor)
            return
        if parent is not None and kind_of(parent) not in _SCOPES:
            return  # a function's static: its kernel or function carries it
        node = self.unit.tree.node(cursor.get_definition() or cursor)
        self.closure.variables[variable_key(cursor)] = node
        self._scan(node)
        self._need_type(cursor.type)

    def _function(self, cursor: Cursor) -> None:
        if kind_of(cursor) in ("CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION"):
            self._waiting.append(cursor.semantic_parent)
        self._waiting += self._specialisations.get(int(cursor.canonical.hash), ())
        definition = cursor.get_definition() or self._pattern_definition(cursor)
        if definition is None and kind_of(cursor) == "FUNCTION_TEMPLATE":
            definition = cursor.canonical
        if definition is None:
            return
        pattern = library.template_of(definition)
        if pattern is not None and not _is_written(definition, pattern):
            return  # an instantiation: its pattern is copied
        node = self.unit.tree.node(definition)
        if self._is_inside_record(definition):
            return
        if self._is_local(definition):
            return
        self.closure.declarations[int(cursor.canonical.hash)] = node
        self._scan(node)

    @staticmethod
    def _pattern_definition(cursor: Cursor) -> Cursor | None:
        pattern = library.template_of(cursor)
        return pattern.get_definition() if pattern is not None else None

    def _type_declaration(self, cursor: Cursor) -> None:
        if "(lambda at" in str(cursor.type.spelling):
            return  # a closure's class has no text but the lambda's
        self._waiting += self._specialisations.get(int(cursor.canonical.hash), ())
        pattern = library.template_of(cursor)
        if pattern is not None:
            self._waiting.append(pattern)
            if not _is_written(cursor, pattern):
                return
        self._keep(cursor.get_definition() or cursor)

    def _keep(self, cursor: Cursor) -> None:
        """Keep a declaration: its outermost record, or itself; local ones go with their kernel."""
        outer = cursor
        parent = outer.semantic_parent
        while parent is not None and kind_of(parent) in RECORD_KINDS:
            outer, parent = parent, parent.semantic_parent
        if outer is not cursor:
            self._waiting.append(outer)
            return
        node = self._with_typedef(self.unit.tree.node(outer))
        kept = self.closure.local_types if self._is_local(outer) else self.closure.declarations
        kept[int(outer.canonical.hash)] = node
        self._scan(node)
        if kind_of(outer) in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL"):
            self._need_type(outer.underlying_typedef_type)

    def _with_typedef(self, node: Node) -> Node:
        """Return the typedef that a record or enumeration is written in (``typedef struct {…} T;``), or itself."""
        if node.kind not in RECORD_KINDS and node.kind != "ENUM_DECL":
            return node
        around = (
            n for n in self._scoped
            if n.kind == "TYPEDEF_DECL" and n.file == node.file and n.start <= node.start and node.end <= n.end
        )  # fmt: skip
        return next(around, node)

    def _is_inside_record(self, cursor: Cursor) -> bool:
        parent = cursor.lexical_parent
        return parent is not None and kind_of(parent) in RECORD_KINDS

    def _is_local(self, cursor: Cursor) -> bool:
        parent = cursor.semantic_parent
        return parent is not None and kind_of(parent) not in _SCOPES and kind_of(parent) not in RECORD_KINDS

    def _macros_in(self, file: str, start: int, end: int) -> None:
        uses = self._macro_index.get(file, [])
        at = bisect_left(uses, (start,), key=lambda u: (u[0],))
        while at < len(uses) and uses[at][0] < end:
            self._macro(uses[at][1])
            at += 1

    def _macro(self, use: Cursor) -> None:
        definition = use.referenced
        if definition is None:
            return
        if library.in_system_header(definition):
            self._include(definition)
            return
        self._macro_definition(self.unit.tree.node(definition))

    def _macro_definition(self, node: Node) -> None:
        """Keep a macro and the user's macros that its body names."""
        if not node.file or (node.file, node.start) in self.closure.macros:
            return
        self.closure.macros[(node.file, node.start)] = node
        for token in list(node.cursor.get_tokens())[1:]:
            inner = self._macro_names.get(token.spelling)
            if inner is not None:
                self._macro_definition(inner)
            elif token.spelling in self.unit.system_macros:
                self._include(self.unit.system_macros[token.spelling])


def _macro_uses(unit: ParsedUnit) -> dict[str, list[tuple[int, Cursor]]]:
    """Return, per user file, the macro uses by offset."""
    found: dict[str, list[tuple[int, Cursor]]] = {}
    for node in unit.declarations:
        if node.kind == "MACRO_INSTANTIATION" and node.file in unit.files:
            found.setdefault(node.file, []).append((node.start, node.cursor))
    for uses in found.values():
        uses.sort(key=lambda u: u[0])
    return found


def _file_scope(nodes: Iterable[Node]) -> Iterator[Node]:
    """Yield the declarations at file and namespace scope."""
    for node in nodes:
        if kind_of(node.cursor) in _SCOPES:
            yield from _file_scope(node.children)
        elif not node.kind.startswith(("MACRO", "INCLUSION")):
            yield node


def _specialisations(nodes: Iterable[Node]) -> dict[int, tuple[Cursor, ...]]:
    """Return the specialisations that the user wrote, by the hash of their template."""
    found: dict[int, tuple[Cursor, ...]] = {}
    for node in nodes:
        pattern = library.template_of(node.cursor)
        if pattern is not None and _is_written(node.cursor, pattern):
            key = int(pattern.canonical.hash)
            found[key] = (*found.get(key, ()), node.cursor)
    return found


def _is_written(cursor: Cursor, pattern: Cursor) -> bool:
    """Whether a specialisation has a text of its own, unlike an instantiation."""
    definition = pattern.get_definition() or pattern
    mine = cursor.location
    return all(
        mine.offset != p.location.offset or mine.file.name != p.location.file.name
        for p in (pattern, definition, pattern.canonical)
    )
