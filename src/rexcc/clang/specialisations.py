"""Specialisations of templates that the user wrote, and which of them another file defines.

In: a function or class that is made of a template. Out: whether its text is its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from clang.cindex import Cursor, CursorKind, TranslationUnit

from rexcc.clang.library import children, in_system_header, is_written, template_of

_declared_specialisations: WeakKeyDictionary[TranslationUnit, frozenset[int]] = WeakKeyDictionary()
_AROUND_FUNCTIONS = frozenset({CursorKind.NAMESPACE, CursorKind.LINKAGE_SPEC, CursorKind.UNEXPOSED_DECL})
_FUNCTIONS = frozenset({
    CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.CONSTRUCTOR, CursorKind.DESTRUCTOR,
    CursorKind.CONVERSION_FUNCTION,
})  # fmt: skip


def is_specialisation(cursor: Cursor) -> bool:
    """Whether a function or class is a specialisation that the user wrote. A member template of a class template is
    made in two steps, of which the first has no text."""
    pattern = template_of(cursor)
    while pattern is not None:
        if not is_written(cursor, pattern):
            return False
        outer = template_of(pattern)
        if outer is None:
            return True
        pattern = outer
    return False


def is_declared_specialisation(function: Cursor) -> bool:
    """Whether a function is a specialisation that the user declares, and defines in another file. Where it is a member,
    what calls it may name its declaration in the class, which is an instantiation's."""
    if template_of(function) is None or function.get_definition() is not None:
        return False
    unit = function._tu
    if unit not in _declared_specialisations:
        _declared_specialisations[unit] = frozenset(_specialisations_below(unit.cursor))
    return int(function.canonical.hash) in _declared_specialisations[unit]


def _specialisations_below(scope: Cursor) -> Iterator[int]:
    """Yield the first declarations of the functions that declarations specialise, but for those of the system's."""
    for child in children(scope):
        if child.kind in _AROUND_FUNCTIONS:
            yield from () if in_system_header(child) else _specialisations_below(child)
        elif child.kind in _FUNCTIONS and not child.is_definition() and is_specialisation(child):
            yield int(child.canonical.hash)
