"""What a piece of code refers to.

In: nodes of clang's tree. Out: the outside variables it uses, in order of first use, each with how it is used; whether
it uses ``this``. Functions, types and macros are followed by the device slice, not here.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor

from rexcc.analysis.addresses import ASSIGNMENTS, is_exposed
from rexcc.clang import locations
from rexcc.clang.tree import FUNCTION_KINDS, NAME_KINDS, RECORD_KINDS, VARIABLE_KINDS, Node, kind_of
from rexcc.program.variables import Variable, named_variable
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass, field

_INCREMENTS = frozenset({"++", "--", "p++", "p--"})
_HIDDEN = regex(r"__(?:range|begin|end)\d+")


class UsedVariable(Variable):
    """An outside variable with its uses in the region.

    ``written``: assigned, incremented or decremented as a whole. ``exposed``: its address is taken or it is bound to
    a reference, so writes through that cannot be excluded. ``changed_by_lambda``: a lambda from outside of the region,
    which the region calls, refers to it and may do more than to read it.
    """

    __slots__ = ("_exposed", "_named", "changed_by_lambda", "uses", "written")

    def __init__(self, cursor: Cursor, uses: Iterable[Node] = ()) -> None:
        super().__init__(cursor)
        self.uses = list(uses)
        self.written = self.changed_by_lambda = False
        self._named: list[Node] = []
        self._exposed: bool | None = None

    def add_use(self, node: Node) -> None:
        """Add an expression that names the variable."""
        self.uses.append(node)
        self._named.append(node)
        self.written |= is_written(node)
        self._exposed = None

    @property
    def exposed(self) -> bool:
        """Whether an expression exposes it; few are asked."""
        if self._exposed is None:
            self._exposed = any(map(is_exposed, self._named))
        return self._exposed


@dataclass
class References:
    """All references of a region."""

    variables: dict[Variable, UsedVariable] = field(default_factory=dict)
    this_uses: list[Node] = field(default_factory=list)
    declared: set[Variable] = field(default_factory=set)

    def forget(self, variables: Iterable[Variable]) -> None:
        """Leave out variables whose declarations are the code's own."""
        for variable in variables:
            self.declared.add(variable)
            self.variables.pop(variable, None)


_HIDING = frozenset({"SWITCH_STMT", "CXX_FOR_RANGE_STMT"})
"""Statements of whose parts libclang does not show the one that begins them."""


_SEEN = VARIABLE_KINDS | {"UNEXPOSED_DECL", "VARIABLE_REF", "DECL_REF_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR"}
"""What declares a variable, or refers to one or to ``this``."""


def collect(nodes: Iterable[Node]) -> References:
    """Collect the references below the given nodes to variables declared outside of them."""
    found = References()
    tops = list(nodes)
    may_hide = False
    for top in tops:
        for node in top.walk():
            if node.kind in _SEEN:
                _visit(node, top, found)
            may_hide |= node.kind in _HIDING
    if may_hide or any(not variable.name for variable in found.variables.values()):
        found.forget([v for v in found.variables.values() if _stands_in(tops, v)])
    for variable in found.declared:
        found.variables.pop(variable, None)
    return found


def _stands_in(tops: list[Node], variable: UsedVariable) -> bool:
    """Whether a variable that libclang shows no declaration of is declared below one of the nodes."""
    names = variable.uses[0].tree.names
    file, offset = locations.file_location(variable.cursor.location, names)
    return any(top.file == file and top.start <= offset < top.end for top in tops)


def _is_variable(cursor: Cursor) -> bool:
    """Whether a declaration is a variable of the user's: a structured binding is, a range-based for's own are not."""
    if kind_of(cursor) == "UNEXPOSED_DECL":
        parent = cursor.semantic_parent
        return parent is not None and kind_of(parent) in FUNCTION_KINDS
    return kind_of(cursor) in VARIABLE_KINDS and not _is_hidden(str(cursor.spelling))


def _is_hidden(name: str) -> bool:
    return name.startswith("__") and _HIDDEN.fullmatch(name) is not None


def _is_of_inner_class(node: Node, top: Node) -> bool:
    """Whether ``this`` is an object of a class that the code itself declares."""
    for above in (node, *node.ancestors()):
        if above is top:
            return False
        if above.kind in RECORD_KINDS:
            return True
    return False


def _visit(node: Node, top: Node, found: References) -> None:
    if node.kind == "UNEXPOSED_DECL" or node.kind in VARIABLE_KINDS:
        found.declared.add(Variable(node.cursor))
    elif node.kind == "VARIABLE_REF" and node.referenced is not None and _is_declared_here(node, node.referenced):
        found.declared.add(Variable(node.referenced))  # a lambda's capture with an initialiser
    elif node.kind == "DECL_REF_EXPR":
        target = node.referenced
        if target is not None and _is_variable(target):
            _add_use(node, target, found)
    elif node.kind == "MEMBER_REF_EXPR" and node.referenced is not None and kind_of(node.referenced) == "VAR_DECL":
        _add_use(node, node.referenced, found)  # a static member of an object
    elif (node.kind == "CXX_THIS_EXPR" or _is_implicit_member(node)) and not _is_of_inner_class(node, top):
        found.this_uses.append(node)


def _is_declared_here(node: Node, variable: Cursor) -> bool:
    return locations.file_location(variable.location, node.tree.names) == (node.file, node.start)


_QUALIFYING = NAME_KINDS | {"OVERLOADED_DECL_REF"}


def _begins_with_object(member: Node) -> bool:
    """Whether an object is what a member's text begins with: neither its class nor its own name, whose template
    arguments are expressions, too."""
    return any(child.start == member.start and child.kind not in _QUALIFYING for child in member.children)


def _is_implicit_member(node: Node) -> bool:
    """Whether a member is named without an object: the object is ``*this``."""
    if node.kind != "MEMBER_REF_EXPR" or _begins_with_object(node):
        return False
    target = node.referenced
    if target is None:
        return True
    if kind_of(target) == "FIELD_DECL":
        return not _is_lambda_field(target)
    return kind_of(target) in ("CXX_METHOD", "CONVERSION_FUNCTION") and not target.is_static_method()


def _is_lambda_field(target: Cursor) -> bool:
    return not target.spelling


def _add_use(node: Node, target: Cursor, found: References) -> None:
    variable = found.variables.get(Variable(target))
    if variable is None:
        variable = UsedVariable(target)
        found.variables[variable] = variable
    variable.add_use(node)


def is_written(node: Node) -> bool:
    """Whether an expression is the target of an assignment, increment or decrement."""
    top = node.in_parentheses()
    parent = top.parent
    if parent is None:
        return False
    if parent.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
        return parent.operator in ASSIGNMENTS and parent.children[0] is top
    if parent.kind == "UNARY_OPERATOR":
        return parent.operator in _INCREMENTS
    return parent.kind == "CALL_EXPR" and _is_assigning_call(parent, top)


def is_stored(node: Node) -> bool:
    """Whether an expression is the target of a plain assignment, by the operator of the language."""
    top = node.in_parentheses()
    return top.parent is not None and top.parent.operator == "=" and top.parent.children[0] is top


def assigned_variable(expression: Node) -> Variable | None:
    """Return the variable to which an expression is a plain assignment, None for anything else."""
    bare = expression.bare()
    if bare.kind != "BINARY_OPERATOR" or bare.operator != "=":
        return None
    return named_variable(bare.children[0].bare())


def _is_assigning_call(call: Node, argument: Node) -> bool:
    name = call.spelling
    if not name.startswith("operator") or name[8:].strip() not in ASSIGNMENTS | {"++", "--"}:
        return False
    return bool(call.children) and call.children[0] is argument
