"""Namespaces and using declarations around device code.

In: declarations and regions. Out: the namespaces that a declaration or a kernel must stand in, and the using
declarations, using directives and namespace aliases of the function around a region.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from clang.cindex import Cursor

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import library, types
from rexcc.clang.scopes import enclosing_scopes, uses_enumeration
from rexcc.clang.tree import RECORD_KINDS, Node, Tree, kind_of

USINGS = frozenset({"USING_DECLARATION", "USING_DIRECTIVE", "NAMESPACE_ALIAS"})
"""What brings names of other scopes into a block."""


def namespaces_written(cursor: Cursor) -> list[str]:
    """Return the heads of the namespaces that a declaration is written in, outer ones first."""
    names: list[str] = []
    parent = cursor.lexical_parent
    while parent is not None and kind_of(parent) in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
        if kind_of(parent) == "NAMESPACE":
            names.append(_head(parent))
        parent = parent.lexical_parent
    return names[::-1]


def namespaces_of_kernel(function: Cursor) -> tuple[str, ...]:
    """Return the heads of a function's namespaces outside of the first unnamed one: a kernel's symbol has a name."""
    spaces = _spaces_around(function)
    return tuple(map(_head, spaces[: _first_unnamed(spaces)]))


def namespaces_in_unnamed(function: Cursor) -> dict[str, Cursor]:
    """Return a function's other namespaces by their full names, outer ones first."""
    spaces = _spaces_around(function)
    names = [str(space.spelling) for space in spaces]
    inner = range(_first_unnamed(spaces), len(spaces))
    return {"::".join(filter(None, names[: n + 1])): spaces[n] for n in inner if names[n]}


def _spaces_around(function: Cursor) -> list[Cursor]:
    """Return the namespaces that a function belongs to, outer ones first."""
    return [scope for scope in enclosing_scopes(function) if kind_of(scope) == "NAMESPACE"][::-1]


def _first_unnamed(spaces: Sequence[Cursor]) -> int:
    return next((n for n, space in enumerate(spaces) if not space.spelling), len(spaces))


def namespace_chain(space: Cursor) -> list[str]:
    """Return the heads that open a namespace itself."""
    return [*namespaces_written(space), _head(space)]


def _head(space: Cursor) -> str:
    inline = "inline " if library.is_inline_namespace(space) else ""
    return f"{inline}namespace {space.spelling}".rstrip()


def in_scopes(heads: Sequence[str], text: str) -> str:
    """Put lines into namespaces."""
    return " ".join(f"{h} {{" for h in heads) + f"\n{text}{'}' * len(heads)}\n" if heads else text


def empty_namespace(space: Cursor) -> str:
    """Return a line that opens and closes a namespace."""
    heads = namespace_chain(space)
    return " ".join(f"{h} {{" for h in heads) + " " + "}" * len(heads) + "\n"


def local_usings(region: TargetRegion) -> Iterator[Node]:
    """Yield the using declarations, using directives and namespace aliases in scope of a region, outer ones first; of
    those of classes the ones that name enumerators."""
    yield from class_usings(region.owner.node)
    node = region.construct.node
    blocks = [a for a in node.ancestors() if a.kind == "COMPOUND_STMT"]
    found = [using for block in reversed(blocks) for using in _usings_in(block)]
    if region.owner.template is not None:
        found = sorted([*found, *_directives_around(region.owner.template, node)], key=lambda using: using.start)
    yield from (using for using in found if using.parent and using.parent.start < node.start)


def class_usings(function: Node) -> list[Node]:
    """Return what classes around a function, and their bases, declare to name enumerators of others."""
    found: dict[tuple[str, int], Node] = {}
    scope = function.cursor.semantic_parent
    while scope is not None and kind_of(scope) in RECORD_KINDS:
        for using in _usings_of_class(scope, function.tree, set()):
            found.setdefault((using.file, using.start), using)
        scope = scope.semantic_parent
    return list(found.values())[::-1]


def _usings_of_class(record: Cursor, tree: Tree, seen: set[int]) -> Iterator[Node]:
    """Yield the same of one class; of an instantiation what its template has."""
    definition = library.as_written(record.get_definition() or record)
    if library.in_system_header(definition) or library.key_of(definition) in seen:
        return
    seen.add(library.key_of(definition))
    for member in tree.node(definition).children:
        if member.kind == "CXX_BASE_SPECIFIER":
            base = types.canonical(member.type).get_declaration()
            if kind_of(base) in RECORD_KINDS:
                yield from _usings_of_class(base, tree, seen)
        elif uses_enumeration(member) or _names_enumerator(member):
            yield member


def _names_enumerator(member: Node) -> bool:
    if member.kind != "USING_DECLARATION":
        return False
    named = [c for child in member.children for c in library.overloads(child.cursor)]
    return bool(named) and all(kind_of(c) == "ENUM_CONSTANT_DECL" for c in named)


@lru_cache(maxsize=16)
def _usings_in(block: Node) -> tuple[Node, ...]:
    """Return the using declarations of a block, which all its regions ask for."""
    declared = (s for s in block.children if s.kind == "DECL_STMT")
    return tuple(c for s in declared for c in s.children if c.kind in USINGS or uses_enumeration(c))


def _directives_around(template: Node, node: Node) -> Iterator[Node]:
    """Yield the using directives of the blocks of a template around a place of its text: an instantiation has none."""
    for using in _directives_in(template):
        block = next((a for a in using.ancestors() if a.kind == "COMPOUND_STMT"), None)
        if block is not None and block.file == node.file and block.start <= node.start < block.end:
            yield using


@lru_cache(maxsize=16)
def _directives_in(template: Node) -> tuple[Node, ...]:
    """Return the using directives of a template, which all its regions ask for."""
    return tuple(n for n in template.walk() if n.kind == "USING_DIRECTIVE")


def using_text(written: str) -> str:
    """Return the text of a using declaration on one line, empty where a macro hides it."""
    text = re.sub(r"\s+", " ", written).strip().rstrip(";")
    return f"{text};" if re.match(r"(?:using|namespace)\b", text) else ""
