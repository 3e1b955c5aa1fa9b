"""Which values the program wants of the loops in device code.

In: a construct with loops. Out: the indices whose last values the program reads, for the index of a ``loop`` construct
is lastprivate (OpenMP 5.2, 5.1.1); an error where the tasks of a ``taskloop`` change first-private copies, for all
iterations are one task here, and the program would compute with other values.
"""

from __future__ import annotations

from rexcc.analysis.enclosing import comes_home_implicitly, is_declared_in
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import UsedVariable, assigned_variable, collect
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.constructs.context import listed
from rexcc.lowering.text.variable_uses import may_change
from rexcc.openmp.model import Clause, MapClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable, named_variable
from rexcc.source.diagnostics import error

_CHUNKED = ("grainsize", "num_tasks")


def check_task_copies(construct: Construct, clauses: tuple[Clause, ...]) -> None:
    """Refuse first-private variables that the iterations of several tasks change; raises CompileError."""
    if construct.body is None or not any(c.name in _CHUNKED for c in clauses):
        return
    variables = collect([construct.body]).variables
    for item in listed(construct, clauses, "firstprivate"):
        variable = variables.get(item.whole_variable) if item.whole_variable is not None else None
        if variable is not None:
            check_task_copy(construct, variable)


def check_task_copy(construct: Construct, variable: UsedVariable) -> None:
    """Refuse a variable of which each task of a ``taskloop`` has a first-private copy, if its iterations change it."""
    chunked = next((c for c in construct.directive.clauses if c.name in _CHUNKED), None)
    if chunked is not None and any(map(may_change, variable.uses)):
        message = (
            f"with '{chunked.name}' each task has a '{variable.name}' of its own, which its iterations change, but all "
            f"iterations are one task here: leave it out, or change a variable that is declared in the loop"
        )
        raise error("unsupported-clause", message, chunked.span)


def wanted_indices(
    construct: Construct, clauses: tuple[Clause, ...], loops: tuple[CanonicalLoop, ...]
) -> frozenset[Variable]:
    """Return the indices that no clause of a ``loop`` construct names and whose last values are used.

    Raises CompileError where such an index would be mapped implicitly.
    """
    if "loop" not in construct.directive.leaves:
        return frozenset()
    named = {item.whole_variable for item in listed(construct, clauses, "private", "lastprivate")}
    indices = [loop.index for loop in loops if not loop.declares and loop.index not in named]
    return frozenset(index for index in indices if _is_wanted(construct, index))


def _is_wanted(construct: Construct, index: Variable) -> bool:
    """Whether the program may read an index behind a construct: others know it, or the code around reads it."""
    if index.is_global or types.is_reference(index.type):
        return True
    region = _region_around(construct)
    if region is None or region.body is None:
        return _is_read(construct, construct.function, index)
    return _comes_home(construct, region, index) or _is_read(construct, region.body, index)


def _region_around(construct: Construct) -> Construct | None:
    return next((above for above in construct.around() if "target" in above.directive.leaves), None)


def _comes_home(construct: Construct, region: Construct, index: Variable) -> bool:
    """Whether what a region gives a variable may reach the host's; raises CompileError for implicit mappings."""
    mapped = [i.clause for i in region.items("map") if i.variable == index]
    if mapped:
        return any(isinstance(clause, MapClause) and "from" in clause.map_type for clause in mapped)
    if is_declared_in(region, index) or _is_copied(construct, region, index):
        return False
    if not comes_home_implicitly(region, index):
        return False
    name = index.name
    message = (
        f"the last value of '{name}' would be mapped implicitly, which cannot be lowered yet: add "
        f"'map(tofrom: {name})' to the target construct, or declare '{name}' in the loop"
    )
    raise error("unsupported-construct", message, construct.directive.span)


def _is_copied(construct: Construct, region: Construct, variable: Variable) -> bool:
    """Whether a construct around another one, up to its region, has a copy of a variable."""
    for above in construct.around():
        if above.environment.copies(variable):
            return True
        if above is region:
            return False
    return False


def _is_read(construct: Construct, code: Node, variable: Variable) -> bool:
    """Whether code around a construct reads a variable, but for loops that give it values of their own first."""
    return any(
        named_variable(node) == variable and not _is_assigned(node) and not _has_other_value(construct, node, variable)
        for node in code.walk()
    )


def _has_other_value(construct: Construct, use: Node, variable: Variable) -> bool:
    """Whether a use stands in a construct's own loops, or in a loop that assigns the variable before it begins.

    Of a loop with two parts at least in its header the first is evaluated before the others and the body.
    """
    assert construct.body is not None
    own, below = _place(construct.body), use
    for above in use.ancestors():
        if _place(above) == own:
            return True
        is_behind = above.kind == "FOR_STMT" and len(above.children) > 2 and below is not above.children[0]
        if is_behind and assigned_variable(above.children[0]) == variable and not _holds(above, own):
            return True
        below = above
    return False


def _holds(code: Node, place: tuple[object, int, int, str]) -> bool:
    return any(_place(node) == place for node in code.walk())


def _is_assigned(use: Node) -> bool:
    """Whether a use gives a variable a value without reading the one it has."""
    above = use.parent
    return above is not None and above.kind == "BINARY_OPERATOR" and above.operator == "=" and above.children[0] is use


def _place(node: Node) -> tuple[object, int, int, str]:
    return node.file, node.start, node.end, node.kind
