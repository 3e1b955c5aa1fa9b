"""The instantiations of function templates and of methods of class templates.

In: what clang lists of a C++ unit. Out: the user's declarations as they are written, and his templates' instantiated
definitions with typed bodies, by pattern.

Such a unit is parsed so that libclang lists declarations in the order in which clang completes them
(:func:`~rexcc.clang.library.index`), and among them each function that clang instantiates, whatever needs it. Most are
made when the file is read, and stand behind :data:`END_OF_FILE`, the last declaration of the parsed buffer. For those
in front of it ``instance_places`` says where they are made.

clang's range of what it makes of ``(f(args) + ...)`` is that of an operand; the pattern's statement has the whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of
from rexcc.clang.user_types import UserTypes
from rexcc.source.records import dataclass, field

END_OF_FILE = "rex_end_of_file"
"""The name of a structure that is declared behind everything that the user wrote."""

_MADE = FUNCTION_KINDS | {"STRUCT_DECL", "CLASS_DECL", "UNION_DECL"}
_PREPROCESSED = ("MACRO", "INCLUSION")


@dataclass(frozen=True, eq=False)
class Instances:
    """The instantiated functions of a unit, in the order in which clang makes them.

    ``by_pattern`` has those of the user's templates by the key of the pattern that the program's text has.
    ``made_during`` has, for those that are made before the end of the file, by key, the user's declaration that clang
    was reading, or the next one. ``system`` is what clang lists of system headers.
    """

    by_pattern: dict[int, tuple[Node, ...]] = field(default_factory=dict)
    made_during: dict[int, Node] = field(default_factory=dict)
    system: Sequence[Cursor] = ()
    tree: Tree | None = None

    def of(self, pattern: Cursor) -> tuple[Node, ...]:
        """Return what is made of a function of a template."""
        return self.by_pattern.get(library.key_of(pattern), ())

    def has_members_of(self, record: Cursor) -> bool:
        """Whether clang has made functions of a class: one that has its members of a template."""
        return library.key_of(record) in self._classes

    @cached_property
    def _classes(self) -> frozenset[int]:
        """The classes with such functions; a specialisation that the user wrote has member templates of its own."""
        made = (instance.cursor for instance in self)
        return frozenset(library.key_of(c.semantic_parent) for c in made if not _is_of_own_class(c))

    @cached_property
    def of_system(self) -> tuple[Node, ...]:
        """The functions made of system headers' templates with types of the user's."""
        if self.tree is None:
            return ()
        of_user = self.tree.once(UserTypes)
        functions = (c for c in self.system if kind_of(c) in FUNCTION_KINDS and library.template_of(c) is not None)
        return tuple(self.tree.node(c) for c in functions if of_user.are_named_by(c))

    def __iter__(self) -> Iterator[Node]:
        """Yield those of the user's templates."""
        for instances in self.by_pattern.values():
            yield from instances


def split_listed(tree: Tree, listed: Iterable[Cursor], system: Sequence[Cursor]) -> tuple[tuple[Node, ...], Instances]:
    """Return the user's declarations and the instantiations; ``listed`` stands outside of system headers."""
    written: list[Node] = []
    found: dict[int, dict[int, Node]] = {}
    before: list[int] = []
    during: dict[int, Node] = {}
    for cursor in listed:
        kind = kind_of(cursor)
        pattern = library.pattern_of(cursor) if kind in _MADE else None
        if pattern is not None and not library.is_written(cursor, pattern):
            if kind not in FUNCTION_KINDS:
                continue  # a class in a class template, with its functions once more
            key = library.key_of(cursor)
            found.setdefault(library.key_of(pattern), {}).setdefault(key, tree.node(cursor))
            before.append(key)
            continue
        node = tree.node(cursor)
        if not node.kind.startswith(_PREPROCESSED):
            during |= dict.fromkeys(before, node)
            before.clear()
        if node.spelling != END_OF_FILE:
            written.append(node)
    return tuple(written), Instances({key: tuple(nodes.values()) for key, nodes in found.items()}, during, system, tree)


def _is_of_own_class(instance: Cursor) -> bool:
    """Whether a function is made of a template that stands in its own class."""
    pattern = library.pattern_of(instance)
    return pattern is not None and library.key_of(pattern.semantic_parent) == library.key_of(instance.semantic_parent)


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
