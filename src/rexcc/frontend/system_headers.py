"""What the system headers of a translation unit declare, looked up by name.

In: the top-level cursors of a unit. Out: tables that are made when they are first asked for.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from functools import cached_property
from itertools import chain

from clang.cindex import Cursor

from rexcc.clang import library, locations, types, unit_files
from rexcc.clang.tree import Node, Tree, kind_of
from rexcc.source.records import dataclass

_LINKAGE = ("LINKAGE_SPEC", "UNEXPOSED_DECL")


@dataclass(frozen=True, eq=False)
class SystemHeaders:
    """The system headers of one unit: their top-level cursors, and the user's top-level declarations."""

    tree: Tree
    cursors: list[Cursor]
    declarations: tuple[Node, ...]

    @cached_property
    def _by_kind(self) -> dict[str, list[Cursor]]:
        found: dict[int, list[Cursor]] = defaultdict(list)
        for cursor in self.cursors:
            found[cursor._kind_id].append(cursor)
        return {kind_of(cursors[0]): cursors for cursors in found.values()}

    @cached_property
    def macros(self) -> dict[str, Cursor]:
        """The macros by name; asked for only where a user's macro names one."""
        return {str(c.spelling): c for c in self._by_kind.get("MACRO_DEFINITION", ())}

    @cached_property
    def complex_names(self) -> dict[str, str]:
        """The types that are complex numbers of C, by name. In C++, or without <complex.h>, which device code has its
        own of, headers make something else of the names."""
        named = ((c, library.canonical_type(c.underlying_typedef_type)) for c in self._by_kind.get("TYPEDEF_DECL", ()))
        return {str(c.spelling): str(kind.spelling) for c, kind in named if types.kind_name(kind) == "COMPLEX"}

    @cached_property
    def usings(self) -> dict[str, Cursor]:
        """The using declarations in namespaces (``std::int64_t``), by name."""
        linked = (c for kind in _LINKAGE for s in self._by_kind.get(kind, ()) for c in library.children(s))
        spaces = (*self._by_kind.get("NAMESPACE", ()), *(c for c in linked if kind_of(c) == "NAMESPACE"))
        inside = (u for c in spaces for u in library.children(c) if kind_of(u) == "USING_DECLARATION")
        return {str(u.spelling): u for u in inside}

    @cached_property
    def inclusions(self) -> dict[str, set[str]]:
        """The files that each file of the unit includes, read again for it or not, by name."""
        found: dict[str, set[str]] = {}
        written = (n.cursor for n in self.declarations if n.kind == "INCLUSION_DIRECTIVE")
        for cursor in chain(self._by_kind.get("INCLUSION_DIRECTIVE", ()), written):
            included = unit_files.included_file(cursor, self.tree.names)
            if included:
                place = locations.file_location(cursor.location, self.tree.names)[0]
                found.setdefault(place, set()).add(included)
        return found

    def includes(self, header: str) -> bool:
        """Whether the unit includes a header, by the name of its file."""
        return any(posixpath.basename(file) == header for files in self.inclusions.values() for file in files)
