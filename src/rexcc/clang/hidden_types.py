"""Types that have no name where generated code needs one, because a variable is called so: ``void f(count count)``.

In: the variables of a region or function, then spellings of types. Out: whether a spelling has such a name, and one
without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from clang.cindex import Cursor, Type

from rexcc.clang import types
from rexcc.clang.library import declaration_of, key_of
from rexcc.clang.tree import VARIABLE_KINDS, Node, kind_of
from rexcc.source.patterns import regex

_NAMES = regex(r"\w*'(?:[^'\\]|\\.)*'|(?<![\w:.])(?:(?:struct|union|enum|class) )?[^\W\d]\w*")
"""The names in a spelling that no scope stands in front of, tags with their keyword, by which they stay visible, and
characters as template arguments, which are none."""

_TYPES = frozenset({"TYPEDEF_DECL", "TYPE_ALIAS_DECL"})
_LOCAL = _TYPES | {"ENUM_CONSTANT_DECL"}

_hidden: list[frozenset[str]] = [frozenset()]
"""The names that are hidden now, innermost last."""


@contextmanager
def hiding(code: Node, captured: Iterable[Cursor] = ()) -> Iterator[None]:
    """Take the names of variables, those captured and those that some code declares, for hidden ones as long as this
    lasts, if types of theirs have such names. ``captured`` may have what else hides names, as :func:`local_names`."""
    declared = [*captured, *(node.cursor for node in code.walk() if node.kind in VARIABLE_KINDS)]
    named = {name for one in declared for name in _NAMES.findall(str(one.type.spelling))}
    meant = {key_of(_named(one.type)) for one in declared if kind_of(one) not in _TYPES}
    hiding_names = (str(one.spelling) for one in declared if kind_of(one) not in _TYPES or key_of(one) not in meant)
    _hidden.append(frozenset(named.intersection(hiding_names)))
    try:
        yield
    finally:
        _hidden.pop()


def _named(kind: Type) -> Cursor:
    """Return the declaration of the type that the spelling of another one names, behind pointers and extents."""
    inner = types.innermost(types.without_reference(kind))
    while types.kind_name(inner) == "POINTER":
        inner = types.innermost(types.pointee_of(inner))
    return declaration_of(inner)


def local_names(function: Node) -> Iterator[Cursor]:
    """Yield the enumerators and the names of types that a function declares, which kernels may have around them."""
    yield from (node.cursor for node in function.walk() if node.kind in _LOCAL)


def has_hidden_name(spelling: str) -> bool:
    """Whether a type's spelling has a name that a variable hides."""
    return bool(_hidden[-1]) and not _hidden[-1].isdisjoint(_NAMES.findall(spelling))


def with_scope(spelling: str) -> str:
    """Return a type's spelling with the file's scope in front of the names that variables hide."""
    return _NAMES.sub(lambda m: f"::{m[0]}" if m[0] in _hidden[-1] else m[0], spelling)
