"""Names for the types that the user left without one, which generated declarations have to spell.

In: the definition of a structure, union or enumeration in device text. Out: an edit that puts the name behind its
keyword by which :func:`rexcc.clang.types.spell` knows it.
"""

from __future__ import annotations

import re

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.text.body import DeviceBody

KEYWORD = re.compile(r"(\w+)(?:\s*(?:\w+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[\[.*?\]\]))*", re.DOTALL)
"""The keyword of a type's definition and the attributes behind it."""


def name_unnamed(node: Node, body: DeviceBody) -> None:
    """Give an unnamed type the name under which kernels know it."""
    place = types.unnamed_place(str(node.type.spelling))
    if place is not None:
        keyword = KEYWORD.match(body.text, body.start(node))
        if keyword:
            body.edits.after(keyword.start(), keyword.end(), f" {types.given_name(*place)}")
