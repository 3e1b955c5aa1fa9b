"""Explicit instantiations, which libclang's tree does not list.

In: a C++ file's text. Out: a declaration to put after each in the parsed buffer. ``template void f<int>(int);`` gets a
struct that has the same function as a friend, and friends are in the tree; ``template class C<int>;`` gets one that
names the methods which the file defines outside of the class. Compilers instantiate at that place and not at the end
of the file, so the place matters later on.
"""

from __future__ import annotations

import re
import zlib

from rexcc.frontend.scan import FileScan
from rexcc.source.lexical import COMMENT, DIRECTIVE, STRING
from rexcc.source.text import to_bytes

_STRUCT = "rex_instance_"
_HIDDEN = re.compile(rf"{COMMENT}|{STRING}|{DIRECTIVE}", re.M)
_WRITTEN = re.compile(
    r"(?:^|(?<=[;{}]))\s*(?P<template>template)\b(?!\s*<)\s*(?!(?:struct|class|union|enum|inline|constexpr)\b)"
    r"(?P<what>[^;{}=\[]*\)[^;{}=\[()]*);"
)


_WRITTEN_CLASS = re.compile(
    r"(?:^|(?<=[;{}]))\s*(?P<template>template)\s+(?:class|struct)\s+(?P<what>(?:\w+::)*(?P<name>\w+)\s*<[^;{}]*>)\s*;"
)


def friends_of_instances(scan: FileScan) -> dict[int, str]:
    """Return the text to insert after each explicit instantiation of a function, by offset."""
    if "template" not in scan.source.text:
        return {}
    text = _HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), scan.source.text)
    mark = f"{zlib.crc32(to_bytes(scan.source.path)):08x}"
    found = {
        m.end(): f" struct {_STRUCT}{mark}_{m.start('template')} {{ friend {' '.join(m['what'].split())}; }};"
        for m in _WRITTEN.finditer(text)
    }
    for m in _WRITTEN_CLASS.finditer(text):
        kind = " ".join(m["what"].split())
        uses = "".join(f" (void)&{kind}::{name};" for name in _methods(text, m["name"]))
        found[m.end()] = f" struct {_STRUCT}{mark}_{m.start('template')} {{ void members() {{{uses} }} }};"
    return found


def _methods(text: str, name: str) -> list[str]:
    """Return the names of a class template's methods defined outside of it, those of overloads left out."""
    defined = re.findall(rf"\b{name}\s*<[^<>;{{}}]*>\s*::\s*(\w+)\s*\(", text)
    return [method for method in dict.fromkeys(defined) if method != name and defined.count(method) == 1]


def start_of_instance(struct: str) -> int | None:
    """Return where the explicit instantiation starts that such a struct stands for; None for any other name."""
    return int(struct.rpartition("_")[2]) if struct.startswith(_STRUCT) else None
