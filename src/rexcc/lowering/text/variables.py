"""Declarations of variables in kernels.

In: a type and a name. Out: the statement that declares the variable (:mod:`rexcc.kernel.ir`).
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import types
from rexcc.kernel.ir import Bind, Code, CopyBytes, Declare, Storage
from rexcc.kernel.reductions import Value


def variable(kind: Type, name: str, value: Value | None = None, is_constant: bool = False) -> Declare:
    """Return the declaration of a variable, references as they are; ``is_constant`` adds a ``const``."""
    declared = types.declare(kind, name)
    return Declare(f"const {declared}" if is_constant else declared, name, value, types.assignable(kind, declared))


def shared_variable(kind: Type, name: str) -> Declare:
    """Return the declaration of a variable that the threads of a team have together."""
    return Declare(types.declare(kind, name), name, storage=Storage.TEAM)


def pointer(element: Type, name: str, value: str | None = None) -> Declare:
    """Return the declaration of a pointer to values of a type."""
    return Declare(types.declare_pointer_to(element, name), name, value)


def reference(kind: Type, name: str, value: str) -> Bind:
    """Return the declaration of a reference to a value of a type."""
    return Bind(types.declare_reference(kind, name), name, value)


def copy_of_pointee(kind: Type, name: str, source: str) -> Code:
    """Return the declaration of a variable with the value that a pointer points to."""
    if types.is_array(kind):
        return variable(kind, name), CopyBytes(name, f"*{source}", f"sizeof {name}")
    return (variable(kind, name, f"*{source}"),)
