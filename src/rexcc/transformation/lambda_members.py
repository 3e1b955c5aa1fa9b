"""What an object of a lambda holds.

In: the variables that a lambda captures, and how. Out: :class:`Member`: its declaration in the lambda's class, the
parameter by which it gets its value, and what the object for a device has in its place (OpenMP 5.2, 5.8.3). A pointer
points to what is mapped of its object; where nothing is, it keeps the host's address, like one that is mapped as a
section without elements. What a reference refers to, and the object of ``this``, is mapped while the region is
executed, unless it is mapped already.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import classes, spelling, types
from rexcc.source.records import dataclass

THIS = "rex_this"
"""The member that points to the object of the method that a lambda stands in."""
COPY = "rex_object"
"""The member that is a copy of that object."""


@dataclass(frozen=True)
class Member:
    """A member: its name, the template parameter of its type, empty where the type has a name, its declaration, the
    declaration of the parameter for it, and the value given. ``is_array``: it is filled behind the others.
    ``mapped`` is the function that gives its value on a device. ``once``: there must not be another copy on the way.
    ``changes``: what it refers to may change although it is constant.
    """

    name: str
    deduced: str
    declaration: str
    parameter: str
    value: str
    is_array: bool = False
    mapped: str = "__rex_mapped"
    once: bool = False
    changes: bool = False

    def there(self, device: str) -> str:
        """Return its value in the object that a device gets of ``object``."""
        return f"{self.mapped}(object.{self.name}, {device}{', true' if self.changes else ''})"


def captured(
    name: str, kind: Type, value: str, *, named: bool, by_reference: bool, constant: bool, once: bool
) -> Member:
    """Return the member for a variable; ``named``: its type can be named where the class stands, ``constant``: a
    reference refers to a copy that nobody may change, that of a lambda around, ``once``: its value is
    that of a variable, of which there must not be another copy on the way."""
    deduced = "" if named else f"rex_{name}"
    if by_reference:
        declaration = _reference(kind, name, constant) if named else f"{deduced} &{name}"
        changes = classes.has_mutable_part(types.innermost(kind)) if types.is_record(types.innermost(kind)) else False
        mapped = "__rex_mapped_reference"
        return Member(name, deduced, declaration, declaration, value, mapped=mapped, changes=changes)
    if types.is_array(types.canonical(kind)):
        spelled = spelling.declare_bare(types.canonical(kind), name)
        reference = spelling.declare_reference(types.canonical(kind), name)
        parameter = f"const {reference.removeprefix('const ')}" if named else f"const {deduced} &{name}"
        declaration = spelled.removeprefix("const ") if named else f"{deduced} {name}"
        return Member(name, deduced, declaration, parameter, value, is_array=True)
    declaration = spelling.declare_bare(types.canonical(kind), name) if named else f"{deduced} {name}"
    if not once:
        return Member(name, deduced, declaration, declaration, value)
    parameter = _reference(kind, name, constant) if named else f"{deduced} &{name}"
    return Member(name, deduced, declaration, parameter, value, once=True)


def held_pack(name: str, value: str, there: str) -> Member:
    """Return the member that holds the elements of a pack; ``there`` makes its object on a device."""
    declaration = f"rex_{name} {name}"
    return Member(name, f"rex_{name}", declaration, declaration, value, mapped=there)


def _reference(kind: Type, name: str, constant: bool) -> str:
    if not constant or types.is_constant(kind):
        return spelling.declare_reference(kind, name)
    if types.is_array(types.canonical(kind)):
        return f"const {spelling.declare_reference(kind, name)}"
    return spelling.with_declarator(spelling.spell(kind), f"const &{name}")


def pointer_to_object(spelled: str, *, changes: bool) -> Member:
    """Return the member for ``this``; ``spelled`` is the class's name, empty where the type is deduced. ``changes``:
    a constant object of the class may."""
    declaration = f"{spelled or 'rex_self'} *{THIS}"
    deduced = "" if spelled else "rex_self"
    return Member(THIS, deduced, declaration, declaration, "this", mapped="__rex_mapped_object", changes=changes)


def copy_of_object(spelled: str) -> Member:
    """Return the member for ``*this``."""
    declaration = f"{spelled or 'rex_self'} {COPY}"
    return Member(COPY, "" if spelled else "rex_self", declaration, declaration, "*this")


def made(kind: str, members: list[Member], values: list[str], source: str) -> list[str]:
    """Return the statements that make an object of its members' values; arrays are copied from ``source``."""
    pairs = zip(members, values, strict=True)
    listed = ", ".join("{}" if member.is_array else value for member, value in pairs)
    arrays = [member.name for member in members if member.is_array]
    if not arrays:
        return [f"return {{{listed}}};"]
    copies = (
        f"__builtin_memcpy({_untyped(f'made.{name}')}, {_untyped(f'{source}{name}', 'const ')}, sizeof made.{name});"
        for name in arrays
    )
    return [f"{kind} made = {{{listed}}};", *copies, "return made;"]


def _untyped(array: str, constant: str = "") -> str:
    return f"static_cast<{constant}void *>({array})"
