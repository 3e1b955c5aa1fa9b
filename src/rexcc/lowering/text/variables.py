"""Declarations of variables in kernels.

In: a type and a name. Out: the statement that declares the variable (:mod:`rexcc.kernel.ir`). Class objects of which a
team has one, and whose class has constructors or a destructor, have a place in shared memory (rex_device_objects.h);
the first thread of the block makes them, and ends them where the scope ends.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import classes, spelling, types
from rexcc.kernel.ir import (
    Bind,
    ByFirst,
    Code,
    CopyBytes,
    Declare,
    Do,
    Storage,
)
from rexcc.kernel.reductions import Value
from rexcc.source.own_names import related


def variable(kind: Type, name: str, value: Value | None = None, is_constant: bool = False) -> Declare:
    """Return the declaration of a variable, references as they are; ``is_constant`` adds a ``const``."""
    declared = spelling.declare(kind, name)
    return Declare(f"const {declared}" if is_constant else declared, name, value, spelling.assignable(kind, declared))


def shared_variable(kind: Type, name: str) -> Declare:
    """Return the declaration of a variable that the threads of a team have together."""
    return Declare(spelling.declare(kind, name), name, storage=Storage.TEAM)


def pointer(element: Type, name: str, value: str | None = None) -> Declare:
    """Return the declaration of a pointer to values of a type."""
    return Declare(spelling.declare_pointer_to(element, name), name, value)


def reference(kind: Type, name: str, value: str) -> Bind:
    """Return the declaration of a reference to a value of a type."""
    return Bind(spelling.declare_reference(kind, name), name, value)


def copy_array(kind: Type, target: str, source: str, size: str, by_block: bool = False) -> CopyBytes:
    """Return the copy of an array's bytes; what copies them takes the addresses of none that are volatile."""
    if types.is_volatile(kind):
        target, source = f"(void *){target}", f"(const void *){source}"
    return CopyBytes(target, source, size, by_block)


def copy_of_pointee(kind: Type, name: str, source: str) -> Code:
    """Return the declaration of a variable with the value that a pointer points to."""
    if types.is_array(kind) and types.is_constant(kind):
        return _constant_copy(kind, name, source, Storage.THREAD)
    if types.is_array(kind):
        return variable(kind, name), copy_array(kind, name, f"*{source}", f"sizeof {name}")
    return (variable(kind, name, f"*{source}"),)


def copy_by_block(kind: Type, name: str, source: str) -> Code:
    """Return the same of an array of the team, which its threads copy together."""
    if types.is_array(kind) and types.is_constant(kind):
        return _constant_copy(kind, name, source, Storage.TEAM)
    return shared_variable(kind, name), copy_array(kind, name, f"*{source}", f"sizeof {name}", by_block=True)


def values_of(name: str) -> str:
    """Return the name of the array that a copy of a constant array has its values in."""
    return related("copy", name)


def _constant_copy(kind: Type, name: str, source: str, storage: Storage) -> Code:
    """Return the code of an array that is constant under the user's name alone."""
    own = values_of(name)
    copied = copy_array(kind, own, f"*{source}", f"sizeof {own}", by_block=storage is Storage.TEAM)
    return Declare(spelling.declare_bare(kind, own), own, storage=storage), copied, reference(kind, name, own)


def is_made(kind: Type) -> bool:
    """Whether objects of a type, or the elements of an array, have to be made and ended."""
    element = types.shape_of(kind).element if types.is_array(kind) else types.without_reference(kind)
    return types.is_record(element) and (not classes.is_trivial(element) or classes.has_fixed_member(element))


def place_of(kind: Type, name: str) -> Code:
    """Return the code that gives an object its place and its name."""
    spelled = spelling.spell_value(types.without_reference(kind))
    storage, made = related("storage", name), related("object", name)
    return (
        Declare(f"rex_storage<{spelled}> {storage}", storage, storage=Storage.TEAM),
        Declare(f"rex_team_object<{spelled}> {made}", made, arguments=(storage,)),
        reference(kind, name, f"{made}.value"),
    )


def team_object(kind: Type, name: str, source: str = "") -> Code:
    """Return the code of an object that begins without a value, or as a copy of what ``source`` names."""
    made = f"rex_make_copy({name}, {source});" if source else f"rex_make({name});"
    return (*place_of(kind, name), ByFirst((Do(made),)))
