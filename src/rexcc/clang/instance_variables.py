"""The variables of an instantiation that its types name.

In: what an instantiation declares, and a variable that clang says a name in it means. Out: the instantiation's. What
does not depend on a template's parameters clang does not make again: extents of arrays (``int a[W]`` with
``constexpr int W = 4``) and ``decltype(n)`` name the template's variables, which are declared at the same place.
"""

from __future__ import annotations

from collections.abc import Sequence

from clang.cindex import Cursor

from rexcc.clang import library, locations


class InstanceVariables:
    """The variables of an instantiation, by their keys and by the places of their declarations."""

    def __init__(self, cursors: Sequence[Cursor], names: locations.FileNames) -> None:
        self.keys = frozenset(map(library.key_of, cursors))
        self.names = names
        self.at: dict[tuple[str, int], Cursor | None] = {}
        for cursor in cursors:
            place = locations.file_location(cursor.location, self.names)
            self.at[place] = None if place in self.at else cursor  # the elements of a pack stand at one place

    def own(self, variable: Cursor) -> Cursor:
        """Return the variable of the instantiation for one of its template; any other as it is."""
        if library.key_of(variable) in self.keys:
            return variable
        found = self.at.get(locations.file_location(variable.location, self.names))
        return found if found is not None and found.spelling == variable.spelling else variable


def is_instance(function: Cursor) -> bool:
    """Whether a function, or a class or function around it, is made from a template."""
    scope: Cursor | None = function
    while scope is not None and not scope.kind.is_translation_unit():
        if library.template_of(scope) is not None:
            return True
        scope = scope.semantic_parent
    return False
