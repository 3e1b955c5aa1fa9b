"""Functions that make, assign and end the copies of objects which clauses ask for (OpenMP 5.2, 5.3 and 5.4).

In: constructs of device code. Out: those that another unit defines, each with its construct: no expression names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.implied_functions import functions_of_object
from rexcc.analysis.reachable_functions import lacks_definition
from rexcc.clang import types
from rexcc.clang.tree import Node, kind_of
from rexcc.program.constructs import Construct

_CLAUSES = ("private", "firstprivate", "lastprivate", "reduction", "in_reduction", "task_reduction")


def copying_functions(constructs: Iterable[Construct]) -> Iterator[tuple[Cursor, Node]]:
    """Yield the functions elsewhere that the copies of constructs' list items need."""
    for construct in constructs:
        for listed in construct.items(*_CLAUSES):
            kind = types.without_reference(listed.named.type) if listed.named is not None else None
            kind = types.shape_of(kind).element if kind is not None and types.is_array(kind) else kind
            if kind is None or not types.is_record(kind):
                continue
            record = types.canonical(kind).get_declaration()
            needed = [*filter(_copies, record.get_children()), *functions_of_object(record)]
            yield from ((function, construct.node) for function in needed if lacks_definition(function))


def _copies(member: Cursor) -> bool:
    if kind_of(member) == "CONSTRUCTOR":
        return bool(member.is_default_constructor() or member.is_copy_constructor())
    return kind_of(member) == "DESTRUCTOR" or member.spelling == "operator="
