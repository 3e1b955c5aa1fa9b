"""Where an expression's memory is: the variable it belongs to, followed through pointers.

In: expressions of one piece of code. Out: :class:`Memory`, the storage of a variable or what a pointer variable points
to when the code begins, for all the code could mean; None where that cannot be told. ``const float *row = a + i * n;``
makes ``row[k]`` memory that ``a`` points to.
"""

from __future__ import annotations

from typing import Protocol

from clang.cindex import Type

from rexcc.analysis.addresses import is_exposed, may_be_changed
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.tree import CASTS, FUNCTION_KINDS, NAME_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

NAMES_ONLY = NAME_KINDS | {"MEMBER_REF"}
"""Children that name a part of a declaration and are no expression."""

_WITHOUT_STORAGE = FUNCTION_KINDS | {"ENUM_CONSTANT_DECL"}
_VALUES = frozenset({"INIT_LIST_EXPR", "COMPOUND_LITERAL_EXPR", "STRING_LITERAL"})


@dataclass(frozen=True)
class Memory:
    """The storage of a variable, or (``pointee``) the objects that a pointer variable points into on arrival.

    What belongs to no variable is ``OWN`` or ``THIS``.
    """

    variable: Variable | None
    pointee: bool


OWN = Memory(None, False)
"""Storage of the running thread alone: variables of the code itself, values passed to it."""

THIS = Memory(None, True)
"""The object of a method."""

Places = frozenset[Memory] | None
"""Everything an expression may lie in; None for anywhere."""

NOWHERE: frozenset[Memory] = frozenset()


def union(first: Places, second: Places) -> Places:
    """Return both together."""
    return None if first is None or second is None else first | second


class Boundary(Protocol):
    """What is known of the variables that a piece of code gets from outside."""

    def storage(self, variable: Variable) -> Places:
        """Return where a variable itself lies."""

    def target(self, pointer: Variable) -> Places:
        """Return what a pointer points to when the code begins."""


@dataclass(frozen=True, eq=False)
class Changes:
    """Whether a variable's address is taken in a piece of code, and the uses that write the variable itself."""

    exposed: bool
    writes: tuple[Node, ...]


class Provenance:
    """Follows the expressions of one piece of code."""

    def __init__(self, top: Node, boundary: Boundary) -> None:
        self.boundary = boundary
        self.uses: dict[Variable, list[Node]] = {}
        self.declared: dict[Variable, Node] = {}
        self._following: set[Variable] = set()
        self._changes: dict[Variable, Changes] = {}
        for node in top.walk():
            if node.kind == "VAR_DECL":
                self.declared[Variable(node.cursor)] = node
            elif node.kind == "DECL_REF_EXPR":
                target = node.referenced
                if target is not None and kind_of(target) in VARIABLE_KINDS:
                    self.uses.setdefault(Variable(target), []).append(node)

    def is_constant(self, variable: Variable) -> bool:
        """Whether the code never changes a variable after its declaration, nor a part of one that it declares."""
        changes = self.changes(variable)
        if changes.exposed or changes.writes:
            return False
        kind = variable.cursor.type
        has_parts = variable in self.declared and (types.is_record(kind) or types.is_array(kind))
        return not (has_parts and any(map(may_be_changed, self.uses.get(variable, ()))))

    def changes(self, variable: Variable) -> Changes:
        """Return how the code changes a variable; passes ask for it at each of its uses."""
        known = self._changes.get(variable)
        if known is None:
            uses = self.uses.get(variable, ())
            known = Changes(any(map(is_exposed, uses)), tuple(filter(is_written, uses)))
            self._changes[variable] = known
        return known

    def place(self, node: Node) -> Places:
        """Return where the object lies that an expression names; a value that is read or converted has a new one."""
        bare = node.bare()
        if _is_value(node, bare):
            return frozenset({OWN})
        inner = parts(bare)
        match bare.kind:
            case "DECL_REF_EXPR":
                return self._storage(bare)
            case "MEMBER_REF_EXPR":
                return self._member(bare, inner)
            case "ARRAY_SUBSCRIPT_EXPR":
                return self._through_operand(inner)
            case "UNARY_OPERATOR" if bare.operator == "*":
                return self.target(inner[0])
            case "CONDITIONAL_OPERATOR":
                return union(self.place(inner[1]), self.place(inner[2]))
            case "BINARY_OPERATOR" if bare.operator == ",":
                return self.place(inner[1])
            case "CALL_EXPR":
                return None if _returns_reference(bare) else frozenset({OWN})
            case "INIT_LIST_EXPR" if len(inner) == 1:  # of a reference, or makes a value
                return union(self.place(inner[0]), frozenset({OWN}))
            case kind if kind in _VALUES:
                return frozenset({OWN})
            case kind if kind in CASTS and inner:  # to a reference, for one to a type of values has a value below it
                return union(self.place(inner[-1]), frozenset({OWN}) if types.is_dependent(bare.type) else NOWHERE)
            case _:
                return None

    def target(self, node: Node) -> Places:
        """Return what a pointer expression points to; for an array where it lies."""
        bare = node.bare()
        variable = named_variable(bare)
        if variable is not None and is_pointer_variable(variable):
            return self._variable_target(variable)
        if types.is_array(bare.type):
            return self.place(bare)
        inner = parts(bare)
        match bare.kind:
            case "BINARY_OPERATOR" if bare.operator in ("+", "-"):
                return self._through_operand(inner) if is_address(bare) else None
            case "UNARY_OPERATOR" if bare.operator == "&":
                return self.place(inner[0])
            case "UNARY_OPERATOR" if bare.operator in ("++", "--", "p++", "p--"):
                return self.target(inner[0])
            case "CONDITIONAL_OPERATOR":
                return union(self.target(inner[1]), self.target(inner[2]))
            case "CXX_THIS_EXPR":
                return frozenset({THIS})
            case kind if kind in CASTS:
                return self.target(inner[-1]) if is_address(inner[-1]) else None
            case _:
                return None

    def _through_operand(self, operands: list[Node]) -> Places:
        """Follow the operand that is an address: ``a`` of ``a[i]``, ``a + i`` and ``i + a``."""
        address = next((n for n in operands if is_address(n)), None)
        return self.target(address) if address is not None else None

    def _member(self, node: Node, inner: list[Node]) -> Places:
        field_cursor = node.referenced
        if field_cursor is not None and kind_of(field_cursor) in VARIABLE_KINDS:
            return frozenset({Memory(Variable(field_cursor), False)})
        if field_cursor is not None and types.is_reference(field_cursor.type):
            return None
        if not inner:
            return frozenset({THIS})
        return self.place(inner[0]) if types.is_record(inner[0].type) else self.target(inner[0])

    def _storage(self, node: Node) -> Places:
        target = node.referenced
        if target is None or kind_of(target) not in VARIABLE_KINDS:
            return frozenset({OWN}) if _is_number(node) or (target and kind_of(target) in _WITHOUT_STORAGE) else None
        variable = Variable(target)
        declaration = self.declared.get(variable)
        if declaration is None:
            return self.boundary.storage(variable)
        if types.is_reference(declaration.type):
            value = initialiser(declaration)
            if value is None:
                return None
            found = self.place(value)
            return union(found, frozenset({OWN})) if _may_convert(declaration.type, value) else found
        return None if variable.is_global else frozenset({OWN})

    def _variable_target(self, variable: Variable) -> Places:
        if variable in self._following:
            return NOWHERE
        self._following.add(variable)
        try:
            return self._assigned(variable)
        finally:
            self._following.discard(variable)

    def _assigned(self, variable: Variable) -> Places:
        """Join what a pointer is initialised with and everything assigned to it; steps keep it in its object."""
        declaration = self.declared.get(variable)
        found: Places = NOWHERE
        if declaration is None:
            found = self.boundary.target(variable)
        elif variable.is_global:
            return None
        elif (value := initialiser(declaration)) is not None:
            found = self.target(value)
        changes = self.changes(variable)
        if changes.exposed:
            return None
        for use in changes.writes:
            if (assignment := _assignment_to(use)) is not None:
                found = union(found, self.target(assignment.children[1]))
        return found


def is_pointer_variable(variable: Variable) -> bool:
    """Whether a variable is a pointer; a parameter that is written as an array is one."""
    if types.is_reference(variable.type) or kind_of(variable.cursor) not in VARIABLE_KINDS:
        return False
    return types.is_pointer(variable.type) or variable.decays


def parts(node: Node) -> list[Node]:
    """Return the expressions directly below a node."""
    return [c for c in node.children if c.kind not in NAMES_ONLY]


def initialiser(declaration: Node) -> Node | None:
    """Return the expression a variable is declared with, None where there is none."""
    values = parts(declaration)
    return values[-1] if values else None


def _assignment_to(use: Node) -> Node | None:
    above = next((n for n in use.ancestors() if n.kind != "PAREN_EXPR"), None)
    return above if above is not None and above.kind == "BINARY_OPERATOR" else None


def is_address(node: Node) -> bool:
    """Whether an expression is a pointer or an array."""
    return types.is_pointer(node.type) or types.is_array(node.type)


def _is_number(name: Node) -> bool:
    """Whether a name is that of a template's parameter with a number in its place."""
    return name.referenced is None and [child.kind for child in name.children] == ["INTEGER_LITERAL"]


def _is_value(node: Node, bare: Node) -> bool:
    """Whether an implicit conversion around an expression reads the number or pointer that it names.

    What only gets qualifiers has these in its type, which values of such types never have. Around a call it may be
    one that the user has defined, and names what the call returns.
    """
    while node is not bare and bare.kind != "CALL_EXPR":
        inner = node.children[0]
        converts = node.kind == "UNEXPOSED_EXPR" and _is_plain(inner.type) and _is_unqualified(node.type)
        if converts and not _ends_temporaries(node):
            return True
        node = inner
    return False


def _is_plain(kind: Type) -> bool:
    return types.is_scalar(kind) or types.is_pointer(kind)


def _is_unqualified(kind: Type) -> bool:
    return _is_plain(kind) and not types.is_constant(kind) and not types.is_volatile(kind)


def _ends_temporaries(node: Node) -> bool:
    """Whether a node around a whole expression may be where clang ends what the expression has made."""
    is_whole = node.parent is not None and not node.parent.kind.endswith(("_EXPR", "_OPERATOR"))
    return is_whole and any(n.kind == "CALL_EXPR" and types.is_record(n.type) for n in node.walk())


def _may_convert(reference: Type, value: Node) -> bool:
    """Whether a reference in a template may be to a new object, made of a value of another type."""
    is_changeable = types.kind_name(reference.get_canonical()) == "LVALUEREFERENCE" and not types.is_constant(reference)
    return not is_changeable and (types.is_dependent(reference) or types.is_dependent(value.type))


def _returns_reference(call: Node) -> bool:
    callee = call.referenced
    return callee is None or types.is_reference(callee.type.get_result())
