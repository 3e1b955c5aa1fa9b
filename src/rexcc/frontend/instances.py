"""The instantiations of function templates and of methods of class templates.

In: the user's top-level declarations. Out: for each pattern, its instantiated definitions with typed bodies, in the
order in which the program reaches them. libclang does not list instantiations; calls and friends lead to them, also
those in templates of system headers that the program uses with types of its own.

Explicit ones have a friend in the parsed buffer: ``template void f<int>(int);`` gets a struct behind it that has the
same function as a friend, and friends are in the tree; ``template class C<int>;`` gets one that names the methods which
the file defines outside of the class. Compilers instantiate at that place and not at the end of the file, so the place
matters later on.

clang's range of what it makes of ``(f(args) + ...)`` is that of an operand; the pattern's statement has the whole.
"""

from __future__ import annotations

import re
import zlib
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of
from rexcc.clang.user_types import UserTypes
from rexcc.source.lexical import COMMENT, DIRECTIVE, STRING
from rexcc.source.records import dataclass
from rexcc.source.text import SourceText, to_bytes

_REFERENCES = frozenset({"CALL_EXPR", "DECL_REF_EXPR", "MEMBER_REF_EXPR"})
_DEPENDENT = frozenset({"FUNCTION_TEMPLATE", "CLASS_TEMPLATE", "CLASS_TEMPLATE_PARTIAL_SPECIALIZATION"})


@dataclass(frozen=True)
class Instances:
    """The instantiated functions that a program reaches.

    ``by_pattern`` are those of the user's templates, by the hash of their pattern's canonical cursor; ``of_system``
    those of templates in system headers which have types of the user's among their arguments.
    """

    by_pattern: dict[int, tuple[Node, ...]]
    of_system: tuple[Node, ...]

    def __iter__(self) -> Iterator[Node]:
        """Yield all of them."""
        yield from (node for nodes in self.by_pattern.values() for node in nodes)
        yield from self.of_system


def instantiations(tree: Tree, declarations: Sequence[Node]) -> Instances:
    """Return the instantiations that some declarations lead to."""
    search = Search(tree)
    search.follow(declarations)
    return search.found()


class Search:
    """A search for instantiations, which goes on where others were added to the program's declarations."""

    def __init__(self, tree: Tree) -> None:
        self._direct = tree.once(_DirectlyReferenced)
        self._by_pattern: dict[int, list[Node]] = {}
        self._of_system: list[Node] = []
        self._seen: set[str] = set()

    def found(self) -> Instances:
        """Return what was found so far."""
        by_pattern = {key: tuple(nodes) for key, nodes in self._by_pattern.items()}
        return Instances(by_pattern, tuple(self._of_system))

    def follow(self, nodes: Iterable[Node]) -> list[Node]:
        """Return the instantiations that some nodes lead to and that were not found yet."""
        waiting = deque(n for n in nodes if not n.kind.startswith(("MACRO", "INCLUSION")))
        added: list[Node] = []
        while waiting:
            for instance, pattern, name in self._direct.of(waiting.popleft()):
                if name in self._seen:
                    continue
                self._seen.add(name)
                if library.in_system_header(pattern):
                    self._of_system.append(instance)
                else:
                    self._by_pattern.setdefault(int(pattern.canonical.hash), []).append(instance)
                waiting.append(instance)
                added.append(instance)
        return added


class _DirectlyReferenced:
    """The instantiations that the text of declarations and functions names, each with its pattern and its identity."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._of_user = tree.once(UserTypes)
        self._known: dict[Node, tuple[tuple[Node, Cursor, str], ...]] = {}

    def of(self, node: Node) -> tuple[tuple[Node, Cursor, str], ...]:
        """Return those of a node, which is asked for several times."""
        if node not in self._known:
            found = _referenced_instances(node, self._tree)
            self._known[node] = tuple((i, p, identity(i.cursor)) for i, p in found if self._may_lead_on(i, p))
        return self._known[node]

    def _may_lead_on(self, instance: Node, pattern: Cursor) -> bool:
        return not library.in_system_header(pattern) or self._of_user.are_named_by(instance.cursor)


def identity(instance: Cursor) -> str:
    """Return a text that tells the instances of all templates apart."""
    return f"{instance.get_usr()} {instance.mangled_name}"


def written_instances(declarations: Sequence[Node]) -> dict[str, Node]:
    """Return, by identity, the structs that stand after explicit instantiations in the parsed buffer."""
    found: dict[str, Node] = {}
    waiting = list(declarations)
    while waiting:
        node = waiting.pop()
        if node.kind in ("NAMESPACE", "LINKAGE_SPEC"):
            waiting += node.children
        if node.kind == "STRUCT_DECL" and start_of_instance(node.spelling) is not None:
            functions = [f.cursor for c in node.children for f in c.children if f.kind in FUNCTION_KINDS]
            functions += [n.referenced for n in node.walk() if n.kind == "DECL_REF_EXPR" and n.referenced is not None]
            found |= {identity(f.get_definition() or f): node for f in functions}
    return found


def _referenced_instances(top: Node, tree: Tree) -> list[tuple[Node, Cursor]]:
    found: list[tuple[Node, Cursor]] = []
    stack = [top]
    while stack:
        node = stack.pop()
        if node.kind in _DEPENDENT:
            continue
        if node.kind == "FRIEND_DECL":
            for friend in node.children:
                _add_instance(friend.cursor, tree, found)
        if node.kind in _REFERENCES and (target := node.referenced) is not None:
            _add_instance(target, tree, found)
        stack.extend(reversed(node.children))
    return found


def _add_instance(target: Cursor, tree: Tree, found: list[tuple[Node, Cursor]]) -> None:
    if kind_of(target) not in FUNCTION_KINDS:
        return
    pattern = _pattern(target)
    if pattern is None:
        return
    instance = target.get_definition() or target
    if _place(instance) in (_place(pattern), _place(pattern.get_definition() or pattern)):
        found.append((tree.node(instance), pattern))


def _pattern(instance: Cursor) -> Cursor | None:
    """Return the template that the program's text has: a member template of a class template is instantiated twice."""
    pattern = library.template_of(instance)
    while pattern is not None and (outer := library.template_of(pattern)) is not None:
        pattern = outer
    return pattern


def _place(cursor: Cursor) -> tuple[str, int]:
    """Return where a name is declared: an instance's is its template's, a specialisation has a place of its own."""
    return str(cursor.location.file), int(cursor.location.offset)


_STRUCT = "rex_instance_"
_HIDDEN = re.compile(rf"{COMMENT}|{STRING}|{DIRECTIVE}", re.M)
_WRITTEN = re.compile(
    r"(?:^|(?<=[;{}]))\s*(?P<template>template)\b(?!\s*<)\s*(?!(?:struct|class|union|enum|inline|constexpr)\b)"
    r"(?P<what>[^;{}=\[]*\)[^;{}=\[()]*);"
)


_WRITTEN_CLASS = re.compile(
    r"(?:^|(?<=[;{}]))\s*(?P<template>template)\s+(?:class|struct)\s+(?P<what>(?:\w+::)*(?P<name>\w+)\s*<[^;{}]*>)\s*;"
)


_MAY_BE_WRITTEN = re.compile(r"(?<![.>:])(?<![.>:] )\btemplate\b(?!\s*<)")


@lru_cache(maxsize=4096)
def friends_of_instances(source: SourceText) -> Mapping[int, str]:
    """Return the text to insert after each explicit instantiation of a function, by offset."""
    if _MAY_BE_WRITTEN.search(source.text) is None:
        return {}
    text = _HIDDEN.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), source.text)
    mark = f"{zlib.crc32(to_bytes(source.path)):08x}"
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


_HOLDING = frozenset(
    {"COMPOUND_STMT", "IF_STMT", "FOR_STMT", "WHILE_STMT", "DO_STMT", "CXX_FOR_RANGE_STMT", "SWITCH_STMT", "CASE_STMT",
     "DEFAULT_STMT", "LABEL_STMT", "FUNCTION_DECL", "CXX_METHOD", "CONSTRUCTOR", "FUNCTION_TEMPLATE"}
)  # fmt: skip
"""What has statements as children, as many in an instantiation as in the pattern."""


def take_places(instance: Node, pattern: Node) -> None:
    """Give the statements of an instantiation the ranges of the pattern's."""
    mine, theirs = _last(instance), _last(pattern)
    if len(mine) != len(theirs):
        return
    for made, written in zip(mine, theirs, strict=True):
        if written.start <= made.start and made.end <= written.end:
            made.widen(written.start, written.end)
        if made.kind == written.kind and made.kind in _HOLDING:
            take_places(made, written)


def _last(node: Node) -> list[Node]:
    """Return the children that can be statements; of a function, whose packs are several parameters, its body."""
    if node.kind in _HOLDING and node.kind.endswith("STMT"):
        return list(node.children)
    return [c for c in node.children if c.kind == "COMPOUND_STMT"]
