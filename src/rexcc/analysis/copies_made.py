"""Copies of objects that the program makes.

In: a class of which the program copies an object. Out: whether such a copy is one of the object's bytes. Then clang has
made the copy constructors of all parts, and what it has made of a template tells more than its text: which elements
``Offsets(const Offsets &o) : at{o.at[Numbers]...} {}`` copies.
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.functions_made import FunctionsMade
from rexcc.analysis.implied_functions import may_need_no_arguments
from rexcc.clang import classes, types
from rexcc.clang.memberwise import copies_members
from rexcc.program.unit import ParsedUnit


def copies_are_bytes(unit: ParsedUnit, kind: Type) -> bool:
    """Whether copies of a class (references aside), an object of which the program copies, are those of its bytes."""
    return classes.is_copied_by_members(kind, lambda constructor: copies_members_alone(unit, constructor))


def copies_are_bytes_that_end(unit: ParsedUnit, kind: Type) -> bool:
    """The same where destructors may do anything: who makes such a copy ends it."""
    return classes.is_copied_by_members_and_ends(kind, lambda constructor: copies_members_alone(unit, constructor))


def can_be_held(unit: ParsedUnit, kind: Type) -> bool:
    """Whether an object in the place of a lambda can hold a copy of a value of a type, as the lambda does. Elements of
    an array begin without arguments there, and get their bytes after that."""
    element = types.innermost(kind)
    if not types.is_record(element):
        return True
    if not types.is_array(types.canonical(kind)):
        return copies_are_bytes_that_end(unit, element)
    begins = may_need_no_arguments(types.canonical(element).get_declaration())
    return begins and copies_are_bytes(unit, element)


def copies_members_alone(unit: ParsedUnit, constructor: Cursor) -> bool:
    """Whether a copy constructor copies members alone, or nothing but such constructors has been made of it; one that
    the user has written for a class of his choice (``template <> R<int>::R(const R &o)``) may do anything."""
    if unit.kept(FunctionsMade).specialisations_of(constructor):
        return False
    made = unit.instances.of(constructor)
    is_same = (copies_members(instance.cursor, constructor) for instance in made)
    return copies_members(constructor) or (bool(made) and all(is_same))
