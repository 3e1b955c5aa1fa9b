"""What a target region does with the addresses that a constant of the file holds (``const char *const names[]``).

In: a region and a global constant of which device code could have the definition. Out: whether the region keeps
addresses of it, and whether it follows them. The device's copy of the constant holds addresses of the device. To keep
one is to store it where it outlives the region's own variables, to compare it with one that is not the device's, or
to make a number of it: by the specification (5.8.1: the constant is mapped) it is the host's. To follow one is to read
what is there, or to pass it to a function; that is done with the device's.

A variable of the region that gets an address, or an object with some, is looked at as the constant is. What is left
out is what functions return, lambdas too: a function that names the constant has the device's copy.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import CASTS, TRANSPARENT, Node, kind_of
from rexcc.program.variables import Variable, named_variable

_ACCESSES = frozenset({"ARRAY_SUBSCRIPT_EXPR", "MEMBER_REF_EXPR"})
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">="})
_SUMS = frozenset({"BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"})


def uses_of_addresses(region: TargetRegion, constant: UsedVariable) -> tuple[Node | None, Node | None]:
    """Return where the region keeps an address that the constant holds, and where it follows one."""
    walk = _Walk(region)
    for use in constant.uses:
        walk.go(use, types.is_array(use.type))
    return walk.kept, walk.followed


class _Walk:
    """Goes from where values are read to what is done with them."""

    def __init__(self, region: TargetRegion) -> None:
        self.kept: Node | None = None
        self.followed: Node | None = None
        self._region = region
        self._mapped = {item.variable for item in region.items("map")}
        self._seen: set[Variable] = set()

    def go(self, node: Node, is_place: bool) -> None:
        """Go up from an expression; where it ``is_place``, a pointer leads to the constant itself."""
        while (above := node.parent) is not None:
            if above.kind in _ACCESSES or above.is_dereference:
                if above.children[0] is not node:
                    return
                if types.is_pointer(node.type) and not is_place:
                    self.followed = self.followed or above
                    return
                is_place = types.is_array(above.type)
            elif not self._is_value(node, above):
                if not is_place and types.holds_pointers(node.type) and not _is_function(node.type):
                    self._ends(node, above)
                return
            node = above

    def _is_value(self, node: Node, above: Node) -> bool:
        """Whether an expression has the value of the one below it."""
        if above.kind in TRANSPARENT or (above.kind in _SUMS and above.operator in ("+", "-")):
            return types.holds_pointers(above.type)
        if above.kind in CASTS:
            return types.is_pointer(above.type)
        if above.kind == "CONDITIONAL_OPERATOR":
            return above.children[0] is not node
        callee = above.referenced if above.kind == "CALL_EXPR" else None
        return callee is not None and kind_of(callee) == "CONSTRUCTOR" and callee.is_default_method()

    def _ends(self, node: Node, above: Node) -> None:
        """Note what is done with an address, or an object that holds some."""
        operator = above.operator if above.kind == "BINARY_OPERATOR" else ""
        if above.kind == "CALL_EXPR" and above.spelling == "operator=":
            operator = "="
        if operator == "=" and above.children[-1] is node:
            self._stored(above.children[0].bare(), above)
        elif above.kind in ("VAR_DECL", "CXX_FOR_RANGE_STMT"):
            declared = above if above.kind == "VAR_DECL" else above.children[0]
            self._holds(Variable(declared.cursor))
        elif above.kind == "CALL_EXPR" and types.is_pointer(node.type):
            self.followed = self.followed or above
        elif above.kind in CASTS or (operator in _COMPARISONS and not any(map(self._is_devices, above.children))):
            self.kept = self.kept or above

    def _stored(self, target: Node, assignment: Node) -> None:
        holder = _object(target)
        variable = named_variable(holder) if holder.kind == "DECL_REF_EXPR" else None
        if variable is not None and self._is_own(variable, holder is target):
            self._holds(variable)
        else:
            self.kept = self.kept or assignment

    def _is_own(self, variable: Variable, is_whole: bool) -> bool:
        """Whether a variable is the region's, or a pointer of which it has a copy."""
        if variable.is_global or types.is_reference(variable.type) or variable in self._mapped:
            return False
        is_declared_here = self._region.unit.tree.node(variable.cursor).is_inside(self._region.body)
        return is_declared_here or (is_whole and types.is_pointer(variable.type))

    def _is_devices(self, operand: Node) -> bool:
        """Whether what an address is compared with is null, or a place in a constant that the device has its own of."""
        bare = operand.bare()
        if bare.kind == "BINARY_OPERATOR" and bare.operator in ("+", "-"):
            return any(self._is_devices(n) for n in bare.children if types.is_pointer(n.type))
        is_address = bare.kind == "UNARY_OPERATOR" and bare.operator == "&"
        if not is_address and not types.is_array(bare.type):
            return _is_null(operand)
        variable = named_variable(_object(bare.children[0].bare() if is_address else bare))
        if variable is None or not variable.is_global or variable in self._mapped:
            return False
        return types.is_constant(variable.type) and not types.holds_pointers(variable.type)

    def _holds(self, variable: Variable) -> None:
        """Go on from a variable of the region that has an address."""
        if variable in self._seen:
            return
        self._seen.add(variable)
        for node in self._region.body.walk():
            if node.kind == "DECL_REF_EXPR" and named_variable(node) == variable:
                self.go(node, types.is_array(node.type))


def _object(target: Node) -> Node:
    """Return the object of which an expression names a part."""
    while target.kind in _ACCESSES and not types.is_pointer(target.children[0].bare().type):
        target = target.children[0].bare()
    return target


def _is_function(kind: Type) -> bool:
    """Whether a type is that of pointers to functions, which are the device's until they are called."""
    found = types.canonical(kind)
    return types.is_pointer(found) and types.kind_name(types.canonical(found.get_pointee())).startswith("FUNCTION")


def _is_null(operand: Node) -> bool:
    operand = operand.bare()
    return operand.kind in ("CXX_NULL_PTR_LITERAL_EXPR", "GNU_NULL_EXPR", "INTEGER_LITERAL") or any(
        node.kind == "INTEGER_LITERAL" and operand.kind in CASTS for node in operand.children
    )
