"""Names of namespaces and classes inside a kernel.

In: the references of a region's body. Out: edits. A captured global that is named with its namespace gets the bare name
of its kernel parameter; what a method names without its class (enumerators, static members, nested types) gets the
class in front. The host side names a captured global in full.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.attributes import Kind, RegionData
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error

_NESTED_TYPES = RECORD_KINDS | {"ENUM_DECL", "TYPEDEF_DECL", "TYPE_ALIAS_DECL"}


def host_name(variable: UsedVariable) -> str:
    """Return how the host side names a variable: a namespace's or class's global in full."""
    names = [variable.name]
    scope = types.scope_of(variable.cursor) if variable.is_global else None
    if scope is not None and _names_its_own(variable, scope):
        return variable.name
    while scope is not None:
        record = kind_of(scope) in RECORD_KINDS
        names.append(types.spell(scope.type) if record else str(scope.spelling))
        scope = None if record else types.scope_of(scope)
    return "::".join(reversed(names))


def _names_its_own(variable: UsedVariable, scope: Cursor) -> bool:
    """Whether a region names a static member of its own class template, which has one text for all instantiations."""
    instance = kind_of(scope) in RECORD_KINDS and library.template_of(scope) is not None
    if not instance or not variable.uses or variable.uses[0].children:
        return False
    use = variable.uses[0]
    return use.end - use.start <= len(variable.name)  # and nothing in front of it


def lower_qualified(body: DeviceBody, region: TargetRegion, data: RegionData) -> None:
    """Make the names of a region's body mean the same in a kernel."""
    captured = [a.variable for a in data.attributes if a.kind is not Kind.DEVICE_GLOBAL]
    for variable in captured:
        _shorten(body, region, data, variable)
    qualify_members(body, region.body, frozenset(captured))


def qualify_members(body: DeviceBody, top: Node, captured: frozenset[Variable] = frozenset()) -> None:
    """Put their class in front of the members of a class, other than fields, that code outside of it names.

    In C nothing but fields is a member: enumerators and tags inside of structures belong to the scope around them.
    """
    if not body.unit.is_cplusplus:
        return
    done: set[int] = set()
    for node in top.walk():
        member = _member(node, captured)
        start = body.start(node)
        if member is None or start in done or node.file != body.file.scan.source.path:
            continue
        if not _is_inside(top, member) and _stands_alone(body, node, str(member.spelling)):
            done.add(start)
            body.edits.insert(start, f"{_class_of(member)}::")


def _shorten(body: DeviceBody, region: TargetRegion, data: RegionData, variable: UsedVariable) -> None:
    """Replace ``lib::table`` by ``table``."""
    qualified = re.compile(rf".*::\s*{re.escape(variable.name)}", re.S)
    for use in variable.uses:
        text = body.original(use) or _in_clause(body, use)
        if use.file != body.file.scan.source.path or not qualified.fullmatch(text):
            continue
        if any(name == variable.name for name in _other_names(region, data, variable)):
            raise error(
                "unsupported-capture",
                f"'{text}' and another variable of that name in one target region cannot be lowered yet",
                body.span(use),
            )
        body.edits.replace(body.start(use), body.start(use) + len(text), variable.name)


def _in_clause(body: DeviceBody, use: Node) -> str:
    """Return a variable's name as a directive's clause has it; only its start is known."""
    found = re.compile(r"(?:::)?\s*\w+(?:\s*::\s*\w+)*").match(body.text, body.start(use))
    return found[0] if found else ""


def _other_names(region: TargetRegion, data: RegionData, variable: Variable) -> Iterator[str]:
    yield from (a.variable.name for a in data.attributes if a.variable is not variable)
    yield from (n.spelling for n in region.body.walk() if n.kind in ("VAR_DECL", "PARM_DECL"))


def _member(node: Node, captured: frozenset[Variable]) -> Cursor | None:
    """Return the class member (other than a field) that a reference names."""
    target = node.referenced if node.kind in ("DECL_REF_EXPR", "TYPE_REF") else None
    if target is None or _record_of(target) is None:
        return None
    kind = kind_of(target)
    if node.kind == "TYPE_REF":
        return target if kind in _NESTED_TYPES else None
    if kind == "CXX_METHOD" and target.is_static_method():
        return target
    if kind == "VAR_DECL" and Variable(target) not in captured:
        return target
    return target if kind == "ENUM_CONSTANT_DECL" else None


def _record_of(member: Cursor) -> Cursor | None:
    """Return the class of a member; an enumerator's is that of its enumeration."""
    parent = member.semantic_parent
    if kind_of(member) == "ENUM_CONSTANT_DECL" and parent is not None:
        parent = None if parent.is_scoped_enum() else parent.semantic_parent
    return parent if parent is not None and kind_of(parent) in RECORD_KINDS and parent.spelling else None


def _class_of(member: Cursor) -> str:
    record = _record_of(member)
    assert record is not None
    return types.spell(record.type.get_canonical())


def _is_inside(body: Node, member: Cursor) -> bool:
    place = body.tree.node(member)
    return place.file == body.file and body.start <= place.start < body.end


def _stands_alone(body: DeviceBody, node: Node, name: str) -> bool:
    """Whether a reference is the bare name, nothing in front of it and no macro around it."""
    before = body.text[: body.start(node)].rstrip()
    return body.original(node) == name and not before.endswith(("::", ".", "->"))
