"""What device code refers to: the declarations behind its names, its calls and its types.

In: a node, or a type. Out: the declarations that it needs, by clang's references; nothing is guessed from text. What
can be told here alone is noted in the closure: functions of which there is no body, namespaces that must exist, macros.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.implicit_calls import CALLING, implicit_calls
from rexcc.analysis.reachable_functions import NAMING, SHARED_KINDS, Place, is_elsewhere
from rexcc.clang import library, spelling, types
from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.codegen.closure.argument_declarations import classes_of_objects, templates_given
from rexcc.codegen.closure.model import Closure
from rexcc.codegen.closure.reachability import device_nodes
from rexcc.codegen.closure.tables import file_scope, must_exist
from rexcc.codegen.places.written_names import MacroCollector, Usings
from rexcc.frontend.macros import WORD
from rexcc.program.unit import ParsedUnit

_TYPED = frozenset(
    {
        "VAR_DECL", "PARM_DECL", "FIELD_DECL", "CXX_FOR_RANGE_STMT", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR",
        "CXX_FUNCTIONAL_CAST_EXPR", "CXX_REINTERPRET_CAST_EXPR",
    }
)  # fmt: skip
"""Nodes whose type's spelling stands in their text."""
_DEEPEST_TYPE = 20


class References:
    """Yields what nodes refer to; ``host`` are the methods of which devices have no bodies, ``specialised`` the
    templates' functions (by hash) of which the user has written specialisations."""

    def __init__(
        self,
        unit: ParsedUnit,
        closure: Closure,
        usings: Usings,
        macros: MacroCollector,
        host: Container[Place],
        specialised: Container[int],
    ) -> None:
        self._unit = unit
        self._closure = closure
        self._usings = usings
        self._macros = macros
        self._host = host
        self._specialised = specialised
        self._followed: set[int] = set()  # instantiations whose bodies were; what is written is declared, too

    @property
    def instances(self) -> int:
        """How many instantiations were followed."""
        return len(self._followed)

    def of_code(self, top: Node) -> Iterator[Cursor]:
        """Yield what a statement or declaration refers to, and note its macros."""
        behind = (c.end for c in top.children if c.kind.endswith("_ATTR"))  # clang's ranges end at the brace
        self._macros.add(top.file, top.start, max(top.end, *behind, top.end))
        yield from self._usings.of_text(self._unit.user_text(top))
        for node in device_nodes(top, self._host):
            yield from self.of_node(node)

    def of_node(self, node: Node) -> Iterator[Cursor]:
        """Yield what a node refers to, without what is in it."""
        if node.kind == "OVERLOADED_DECL_REF":
            for candidate in library.overloads(node.cursor):
                yield candidate
                if kind_of(candidate) in FUNCTION_KINDS and is_elsewhere(candidate):
                    self._closure.absent.add(int(candidate.canonical.hash))
        if uses_enumeration(node):
            yield from self._of_enumeration(node)
        target = node.referenced
        if target is not None:
            yield from self._of_target(node, target)
        if node.kind in CALLING or (target is not None and kind_of(target) in FUNCTION_KINDS):
            for function in implicit_calls(node):
                yield function
                yield from self._of_template(function)
        if node.kind in _TYPED:
            yield from self.of_type(node.type)
        if target is not None and kind_of(target) == "NAMESPACE" and must_exist(node):
            self._closure.namespaces[int(target.canonical.hash)] = target.canonical

    def _of_enumeration(self, using: Node) -> Iterator[Cursor]:
        """Yield the enumeration of ``using enum E``, for which libclang has no reference, and its alias there."""
        words = set(WORD.findall(self._unit.user_text(using)))
        for node in file_scope(self._unit.declarations):
            if node.spelling in words and node.kind in ("TYPEDEF_DECL", "TYPE_ALIAS_DECL", "ENUM_DECL"):
                meant = types.canonical(node.type).get_declaration()
                if str(meant.spelling) == using.spelling:
                    yield node.cursor

    def _of_target(self, node: Node, target: Cursor) -> Iterator[Cursor]:
        yield target
        yield from self._usings.of_qualified(node, target)
        yield from self._usings.of_alias(node, target)
        if node.kind in NAMING and kind_of(target) in SHARED_KINDS:
            yield from self._of_undefined(node, target)
        yield from self._of_template(target)
        scope = target.semantic_parent
        is_member = scope is not None and kind_of(target) != "FIELD_DECL" and scope.get_num_template_arguments() > 0
        if is_member and not library.in_system_header(scope):  # a kernel may name its class with all arguments
            yield from self.of_type(scope.type)

    def _of_undefined(self, node: Node, target: Cursor) -> Iterator[Cursor]:
        """Note a call or the address of a user function that has no body in this translation unit."""
        if is_elsewhere(target) and is_unevaluated(node):
            # a template's declaration does for its instances, and a class declares its methods
            if library.template_of(target) is None and kind_of(target) == "FUNCTION_DECL":
                yield from self.of_unevaluated(self._unit.tree.node(target.canonical))
        elif is_elsewhere(target) and int(target.canonical.hash) not in self._specialised:  # which instances call
            self._closure.undefined.setdefault(int(target.canonical.hash), (target, node))

    def of_unevaluated(self, function: Node) -> Iterator[Cursor]:
        """Yield what the declaration of a function refers to that only unevaluated operands name, and note it."""
        key = int(function.cursor.canonical.hash)
        if key in self._closure.declarations or key in self._closure.unevaluated:
            return
        self._closure.unevaluated[key] = function
        yield from self._usings.of_text(self._unit.user_text(function))
        for node in function.children:
            if node.kind not in ("COMPOUND_STMT", "PARM_DECL"):
                yield from self.of_node(node)

    def _of_template(self, instance: Cursor) -> Iterator[Cursor]:
        """Yield the template of an instantiation, and what its body refers to if it is a function: in the template,
        dependent calls have no target yet."""
        pattern = library.template_of(instance)
        if pattern is None:
            return
        yield pattern
        key = int(instance.hash)
        if kind_of(instance) not in FUNCTION_KINDS or key in self._followed or library.in_system_header(instance):
            return
        self._followed.add(key)
        for child in self._unit.tree.node(instance).children:
            if child.kind == "COMPOUND_STMT":
                yield from self.of_code(child)

    def of_type(self, kind: Type) -> Iterator[Cursor]:
        """Yield the declarations that a type's spelling needs."""
        current = types.without_reference(kind)
        for _ in range(_DEEPEST_TYPE):
            declaration = library.declaration_of(current)
            if not declaration.kind.is_invalid():
                yield declaration
            elif spelling.is_used(current):
                yield from self._usings.meanings(current)
            below = types.written_element_of(current)
            if below is None and types.kind_name(current.get_canonical()) == "POINTER":
                below = types.pointee_of(current)
            if below is None:
                break
            current = below
        yield from classes_of_objects(self._unit, str(types.canonical(current).spelling))
        yield from templates_given(self._unit, types.canonical(current).get_declaration())
        for index in range(max(0, current.get_num_template_arguments())):
            argument = current.get_template_argument_type(index)
            if types.kind_name(argument) != "INVALID":
                yield from self.of_type(argument)
