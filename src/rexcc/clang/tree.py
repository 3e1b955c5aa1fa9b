"""The base-language tree: cursors with exact byte ranges, parents and cached children.

In: a parsed translation unit. Out: :class:`Node`, the only view of C and C++ that analysis and lowering have. A node's
range is where its tokens were written: inside a macro's argument where the argument stands, inside a macro's body
where the macro is used.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any, TypeVar, cast

from clang.cindex import Cursor, CursorKind, TranslationUnit, Type

from rexcc.clang import abbreviated, ends, library, locations
from rexcc.clang.instance_variables import InstanceVariables, is_instance

_KIND_NAMES: dict[int, str] = {kind.value: kind.name for kind in CursorKind.get_all_kinds()}

_Made = TypeVar("_Made")
_UNKNOWN = "not asked for yet"

_POSTFIX = frozenset(
    {
        "ARRAY_SUBSCRIPT_EXPR", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CXX_THIS_EXPR", "DECL_REF_EXPR",
        "FLOATING_LITERAL", "INTEGER_LITERAL", "MEMBER_REF_EXPR", "PAREN_EXPR",
    }
)  # fmt: skip
"""Names, literals, parentheses, and members and elements."""
TRANSPARENT = frozenset({"UNEXPOSED_EXPR", "PAREN_EXPR"})
"""Nodes that only wrap one expression: implicit conversions and parentheses."""

FUNCTION_KINDS = frozenset(
    {"FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "DESTRUCTOR", "CONVERSION_FUNCTION", "FUNCTION_TEMPLATE"}
)
RECORD_KINDS = frozenset(
    {"STRUCT_DECL", "UNION_DECL", "CLASS_DECL", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"}
)
TEMPLATE_KINDS = frozenset({"CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})
VARIABLE_KINDS = frozenset({"VAR_DECL", "PARM_DECL"})
BODIES = frozenset({"COMPOUND_STMT", "CXX_TRY_STMT"})
"""What a function's body may be: a block, or a function's ``try``."""
NAME_KINDS = frozenset({"TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF"})
"""Children that are parts of a name, or of the type that a declaration is written with, and no expressions."""
VALUE_CASTS = frozenset({"CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR"})
"""Casts that may convert a number to another one."""
CASTS = VALUE_CASTS | {"CXX_REINTERPRET_CAST_EXPR", "CXX_CONST_CAST_EXPR"}
ENDING_KINDS = ends.KINDS
LOOP_KINDS = frozenset({"FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT"})


class Tree:
    """One parsed translation unit.

    ``ending`` are files in which what throws ends the program, for a device: there, nothing is below it.
    """

    def __init__(self, unit: TranslationUnit, ending: frozenset[str] = frozenset()) -> None:
        self.unit = unit
        self.ending = ending
        self.names = locations.FileNames()
        self._nodes: dict[int, list[Node]] = {}
        self._made: dict[Callable[[Tree], Any], Any] = {}
        self._variables: dict[Node, InstanceVariables | None] = {}

    def once(self, make: Callable[[Tree], _Made]) -> _Made:
        """Return what a function makes of the tree, which is asked once."""
        if make not in self._made:
            self._made[make] = make(self)
        return cast("_Made", self._made[make])

    def node(self, cursor: Cursor) -> Node:
        """Return the node of a cursor, above which nothing is known; the same one each time."""
        known = self._nodes.setdefault(int(cursor.hash), [])
        found = next((node for node in known if node.cursor == cursor), None)
        if found is None:
            found = Node(self, cursor, None)
            known.append(found)
        return found

    def variables_of(self, function: Node) -> InstanceVariables | None:
        """Return the variables of a function that is made from a template, None for any other."""
        if function not in self._variables:
            declared = [node.cursor for node in function.walk() if node.kind in VARIABLE_KINDS]
            known = InstanceVariables(declared, self.names) if is_instance(function.cursor) else None
            self._variables[function] = known
        return self._variables[function]


def ends_of_uses(tree: Tree) -> dict[tuple[str, int], int]:
    """Return where the uses of macros in the user's files end, by where they begin: the outer ones, of several.

    For ``BOUND`` of ``#define BOUND SECOND(N, n)``, where the expression is ``n``, libclang ends the range where the
    use of ``BOUND`` begins: it follows an argument to where it is written, the body of ``BOUND``, and from there to
    the use's first character.
    """
    ends: dict[tuple[str, int], int] = {}
    for cursor in library.of_user(tree.unit):
        if kind_of(cursor) == "MACRO_INSTANTIATION":
            name, start, end = locations.range_of(cursor, tree.names)
            ends[name, start] = max(end, ends.get((name, start), end))
    return ends


def kind_of(cursor: Cursor) -> str:
    """Return a cursor's kind, also for kinds the binding does not know."""
    return _KIND_NAMES.get(cursor._kind_id) or f"KIND_{cursor._kind_id}"


def parent_kind(cursor: Cursor) -> str:
    """Return the kind of what declares a cursor, nothing of a name that means several functions of a template."""
    parent = cursor.semantic_parent
    return kind_of(parent) if parent is not None else ""


_DECLARED_WITH_CLASSES = frozenset({"VAR_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
"""What a statement may declare together with the class that it has."""


_LEAVES = frozenset(
    {
        "TYPE_REF", "TEMPLATE_REF", "NAMESPACE_REF", "MEMBER_REF", "LABEL_REF", "INTEGER_LITERAL", "FLOATING_LITERAL",
        "STRING_LITERAL", "CHARACTER_LITERAL", "CXX_BOOL_LITERAL_EXPR", "CXX_NULL_PTR_LITERAL_EXPR", "CXX_THIS_EXPR",
        "NULL_STMT", "BREAK_STMT", "CONTINUE_STMT",
    }
)  # fmt: skip
"""What has nothing below it; libclang need not be asked."""


class Node:
    """A cursor with its exact range, its parent and its children."""

    __slots__ = (
        "_below", "_children", "_is_ordered", "_range", "_referenced", "_starts", "cursor", "kind", "parent", "tree",
    )  # fmt: skip

    def __init__(self, tree: Tree, cursor: Cursor, parent: Node | None) -> None:
        self.tree = tree
        self.cursor = cursor
        self.parent = parent
        self.kind = kind_of(cursor)
        self._below: tuple[Node, ...] | None = None
        self._children: tuple[Node, ...] | None = None
        self._range: tuple[str, int, int] | None = None
        self._starts: list[int] | None = None
        self._is_ordered = False
        self._referenced: Any = _UNKNOWN

    def __repr__(self) -> str:
        return f"<{self.kind} {self.spelling!r} {self.start}..{self.end}>"

    def _located(self) -> tuple[str, int, int]:
        name, start, end, is_cut = locations.located(self.cursor, self.tree.names)
        found = (name, start, self.tree.once(ends_of_uses).get((name, end), end) if is_cut else end)
        if self.kind == "FUNCTION_TEMPLATE" and not found[0]:
            found = abbreviated.range_of(self.cursor, self.tree.names)
        elif self.kind in TEMPLATE_KINDS:
            found = (found[0], abbreviated.start_of(self.cursor, found), found[2])
        elif self.kind in FUNCTION_KINDS:
            is_template = self.kind == "FUNCTION_TEMPLATE"
            start = abbreviated.start_of(self.cursor, found) if is_template else found[1]
            found = (found[0], start, abbreviated.end_of(self.cursor, found, self.tree.names))
        self._range = found
        return found

    @property
    def file(self) -> str:
        """Name of the file that the node starts in, as libclang spells it."""
        return (self._range or self._located())[0]

    @property
    def start(self) -> int:
        """Byte offset of the first character, in the parsed buffer."""
        return (self._range or self._located())[1]

    @property
    def end(self) -> int:
        """Byte offset after the last token, in the parsed buffer."""
        return (self._range or self._located())[2]

    def widen(self, start: int, end: int) -> None:
        """Take a range of the same file that holds the node's, where clang says too little."""
        self._range = (self.file, start, end)

    @property
    def children(self) -> tuple[Node, ...]:
        """The children in source order."""
        known = self._children
        if known is None:
            below = [] if self.kind in _LEAVES or self.is_end else library.children(self.cursor)
            if self.kind == "LAMBDA_EXPR":
                below = list(_with_initialisers(below, self.tree.names))
            tree = self.tree
            known = self._children = tuple([Node(tree, c, self) for c in below])
        return known

    @property
    def is_end(self) -> bool:
        """Whether an expression ends the program, for a device: a library's that throws."""
        ending = self.tree.ending
        return bool(ending) and self.kind in ENDING_KINDS and self.file in ending and ends.is_end(self.cursor)

    def child_at(self, offset: int) -> Node | None:
        """Return the child whose range holds an offset; most nodes are asked for many. Of several it is the narrowest,
        the last of them: declarators after the first begin where that does, and the name of an instantiation's
        ``operator()`` is as wide as its call."""
        if self._starts is None:
            self._starts = [child.start for child in self.children]
            self._is_ordered = all(a <= b for a, b in pairwise(self._starts))
        last = bisect_right(self._starts, offset) if self._is_ordered else len(self.children)
        holding = [c for c in reversed(self.children[:last]) if c.start <= offset < c.end]
        return min(holding, key=lambda c: c.end - c.start) if holding else None

    @property
    def spelling(self) -> str:
        """The declared or referenced name, or an empty string."""
        return str(self.cursor.spelling or "")

    @property
    def type(self) -> Type:
        """The type of an expression or declaration."""
        return self.cursor.type

    @property
    def operator(self) -> str:
        """The operator of a unary or binary operator (``p++``/``p--`` for the postfix ones), or an empty string."""
        if self.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
            return library.binary_operator(self.cursor)
        return library.unary_operator(self.cursor) if self.kind == "UNARY_OPERATOR" else ""

    @property
    def is_dereference(self) -> bool:
        """Whether this is ``*p``, by the operator of the language."""
        return self.kind == "UNARY_OPERATOR" and self.operator == "*"

    @property
    def is_pointee(self) -> bool:
        """Whether this is ``*p`` or ``p[i]``, by the operators of the language."""
        return self.kind == "ARRAY_SUBSCRIPT_EXPR" or self.is_dereference

    @property
    def referenced(self) -> Cursor | None:
        """The declaration a reference or call means, or None."""
        known: Cursor | None = self._referenced
        if known is _UNKNOWN:
            known = None if self.is_end else library.referenced(self.cursor)
            if known is not None and self.kind == "DECL_REF_EXPR" and kind_of(known) in VARIABLE_KINDS:
                known = self._own_variable(known)
            self._referenced = known
        return known

    def _own_variable(self, variable: Cursor) -> Cursor:
        """Return the variable that the name means: in an instantiation its own."""
        functions = [node for node in self.ancestors() if node.kind in FUNCTION_KINDS]
        variables = self.tree.variables_of(functions[-1]) if functions else None
        return variable if variables is None else variables.own(variable)

    def refers_to(self, declaration: Cursor | None) -> bool:
        """Whether a reference or call means a declaration; one that means nothing yet, in a template, means none."""
        found = self.referenced
        return found is not None and declaration is not None and bool(found == declaration)

    @property
    def is_called_code(self) -> bool:
        """Whether what is below runs only when it is called: a lambda's code, or a function's of a class that a
        function declares."""
        if self.kind == "LAMBDA_EXPR":
            return True
        record = self.parent if self.kind in FUNCTION_KINDS else None
        while record is not None and record.parent is not None and record.parent.kind in RECORD_KINDS:
            record = record.parent
        statement = record.parent if record is not None else None
        if statement is not None and statement.kind in _DECLARED_WITH_CLASSES:
            statement = statement.parent
        return statement is not None and statement.kind == "DECL_STMT"

    def walk(self) -> Iterator[Node]:
        """Yield this node and everything below it, in source order."""
        if self._below is None:
            below: list[Node] = []
            stack = [self]
            while stack:
                node = stack.pop()
                below.append(node)
                if inside := node.children:
                    stack += inside[::-1]
            self._below = tuple(below)
        return iter(self._below)

    def ancestors(self) -> Iterator[Node]:
        """Yield the parent, its parent and so on."""
        node = self.parent
        while node is not None:
            yield node
            node = node.parent

    def is_inside(self, other: Node) -> bool:
        """Whether this node begins in the text of another one."""
        return self.file == other.file and other.start <= self.start < other.end

    def has_declaration(self, declared: Cursor) -> bool:
        """Whether a declaration stands in the text of this node."""
        file, place = locations.file_location(declared.location, self.tree.names)
        return file == self.file and self.start <= place < self.end

    def in_parentheses(self) -> Node:
        """Return this node with the parentheses around it."""
        node = self
        while node.parent is not None and node.parent.kind == "PAREN_EXPR":
            node = node.parent
        return node

    @property
    def is_postfix(self) -> bool:
        """Whether the expression as it is written holds together beside operators and in front of suffixes.

        The name of a macro does not say so: what it stands for does.
        """
        node = self
        while node.kind == "UNEXPOSED_EXPR" and len(node.children) == 1:
            node = node.children[0]
        return node.kind in _POSTFIX

    def wrapped(self) -> Node:
        """Return this expression with the parentheses and implicit conversions around it."""
        node = self
        while (above := node.parent) is not None and above.kind in TRANSPARENT and len(above.children) == 1:
            node = above
        return node

    def bare(self) -> Node:
        """Return the expression below parentheses and implicit conversions."""
        node = self
        while node.kind in TRANSPARENT and len(node.children) == 1:
            node = node.children[0]
        return node


def _with_initialisers(below: list[Cursor], names: locations.FileNames) -> Iterator[Cursor]:
    """Yield what stands in a lambda expression; libclang leaves out ``v`` of ``[&q = v]``, which is a child of ``q``'s
    declaration alone."""
    known = [locations.range_of(cursor, names) for cursor in below if kind_of(cursor) != "VARIABLE_REF"]
    for cursor in below:
        yield cursor
        variable = cursor.referenced if kind_of(cursor) == "VARIABLE_REF" else None
        if variable is not None and variable.location == cursor.location:
            yield from (c for c in library.children(variable) if locations.range_of(c, names) not in known)
