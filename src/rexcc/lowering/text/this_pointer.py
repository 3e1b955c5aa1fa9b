"""``this`` inside a kernel: a parameter with a name of ours.

In: the references of a region's body. Out: edits. ``this`` is spelled ``__rex_this``, a kernel parameter; a member
named without an object gets ``__rex_this->``, one of which the thread has a private copy that copy's name, one that
travels without the object what it is known by (:mod:`rexcc.lowering.arguments.read_members`).
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.analysis.references import References
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.qualified import expand_macro, is_written
from rexcc.source.patterns import regex

_TO_MEMBER = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR", "UNARY_OPERATOR", "MEMBER_REF_EXPR"})

_THERE = regex(r"rex_object_there<([\w ]+)>\((\w+), \w+\)")


def member_there(kind: str, address: str, word: str) -> str:
    """Return the value of a member that the device may have, at an address, or else is in a parameter."""
    return f"rex_object_there<{kind}>({address}, {word})"


def range_of(place: str) -> str:
    """Return the range of memory of an object in the kernel; a member that the device has not lies nowhere."""
    found = _THERE.fullmatch(place)
    return f"rex_element_there<{found[1]}>({found[2]})" if found is not None else f"rex_element({place})"


def lower_this(body: DeviceBody, references: References, renamed: Mapping[int, str]) -> None:
    """Rewrite the uses of ``this``; ``renamed`` are members, by the hash of their field, that have a private copy."""
    seen: set[tuple[str, int]] = set()
    for node in references.this_uses:
        start = body.start(node)
        if (node.kind, start) in seen:  # clang has the first value of a lambda's capture twice
            continue
        seen.add((node.kind, start))
        member = _own_member(node)
        if member is not None and not is_written(body, member) and expand_macro(body, member):
            continue
        field = member.referenced if member is not None else None
        if member is not None and field is not None and int(field.canonical.hash) in renamed:
            body.edits.replace(body.start(member), body.end(member), renamed[int(field.canonical.hash)])
        elif node.kind == "CXX_THIS_EXPR":
            if body.original(node) == "this":
                body.edits.replace(start, start + len("this"), "__rex_this")
            elif member is not None and _is_implied(body, node, member):
                body.edits.insert(start, "__rex_this->")
        else:
            body.edits.insert(start, "__rex_this->")


def _own_member(use: Node) -> Node | None:
    """Return the member that a use of ``this`` is for: ``this->x``, ``(*this).x`` or ``x`` alone."""
    node: Node | None = use
    while node is not None and node.kind != "MEMBER_REF_EXPR":
        above = node.parent
        node = above if above is not None and above.kind in _TO_MEMBER else None
    return node


def _is_implied(body: DeviceBody, this: Node, member: Node) -> bool:
    """Whether clang gives a member an implied ``this``: one of an anonymous union or structure that is named alone, or
    of a base that depends on a template, named with it."""
    name = body.original(member).rpartition("::")[2].strip()
    return member.start == this.start and name == member.spelling
