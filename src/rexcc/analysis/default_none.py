"""``default(none)``: every variable of the construct has a data-sharing clause (OpenMP 5.2, 5.4.1 and 5.1.1).

In: a target region with its references. Out: an error at the first use of a variable that no clause names, with the
others as notes. A ``map`` of the same construct counts: it tells how the variable is shared. Variables of the region,
indices of its loops, constants and variables that live on the device need no clause.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from clang.cindex import Cursor

from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.references import References, UsedVariable, assigned_variable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import locations, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node, kind_of
from rexcc.clang.unevaluated import is_unevaluated
from rexcc.openmp.model import Clause, KeywordClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, Note, error

_NAMING = frozenset(
    {"private", "firstprivate", "lastprivate", "shared", "linear", "induction", "reduction", "in_reduction",
     "is_device_ptr", "has_device_addr", "map", "allocate", "uses_allocators"}
)  # fmt: skip
_VARYING = frozenset({"DECL_REF_EXPR", "CALL_EXPR", "MEMBER_REF_EXPR"})
_LOOP_LEAVES = frozenset({"distribute", "for", "simd", "loop"})


def check_default_none(region: TargetRegion, references: References, declared: DeclareTarget) -> None:
    """Raise CompileError where ``default(none)`` asks for a clause that is missing."""
    indices = {loop.index for loop in (*region.loops, *region.sequential)}
    indices |= set(_inner_indices(region.constructs[-1].descendants()))
    for position, construct in enumerate(region.constructs):
        clause = next((c for c in construct.directive.of_type(KeywordClause) if is_default_none(c)), None)
        if clause is None:
            continue
        inner = [*region.constructs[position:], *region.constructs[-1].descendants()]
        known = indices | set(_named(inner))
        others = (v for v in references.variables.values() if v not in known and not _is_hidden(v, region.body))
        missing = [v for v in others if not _needs_none(v, declared)]
        uses = [(v, use) for v in missing if (use := _first_use(v)) is not None]
        if uses:
            raise _fail(region, clause, uses)


def is_default_none(clause: Clause) -> bool:
    """Whether a clause is ``default(none)``."""
    return isinstance(clause, KeywordClause) and clause.name == "default" and clause.keyword == "none"


def _named(constructs: Iterable[Construct]) -> Iterator[Variable]:
    """Yield the variables that clauses of these constructs name, members by their object."""
    for construct in constructs:
        for item in construct.items(*_NAMING):
            yield from item.names


def _inner_indices(constructs: Iterable[Construct]) -> Iterator[Variable]:
    """Yield the indices of loops whose construct stands inside the region, such as ``simd``."""
    for construct in constructs:
        if construct.directive.leaves[-1] in _LOOP_LEAVES and construct.body is not None:
            loops = (n for n in construct.body.walk() if n.kind == "FOR_STMT" and n.children)
            assigned = (assigned_variable(loop.children[0]) for loop in loops)
            yield from (variable for variable in assigned if variable is not None)


def _needs_none(variable: Variable, declared: DeclareTarget) -> bool:
    """Whether a variable needs no clause: it lives on the device or is a constant."""
    if declared.has_variable(variable):
        return True
    if not types.is_constant(variable.cursor.type) or types.is_reference(variable.cursor.type):
        return False
    return variable.is_global or evaluate_integer(variable.cursor) is not None or _is_literal(variable.cursor)


def _is_literal(cursor: Cursor) -> bool:
    """Whether a scalar's first value is made of literals; compilers put such a value in the place of the variable."""
    kinds = [kind_of(c) for c in cursor.walk_preorder()]
    return types.is_scalar(cursor.type) and kinds[-1].endswith("_LITERAL") and not _VARYING.intersection(kinds)


def _is_hidden(variable: Variable, body: Node) -> bool:
    """Whether the region declares a variable that clang does not show, such as those of a range-based ``for``."""
    name, offset = locations.file_location(variable.cursor.location, body.tree.names)
    return name == body.file and body.start <= offset < body.end


def _first_use(variable: UsedVariable) -> Node | None:
    """Return the first use that reads or writes the variable, None without one."""
    return next((u for u in variable.uses if not is_unevaluated(u)), None)


def _fail(region: TargetRegion, clause: KeywordClause, uses: list[tuple[UsedVariable, Node]]) -> CompileError:
    (variable, use), *others = uses
    message = (
        f"'{variable.name}' is in no data-sharing clause, and default(none) asks for one; "
        f"add shared({variable.name}) or firstprivate({variable.name})"
    )
    notes = [Note(f"'{v.name}' is in none either", region.unit.span(u)) for v, u in others]
    return error("omp-default-none", message, region.unit.span(use), Note("asked for here", clause.span), *notes)
