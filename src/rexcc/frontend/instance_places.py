"""Where clang makes the instantiations that it makes before the end of the file.

In: a unit's instantiations. Out: the declaration or explicit instantiation in the user's text that each is made for.
What an instance needs of other templates has to be declared in front of that place.

Those are explicit instantiations, and functions whose return type is ``auto``, at the first use, which can be in a
type that libclang does not show. Explicit instantiations of functions are not in libclang's tree, and classes in
classes are there without their place; so the parsed buffer has a structure behind each: ``template void f<int>(int);``
gets one that has the same function as a friend, ``template class C<int>::D;`` one with a pointer to the class.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, kind_of
from rexcc.frontend.instances import Instances
from rexcc.frontend.probe import ProbedFile
from rexcc.source.lexical import COMMENT, DIRECTIVE, STRING
from rexcc.source.patterns import regex
from rexcc.source.records import dataclass
from rexcc.source.text import SourceText, to_bytes

_STRUCT = "rex_instance_"
_HIDDEN = regex(rf"{COMMENT}|{STRING}|{DIRECTIVE}", re.M)
_MAY_BE_WRITTEN = regex(r"(?<![.>:])(?<![.>:] )\btemplate\b(?!\s*<)")
_BEGIN = r"(?:^|(?<=[;{}]))\s*(?P<template>template)\b(?!\s*<)\s*"
_FUNCTION = regex(_BEGIN + r"(?!(?:struct|class|union|enum|inline|constexpr)\b)(?P<what>[^;{}=\[]*\)[^;{}=\[()]*);")
_CLASS = regex(_BEGIN + r"(?:struct|class|union)\b(?P<what>[^;{}]*>[^;{}>]*);")
_BARE_NAME = regex(r"^[^()]*[\s*&](?=\w*[a-z])\w+(?= ?\()")
_DEFINED = regex(r"template\b(?!\s*<)")

_SCOPES = frozenset({"NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"})
_CLASSES = frozenset({"STRUCT_DECL", "CLASS_DECL", "UNION_DECL"})
_REFERENCES = frozenset({"CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR"})
_DEPENDENT = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})


@dataclass(frozen=True)
class InstancePlace:
    """A place between the user's declarations: the offset in his file, the namespaces around it, inner ones first.

    ``start`` is None where the place is not known: no expression in the template's own namespace needs the instance.
    """

    file: str
    start: int | None
    namespaces: tuple[Cursor, ...]


@lru_cache(maxsize=4096)
def marks_of_instances(source: SourceText) -> Mapping[int, str]:
    """Return the text to insert behind each explicit instantiation, by offset."""
    if "template" not in source.text or _MAY_BE_WRITTEN.search(source.text) is None:
        return {}
    text = _HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source.text)
    name = f"{_STRUCT}{zlib.crc32(to_bytes(source.path)):08x}"
    forms = ((_FUNCTION, "friend {};"), (_CLASS, "{} *kind;"))
    return {
        m.end(): f" struct {name}_{m.start('template')} {{ {member.format(_as_template(m['what']))} }};"
        for form, member in forms
        for m in form.finditer(text)
    }


def _as_template(what: str) -> str:
    """Return what an explicit instantiation names so that a friend means the template: a name without scope and
    arguments would be another function's."""
    return _BARE_NAME.sub(r"\g<0><>", " ".join(what.split()), count=1)


def explicit_instances(
    instances: Instances, declarations: Sequence[Node], files: Mapping[str, ProbedFile]
) -> Iterator[Node]:
    """Yield the functions that explicit instantiations make, and the members of classes that they make."""
    keys: set[int] = set()
    for node in _in_scopes(declarations):
        if node.kind not in _CLASSES or node.file not in files:
            continue
        if node.spelling.startswith(_STRUCT):
            keys.update(_marked(node))
        elif _DEFINED.match(files[node.file].buffer, node.start):
            keys.add(library.key_of(node.cursor))
    yield from (i for i in instances if keys and not keys.isdisjoint(_keys_around(i.cursor)))


class InstancePlaces:
    """The places of the instances that are made before the end of the file."""

    def __init__(self, instances: Instances, declarations: Sequence[Node], files: dict[str, ProbedFile]) -> None:
        self._instances = instances
        self._declarations = declarations
        self._files = files

    def of(self, instance: Node) -> InstancePlace | None:
        """Return the place of an instance, None where it is made at the end of the file."""
        key = library.key_of(instance.cursor)
        during = self._instances.made_during.get(key)
        if during is None or during.file not in self._files:  # a scope that the file does not close has no place
            return None
        explicit = (self._written[k] for k in _keys_around(instance.cursor) if k in self._written)
        needing = (node for node in _in_scopes([during]) if key in self._needed_by(node))
        outside = (during for _ in range(not instance.is_inside(during)))
        places = chain(explicit, (_in_front_of(node, self._files) for node in chain(needing, outside)))
        return next(places, InstancePlace(during.file, None, ()))

    @cached_property
    def _written(self) -> dict[int, InstancePlace]:
        return _written(self._declarations, self._files)

    @cached_property
    def _made(self) -> dict[int, Node]:
        return {library.key_of(instance.cursor): instance for instance in self._instances}

    def _needed_by(self, node: Node) -> set[int]:
        """Return the keys of the instances that a declaration needs, also for the early ones among them."""
        found: set[int] = set()
        waiting = [node]
        while waiting:
            top = waiting.pop()
            if top.kind in _DEPENDENT:
                continue
            target = top.referenced if top.kind in _REFERENCES else None
            key = library.key_of(target) if target is not None else None
            if key in self._made and key not in found:
                found.add(key)
                waiting += self._made[key].children if key in self._instances.made_during else ()
            waiting += top.children
        return found


def _written(declarations: Sequence[Node], files: dict[str, ProbedFile]) -> dict[int, InstancePlace]:
    """Return the places of explicit instantiations, by the keys of the functions and classes."""
    found: dict[int, InstancePlace] = {}
    for node in _in_scopes(declarations):
        if node.kind not in _CLASSES or node.file not in files:
            continue
        if node.spelling.startswith(_STRUCT):
            start = int(node.spelling.rpartition("_")[2])
            place = InstancePlace(node.file, start, _spaces_around(node.cursor))
            found |= dict.fromkeys(_marked(node), place)
        elif library.template_of(node.cursor) is not None:
            found.setdefault(library.key_of(node.cursor), _in_front_of(node, files))
    return found


def _marked(mark: Node) -> Iterator[int]:
    """Yield the key of the function or class that a structure marks."""
    for child in mark.children:
        functions = [f.cursor for f in child.children if f.kind in FUNCTION_KINDS]
        yield from (library.key_of(f) for f in functions)
        if child.kind == "FIELD_DECL":
            yield library.key_of(child.type.get_pointee().get_canonical().get_declaration())


def _keys_around(instance: Cursor) -> Iterator[int]:
    """Yield the keys of a function and of the classes that it is a member of, inner ones first."""
    cursor: Cursor | None = instance
    while cursor is not None and not cursor.kind.is_translation_unit():
        yield library.key_of(cursor)
        cursor = cursor.semantic_parent


def _in_front_of(node: Node, files: dict[str, ProbedFile]) -> InstancePlace:
    return InstancePlace(node.file, files[node.file].original(node.start), _spaces_around(node.cursor))


def _in_scopes(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield the declarations at namespace scope."""
    for node in nodes:
        if node.kind in _SCOPES:
            yield from _in_scopes(node.children)
        else:
            yield node


def _spaces_around(cursor: Cursor) -> tuple[Cursor, ...]:
    """Return the namespaces that a declaration's text stands in: that of ``ns::C::f`` may stand outside of ``ns``."""
    found = []
    scope = cursor.lexical_parent
    while scope is not None:
        found += [scope] if kind_of(scope) == "NAMESPACE" else []
        scope = scope.lexical_parent
    return tuple(found)
