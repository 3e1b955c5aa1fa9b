"""Regions in methods: ``this`` becomes a kernel parameter.

In: the uses of ``this``, written or implied, in a region. Out: edits: ``this`` is spelled ``__rex_this``, a member
named without an object gets ``__rex_this->``, one of which the thread has a private copy that copy's name.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.analysis.references import References
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody

_TO_MEMBER = frozenset({"PAREN_EXPR", "UNEXPOSED_EXPR", "UNARY_OPERATOR", "MEMBER_REF_EXPR"})


def lower_this(body: DeviceBody, references: References, renamed: Mapping[int, str]) -> None:
    """Rewrite the uses of ``this``; ``renamed`` are members, by the hash of their field, that have a private copy."""
    for node in references.this_uses:
        start = body.start(node)
        member = _member(node)
        field = member.referenced if member is not None else None
        if member is not None and field is not None and int(field.canonical.hash) in renamed:
            body.edits.replace(body.start(member), body.end(member), renamed[int(field.canonical.hash)])
        elif node.kind == "CXX_THIS_EXPR":
            if body.original(node) == "this":
                body.edits.replace(start, start + len("this"), "__rex_this")
            elif member is not None and _is_in_anonymous_union(body, node, member):
                body.edits.insert(start, "__rex_this->")
        else:
            body.edits.insert(start, "__rex_this->")


def _member(use: Node) -> Node | None:
    """Return the member that a use of ``this`` is for: ``this->x``, ``(*this).x`` or ``x`` alone."""
    node: Node | None = use
    while node is not None and node.kind != "MEMBER_REF_EXPR":
        above = node.parent
        node = above if above is not None and above.kind in _TO_MEMBER else None
    return node


def _is_in_anonymous_union(body: DeviceBody, this: Node, member: Node) -> bool:
    """Whether a member named alone is one of an anonymous union or structure, which clang gives an implied ``this``."""
    return member.start == this.start and body.original(member) == member.spelling
