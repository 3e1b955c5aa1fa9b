"""Function parameters that are elements of a parameter pack.

In: the cursor of a parameter. Out: which element of a pack it is. clang gives a function of an instantiation a
parameter for each element, all of the pack's name and place.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.tree import FUNCTION_KINDS, kind_of


def is_pack(parameter: Cursor) -> bool:
    """Whether a parameter of a template's function is a pack."""
    return kind_of(parameter) == "PARM_DECL" and str(parameter.type.spelling).endswith("...")


def elements_of(function: Cursor, pack: Cursor) -> list[Cursor]:
    """Return the parameters of an instantiation's function that are the elements of a pack of its pattern."""
    found = (c for c in library.children(function) if kind_of(c) == "PARM_DECL")
    return [c for c in found if c.location == pack.location]


@library.asked_once
def position_in_pack(parameter: Cursor) -> int | None:
    """Return which element of a pack a parameter is, None for any other parameter."""
    function = parameter.semantic_parent
    if function is None or kind_of(function) not in FUNCTION_KINDS:
        return None
    pattern = library.pattern_of(function)
    if pattern is None:
        return None
    packs = (c for c in library.children(pattern) if is_pack(c))
    pack = next((c for c in packs if c.location == parameter.location), None)
    return elements_of(function, pack).index(parameter) if pack is not None else None
