"""Functions that make, assign and end the copies of objects which clauses ask for (OpenMP 5.2, 5.3 and 5.4).

In: constructs of device code. Out: those that another unit defines, each with its construct, and those that this one
defines: no expression names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.implied_functions import copies_of_parts, functions_of_object
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.constructs import Construct

_CLAUSES = ("private", "firstprivate", "lastprivate", "reduction", "in_reduction", "task_reduction")
_SPECIAL = ("CONSTRUCTOR", "DESTRUCTOR")


def copying_functions(constructs: Iterable[Construct]) -> Iterator[tuple[Cursor, Node]]:
    """Yield the functions elsewhere that the copies of constructs' list items need."""
    return (each for each in _copying(constructs) if lacks_definition(each[0]))


def copying_definitions(constructs: Iterable[Construct]) -> tuple[Cursor, ...]:
    """Return the functions of the program's own that the copies of constructs' list items call and this unit defines:
    what they call is code of the device, too."""
    called = (f for f, _ in _copying(constructs) if kind_of(f) in _SPECIAL or f.spelling == "operator=")
    found = (function.get_definition() for function in called)
    own = (f for f in found if f is not None and not f.is_default_method() and not library.in_system_header(f))
    return tuple({int(function.hash): function for function in own}.values())


def _copying(constructs: Iterable[Construct]) -> Iterator[tuple[Cursor, Node]]:
    for construct in constructs:
        for listed in construct.items(*_CLAUSES):
            kind = types.without_reference(listed.named.type) if listed.named is not None else None
            kind = types.shape_of(kind).element if kind is not None and types.is_array(kind) else kind
            if kind is None or not types.is_record(kind):
                continue
            record = types.canonical(kind).get_declaration()
            needed = (*filter(_copies, record.get_children()), *functions_of_object(record), *copies_of_parts(record))
            yield from ((function, construct.node) for function in needed)


def _copies(member: Cursor) -> bool:
    if kind_of(member) == "CONSTRUCTOR":
        return bool(member.is_default_constructor() or member.is_copy_constructor())
    return kind_of(member) == "DESTRUCTOR" or member.spelling == "operator="
