"""Which first-private variables need copies in a kernel, and which of them a team has together.

In: a region with its attributes. Out: answers for the stages that place variables. A first-private variable that the
region does not change is read where the launch has put it, and so is one that the target task alone owns: nothing else
names that storage. What a team owns lies in the memory of a team, so that not every thread has it.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.constant_references import may_change_constants
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.kept_addresses import innermost_part, position_in_call
from rexcc.analysis.ownership import Owner, is_told, owner_of
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import classes, types
from rexcc.clang.alignments import wanted_alignment
from rexcc.clang.tree import Node
from rexcc.lowering.text.alignment import region_alignments
from rexcc.lowering.text.variable_uses import may_change, part_named
from rexcc.program.variables import Variable

_PRIVATE_KINDS = frozenset({Kind.PRIVATE, Kind.VALUE, Kind.FIRSTPRIVATE})
_LARGE = 256
"""Bytes above which an array is no longer copied for each thread of a team without need."""
_OF_LAUNCH = 16
"""What the storage of first-private objects is aligned to where the launch has put it."""


def is_aggregate(attribute: Attribute) -> bool:
    """Whether a variable is an array or a class object."""
    kind = types.without_reference(attribute.variable.cursor.type)
    return (types.is_array(kind) and not attribute.variable.decays) or types.is_record(kind)


def is_bytes(attribute: Attribute) -> bool:
    """Whether an object is copied as bytes: no constructor of its own, no destructor."""
    kind = types.without_reference(attribute.variable.cursor.type)
    element = types.shape_of(kind).element if types.is_array(kind) else kind
    return not types.is_record(element) or classes.is_copied_as_bytes(element)


def is_read_in_place(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether a first-private variable is read and written where the launch has put it."""
    if attribute.kind is not Kind.FIRSTPRIVATE or attribute.reduction or attribute.last or not is_bytes(attribute):
        return False
    variable = attribute.variable
    if variable.name in region_alignments(region) or wanted_alignment(variable.cursor) != 0:
        return False
    if types.canonical(types.without_reference(variable.cursor.type)).get_align() > _OF_LAUNCH:
        return False
    return owner_of(region, variable) is Owner.TARGET or is_only_read(region, attribute)


def is_only_read(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether nothing in a region changes a variable."""
    variable = attribute.variable
    whole = types.without_reference(variable.cursor.type)
    kind = types.shape_of(whole).element
    if variable.changed_by_lambda or (types.is_record(kind) and classes.has_mutable_part(kind)):
        return False
    if is_assigned_inside(region, variable):
        return False
    return classes.is_fixed_array(whole) or all(_only_reads(use) for use in variable.uses)


def is_assigned_inside(region: TargetRegion, variable: Variable) -> bool:
    """Whether a construct in a region assigns a variable behind its end, as ``lastprivate`` and reductions do."""
    inner = region.constructs[-1].descendants()
    return any(construct.environment.assigning(variable) is not None for construct in inner)


def _only_reads(use: Node) -> bool:
    """Whether a use only reads: a call gets the object by value, as a constant, or is one of a constant method."""
    if any(above.kind == "LAMBDA_EXPR" for above in use.ancestors()):
        return False
    part = part_named(use)
    is_object = types.is_record(part.type) or part.kind == "MEMBER_REF_EXPR"
    if part.parent is None or part.parent.kind != "CALL_EXPR" or not is_object:
        return not may_change(use)
    return _call_only_reads(part.parent, part)


def is_read_by_call(use: Node) -> bool:
    """Whether a use of an object without ``mutable`` parts is that of a call that only reads it."""
    if classes.has_mutable_part(use.type):
        return False
    part = innermost_part(use)
    while part.parent is not None and part.parent.kind == "UNEXPOSED_EXPR" and types.is_record(part.parent.type):
        part = part.parent  # the object as a constant, or as its base
    call = part.parent
    is_method = part.kind == "MEMBER_REF_EXPR" and not types.is_scalar(part.type)
    if call is None or call.kind != "CALL_EXPR" or not (is_method or types.is_record(part.type)):
        return False
    return _call_only_reads(call, part)


def _call_only_reads(call: Node, part: Node) -> bool:
    """Whether a call does not change a part that it gets; others that it gets are uses of their own."""
    callee = call.referenced
    if callee is None:
        return False
    is_method = callee.kind.name in ("CXX_METHOD", "CONVERSION_FUNCTION") and not callee.is_static_method()
    parameters = [a.type for a in callee.get_arguments() if a is not None]
    given = [a for a in call.cursor.get_arguments() if a is not None]
    of_operator = int(is_method and len(given) == len(parameters) + 1)  # whose object is an argument like the others
    place = position_in_call(call, part) if len(given) == len(parameters) + of_operator else None
    is_object = is_method and (place is None or place < of_operator)
    if is_object and not callee.is_const_method():
        return False
    bound = parameters if place is None or is_object else [parameters[place - of_operator]]
    if not all(not types.is_reference(p) or types.is_constant(p) for p in bound):
        return False
    objects = [callee.semantic_parent.type] if is_method else []
    objects += [types.without_reference(p) for p in bound if types.is_reference(p)]
    return not any(may_change_constants(call.tree, callee, kind) for kind in objects)


def shared_directly(region: TargetRegion, data: RegionData) -> frozenset[Variable]:
    """Return the private variables of which the threads of a block have one on the direct path."""
    if not region.has_parallel:
        return frozenset()
    return frozenset(a.variable for a in data.attributes if _is_shared(region, a))


def _is_shared(region: TargetRegion, attribute: Attribute) -> bool:
    variable = attribute.variable
    if attribute.kind not in _PRIVATE_KINDS or attribute.reduction or attribute.last or attribute.implicit:
        return False
    if region.unit.kept(GroupVariables).of(variable) is not None:
        return True
    is_index = any(loop.index == variable for loop in (*region.loops, *region.sequential))
    if is_index or not attribute.reason.clause:
        return False
    if is_read_in_place(region, attribute):
        return False
    owner = owner_of(region, variable)
    if owner is Owner.THREAD or (owner is Owner.TARGET and region.has_teams):
        return False
    return is_aggregate(attribute) or is_told(region, variable)


def is_on_device(region: TargetRegion, attribute: Attribute) -> bool:
    """Whether a private variable is one for all teams: the target construct's, which forms them further in."""
    if attribute.kind is not Kind.PRIVATE or not region.has_teams or attribute.reason.clause is None:
        return False
    kind = types.without_reference(attribute.variable.cursor.type)
    element = types.shape_of(kind).element if types.is_array(kind) else kind
    plain = not types.is_record(element) or classes.is_trivial(element)
    if not plain or owner_of(region, attribute.variable) is not Owner.TARGET:
        return False
    return is_aggregate(attribute) or is_told(region, attribute.variable)


def kept_together(data: RegionData) -> dict[Variable, Node]:
    """Return the private variables that a team has once even if no parallel uses them, with a use."""
    found: dict[Variable, Node] = {}
    for attribute in data.attributes:
        kind = types.without_reference(attribute.variable.cursor.type)
        private = attribute.kind is Kind.PRIVATE or attribute.copied
        if private and attribute.variable.uses and not is_bytes(attribute):
            found[attribute.variable] = attribute.variable.uses[0]  # constructors and destructor run once
        if private and types.is_array(kind) and not attribute.variable.decays and attribute.variable.uses:
            size = types.canonical(kind).get_size()
            if size < 0 or size > _LARGE:
                found[attribute.variable] = attribute.variable.uses[0]
    return found
