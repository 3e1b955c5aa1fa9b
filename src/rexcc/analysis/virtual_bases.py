"""Members of virtual bases of objects that come from the host.

In: a region. Out: nothing, or an error at the member. Where a virtual base stands is in the table of the object's
class, which is the host's; and an object that is a base of another one has it elsewhere, beside what is mapped. Objects
that regions make have tables of the device's; the CPU device reads the host's.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.host_bounds import device_variables
from rexcc.analysis.object_classes import bases_of, key_of, text_of, ways_to_base, with_bases
from rexcc.analysis.reachable_functions import called_bodies
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
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
    classes = _Classes()
    for part in region.device_parts:
        for call in part.walk():
            passed = list(_passed(region, call, classes)) if call.kind == "CALL_EXPR" else []
            reached = list(_reached(region, call)) if passed else []
            for node, record in passed:
                owner = next((owner for owner in reached if _has_virtual(record, owner)), None)
                if owner is not None:
                    raise error("unsupported-type", _in_function(node, owner), region.unit.span(node))


def _in_function(node: Node, base: Cursor) -> str:
    is_function = node.referenced is not None and kind_of(node.referenced) in FUNCTION_KINDS
    return (
        f"'{node.spelling}' is {'called on ' if is_function else ''}an object of the host, and a function that the "
        f"region calls has to find its virtual base '{base.spelling}', which a device cannot; copy what the function "
        "needs to local variables in front of the region"
    )


class _Classes:
    """Which classes have virtual bases; each is looked at once."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}

    def has_virtual(self, record: Cursor) -> bool:
        key = int(record.hash)
        if key not in self._known:
            self._known[key] = any(virtual for each in with_bases(record) for _, virtual in bases_of(each))
        return self._known[key]


def _passed(region: TargetRegion, call: Node, classes: _Classes) -> Iterator[tuple[Node, Cursor]]:
    """Yield the objects of the host that a call gets, or whose function it calls, of classes with virtual bases."""
    waiting = list(call.children)
    while waiting:
        node = waiting.pop(0)
        if node.kind == "CALL_EXPR":
            continue  # asked for itself
        is_object, record = _is_of_host(region, node), _record(node.type)
        if node.kind == "MEMBER_REF_EXPR" and node.referenced is not None and kind_of(node.referenced) != "FIELD_DECL":
            base = _object_of(node)
            if base is not None and base.kind != "CXX_THIS_EXPR":
                waiting += node.children
                continue
            is_object, record = True, _own_class(region)
        elif node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR"):
            waiting += node.children
            continue
        if is_object and record is not None and classes.has_virtual(record):
            yield node, record


def _owner(node: Node) -> Cursor | None:
    """Return the class whose member a node names, if that is a part of an object."""
    member = node.referenced if node.kind == "MEMBER_REF_EXPR" else None
    owner = member.semantic_parent if member is not None else None
    is_found = member is not None and owner is not None and kind_of(owner) in RECORD_KINDS and _is_of_object(member)
    return owner if is_found else None


def _has_virtual(record: Cursor | None, base: Cursor) -> bool:
    return record is not None and any(virtual for way in ways_to_base(record, key_of(base)) for _, virtual in way)


def _reached(region: TargetRegion, call: Node) -> Iterator[Cursor]:
    """Yield the virtual bases that the functions which are called look for in objects that they have not made."""
    for function in called_bodies(region.unit.tree, (call,)):
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
        return _own_class(region)
    return _record(base.type) if _is_of_host(region, base) else None


def _own_class(region: TargetRegion) -> Cursor | None:
    """Return the class in whose function a region stands."""
    owner = region.owner.node.cursor.semantic_parent
    return text_of(owner) if owner is not None and kind_of(owner) in RECORD_KINDS else None


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
