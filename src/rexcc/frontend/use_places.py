"""Where macros are used, for edits of what they expand to.

In: the cursors of a parsed unit. Out: the uses in each of the user's files, with the macro's definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from clang.cindex import Cursor

from rexcc.clang.tree import Node
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class UsePlace:
    """A use that no other one holds: its range in the parsed buffer, and the definition."""

    start: int
    end: int
    definition: Cursor


def use_places(declarations: Iterable[Node], files: Mapping[str, object]) -> dict[str, tuple[UsePlace, ...]]:
    """Return the uses in each of the user's files, by offset."""
    found: dict[str, list[UsePlace]] = {}
    for node in declarations:
        if node.kind == "MACRO_INSTANTIATION" and node.file in files and node.cursor.referenced is not None:
            found.setdefault(node.file, []).append(UsePlace(node.start, node.end, node.cursor.referenced))
    return {name: tuple(sorted(uses, key=lambda use: (use.start, -use.end))) for name, uses in found.items()}
