"""Functions that make, assign and end the copies of objects which clauses ask for (OpenMP 5.2, 5.3 and 5.4).

In: constructs of device code. Out: those that another unit defines, each with its construct, and those that this one
defines: no expression names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.implied_functions import functions_of_assignment, functions_of_copy, functions_of_object
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.clang import library, types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.constructs import Construct

_REDUCTIONS = ("reduction", "in_reduction", "task_reduction")
_MAKING = ("private", "lastprivate", *_REDUCTIONS)
_COPYING = ("firstprivate", *_REDUCTIONS)
_ASSIGNING = ("lastprivate", *_REDUCTIONS)
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
    """Yield what clauses need: copies that begin anew, those that begin with the value of the original, and those that
    become its value. Those of reductions may do any of it, as their initializers and combiners say."""
    for construct in constructs:
        needs = ((_MAKING, _functions_of_new), (_COPYING, functions_of_copy), (_ASSIGNING, functions_of_assignment))
        for clauses, functions in needs:
            for record in _classes(construct, clauses):
                yield from ((function, construct.node) for function in functions(record))


def _classes(construct: Construct, clauses: Iterable[str]) -> Iterator[Cursor]:
    """Yield the classes of clauses' list items, or of the elements of arrays."""
    for listed in construct.items(*clauses):
        kind = types.without_reference(listed.named.type) if listed.named is not None else None
        kind = types.shape_of(kind).element if kind is not None and types.is_array(kind) else kind
        if kind is not None and types.is_record(kind):
            yield types.canonical(kind).get_declaration()


def _functions_of_new(record: Cursor) -> Iterator[Cursor]:
    yield from (member for member in record.get_children() if member.is_default_constructor())
    yield from functions_of_object(record)
