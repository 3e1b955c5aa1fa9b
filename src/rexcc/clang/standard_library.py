"""What belongs to the standard library.

In: a declaration. Out: whether it is of namespace ``std``, and whether the library has written it or the user.
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.scopes import enclosing_scopes, namespaces_around
from rexcc.clang.tree import kind_of

_STD = "std"
_OF_CXX_LIBRARY = frozenset({_STD, "__gnu_cxx"})
"""The namespaces that GNU's C++ library is in: some functions of classes of ``std`` are those of a base outside."""


def is_in_std(declaration: Cursor) -> bool:
    """Whether a declaration at namespace scope is in ``std`` or a namespace in it, where users may write some too."""
    spaces = namespaces_around(declaration)
    return bool(spaces) and str(spaces[-1].spelling) == _STD


def is_of_std(declaration: Cursor) -> bool:
    """Whether a declaration at namespace scope is one of the C++ library's own."""
    return library.in_system_header(declaration) and is_in_std(declaration)


def is_method_of_std(method: Cursor) -> bool:
    """Whether a method is of a class of the C++ library that is in no other class."""
    return library.in_system_header(method) and is_in_std(method.semantic_parent)


def is_of_cxx_library(function: Cursor) -> bool:
    """Whether a function or method, of a class in another one too, is the C++ library's own, as one of those that the
    library alone knows by their names."""
    spaces = [str(scope.spelling) for scope in enclosing_scopes(function) if kind_of(scope) == "NAMESPACE"]
    return library.in_system_header(function) and bool(spaces) and spaces[-1] in _OF_CXX_LIBRARY


def may_be_library_function(function: Cursor) -> bool:
    """Whether a declaration, also one that the user has written, can be of a function of the C or C++ library: it is in
    no namespace or directly in ``std``, and the user does not define it in this file."""
    definition = function.get_definition()
    if kind_of(function) != "FUNCTION_DECL" or (definition is not None and not library.in_system_header(definition)):
        return False
    return all(str(space.spelling) == _STD for space in namespaces_around(function))
