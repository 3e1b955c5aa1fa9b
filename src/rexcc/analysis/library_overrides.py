"""Methods that override virtual functions of the system's libraries.

In: a method as the program's text has it. Out: whether a class that device code does not have, but takes from the
library's own text, has declared its function: the function is then the host's, and so is what overrides it.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.analysis.object_classes import TEMPLATES, bases_of, with_bases
from rexcc.clang import library, types
from rexcc.clang.tree import RECORD_KINDS, Node, kind_of

_VIRTUAL = frozenset({"CXX_METHOD", "DESTRUCTOR", "CONVERSION_FUNCTION"})


def overrides_library(method: Node) -> bool:
    """Whether a method or destructor of the user's overrides a virtual one of a system header's class. Where bases
    depend on a template's parameters, clang does not say what overrides what: then the name does."""
    if method.kind not in _VIRTUAL or method.cursor.is_static_method():
        return False
    record = method.cursor.semantic_parent
    if kind_of(record) not in RECORD_KINDS or next(bases_of(record), None) is None:
        return False
    if any(map(library.in_system_header, _overridden(method.cursor))):
        return True
    return kind_of(record) in TEMPLATES and any(_is_same(method, m) for m in _virtual_in_library(record))


def _overridden(method: Cursor) -> Iterator[Cursor]:
    waiting = [*library.overridden(method)]
    while waiting:
        found = waiting.pop()
        yield found
        waiting += library.overridden(found)


def _virtual_in_library(record: Cursor) -> Iterator[Cursor]:
    for base in filter(library.in_system_header, with_bases(record)):
        yield from (m for m in base.get_children() if kind_of(m) in _VIRTUAL and m.is_virtual_method())


def _is_same(method: Node, above: Cursor) -> bool:
    if method.kind == "DESTRUCTOR" or kind_of(above) == "DESTRUCTOR":
        return method.kind == kind_of(above)
    own, other = types.canonical(method.cursor.type), types.canonical(above.type)
    return method.spelling == above.spelling and len(list(own.argument_types())) == len(list(other.argument_types()))
