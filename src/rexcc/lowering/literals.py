"""Literal parameters: which explicitly mapped scalars may travel by value, and which structures as copies.

In: a variable of a region. Out: whether no mapping of it, or of a part of it, can exist when the region starts. Only
then is a copy by value the same as ``map(to:)``, which would otherwise use the device's copy (OpenMP 5.2, 5.8.3). The
proof: the variable is a local one, no construct of its function names it in a list that maps, and none of its uses in
the function gives its address, or a member's, to anything that could map it. REX passes every ``map(to:)`` scalar by
value.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.addresses import ASSIGNMENTS, is_exposed
from rexcc.analysis.references import Variable, variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.probe import list_items
from rexcc.frontend.unit import Construct

_MAPPING = ("map", "to", "from", "use_device_ptr", "use_device_addr", "has_device_addr")
_INCREMENTS = frozenset({"++", "--", "p++", "p--"})
_SMALL = 1024
"""Bytes that libomptarget sends along with a launch, in one piece."""
_BY_VALUE = 64
"""Bytes of a structure that travels in parameters: it needs no room on the device, and no copy before the kernel."""


def is_provably_unmapped(region: TargetRegion, variable: Variable) -> bool:
    """Whether a scalar is a local that no other construct lists and whose address nobody takes."""
    kind = variable.cursor.type
    if types.is_reference(kind) or variable.is_global or not types.is_scalar(kind):
        return False
    if not 0 < types.canonical(kind).get_size() <= 8 or variable.exposed or variable.written:
        return False
    return not _is_mapped_elsewhere(region, variable) and not _may_be_mapped_through_address(region, variable)


def is_provably_read(region: TargetRegion, variable: Variable) -> bool:
    """Whether a region does no more with a small structure than to read numbers and pointers in it, and no mapping of
    it can exist: a copy for the kernel will do, and nothing has to come back."""
    kind = variable.cursor.type
    if types.is_reference(kind) or not types.is_record(kind) or not types.is_copied_as_bytes(kind):
        return False
    if variable.is_global or variable.cursor.storage_class.name == "STATIC" or kind.is_volatile_qualified():
        return False
    if not 0 < types.canonical(kind).get_size() <= _SMALL or not all(_is_read(_part(use)) for use in variable.uses):
        return False
    return not _is_mapped_elsewhere(region, variable) and not _may_be_mapped_through_address(region, variable)


def count_words(region: TargetRegion, variable: Variable) -> int:
    """Return how many parameters of eight bytes carry a structure, 0 if it is large, cannot be copied, or the
    instantiations of a template, whose text on the host is one, might differ in it."""
    if types.is_only_moved(variable.cursor.type):
        return 0
    size = int(types.canonical(variable.cursor.type).get_size())
    return -(-size // 8) if size <= _BY_VALUE and region.owner.template is None else 0


def _part(use: Node) -> Node:
    """Return the innermost member that an expression means."""
    part = use
    while part.parent is not None and part.parent.kind == "MEMBER_REF_EXPR":
        part = part.parent
    return part


def _is_read(part: Node) -> bool:
    if not (types.is_scalar(part.type) or types.is_pointer(part.type)):
        return False
    return part.parent is not None and part.parent.kind == "UNEXPOSED_EXPR" and not is_exposed(part)


def _is_mapped_elsewhere(region: TargetRegion, variable: Variable) -> bool:
    """Whether another construct of the function maps the variable, or any part of it, or what a part of it points to.

    The whole expression of a list item counts, so that ``s.p[0:n]``, ``(*s.q).r`` and ``a[s.i]`` all name ``s``: of a
    structure that is present in part only, device code has to see the present part.
    """
    mine = set(region.constructs)
    for top in region.owner.constructs:
        for construct in (top, *top.descendants()):
            if construct not in mine and any(_names(e, variable) for e in _mapped_expressions(construct)):
                return True
    return False


def _mapped_expressions(construct: Construct) -> Iterator[Node]:
    """Yield the expressions of the list items that a construct maps, or whose device addresses it asks for."""
    for clause in construct.directive.named(*_MAPPING):
        for item in list_items(clause):
            if item.base in construct.expressions:
                yield construct.expressions[item.base]


def _names(expression: Node, variable: Variable) -> bool:
    return any(
        n.kind == "DECL_REF_EXPR" and n.referenced is not None and variable_key(n.referenced) == variable.key
        for n in expression.walk()
    )


def _may_be_mapped_through_address(region: TargetRegion, variable: Variable) -> bool:
    """Whether the variable's address, or that of a part, gets anywhere in its function: what holds it may map it."""
    for node in region.owner.node.walk():
        if node.kind != "DECL_REF_EXPR" or node.spelling != variable.name or node.referenced is None:
            continue
        if variable_key(node.referenced) == variable.key and not _stays_here(_part(node)):
            return True
    return False


def _stays_here(part: Node) -> bool:
    """Whether a use of a variable, or of a member, is one that certainly takes no address: its value is read, it is
    assigned, copied by a constructor or an assignment that the compiler has made, or not evaluated."""
    top = part
    while top.parent is not None and top.parent.kind == "PAREN_EXPR":
        top = top.parent
    above = top.parent
    if above is None or types.is_array(part.type):
        return False
    if above.kind == "UNEXPOSED_EXPR":
        return _is_value(above) or _is_copied(above)
    if above.kind in ("BINARY_OPERATOR", "COMPOUND_ASSIGNMENT_OPERATOR"):
        return above.operator in ASSIGNMENTS and above.children[0] is top and _is_dropped(above)
    if above.kind == "UNARY_OPERATOR":
        return above.operator in _INCREMENTS and (above.operator.startswith("p") or _is_dropped(above))
    if above.kind == "CSTYLE_CAST_EXPR":
        return types.kind_name(types.canonical(above.type)) == "VOID"
    return above.kind == "CXX_UNARY_EXPR" or _is_copied(top)


def _is_value(conversion: Node) -> bool:
    """Whether an implicit conversion reads: what only adds qualifiers still names the object."""
    kind = conversion.type
    return not (kind.is_const_qualified() or kind.is_volatile_qualified())


def _is_copied(argument: Node) -> bool:
    """Whether an object is the argument, or the target, of a copy that the compiler has made."""
    call = argument.parent
    callee = call.referenced if call is not None and call.kind == "CALL_EXPR" else None
    return callee is not None and bool(callee.is_default_method()) and not callee.is_virtual_method()


def _is_dropped(assignment: Node) -> bool:
    """Whether nobody uses the value of an assignment, which in C++ is the object itself."""
    above = assignment.parent
    if above is None or (above.kind.endswith("_STMT") and above.kind != "RETURN_STMT"):
        return True
    return above.kind == "CSTYLE_CAST_EXPR" and types.kind_name(types.canonical(above.type)) == "VOID"
