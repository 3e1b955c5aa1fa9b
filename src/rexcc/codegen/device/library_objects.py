"""Objects of the C++ library without members that device code uses: the functions of ``std::ranges`` and
``std::views``, and those that only say something (``std::ignore``, ``std::nullopt``).

In: what device code is made of, and its text. Out: the text in which each call of a function object makes one of its
own (``decltype(std::ranges::sort){}``), and a reference to one of the others has a place to refer to: the library's are
variables of the host, whose functions and values alone are the device's too (``constexpr``). They have no members, so
one is like the other.
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
"""The namespace that has the functions, ``std::views`` among its own."""
_OTHERS = ("ignore", "nullopt", "in_place", "piecewise_construct", "allocator_arg")


def with_own_objects(unit: ParsedUnit, parts: Iterable[Node], text: str) -> str:
    """Return a device text in which uses of such objects have their own; ``parts`` are the user's code in it."""
    if not unit.is_cplusplus or not any(word in text for word in (_SPACE, "views", *_OTHERS)):
        return text
    found: dict[str, str] = {}
    for node in (n for part in parts for n in part.walk() if n.kind == "DECL_REF_EXPR" and _is_object(n)):
        name = unit.user_text(node)
        if _is_function(node):
            found[name] = f"decltype({name}){{}}"
        elif node.spelling in _OTHERS and _is_referred_to(node):
            found[name] = f"rex_empty_object<decltype({name})>()"
    names = "|".join(re.escape(name) for name in sorted(filter(_WRITTEN.fullmatch, found), key=len, reverse=True))
    if not names:
        return text
    token = re.compile(rf"{COMMENT}|{RAW_STRING}|{STRING}|(?<![\w:.>])(?P<name>{names})\b(?!\s*(?:::|<))")
    return token.sub(lambda use: found[use[0]] if use["name"] else use[0], text)


def _is_object(node: Node) -> bool:
    target = node.referenced
    if target is None or kind_of(target) != "VAR_DECL" or not library.in_system_header(target):
        return False
    record = types.canonical(target.type).get_declaration()
    return types.is_record(target.type) and not list(record.type.get_fields())


def _is_function(node: Node) -> bool:
    target = node.referenced
    return target is not None and _SPACE in [str(space.spelling) for space in namespaces_around(target)]


def _is_referred_to(node: Node) -> bool:
    """Whether a reference refers to an object: a call gets it as it is, or is that of its operator, not of its copy."""
    call = node.parent
    return call is not None and call.kind == "CALL_EXPR" and not _copies(call, node)


def _copies(call: Node, node: Node) -> bool:
    maker, made = call.referenced, types.canonical(node.type).get_declaration()
    return maker is not None and kind_of(maker) == "CONSTRUCTOR" and bool(maker.semantic_parent == made)
