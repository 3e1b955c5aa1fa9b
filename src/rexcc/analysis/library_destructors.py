"""Objects of the C++ library that GPUs cannot destroy.

In: a call of a constructor in device code. Out: the class of the library whose destructor nvcc has not, if the object
is one or has one. ``optional`` and ``variant`` end what they hold with destructors of their own, if that is needed.
nvcc (13.0) takes these for functions of the host, leaves out what calls them, and all that is executed behind, and
says nothing, for they are called by destructors that are defaulted.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.object_classes import text_of, with_bases
from rexcc.clang import spelling, types
from rexcc.clang.standard_library import is_of_std
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit

_HOLDERS = frozenset({"optional", "variant", "expected"})
_MOST = 200


def undestroyed_object(unit: ParsedUnit, node: Node) -> str:
    """Return the type that no GPU can destroy of an object that a node makes, empty for another node or object."""
    target = node.referenced if node.kind == "CALL_EXPR" else None
    if target is None or kind_of(target) != "CONSTRUCTOR" or not unit.kept(_may_have_holders):
        return ""
    for kind in _parts(node.type):
        declared = kind.get_declaration()
        if declared.spelling in _HOLDERS and is_of_std(declared) and any(map(_has_destructor, _arguments(kind))):
            return spelling.spell(kind).removeprefix("const ")
    return ""


def _may_have_holders(unit: ParsedUnit) -> bool:
    return any(name in file.scan.source.text for file in unit.files.values() for name in _HOLDERS)


def _arguments(kind: Type) -> list[Type]:
    """Return what an object may hold, parameter packs included."""
    count = max(kind.get_num_template_arguments(), 0)
    return [types.canonical(kind.get_template_argument_type(number)) for number in range(count)]


def _has_destructor(kind: Type) -> bool:
    """Whether somebody has written a destructor for a class, or for a part of it."""
    texts = (text for part in _parts(kind) for text in with_bases(text_of(part.get_declaration())))
    members = (member for text in texts for member in text.get_children())
    return any(kind_of(member) == "DESTRUCTOR" and not member.is_default_method() for member in members)


def _parts(kind: Type) -> list[Type]:
    """Return the classes that an object consists of, its own first, but for bases of templates."""
    found: list[Type] = []
    waiting, seen = [kind], set[int]()
    while waiting and len(found) < _MOST:
        part = types.canonical(types.without_reference(waiting.pop()))
        part = types.canonical(types.shape_of(part).element) if types.is_array(part) else part
        key = int(part.get_declaration().hash)
        if not types.is_record(part) or key in seen:
            continue
        seen.add(key)
        found.append(part)
        waiting += [field.type for field in part.get_fields()]
        waiting += [c.type for c in part.get_declaration().get_children() if kind_of(c) == "CXX_BASE_SPECIFIER"]
    return found
