"""Function objects of the C++ library that device code calls, as ``std::ranges::sort`` and ``std::views::iota``.

In: what device code is made of, and its text. Out: the text in which each use makes an object of its own
(``decltype(std::ranges::sort){}``): the library's are variables of the host, whose functions alone are the device's too
(``constexpr``). They have no members, so one is like the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rexcc.clang import library, types
from rexcc.clang.scopes import namespaces_around
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit
from rexcc.source.lexical import COMMENT, RAW_STRING, STRING
from rexcc.source.patterns import regex

_WRITTEN = regex(r"(?:::\s*)?\w+(?:\s*::\s*\w+)+")
_SPACE = "ranges"
"""The namespace that has them all, ``std::views`` among its own."""


def with_own_objects(unit: ParsedUnit, parts: Iterable[Node], text: str) -> str:
    """Return a device text in which calls of such objects make their own; ``parts`` are the user's code in it."""
    if not unit.is_cplusplus or not ("ranges" in text or "views" in text):
        return text
    written = {unit.user_text(node) for part in parts for node in part.walk() if _is_object(node)}
    names = "|".join(re.escape(name) for name in sorted(filter(_WRITTEN.fullmatch, written), key=len, reverse=True))
    if not names:
        return text
    token = re.compile(rf"{COMMENT}|{RAW_STRING}|{STRING}|(?<![\w:.>])(?P<name>{names})\b(?!\s*(?:::|<))")
    return token.sub(lambda found: f"decltype({found[0]}){{}}" if found["name"] else found[0], text)


def _is_object(node: Node) -> bool:
    target = node.referenced if node.kind == "DECL_REF_EXPR" else None
    if target is None or kind_of(target) != "VAR_DECL" or not library.in_system_header(target):
        return False
    record = types.canonical(target.type).get_declaration()
    return _SPACE in [str(space.spelling) for space in namespaces_around(target)] and not list(record.type.get_fields())
