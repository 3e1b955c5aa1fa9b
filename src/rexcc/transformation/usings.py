"""Using declarations and directives of a function, and namespace aliases, for code that moves in front of it.

In: an expression in a function. Out: lines that mean the same at namespace scope, with names in full, for a namespace
around the code that needs them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.clang import library
from rexcc.clang.scopes import uses_enumeration
from rexcc.clang.spelling import LOCAL_SPACE
from rexcc.clang.tree import Node, kind_of

_NAMING = frozenset({"USING_DIRECTIVE", "USING_DECLARATION", "NAMESPACE_ALIAS"})


def usings_before(expression: Node, declaration: Node) -> list[str] | None:
    """Return the lines for an expression's usings inside of a declaration, outer ones first; None where one has no
    text: it names something of an unnamed namespace, of a template or of a function."""
    found: list[str] = []
    named = {str(n.referenced.spelling): n.referenced for n in expression.walk() if n.referenced is not None}
    for using in _usings(expression, declaration):
        if _is_of_local_space(using) and using.spelling not in named:
            continue
        if uses_enumeration(using):
            found += _enumerations(using.spelling, named.values())
            continue
        line = _line(using)
        if line is None:
            return None
        found.append(line)
    return list(dict.fromkeys(found))


def _usings(expression: Node, declaration: Node) -> Iterator[Node]:
    above = [a for a in expression.ancestors() if declaration.start <= a.start and a.kind == "COMPOUND_STMT"]
    for block in reversed(above):
        for statement in block.children:
            if statement.kind == "DECL_STMT" and statement.start < expression.start:
                yield from (n for n in statement.children if n.kind in _NAMING or uses_enumeration(n))


def _enumerations(name: str, named: Iterable[Cursor]) -> list[str]:
    """Return the line for ``using enum``, where the expression names an enumerator of such an enumeration."""
    around = (c.semantic_parent for c in named if kind_of(c) == "ENUM_CONSTANT_DECL")
    spelled = {_full_name(enum) for enum in around if enum is not None and str(enum.spelling) == name}
    return [f"using enum {full};" for full in sorted(spelled) if full]


def _is_of_local_space(using: Node) -> bool:
    """Whether a using declaration is of one thing, in a namespace for what functions declare."""
    name = _declared_name(using) if using.kind == "USING_DECLARATION" else ""
    return name.startswith(f"::{LOCAL_SPACE}")


def _declared_name(using: Node) -> str:
    """Return the full name of what a using declaration names, empty where that is none or several."""
    names = {_full_name(c) for child in using.children for c in library.overloads(child.cursor)}
    return names.pop() if len(names) == 1 else ""


def _line(using: Node) -> str | None:
    if using.kind == "USING_DECLARATION":
        return f"using {name};" if (name := _declared_name(using)) else None
    spaces = [n.referenced for n in using.children if n.kind == "NAMESPACE_REF" and n.referenced is not None]
    name = _full_name(spaces[-1]) if spaces else ""
    if not name:
        return None
    return f"using namespace {name};" if using.kind == "USING_DIRECTIVE" else f"namespace {using.spelling} = {name};"


def _full_name(cursor: Cursor) -> str:
    """Return a name with all namespaces around, empty where that is none everywhere: one of an unnamed namespace may
    be another's, too, but not that of a namespace for what functions declare."""
    names, scope = [str(cursor.spelling)], cursor.semantic_parent
    if scope is not None and kind_of(scope) == "ENUM_DECL" and not scope.is_scoped_enum():
        scope = scope.semantic_parent
    while scope is not None and kind_of(scope) in ("NAMESPACE", "LINKAGE_SPEC", "UNEXPOSED_DECL"):
        if kind_of(scope) == "NAMESPACE":
            names.append(str(scope.spelling))
        scope = scope.semantic_parent
    names = [n for inner, n in zip(["", *names], names, strict=False) if n or not inner.startswith(LOCAL_SPACE)]
    is_known = scope is None or scope.kind.is_translation_unit()
    return f"::{'::'.join(reversed(names))}" if is_known and all(names) else ""
