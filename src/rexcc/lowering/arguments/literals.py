"""Literal parameters: which explicitly mapped scalars may travel by value, and which structures as copies.

In: a variable of a region. Out: whether no mapping of it can exist when the region starts. Only then is a copy by value
the same as ``map(to:)``, which would otherwise use the device's copy. REX passes every ``map(to:)`` scalar by value.
A first-private object is a copy in any case (OpenMP 5.2, 5.4.4).
"""

from __future__ import annotations

from itertools import takewhile

from clang.cindex import Type

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.attributes import Attribute
from rexcc.analysis.kept_addresses import innermost_part, keeps_address
from rexcc.analysis.presence import is_provably_absent, is_static_and_absent
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import classes, types
from rexcc.clang.forwarding_constructors import has_forwarding_constructor
from rexcc.clang.tree import Node
from rexcc.lowering.arguments.private_copies import (
    is_assigned_inside,
    is_only_read,
    is_read_by_call,
    is_read_in_place,
)
from rexcc.program.variables import Variable

_SMALL = 1024
"""Bytes that libomptarget sends along with a launch, in one piece."""
_BY_VALUE = 64
"""Bytes of a structure that travels in parameters: it needs no room on the device, and no copy before the kernel."""
_COPY_BY_VALUE = 512
"""The same of a lambda's object, whose captures the kernel reads where it reads its other arguments, and of an object
of which each thread has a copy."""
_MOST_WORDS = 256
"""Parameters of a kernel behind which no object is large: a launch has 4096 bytes of them."""


def is_provably_unmapped(region: TargetRegion, variable: UsedVariable, is_of_device: bool = True) -> bool:
    """Whether no mapping of a scalar or of a function's own pointer can exist when the region starts; ``is_of_device``:
    it may be a variable that the device has itself.

    A pointer that is a list item without a section is mapped as the bytes that it is: what it points to is another item
    (OpenMP 5.2, 5.8.3).
    """
    kind = variable.cursor.type
    is_own_pointer = types.is_pointer(kind) and not (variable.is_global or types.is_function_pointer(kind))
    if types.is_reference(kind) or not (types.is_scalar(kind) or is_own_pointer) or types.is_volatile(kind):
        return False
    if not 0 < types.canonical(kind).get_size() <= 8 or variable.exposed or variable.written:
        return False
    if variable.changed_by_lambda:
        return False
    if variable.is_global:
        return not is_of_device and is_static_and_absent(region.unit, region.constructs, variable)
    return is_provably_absent(region.unit, region.owner, region.constructs, variable)


def is_provably_read(region: TargetRegion, variable: UsedVariable) -> bool:
    """Whether a region does no more with a small structure or array than to read numbers and pointers in it, and no
    mapping of it can exist: a copy for the kernel will do, and nothing has to come back.

    A function that gets the structure by value or as a constant, and a constant method, read it, too: a cast that would
    let them change a part counts as one that leads its address away.
    """
    kind = variable.cursor.type
    if types.is_reference(kind) or not (_is_plain_record(kind) or _is_plain_array(kind)):
        return False
    if variable.is_global or variable.cursor.storage_class.name == "STATIC" or types.is_volatile(kind):
        return False
    if not 0 < types.canonical(kind).get_size() <= _SMALL or not all(
        _is_read(innermost_part(use)) or is_read_by_call(use) for use in variable.uses
    ):
        return False
    if variable.changed_by_lambda or is_assigned_inside(region, variable):
        return False
    return is_provably_absent(region.unit, region.owner, region.constructs, variable)


def _is_plain_record(kind: Type) -> bool:
    """Whether a type is that of a class whose copies have its bytes; nothing is assigned to what is only read."""
    return types.is_record(kind) and classes.is_made_of_bytes(kind)


def _is_plain_array(kind: Type) -> bool:
    """Whether a type is that of an array of numbers or pointers."""
    element = types.innermost(kind)
    return types.is_array(kind) and (types.is_scalar(element) or types.is_pointer(element))


def words_of_absent(region: TargetRegion, attribute: Attribute, before: int) -> int:
    """Return how many parameters of eight bytes carry an object of a class that is mapped ``to``, 0 if it must be in
    memory; ``before`` is how many parameters there are.

    The kernel only reads it, and no mapping of it can exist: what ``map`` would make is a copy of its bytes that ends
    with the region. One with an array is only copied as a whole there: an element that is found at run time would need
    all of it in the memory of each thread, which a copy is in any case.
    """
    variable = attribute.variable
    kind = variable.cursor.type
    if not variable.uses or attribute.reduction or attribute.last or types.is_volatile(kind):
        return 0
    if types.is_reference(kind) or not types.is_record(kind) or not is_only_read(region, attribute):
        return 0
    if types.has_array(kind) and not all(map(_is_copied, variable.uses)):
        return 0
    if not is_provably_absent(region.unit, region.owner, region.constructs, variable):
        return 0
    return _words_where_room(variable, before)


def _is_copied(use: Node) -> bool:
    """Whether an expression names an object for a constructor that copies it."""
    above = use.parent
    while above is not None and above.kind in ("UNEXPOSED_EXPR", "PAREN_EXPR"):
        above = above.parent
    callee = above.referenced if above is not None and above.kind == "CALL_EXPR" else None
    return callee is not None and callee.kind.name == "CONSTRUCTOR" and bool(callee.is_copy_constructor())


def words_if_absent(region: TargetRegion, attribute: Attribute) -> int:
    """Return how many parameters of eight bytes carry an object of a class that is mapped ``to``, for the kernel to use
    where the device has none: 0 if it must be in memory.

    The kernel only reads it, nobody else has its address, and it has one member, so that no part of it can be there
    without the whole.
    """
    variable = attribute.variable
    kind = variable.cursor.type
    if not variable.uses or attribute.reduction or attribute.last or types.is_volatile(kind):
        return 0
    if types.is_reference(kind) or not types.is_record(kind) or not _has_one_member(kind):
        return 0
    if not is_only_read(region, attribute) or not keeps_address(region.unit, region.owner, variable):
        return 0
    return words_of(variable)


def _has_one_member(kind: Type) -> bool:
    """Whether an object of a class is one number or pointer."""
    if not types.is_record(kind):
        return types.is_scalar(kind) or types.is_pointer(kind)
    parts = types.part_types(kind)
    return len(parts) == 1 and _has_one_member(parts[0])


def count_words(variable: UsedVariable) -> int:
    """Return how many parameters of eight bytes carry a structure, 0 if it is large, cannot be copied, or has elements
    that the region or a function reads.

    Elements that are found at run time would need the structure in the memory of each thread.
    """
    if not types.is_record(variable.cursor.type):
        return 0
    may_read = types.has_array(variable.cursor.type) and any(map(is_read_by_call, variable.uses))
    return 0 if may_read or any(map(_reads_element, variable.uses)) else words_of(variable)


def words_of_lambda(variable: Variable, before: int) -> int:
    """Return how many parameters of eight bytes carry a lambda's object, 0 if it is large or cannot be copied.

    ``before`` is how many parameters there are. An element of an array that is found at run time would need the array
    in memory again, so only a small object has any.
    """
    small = words_of(variable)
    if small or types.has_array(variable.cursor.type):
        return small
    return _words_where_room(variable, before)


def words_of_copy(region: TargetRegion, attribute: Attribute, before: int) -> int:
    """Return how many parameters of eight bytes carry a first-private object of a class, 0 if it must be in memory.

    Each thread makes its own copy, also of arrays in it, or none changes it: then elements that are found at run time
    are read where the launch has put the object. ``before`` is how many parameters there are.
    """
    variable = attribute.variable
    kind = variable.cursor.type
    if attribute.reduction or attribute.last or types.is_volatile(types.without_reference(kind)):
        return 0
    if not variable.uses or not types.is_record(types.without_reference(kind)):
        return 0
    is_read = is_only_read(region, attribute) and not types.has_array(types.without_reference(kind))
    return _words_where_room(variable, before) if is_own_copy(region, attribute) or is_read else 0


def is_own_copy(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether each thread has a copy of a first-private variable that it may change."""
    return attribute.copied and not is_read_in_place(region, attribute)


def _words_where_room(variable: Variable, before: int) -> int:
    count = _words(variable, _COPY_BY_VALUE)
    return count if before + count <= _MOST_WORDS else 0


def words_of(variable: Variable) -> int:
    """Return how many parameters of eight bytes carry a structure, 0 if it is large or cannot be copied."""
    return _words(variable, _BY_VALUE)


def _words(variable: Variable, most: int) -> int:
    kind = types.canonical(types.without_reference(variable.cursor.type))
    if classes.is_only_moved(kind) or not classes.is_made_of_bytes(kind) or not classes.is_copied_by_anyone(kind):
        return 0
    if has_forwarding_constructor(kind):
        return 0
    size = int(kind.get_size())
    return -(-size // 8) if size <= most else 0


def _reads_element(use: Node) -> bool:
    """Whether an element of an array is meant by an expression with a structure."""
    part = innermost_part(use)
    inside = takewhile(lambda node: node is not part, (use, *use.ancestors()))
    return any(node.kind == "ARRAY_SUBSCRIPT_EXPR" for node in (*inside, part))


def _is_read(part: Node) -> bool:
    if not (types.is_scalar(part.type) or types.is_pointer(part.type)):
        return False
    return part.parent is not None and part.parent.kind == "UNEXPOSED_EXPR" and not is_exposed(part)
