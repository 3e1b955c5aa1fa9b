"""Members of virtual bases of objects that come from the host.

In: a region. Out: nothing, or an error at the member. Where a virtual base stands is in the table of the object's
class, which is the host's; and an object that is a base of another one has it elsewhere, beside what is mapped. Objects
that regions make have tables of the device's; the CPU device reads the host's.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.host_bounds import device_variables
from rexcc.analysis.object_classes import bases_of, key_of, text_of, ways_to_base
from rexcc.analysis.reachable_functions import called_bodies
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
            owner = _owner(node)
            if owner is not None and _has_virtual(_class_of_object(region, node), owner):
                message = f"'{node.spelling}' is a member of the virtual base '{owner.spelling}' of an object of the "
                message += "host, whose place a device cannot find; copy it to a local variable in front of the region"
                raise error("unsupported-type", message, region.unit.span(node))
    named = [(node, record) for node, record in _objects(region) if _is_of_host(region, node)]
    reached = list(_reached(region)) if named else []
    for node, record in named:
        owner = next((owner for owner in reached if _has_virtual(record, owner)), None)
        if owner is not None:
            message = (
                f"'{node.spelling}' is an object of the host, and a function that the region calls has to find its "
            )
            message += f"virtual base '{owner.spelling}', which a device cannot; copy what the function needs to local "
            message += "variables in front of the region"
            raise error("unsupported-type", message, region.unit.span(node))


def _objects(region: TargetRegion) -> Iterator[tuple[Node, Cursor]]:
    """Yield where a region names objects, or pointers to them, of classes with virtual bases, and the classes."""
    known: dict[int, bool] = {}
    for part in region.device_parts:
        for node in part.walk():
            record = _record(node.type) if node.kind == "DECL_REF_EXPR" else None
            if record is None:
                continue
            key = int(record.hash)
            if key not in known:
                known[key] = _has_virtual_bases(record)
            if known[key]:
                yield node, record


def _owner(node: Node) -> Cursor | None:
    """Return the class whose member a node names, if that is a part of an object."""
    member = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
    owner = member.semantic_parent if member is not None else None
    is_found = member is not None and owner is not None and kind_of(owner) in RECORD_KINDS and _is_of_object(member)
    return owner if is_found else None


def _has_virtual_bases(record: Cursor) -> bool:
    return any(virtual or _has_virtual_bases(text_of(base)) for base, virtual in bases_of(record))


def _has_virtual(record: Cursor | None, base: Cursor) -> bool:
    return record is not None and any(virtual for way in ways_to_base(record, key_of(base)) for _, virtual in way)


def _reached(region: TargetRegion) -> Iterator[Cursor]:
    """Yield the virtual bases that functions which a region calls look for in objects that they have not made."""
    for function in called_bodies(region.unit.tree, region.device_parts):
        for node in function.walk():
            owner = _owner(node)
            if owner is None:
                continue
            base = _object_of(node)
            named = _variable_of(base) if base is not None else None
            if named is not None and kind_of(named) == "VAR_DECL" and types.is_record(named.type):
                continue
            own = function.cursor.semantic_parent
            record = _record(base.type) if base is not None else text_of(own) if kind_of(own) in RECORD_KINDS else None
            if _has_virtual(record, owner):
                yield owner


def _is_of_object(member: Cursor) -> bool:
    """Whether a member is a part of an object, or a function that gets its address, which is no virtual one."""
    is_method = kind_of(member) == "CXX_METHOD" and not member.is_static_method() and not member.is_virtual_method()
    return is_method or kind_of(member) == "FIELD_DECL"


def _class_of_object(region: TargetRegion, member: Node) -> Cursor | None:
    """Return the class of the object of which a member is named, None for an object that the region makes."""
    base = _object_of(member)
    if base is None or base.kind == "CXX_THIS_EXPR":
        owner = region.owner.node.cursor.semantic_parent
        return text_of(owner) if owner is not None and kind_of(owner) in RECORD_KINDS else None
    return _record(base.type) if _is_of_host(region, base) else None


def _object_of(member: Node) -> Node | None:
    """Return the object of which a member is named, without its conversion to the base; None for the own one."""
    base = member.children[0] if member.children else None
    while base is not None and base.kind == "UNEXPOSED_EXPR" and len(base.children) == 1:
        base = base.children[0]
    return base


def _variable_of(base: Node) -> Cursor | None:
    named = next((n for n in base.walk() if n.kind == "DECL_REF_EXPR"), None)
    return named.referenced if named is not None else None


def _is_of_host(region: TargetRegion, base: Node) -> bool:
    """Whether an object comes from the host: neither the region nor an earlier one may have made it."""
    variable = _variable_of(base)
    if variable is None or base.tree.node(variable).is_inside(region.body):
        return False
    return variable_of(variable) not in device_variables(region.constructs)


def _record(kind: Type) -> Cursor | None:
    found = types.pointee_of(kind) if types.is_pointer(kind) else types.without_reference(kind)
    return text_of(types.canonical(found).get_declaration()) if types.is_record(found) else None
