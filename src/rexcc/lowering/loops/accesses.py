"""The objects in memory that a statement reads and writes.

In: statements of a region. Out: an :class:`Access` for each expression that names an object outside of the running
thread's own variables. ``a[i][j].x`` is one access where ``a`` is an array of arrays, and ``p->row[j]`` are two where
``row`` is a pointer: the pointer is read to find the element, it is an *input* of the other access.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.clang import types
from rexcc.clang.library import evaluate_floating, evaluate_integer
from rexcc.clang.tree import Node, parent_kind
from rexcc.lowering.cleanups.alias import KernelMemory
from rexcc.lowering.cleanups.memory import OWN, Places, parts
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable, named_variable
from rexcc.source.records import dataclass

_NAMES = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR", "DECL_REF_EXPR"})
_SIGNED = {"UINT": "INT", "ULONG": "LONG", "ULONGLONG": "LONGLONG", "USHORT": "SHORT"}
_TYPED = frozenset({"FLOAT", "DOUBLE", "INT", "LONG", "LONGLONG", "SHORT", "POINTER"})


@dataclass(frozen=True, eq=False)
class Access:
    """An expression that names an object, with where that may lie; ``is_input``: another access is found by it."""

    node: Node
    place: Places
    is_input: bool

    @property
    def subscripts(self) -> Iterator[Node]:
        """The subscripts inside of the object that the access walks through, the last one first."""
        node = self.node.bare()
        while True:
            inner = parts(node)
            if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(inner) == 2:
                yield inner[1]
            below = inner[0].bare() if inner and node.kind in _NAMES else None
            if below is None or not _leads_on(below):
                return
            node = below

    @property
    def is_in_union(self) -> bool:
        """Whether the access names a member of a union."""
        members = (n for n in self.node.walk() if n.kind == "MEMBER_REF_EXPR" and n.referenced is not None)
        return any(parent_kind(n.referenced) == "UNION_DECL" for n in members if n.referenced is not None)

    @property
    def root(self) -> Node | None:
        """The expression of the pointer or the variable that the access starts from."""
        node = self.node.bare()
        while node.kind in _NAMES or node.is_dereference:
            inner = parts(node)
            if not inner:
                return node
            below = inner[0].bare()
            if not _leads_on(below):
                return below
            node = below
        return node

    @property
    def outline_of_root(self) -> tuple[object, ...]:
        """What that expression consists of (:func:`outline_of`), nothing where there is none."""
        return outline_of(self.root) if self.root is not None else ()


def accesses_of(memory: KernelMemory, top: Node, is_input: bool = False) -> list[Access]:
    """Return the accesses to memory in a statement or expression; ``is_input``: it finds something for others."""
    own, found = frozenset({OWN}), []
    for node in top.walk():
        if not _names_object(node) or _is_inner(node):
            continue
        place = memory.provenance.place(node)
        if place != own:
            found.append(Access(node, place, is_input or _is_input(node, top)))
    return found


def locals_of(memory: KernelMemory, code: Node) -> dict[Variable, Node]:
    """Return what some code declares and never changes, with the declarations."""
    declared = {Variable(n.cursor): n for n in code.walk() if n.kind == "VAR_DECL"}
    return {variable: node for variable, node in declared.items() if memory.provenance.is_constant(variable)}


def differ_in_type(first: Access, second: Access) -> bool:
    """Whether two objects of scalar types cannot be one: C lets no ``int`` be accessed as a ``float`` (C23, 6.5.1).

    Members of unions can, as compilers have it.
    """
    kinds = {_kind(first.node), _kind(second.node)}
    return len(kinds) == 2 and kinds <= _TYPED and not (first.is_in_union or second.is_in_union)


def tells_types_apart(unit: ParsedUnit, strict_aliasing: bool) -> bool:
    """Whether objects of different types are different objects: the unit's text may say that one type's are not."""
    texts = (file.scan.source.text for file in unit.files.values())
    return strict_aliasing and not any("may_alias" in text for text in texts)


def outline_of(node: Node) -> tuple[object, ...]:
    """Return what an expression consists of, equal for expressions that mean the same in one scope."""
    bare = node.bare()
    named = named_variable(bare)
    name = named if named is not None else bare.spelling
    return (bare.kind, bare.operator, name, _own_value(bare), *(outline_of(child) for child in parts(bare)))


def _own_value(node: Node) -> object:
    """Return what tells an expression from another one of its kind, apart from its name and what it is made of."""
    if node.kind.endswith("_CAST_EXPR"):
        return str(types.canonical(node.type).spelling)  # elements of one type may be larger than those of another
    if not node.kind.endswith("_LITERAL") and node.kind != "CXX_UNARY_EXPR":
        return None
    whole = evaluate_integer(node.cursor)
    value = evaluate_floating(node.cursor) if whole is None else whole
    return node.cursor.hash if value is None else value


def _kind(node: Node) -> str:
    kind = types.kind_name(types.canonical(node.type))
    return _SIGNED.get(kind, kind)


def _names_object(node: Node) -> bool:
    if node.kind == "DECL_REF_EXPR":
        return named_variable(node) is not None
    return node.kind in _NAMES or node.is_dereference


def _leads_on(below: Node) -> bool:
    """Whether an access goes on inside of the object that an expression names, without a pointer to follow."""
    return types.is_array(below.type) or types.is_record(below.type)


def _is_inner(node: Node) -> bool:
    """Whether a larger expression names a part of the object that this one names."""
    top = node.wrapped()
    above = top.parent
    if above is None or not _leads_on(node):
        return False
    return above.kind in ("ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR") and parts(above)[:1] == [top]


def _is_input(node: Node, top: Node) -> bool:
    """Whether another object is found by means of this one: its index or pointer."""
    for above in node.ancestors():
        if above.kind != "DECL_REF_EXPR" and _names_object(above):
            return True
        if above is top or above.kind.endswith("_STMT"):
            return False
    return False
