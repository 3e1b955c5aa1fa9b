"""Which functions of the system's headers device code calls, and which of them the device's compiler makes itself.

In: a function that device code calls, without a definition of the user's. Out: it and what it calls, with the places of
their definitions, in :class:`~rexcc.program.library_functions.LibraryFunctions`. Of the C++ library devices have what
their compiler finds there.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor

from rexcc.clang import ends, library
from rexcc.clang.standard_library import is_of_cxx_library
from rexcc.clang.tree import FUNCTION_KINDS, kind_of
from rexcc.program.library_functions import LibraryFunctions, Place


def note_library_calls(known: LibraryFunctions, called: Cursor) -> None:
    """Take note of a function that device code calls, and of all that it calls in turn."""
    first = _place_of(called)
    if first is None:
        return
    known.called.add(first)
    waiting, seen = [called], set[int]()
    while waiting:
        function = waiting.pop()
        place, key = _place_of(function), library.key_of(function)
        if place is None or key in seen:
            continue
        seen.add(key)
        inside = list(_without_ends(function.get_definition()))
        is_constexpr = library.is_constexpr(library.template_of(function) or function.get_definition())
        if is_constexpr and not any(map(ends.is_end, inside)):  # which nvcc would leave out
            known.unmarked.add(place)
        functions = [c for c in map(library.referenced, inside) if c is not None and kind_of(c) in FUNCTION_KINDS]
        known.calls.setdefault(place, set()).update(filter(None, map(_place_of, functions)))
        waiting += functions


def _without_ends(top: Cursor) -> Iterator[Cursor]:
    """Yield a cursor and all below it, without what is in expressions that end the program."""
    waiting = [top]
    while waiting:
        cursor = waiting.pop()
        yield cursor
        if not ends.is_end(cursor):
            waiting += library.children(cursor)


def _place_of(called: Cursor) -> Place | None:
    """Return where a header defines a function, None for the C++ library's, for what no header defines, and for what
    compilers make."""
    definition = called.get_definition()
    if definition is None or is_of_cxx_library(called) or definition.is_default_method():
        return None
    location = definition.location
    return None if location.file is None else (str(location.file.name), int(location.offset))
