"""The functions that a statement calls, directly or through others.

In: nodes of clang's tree. Out: the definitions, and their places in the user's text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, Node, Tree, kind_of

Place = tuple[str, int]
"""File and offset of a function's definition; of an instantiation those of its pattern."""


def called_bodies(tree: Tree, bodies: Iterable[Node], found: set[Place] | None = None) -> Iterator[Node]:
    """Yield the definitions of the functions that statements call, directly or through others; note their places."""
    seen: set[int] = set()
    places = found if found is not None else set()
    waiting = list(bodies)
    while waiting:
        for node in waiting.pop().walk():
            target = node.referenced
            if target is None or kind_of(target) not in FUNCTION_KINDS or int(target.hash) in seen:
                continue
            seen.add(int(target.hash))
            for body in _bodies(tree, target, places):
                waiting.append(body)
                yield body


def _bodies(tree: Tree, target: Cursor, found: set[Place]) -> Iterator[Node]:
    """Yield the definition behind a reference; note its place, which is that of its pattern."""
    definition = target.get_definition() or target
    if library.in_system_header(definition):
        return
    pattern = library.template_of(definition)
    written = tree.node((pattern.get_definition() or pattern) if pattern is not None else definition)
    found.add((written.file, written.start))
    yield tree.node(definition)
