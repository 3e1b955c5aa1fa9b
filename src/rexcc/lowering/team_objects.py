"""Class objects of which a team has one, whose class has constructors or a destructor.

In: the type and name of such an object. Out: the lines that give it a place in shared memory and its name
(rex_device_objects.h); the first thread of the block makes it, and ends it where the scope ends.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types

FIRST = "if (threadIdx.x == 0) {"


def is_made(kind: Type) -> bool:
    """Whether objects of a type, or the elements of an array, have to be made and ended."""
    element = types.shape_of(kind).element if types.is_array(kind) else types.without_reference(kind)
    return types.is_record(element) and (not types.is_trivial(element) or types.has_fixed_member(element))


def place_lines(kind: Type, name: str) -> tuple[str, ...]:
    """Return the lines that give an object its place and its name."""
    spelled = types.spell(types.without_reference(kind)).removeprefix("const ")
    return (
        f"__shared__ rex_storage<{spelled}> __rex_storage_{name};",
        f"rex_team_object<{spelled}> __rex_object_{name}(__rex_storage_{name});",
        f"{types.declare_reference(kind, name)} = __rex_object_{name}.value;",
    )


def object_lines(kind: Type, name: str, source: str = "") -> tuple[str, ...]:
    """Return the lines of an object that begins without a value, or as a copy of what ``source`` names."""
    made = f"rex_make_copy({name}, {source});" if source else f"rex_make({name});"
    return (*place_lines(kind, name), f"{FIRST} {made} }}")
