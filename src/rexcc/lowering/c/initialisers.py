"""Initialisers of C in the order and with the braces of C++.

In: a braced list with designators, or a string that leaves no room for its end. Out: the values in the order of the
elements and members, ``{}`` where C writes none. Lists without designators, and those that name the members of a
structure in their order, stay.
"""

from __future__ import annotations

import importlib
import re

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.tree import Node
from rexcc.lowering.c.editing import CEdits
from rexcc.source.diagnostics import error
from rexcc.source.edits import Content, content, listed
from rexcc.source.records import dataclass

_MOST = 65536
"""Elements that are written out."""


@dataclass(eq=False)
class Slot:
    """A part of the object: its type, the parts below it that have values, or its own value."""

    kind: Type
    parts: dict[int, Slot]
    value: Node | None = None


def lay_out(edits: CEdits, node: Node) -> None:
    """Rewrite a braced list whose designators C++ does not have."""
    if not _is_designated(edits, node) or not edits.is_reachable(node, inside=True):
        return
    if not all(edits.is_reachable(child, inside=_is_named(child)) for child in node.children):
        return
    slot = _filled(edits, node, types.canonical(node.type))
    edits.replace(node, _text(edits, slot, node))


def _is_designated(edits: CEdits, node: Node) -> bool:
    """Whether a list has designators other than those of a structure's members in their order."""
    named = [_is_named(child) for child in node.children]
    if not any(named):
        return False
    if not all(named) or not types.is_record(node.type):
        return True
    fields = [str(f.spelling) for f in fields_of(node.type)]
    paths = [_path(edits, child) for child in node.children]
    if any(len(path) > 1 or not isinstance(path[0], str) or path[0] not in fields for path in paths):
        return True
    if any(not edits.body.original(child).startswith(".") for child in node.children):
        return True
    places = [fields.index(str(path[0])) for path in paths]
    return places != sorted(set(places))


def _is_named(node: Node) -> bool:
    return node.kind == "UNEXPOSED_EXPR" and types.kind_name(node.type) == "VOID" and len(node.children) > 1


def _path(edits: CEdits, item: Node) -> list[str | tuple[int, int]]:
    """Return the designators of an item: names, and first and last index."""
    found: list[str | tuple[int, int]] = []
    signs = list(item.children[:-1])
    while signs:
        sign = signs.pop(0)
        if sign.kind == "MEMBER_REF":
            found.append(sign.spelling)
            continue
        low = library.evaluate_integer(sign.cursor)
        high = low
        between = edits.body.text[edits.body.end(sign) : edits.body.start(signs[0])] if signs else ""
        if "..." in between:
            high = library.evaluate_integer(signs.pop(0).cursor)
        if low is None or high is None:
            raise error("unsupported-type", "this designator's value is not known", edits.body.span(item))
        found.append((low, high))
    return found


def fields_of(kind: Type) -> list[Cursor]:
    """Return the members of a structure or union that initialisers count: not those bits that have no name."""
    members = library.canonical_type(types.canonical(kind)).get_fields()  # with those of no name, unlike the tree
    return [m for m in members if not (m.is_bitfield() and not m.spelling)]


def _part_type(kind: Type, index: int) -> Type:
    element = types.element_of(kind)
    return element if element is not None else fields_of(kind)[index].type


def _count(kind: Type) -> int:
    """Return how many parts of an aggregate initialisers count one after another."""
    extent = types.constant_extent(kind)
    if types.is_array(kind):
        return extent if extent is not None else _MOST
    if types.canonical(kind).get_declaration().kind.name == "UNION_DECL":
        return 1
    return len(fields_of(kind))


def _is_aggregate(kind: Type) -> bool:
    return types.is_array(kind) or types.is_record(kind)


def _filled(edits: CEdits, node: Node, kind: Type) -> Slot:
    """Return the parts of an object that a braced list gives values."""
    top = Slot(kind, {})
    if not _is_aggregate(kind):
        return Slot(kind, {}, node)
    place: list[int] = []
    for item in node.children:
        if _is_named(item):
            paths = _places(kind, _path(edits, item))
            value = item.children[-1]
        else:
            place = _following(kind, place)
            paths, value = [place], item
        for each in paths:
            place = _put(top, each, value)
    return top


def _places(kind: Type, path: list[str | tuple[int, int]]) -> list[list[int]]:
    """Return the indices, level by level, of the parts that designators name."""
    found: list[list[int]] = [[]]
    current = kind
    for sign in path:
        if isinstance(sign, str):
            steps = _member(current, sign)
            found = [[*place, *steps] for place in found]
        else:
            if sign[1] - sign[0] >= _MOST:
                raise error("unsupported-type", "this initialiser has too many elements for a kernel", None)
            found = [[*place, index] for place in found for index in range(sign[0], sign[1] + 1)]
            steps = [0]
        for step in steps:
            current = _part_type(current, step)
    return found


def _member(kind: Type, name: str) -> list[int]:
    """Return the way to a member, through those without a name."""
    for index, one in enumerate(fields_of(kind)):
        if one.spelling == name:
            return [index]
    for index, one in enumerate(fields_of(kind)):
        if types.is_record(one.type) and (not one.spelling or "(" in one.spelling):
            below = _member(one.type, name)
            if below:
                return [index, *below]
    return []


def _following(kind: Type, place: list[int]) -> list[int]:
    """Return the place behind another one."""
    if not place:
        return [0]
    around = [kind]
    for index in place[:-1]:
        around.append(_part_type(around[-1], index))
    found = list(place)
    while len(found) > 1 and (_is_union(around[len(found) - 1]) or found[-1] + 1 >= _count(around[len(found) - 1])):
        found.pop()
    found[-1] += 1
    return found


def _is_union(kind: Type) -> bool:
    return str(types.canonical(kind).get_declaration().kind.name) == "UNION_DECL"


def _put(top: Slot, place: list[int], value: Node) -> list[int]:
    """Set a part; a value that is no aggregate goes down to the first scalar. Returns where it went."""
    slot = top
    for index in place:
        if slot.value is not None:
            slot.value = None
        if _is_union(slot.kind):
            slot.parts = {i: s for i, s in slot.parts.items() if i == index}
        slot = slot.parts.setdefault(index, Slot(_part_type(slot.kind, index), {}))
    went = list(place)
    while _is_aggregate(slot.kind) and not _fits(slot.kind, value):
        slot = slot.parts.setdefault(0, Slot(_part_type(slot.kind, 0), {}))
        went.append(0)
    slot.parts, slot.value = {}, value
    return went


def _fits(kind: Type, value: Node) -> bool:
    """Whether a value is one for all of an aggregate."""
    bare = value.bare()
    if bare.kind == "INIT_LIST_EXPR":
        return True
    if bare.kind == "STRING_LITERAL" and types.is_array(kind):
        element = types.element_of(kind)
        return element is not None and not _is_aggregate(element) and not types.is_pointer(element)
    return types.is_record(kind) and types.is_record(value.type)


def _text(edits: CEdits, slot: Slot, where: Node) -> Content:
    if slot.value is not None:
        return (edits.body.quoted(slot.value),)
    if not slot.parts:
        return ("{}",)
    if types.is_record(slot.kind) and _is_union(slot.kind):
        index, part = next(reversed(slot.parts.items()))
        name = fields_of(slot.kind)[index].spelling
        return content("{", f".{name} = " if name and index else "", _text(edits, part, where), "}")
    last = max(slot.parts)
    if last >= _MOST:
        raise error("unsupported-type", "this initialiser has too many elements for a kernel", edits.body.span(where))
    values = (_text(edits, slot.parts[i], where) if i in slot.parts else "{}" for i in range(last + 1))
    return content("{", listed(values), "}")


def fit_string(edits: CEdits, node: Node) -> None:
    """Write a string literal that fills its array, without room for the end, as characters."""
    above = node.parent
    extent = types.constant_extent(node.type)
    if above is None or above.kind not in ("VAR_DECL", "INIT_LIST_EXPR", "UNEXPOSED_EXPR") or extent is None:
        return
    if above.kind == "UNEXPOSED_EXPR" and types.kind_name(above.type) != "VOID":
        return
    data = _characters(node.spelling)
    if data is None or len(data) < extent:
        return
    listed = ", ".join(str(c if c < 128 else c - 256) for c in data[:extent])
    element = types.element_of(node.type)
    if element is not None and types.kind_name(types.canonical(element)) == "UCHAR":
        listed = ", ".join(map(str, data[:extent]))
    in_braces = (
        above.kind == "INIT_LIST_EXPR"
        and types.is_array(above.type)
        and not types.is_array(types.element_of(types.canonical(above.type)) or above.type)
    )
    edits.replace(node, listed if in_braces else "{" + listed + "}")


def _characters(spelling: str) -> bytes | None:
    """Return the bytes of a string literal as clang prints it; None for one of wide characters."""
    if not spelling.startswith('"') and not spelling.startswith('u8"'):
        return None
    text = spelling[spelling.index('"') :]
    try:
        found = importlib.import_module("ast").literal_eval(
            "b" + re.sub(r"\\([0-7]{1,3})", lambda m: f"\\x{int(m[1], 8) & 255:02x}", text)
        )
    except (SyntaxError, ValueError):
        found = text[1:-1].encode("utf-8")
    return bytes(found)
