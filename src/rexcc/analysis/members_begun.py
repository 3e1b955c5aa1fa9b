"""First values that a class gives its members, where code makes objects of it (``struct S { int *p = table; };``).

In: pieces of code. Out: the expressions in the classes that constructors evaluate there: nothing else in the code names
them. Constructors that the user wrote leave out those of the members that they begin themselves, lists of values those
of the members that they have a value for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.implied_functions import base_classes, declared_members, member_classes
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of


def members_begun(code: Iterable[Node]) -> Iterator[Node]:
    """Yield the first values in classes of which code makes objects, each once."""
    seen: set[tuple[int, tuple[str, ...]]] = set()
    for node in (n for top in code for n in top.walk()):
        record, given = _made(node)
        if record is None or library.in_system_header(record):
            continue
        for value in _values(record, given, seen):
            yield node.tree.node(value)


def _made(node: Node) -> tuple[Cursor | None, tuple[str, ...]]:
    """Return the class of which an expression makes an object, with the members that it gives values."""
    target = node.referenced if node.kind == "CALL_EXPR" else None
    if target is not None and kind_of(target) == "CONSTRUCTOR":
        if target.is_copy_constructor() or target.is_move_constructor():
            return None, ()
        written = (target.get_definition() or target).get_children()
        return target.semantic_parent, tuple(str(c.spelling) for c in written if kind_of(c) == "MEMBER_REF")
    if node.kind == "INIT_LIST_EXPR" and types.is_record(node.type):
        record = types.canonical(node.type).get_declaration()
        names = [str(m.spelling) for m in declared_members(record) if kind_of(m) == "FIELD_DECL"]
        return record, tuple(names[: len(node.children) - len(list(base_classes(record)))])
    return None, ()


def _values(record: Cursor, given: tuple[str, ...], seen: set[tuple[int, tuple[str, ...]]]) -> Iterator[Cursor]:
    key = (int(record.canonical.hash), given)
    if key in seen:
        return
    seen.add(key)
    for member in declared_members(record):
        if kind_of(member) == "FIELD_DECL" and str(member.spelling) not in given:
            yield from (child for child in member.get_children() if child.kind.is_expression())
    for part in (*base_classes(record), *member_classes(record)):
        if not library.in_system_header(part):
            yield from _values(part, (), seen)
