"""Members of virtual bases of objects that come from the host.

In: a region. Out: nothing, or an error at the member. Where a virtual base stands is in the table of the object's
class, which is the host's; and an object that is a base of another one has it elsewhere, beside what is mapped. Objects
that regions make have tables of the device's; the CPU device reads the host's.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.host_bounds import device_variables
from rexcc.analysis.object_classes import key_of, text_of, ways_to_base
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.program.variables import variable_of
from rexcc.source.diagnostics import error


def check_virtual_bases(region: TargetRegion) -> None:
    """Raise CompileError for a member that the device cannot find (``unsupported-type``)."""
    if not region.unit.is_cplusplus:
        return
    for part in region.device_parts:
        for node in part.walk():
            member = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
            owner = member.semantic_parent if member is not None else None
            if member is None or owner is None or kind_of(owner) not in RECORD_KINDS or not _is_of_object(member):
                continue
            record = _class_of_object(region, node)
            if record is not None and any(virtual for way in ways_to_base(record, key_of(owner)) for _, virtual in way):
                message = f"'{node.spelling}' is a member of the virtual base '{owner.spelling}' of an object of the "
                message += "host, whose place a device cannot find; copy it to a local variable in front of the region"
                raise error("unsupported-type", message, region.unit.span(node))


def _is_of_object(member: Cursor) -> bool:
    """Whether a member is a part of an object, or a function that gets its address, which is no virtual one."""
    is_method = kind_of(member) == "CXX_METHOD" and not member.is_static_method() and not member.is_virtual_method()
    return is_method or kind_of(member) == "FIELD_DECL"


def _class_of_object(region: TargetRegion, member: Node) -> Cursor | None:
    """Return the class of the object of which a member is named, None for an object that the region makes."""
    base = member.children[0] if member.children else None
    while base is not None and base.kind == "UNEXPOSED_EXPR" and len(base.children) == 1:  # the conversion to the base
        base = base.children[0]
    if base is None or base.kind == "CXX_THIS_EXPR":
        owner = region.owner.node.cursor.semantic_parent
        return text_of(owner) if owner is not None and kind_of(owner) in RECORD_KINDS else None
    named = next((n for n in base.walk() if n.kind == "DECL_REF_EXPR"), None)
    variable = named.referenced if named is not None else None
    if variable is None or member.tree.node(variable).is_inside(region.body):
        return None
    if variable_of(variable) in device_variables(region.constructs):  # an earlier region may have made the object
        return None
    return _record(base.type)


def _record(kind: Type) -> Cursor | None:
    found = types.pointee_of(kind) if types.is_pointer(kind) else types.without_reference(kind)
    return text_of(types.canonical(found).get_declaration()) if types.is_record(found) else None
