"""Which instantiations have types of the user's among their arguments.

In: cursors of functions. Out: whether a template argument of the function or of the classes around it, or the type of
a parameter, names a class or an enumeration that no system header declares. Only such a function of a system header
can call the user's templates.
"""

from __future__ import annotations

from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, types
from rexcc.clang.scopes import classes_around
from rexcc.clang.tree import Tree, kind_of

_NO_DECLARATION = "NO_DECL_FOUND"


class UserTypes:
    """The classes of a unit that were asked for, with the answers."""

    def __init__(self, _tree: Tree) -> None:
        self._known: dict[int, list[tuple[Cursor, bool]]] = {}

    def are_named_by(self, function: Cursor) -> bool:
        """Whether an instantiated function has such an argument."""
        return any(map(self._is_of_user, _argument_types(function)))

    def _is_of_user(self, kind: Type) -> bool:
        kind = _innermost(kind)
        if types.kind_name(kind) == "MEMBERPOINTER":
            return any(map(self._is_of_user, (kind.get_class_type(), kind.get_pointee())))
        if types.is_function(kind):
            return any(map(self._is_of_user, (kind.get_result(), *library.argument_types(kind))))
        declaration = kind.get_declaration()
        if kind_of(declaration) == _NO_DECLARATION:
            return False
        known = self._known.setdefault(int(declaration.hash), [])
        answer = next((answer for cursor, answer in known if cursor == declaration), None)
        if answer is None:
            answer = not library.in_system_header(declaration) or any(map(self._is_of_user, _arguments(kind)))
            known.append((declaration, answer))
        return answer


def _innermost(kind: Type) -> Type:
    kind = types.canonical(kind)
    while types.is_array(kind) or types.is_pointer(kind):
        kind = types.canonical(types.innermost(kind) if types.is_array(kind) else kind.get_pointee())
    return kind


def _argument_types(function: Cursor) -> Iterator[Type]:
    for index in range(max(0, function.get_num_template_arguments())):
        yield function.get_template_argument_type(index)
    yield from library.argument_types(function.type)
    yield from (record.type for record in classes_around(function))


def _arguments(kind: Type) -> Iterator[Type]:
    for index in range(max(0, kind.get_num_template_arguments())):
        yield kind.get_template_argument_type(index)
