"""Values that the loops of device code cannot give yet: refused, for the program would compute with others.

In: a construct with loops. Out: nothing, or the error. All iterations of a ``taskloop`` are one task here, and the
index of a ``loop`` construct inside of a region stays private, though it is lastprivate (OpenMP 5.2, 5.1.1).
"""

from __future__ import annotations

from clang.cindex import Cursor

from rexcc.analysis.references import Variable, collect, is_written, variable_key
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.lowering.constructs.context import listed
from rexcc.lowering.text.variable_uses import may_change
from rexcc.openmp.model import Clause, MapClause
from rexcc.program.constructs import Construct
from rexcc.source.diagnostics import error

_CHUNKED = ("grainsize", "num_tasks")


def check_task_copies(construct: Construct, clauses: tuple[Clause, ...]) -> None:
    """Refuse first-private variables that the iterations of several tasks change; raises CompileError."""
    if construct.body is None or not any(c.name in _CHUNKED for c in clauses):
        return
    variables = collect([construct.body]).variables
    for item in listed(construct, clauses, "firstprivate"):
        variable = variables.get(item.whole_key) if item.whole_key is not None else None
        if variable is not None:
            check_task_copy(construct, variable)


def check_task_copy(construct: Construct, variable: Variable) -> None:
    """Refuse a variable of which each task of a ``taskloop`` has a first-private copy, if its iterations change it."""
    chunked = next((c for c in construct.directive.clauses if c.name in _CHUNKED), None)
    if chunked is not None and any(map(may_change, variable.uses)):
        message = (
            f"with '{chunked.name}' each task has a '{variable.name}' of its own, which its iterations change, but all "
            f"iterations are one task here: leave it out, or change a variable that is declared in the loop"
        )
        raise error("unsupported-clause", message, chunked.span)


def check_index(construct: Construct, index: Cursor) -> None:
    """Refuse a ``loop`` construct in a region whose index the program wants behind it; raises CompileError."""
    region = _region_around(construct)
    if region is None or region.body is None or not _is_wanted(construct, region, index):
        return
    message = (
        f"the last value of '{index.spelling}' is used behind this construct, which cannot keep it yet: add "
        f"'lastprivate({index.spelling})', or declare '{index.spelling}' in the loop"
    )
    raise error("unsupported-construct", message, construct.directive.span)


def _region_around(construct: Construct) -> Construct | None:
    above = construct.parent
    while above is not None and "target" not in above.directive.leaves:
        above = above.parent
    return above


def _is_wanted(construct: Construct, region: Construct, index: Cursor) -> bool:
    """Whether a region brings an index home, or uses it behind a construct for something else than to assign it."""
    assert region.body is not None
    key = variable_key(index)
    mapped = (i.clause for i in region.items("map") if i.key == key)
    end = statement_end(construct.file, construct.body) if construct.body is not None else 0
    behind = [
        node
        for node in region.body.walk()
        if node.kind == "DECL_REF_EXPR"
        and node.referenced is not None
        and variable_key(node.referenced) == key
        and node.file == construct.node.file
        and construct.file.original(node.start) >= end
    ]
    first = min(behind, key=_start, default=None)
    if first is None:
        return any(isinstance(clause, MapClause) and "from" in clause.map_type for clause in mapped)
    return not is_written(first)


def _start(node: Node) -> int:
    return node.start
