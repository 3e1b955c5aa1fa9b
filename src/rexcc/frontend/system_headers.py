"""What the system headers of a translation unit declare, looked up by name.

In: all top-level cursors of a unit. Out: tables that are made when they are first asked for.
"""

from __future__ import annotations

import posixpath
from functools import cached_property

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import Tree, kind_of
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class SystemHeaders:
    """The system headers of one unit; ``cursors`` are all its top-level cursors, the user's included."""

    tree: Tree
    cursors: list[Cursor]

    @cached_property
    def macros(self) -> dict[str, Cursor]:
        """The macros by name; asked for only where a user's macro names one."""
        found = (c for c in self.cursors if kind_of(c) == "MACRO_DEFINITION" and library.in_system_header(c))
        return {str(c.spelling): c for c in found}

    @cached_property
    def usings(self) -> dict[str, Cursor]:
        """The using declarations in namespaces (``std::int64_t``), by name."""
        spaces = (c for c in self.cursors if kind_of(c) == "NAMESPACE" and library.in_system_header(c))
        inside = (u for c in spaces for u in library.children(c) if kind_of(u) == "USING_DECLARATION")
        return {str(u.spelling): u for u in inside}

    @cached_property
    def inclusions(self) -> dict[str, set[str]]:
        """The files that each file of the unit includes, read again for it or not, by name."""
        found: dict[str, set[str]] = {}
        for cursor in self.cursors:
            included = library.included_file(cursor) if kind_of(cursor) == "INCLUSION_DIRECTIVE" else ""
            if included:
                place = library.file_location(cursor.location, self.tree.names)[0]
                found.setdefault(place, set()).add(included)
        return found

    def includes(self, header: str) -> bool:
        """Whether the unit includes a header, by the name of its file."""
        return any(posixpath.basename(file) == header for files in self.inclusions.values() for file in files)
