"""Definitions of classes and enumerations in device code.

In: a piece of device code. Out: edits. Functions of classes inside of functions get the qualifiers of the target. A
type that the user left without a name gets the one by which :func:`rexcc.clang.spelling.spell` knows it, behind its
keyword.
"""

from __future__ import annotations

import re

from rexcc.clang import spelling
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.frontend.declared_probes import is_declared_probe
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.patterns import regex


def mark_methods(body: DeviceBody, top: Node) -> None:
    """Put the qualifiers on the functions of the classes that statements below a node declare, but for those that the
    compiler makes, and those that stand for a declarative directive."""
    done: set[int] = set()  # libclang shows the class of ``struct S {…} s;`` twice
    for node in top.walk() if body.unit.is_cplusplus else ():
        is_method = node.kind in FUNCTION_KINDS and node.is_called_code and takes_qualifiers(node)
        if is_method and node.start < node.end and node.start not in done:
            done.add(node.start)
            if node.parent is not None and is_declared_probe(node.parent.spelling):
                continue
            body.edits.before(body.start(node), body.end(node), f"{body.unit.target.words.both} ")


def takes_qualifiers(method: Node) -> bool:
    """Whether a method takes the qualifiers of devices: where the compiler makes it, only if it may be virtual."""
    if not method.cursor.is_default_method() or method.cursor.is_virtual_method():
        return True
    above = method.parent
    return method.kind == "DESTRUCTOR" and above is not None and "TEMPLATE" in above.kind  # its bases may depend


KEYWORD = regex(r"(\w+)(?:\s*(?:\w+\s*\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[\[(?:(?!\]\]).)*\]\]))*", re.DOTALL)
"""The keyword of a type's definition and the attributes behind it."""


def name_unnamed(node: Node, body: DeviceBody) -> None:
    """Give an unnamed type the name under which kernels know it."""
    place = spelling.unnamed_place(str(node.type.spelling))
    if place is not None:
        keyword = KEYWORD.match(body.text, body.start(node))
        if keyword:
            body.edits.after(keyword.start(), keyword.end(), f" {spelling.given_name(*place)}")
