"""Variables as objects with an identity.

In: the declarations that names in the program refer to. Out: :class:`Variable`, equal for all declarations of one
variable. Sets and tables of variables hold these objects; what is no variable (``this``, members, functions) has none.
"""

from __future__ import annotations

from typing import Final

from clang.cindex import Cursor, Type

from rexcc.clang import library
from rexcc.clang.parameter_packs import position_in_pack
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.clang.types import is_array, is_reference
from rexcc.source.own_names import related

_KINDS = VARIABLE_KINDS | {"UNEXPOSED_DECL"}
"""The kinds of variables' declarations; libclang has none of its own for structured bindings."""


class Variable:
    """A variable, static members included: one of its declarations, ``cursor``, and the ``key`` that all of them have.

    An element of a function's parameter pack is one too, with a name of its own that the program does not have.
    Its order in sets is not that of the program: what goes into generated code comes from lists and dictionaries.
    """

    __slots__ = ("_name", "cursor", "key")

    def __init__(self, cursor: Cursor) -> None:
        self.cursor: Final = cursor
        self.key: Final = library.key_of(cursor)
        self._name: str | None = None

    def __eq__(self, other: object) -> bool:
        return self.key == other.key if isinstance(other, Variable) else NotImplemented

    def __hash__(self) -> int:
        return self.key

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name!r}>"

    @property
    def name(self) -> str:
        """The variable's name, ``__rex_element_args_0`` for the first element of a pack ``args``."""
        if self._name is None:
            self._name = str(self.cursor.spelling)
            if kind_of(self.cursor) == "PARM_DECL" and (position := position_in_pack(self.cursor)) is not None:
                self._name = related("element", self._name, str(position))
        return self._name

    @property
    def is_named(self) -> bool:
        """Whether its name is the program's: that of a pack's element is not."""
        return self.name == str(self.cursor.spelling)

    @property
    def type(self) -> Type:
        """The type that it is declared with."""
        return self.cursor.type

    @property
    def decays(self) -> bool:
        """Whether it is a parameter written as an array, so a pointer; clang's type of it is the array's."""
        return kind_of(self.cursor) == "PARM_DECL" and is_array(self.type) and not is_reference(self.type)

    @property
    def is_global(self) -> bool:
        """Whether it has static storage duration (globals, static members, function-local statics)."""
        return library.has_global_storage(self.cursor)


def variable_of(declaration: Cursor | None) -> Variable | None:
    """Return the variable that a declaration declares, None for that of anything else."""
    return Variable(declaration) if declaration is not None and kind_of(declaration) in _KINDS else None


def named_variable(expression: Node) -> Variable | None:
    """Return the variable whose name an expression is, None for any other expression."""
    return variable_of(expression.referenced) if expression.kind == "DECL_REF_EXPR" else None
