"""What a lambda's new place defines again of its function: constants, and names of types.

In: a lambda that moves. Out: edits that say of these definitions that nothing else may use them: compilers would warn
of them, although the user's text uses them.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.clang import locations
from rexcc.resolution.rewriting import Replacement
from rexcc.transformation.movable_lambdas import MovableLambda

MARK = " [[maybe_unused]]"


def marks(moved: MovableLambda) -> Iterator[tuple[str, Replacement]]:
    """Yield the edits, each with its file."""
    for cursor in _definitions(moved):
        name = str(cursor.spelling)
        path, place = locations.file_location(cursor.location, moved.unit.tree.names)
        if path in moved.unit.files:
            file = moved.unit.files[path]
            start, text = file.original(place), file.scan.source.text
            end = start + len(name)
            if text[start:end] == name and not text.startswith(MARK, end):
                yield path, Replacement(end, end, (MARK,))


def _definitions(moved: MovableLambda) -> Iterator[Cursor]:
    yield from (variable.cursor for variable in moved.outside if moved.constant(variable) is not None)
    yield from (alias.cursor for alias in moved.own.aliases)
    declared = (child for statement in (*moved.own.statics, *moved.own.constants) for child in statement.children)
    yield from (child.cursor for child in declared if child.kind == "VAR_DECL")
