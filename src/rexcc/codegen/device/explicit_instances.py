"""Explicit instantiations in a device file: what device code of other files calls of this one's templates.

In: the functions that a unit offers to others. Out: a declaration for each that is made of a template. Without it, the
device's compiler makes only what the file's own code calls::

    template __device__ int (n::twice<int>)(int);
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Cursor, RefQualifierKind

from rexcc.clang import library, spelling
from rexcc.clang.scopes import enclosing_scopes
from rexcc.clang.specialisations import is_specialisation
from rexcc.clang.tree import RECORD_KINDS, kind_of
from rexcc.lowering.model.names import function_arguments
from rexcc.target.model import Words

_REFERENCES = {RefQualifierKind.LVALUE: " &", RefQualifierKind.RVALUE: " &&"}


def explicit_instantiations(functions: Iterable[Cursor], words: Words) -> str:
    """Return the lines for the functions that are made of templates; empty where there are none. A specialisation that
    the user wrote is made by its definition."""
    made = (f for f in functions if library.template_of(f) is not None and not is_specialisation(f))
    return "".join(f"{_instantiation(function, words)}\n" for function in made)


def _instantiation(function: Cursor, words: Words) -> str:
    kind = function.type.get_canonical()
    parameters = ", ".join(spelling.spell(argument) for argument in library.argument_types(kind))
    behind = " const" if function.is_const_method() else ""
    behind += _REFERENCES.get(kind.get_ref_qualifier(), "")
    declarator = f"({_name(function)})({parameters}){behind}"
    is_on_both = kind_of(function.semantic_parent) in RECORD_KINDS or function.spelling.startswith("operator")
    word = words.both if is_on_both else words.device
    return f"template {word} {spelling.with_declarator(spelling.spell(kind.get_result()), declarator)};"


def _name(function: Cursor) -> str:
    """Return a function's name with its scopes and arguments."""
    arguments = ", ".join(text for _, text in function_arguments(function) if text)
    name = f"{function.spelling}<{arguments}>" if arguments else str(function.spelling)
    scope = function.semantic_parent
    if kind_of(scope) in RECORD_KINDS:
        return f"{scope.type.get_canonical().spelling}::{name}"
    names = [str(space.spelling) for space in enclosing_scopes(function) if space.spelling]
    return "::".join([*reversed(names), name])
