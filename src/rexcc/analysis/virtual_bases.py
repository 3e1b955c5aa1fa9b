"""Virtual bases of objects that come from the host.

In: a region. Out: nothing, or an error where it looks for such a base: for a member, for a reference or a pointer to
the base, or to copy the object. Where a virtual base stands is in the table of the object's class, which is the host's;
and an object that is a base of another one has it elsewhere, beside what is mapped. Objects that regions make have
tables of the device's; the CPU device reads the host's.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.host_bounds import device_variables
from rexcc.analysis.host_objects import HostObjects, behind, expressions
from rexcc.analysis.object_classes import bases_of, key_of, text_of, ways_to_base, with_bases
from rexcc.analysis.reachable_functions import directly_called
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.records import dataclass

_CONVERSIONS = frozenset(
    {
        "UNEXPOSED_EXPR", "CSTYLE_CAST_EXPR", "CXX_STATIC_CAST_EXPR", "CXX_FUNCTIONAL_CAST_EXPR",
        "CXX_DYNAMIC_CAST_EXPR",
    }
)  # fmt: skip
_THE_HOSTS = "an object of the host"


@dataclass(frozen=True)
class _Search:
    """Code that looks for a virtual base: ``thing`` is the object's expression, None for the own object."""

    node: Node
    thing: Node | None
    base: Cursor
    is_copy: bool = False


def check_virtual_bases(region: TargetRegion) -> None:
    """Raise CompileError for what the device cannot find (``unsupported-type``)."""
    if not region.unit.is_cplusplus or not region.unit.kept(_may_have_virtual_bases):
        return
    classes, own = region.unit.kept(_Classes), _class_around(region.owner.node)
    private = frozenset(item.variable for item in region.items("private") if item.variable is not None)
    objects = HostObjects(region.body, device_variables(region.constructs) | private)
    for part in region.device_parts:
        for node in part.walk():
            for search in _searches(node, classes, own):
                if objects.may_be(search.thing):
                    raise _problem(region, search)
    for part in region.device_parts:
        for call in part.walk():
            passed = list(_passed(call, objects, classes, own)) if call.kind == "CALL_EXPR" else []
            reached = list(_reached(region, call, classes)) if passed else []
            for each in passed:
                owner = next((owner for owner in reached if classes.leads_to(each.kind, owner)), None)
                if owner is not None:
                    raise error("unsupported-type", _in_function(each, owner), region.unit.span(each.node))


def _may_have_virtual_bases(unit: ParsedUnit) -> bool:
    return any("virtual" in file.scan.source.text for file in unit.files.values())


def _problem(region: TargetRegion, search: _Search) -> CompileError:
    node, base = search.node, search.base.spelling
    if node.kind == "MEMBER_REF_EXPR":
        message = f"'{node.spelling}' is a member of the virtual base '{base}' of {_THE_HOSTS}, whose place a device "
        message += "cannot find; copy it to a local variable in front of the region"
    else:
        done = f"with the virtual base '{base}' is copied" if search.is_copy else f"becomes its virtual base '{base}'"
        message = f"{_THE_HOSTS} {done}, which a device cannot find; copy what the region needs of it to local "
        message += "variables in front of the region"
    return error("unsupported-type", message, region.unit.span(node))


def _in_function(passed: _Passed, base: Cursor) -> str:
    node = passed.node
    is_function = node.referenced is not None and kind_of(node.referenced) in FUNCTION_KINDS
    verb = "is called on" if is_function else "is" if passed.is_object else "leads to"
    return (
        f"'{node.spelling or 'this'}' {verb} {_THE_HOSTS}, and a function that the region calls has to find its "
        f"virtual base '{base.spelling}', which a device cannot; copy what the function needs to local variables in "
        "front of the region"
    )


class _Classes:
    """Which classes have virtual bases, and which lead to such; each is looked at once."""

    def __init__(self, _: ParsedUnit) -> None:
        self._virtual: dict[int, tuple[Cursor, ...]] = {}
        self._held: dict[int, tuple[Cursor, ...]] = {}

    def virtual_bases(self, record: Cursor) -> tuple[Cursor, ...]:
        """Return the virtual bases of a class, and of its bases."""
        key = int(record.hash)
        if key not in self._virtual:
            found = (base for each in with_bases(record) for base, virtual in bases_of(each) if virtual)
            self._virtual[key] = tuple(found)
        return self._virtual[key]

    def held(self, kind: Type) -> tuple[Cursor, ...]:
        """Return the classes with virtual bases that an object is of, or has parts of, or that these lead to."""
        key = int(types.canonical(kind).get_declaration().hash)
        if key not in self._held:
            self._held[key] = tuple(filter(self.virtual_bases, _records_in(kind)))
        return self._held[key]

    def leads_to(self, kind: Type, base: Cursor) -> bool:
        """Whether a virtual base of a class is found by way of an object."""
        return any(_has_virtual(record, base) for record in self.held(kind))


def _records_in(kind: Type) -> Iterator[Cursor]:
    """Yield the texts of a class, and of those that its objects are made of or lead to."""
    waiting, seen = [kind], set[int]()
    while waiting:
        found = behind(waiting.pop())
        declared = found.get_declaration()
        if not types.is_record(found) or int(declared.hash) in seen:
            continue
        seen.add(int(declared.hash))
        yield text_of(declared)
        waiting += (field.type for field in types.canonical(found).get_fields())
        waiting += (child.type for child in declared.get_children() if kind_of(child) == "CXX_BASE_SPECIFIER")


def _has_virtual(record: Cursor | None, base: Cursor) -> bool:
    return record is not None and any(virtual for way in ways_to_base(record, key_of(base)) for _, virtual in way)


def _searches(node: Node, classes: _Classes, own: Cursor | None) -> Iterator[_Search]:
    """Yield the virtual bases that a node looks for; ``own`` is the class of the own object."""
    if node.kind == "MEMBER_REF_EXPR":
        owner, thing = _owner(node), _object_of(node)
        record = own if thing is None or thing.kind == "CXX_THIS_EXPR" else _record(thing.type)
        if owner is not None and record is not None and classes.virtual_bases(record) and _has_virtual(record, owner):
            yield _Search(node, thing, owner)
    elif node.kind in _CONVERSIONS:
        thing = next(expressions(node), None)
        record, base = (_record(thing.type) if thing is not None else None), _record(node.type)
        if record is not None and base is not None and classes.virtual_bases(record) and _has_virtual(record, base):
            yield _Search(node, thing, base)
    elif node.kind == "CALL_EXPR" and (copied := _copied(node)) is not None:
        record = _record(copied.type)
        bases = classes.virtual_bases(record) if record is not None else ()
        if bases:
            yield _Search(node, copied, bases[0], is_copy=True)


def _copied(call: Node) -> Node | None:
    """Return the object that a call copies whole."""
    function = call.referenced
    if function is None:
        return None
    if kind_of(function) == "CONSTRUCTOR" and (function.is_copy_constructor() or function.is_move_constructor()):
        return next(expressions(call), None)
    if function.spelling == "operator=" and function.is_default_method():
        return next(reversed(list(expressions(call))), None)
    return None


@dataclass(frozen=True)
class _Passed:
    """What a call gets of the host; ``is_object``: it is an object with a virtual base, and does not lead to one."""

    node: Node
    kind: Type
    is_object: bool


def _passed(call: Node, objects: HostObjects, classes: _Classes, own: Cursor | None) -> Iterator[_Passed]:
    """Yield the objects of the host that a call gets, or whose function it calls, if they lead to virtual bases."""
    waiting = list(call.children)
    while waiting:
        node = waiting.pop(0)
        if node.kind == "CALL_EXPR":
            continue  # asked for itself
        kind, thing = node.type, node
        if node.kind == "MEMBER_REF_EXPR" and node.referenced is not None and kind_of(node.referenced) != "FIELD_DECL":
            base = _object_of(node)
            if base is not None and base.kind != "CXX_THIS_EXPR":
                waiting += node.children
                continue
            if own is not None and classes.held(own.type):
                yield _Passed(node, own.type, bool(classes.virtual_bases(own)))
            continue
        if node.kind not in ("DECL_REF_EXPR", "MEMBER_REF_EXPR", "CXX_THIS_EXPR"):
            waiting += node.children
            continue
        if types.is_record(behind(kind)) and classes.held(behind(kind)) and objects.may_be(thing):
            record = _record(kind)
            yield _Passed(node, behind(kind), record is not None and bool(classes.virtual_bases(record)))


def _reached(region: TargetRegion, call: Node, classes: _Classes) -> Iterator[Cursor]:
    """Yield the virtual bases that the functions which are called look for in objects that they get."""
    waiting, seen = [call], set[Node]()
    while waiting:
        for _, function in directly_called(region.unit.tree, waiting.pop()):
            if function in seen:
                continue
            seen.add(function)
            own, objects = _class_around(function), HostObjects(function)
            for node in function.walk():
                for search in _searches(node, classes, own):
                    if objects.may_be(search.thing):
                        yield search.base
                if node.kind == "CALL_EXPR" and any(_passed(node, objects, classes, own)):
                    waiting.append(node)


def _owner(node: Node) -> Cursor | None:
    """Return the class whose member a node names, if that is a part of an object."""
    member = node.referenced
    owner = member.semantic_parent if member is not None else None
    is_found = member is not None and owner is not None and kind_of(owner) in RECORD_KINDS and _is_of_object(member)
    return text_of(owner) if is_found else None


def _is_of_object(member: Cursor) -> bool:
    """Whether a member is a part of an object, or a function that gets its address, which is no virtual one."""
    is_method = kind_of(member) == "CXX_METHOD" and not member.is_static_method() and not member.is_virtual_method()
    return is_method or kind_of(member) == "FIELD_DECL"


def _class_around(function: Node) -> Cursor | None:
    """Return the class whose function a function is, or the function around it, as that of a lambda."""
    around = function.cursor.semantic_parent
    while around is not None and (kind_of(around) in FUNCTION_KINDS or _is_lambda(around)):
        around = around.semantic_parent
    return text_of(around) if around is not None and kind_of(around) in RECORD_KINDS else None


def _is_lambda(declared: Cursor) -> bool:
    return kind_of(declared) == "CLASS_DECL" and spelling.is_unnamed(declared.type)


def _object_of(member: Node) -> Node | None:
    """Return the object of which a member is named, without its conversion to the base; None for the own one."""
    base = next(expressions(member), None)
    while base is not None and base.kind == "UNEXPOSED_EXPR" and len(base.children) == 1:
        base = base.children[0]
    return base


def _record(kind: Type) -> Cursor | None:
    found = types.pointee_of(kind) if types.is_pointer(kind) else types.without_reference(kind)
    return text_of(types.canonical(found).get_declaration()) if types.is_record(found) else None
