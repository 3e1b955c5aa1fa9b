"""Types that a class names by a using declaration (``using typename Base<T>::value_type;``).

In: a region in a method. Out: the lines that give such names their meaning in the kernel. libclang has no reference to
a type that is named so, only the types of expressions and variables, so the whole function is asked what the name
means; where none of its types has the name, the class is.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from clang.cindex import Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.library import canonical_type
from rexcc.clang.scopes import classes_around
from rexcc.clang.tree import Node, kind_of
from rexcc.program.unit import ParsedUnit


def member_types(region: TargetRegion, hidden: Collection[str] = ()) -> dict[str, str]:
    """Return how types are declared that the text of a region's function names by using declarations of its class, by
    their names, without those that something else has there."""
    owner = region.owner
    unit, written = region.unit, owner.template or owner.node
    classes = list(classes_around(owner.node.cursor))
    known = {name: using for record in classes for name, using in _usings_of(record.type, unit)}
    if not known:
        return {}
    text = unit.user_text(written)
    named = {name for name in known.keys() - {*hidden} if re.search(rf"(?<![\w:.>]){re.escape(name)}\b(?!\s*::)", text)}
    meanings = _meanings(owner.node, named) if named else {}
    record = spelling.spell(classes[0].type.get_canonical())
    for name in named - meanings.keys():
        if re.search(r"\btypename\b", known[name]):
            meanings[name] = f"{record}::{name} {name}"
    return dict(sorted(meanings.items()))


def needs_class(meanings: dict[str, str]) -> bool:
    """Whether a name's meaning is what the class says."""
    return any(meaning.endswith(f"::{name} {name}") for name, meaning in meanings.items())


def lines(meanings: dict[str, str]) -> tuple[str, ...]:
    """Return the lines that declare types."""
    return tuple(f"typedef {meaning};" for meaning in meanings.values())


def _usings_of(record: Type, unit: ParsedUnit, depth: int = 8) -> Iterator[tuple[str, str]]:
    """Yield the names that using declarations of a class and of its bases bring, with their texts."""
    for member in types.members_of(canonical_type(record)):
        if kind_of(member) == "USING_DECLARATION" and str(member.spelling).isidentifier():
            yield str(member.spelling), unit.user_text(unit.tree.node(member))
        elif kind_of(member) == "CXX_BASE_SPECIFIER" and depth > 0:
            yield from _usings_of(member.type, unit, depth - 1)


def _meanings(function: Node, names: set[str]) -> dict[str, str]:
    """Return how types are declared that have one of the names in a function's text."""
    found: dict[str, str] = {}
    for node in function.walk():
        if names <= found.keys():
            break
        if node.referenced is not None and kind_of(node.referenced) == "FIELD_DECL":
            continue  # whose type is named where its class is
        for part in _parts(node.type):
            name = str(part.spelling).removeprefix("const ")
            if name in names and name not in found:
                found[name] = spelling.declare_bare(canonical_type(part), name)
    return found


def _parts(kind: Type, depth: int = 6) -> Iterator[Type]:
    """Yield a type and what it is made of, as far as they are written out."""
    if depth == 0 or types.kind_name(kind) == "INVALID":
        return
    yield kind
    yield from _parts(kind.get_array_element_type(), depth - 1)
    yield from _parts(kind.get_pointee(), depth - 1)
    for number in range(max(kind.get_num_template_arguments(), 0)):
        yield from _parts(kind.get_template_argument_type(number), depth - 1)
