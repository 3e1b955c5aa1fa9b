"""Class objects of which a team has one, whose class has constructors or a destructor.

In: the type and name of such an object. Out: the code that gives it a place in shared memory and its name
(rex_device_objects.h); the first thread of the block makes it, and ends it where the scope ends.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types
from rexcc.kernel.ir import ByFirst, Code, Declare, Do, Storage
from rexcc.lowering.text.variables import reference


def is_made(kind: Type) -> bool:
    """Whether objects of a type, or the elements of an array, have to be made and ended."""
    element = types.shape_of(kind).element if types.is_array(kind) else types.without_reference(kind)
    return types.is_record(element) and (not types.is_trivial(element) or types.has_fixed_member(element))


def place_of(kind: Type, name: str) -> Code:
    """Return the code that gives an object its place and its name."""
    spelled = types.spell_value(types.without_reference(kind))
    storage, made = f"__rex_storage_{name}", f"__rex_object_{name}"
    return (
        Declare(f"rex_storage<{spelled}> {storage}", storage, storage=Storage.TEAM),
        Declare(f"rex_team_object<{spelled}> {made}", made, arguments=(storage,)),
        reference(kind, name, f"{made}.value"),
    )


def team_object(kind: Type, name: str, source: str = "") -> Code:
    """Return the code of an object that begins without a value, or as a copy of what ``source`` names."""
    made = f"rex_make_copy({name}, {source});" if source else f"rex_make({name});"
    return (*place_of(kind, name), ByFirst((Do(made),)))
