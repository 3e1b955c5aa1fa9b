"""The loops that a transformation changes (OpenMP 5.2, 4.4.1): perfectly nested, with bounds that are known before.

In: a construct. Out: :class:`AffectedLoop`, outermost first. What OpenMP forbids raises ``omp-loop-form``, what only
this compiler cannot do ``unsupported-construct``.
"""

from __future__ import annotations

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loop_rules import loop_problem
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import UsedVariable, collect, is_written
from rexcc.analysis.regions import collapse_depth
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import header_close
from rexcc.openmp.directives import Association
from rexcc.openmp.model import ListClause
from rexcc.openmp.tables import association_of
from rexcc.program.constructs import Construct
from rexcc.program.loop_shape import alone
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.records import dataclass

_REORDERING = frozenset({"tile", "interchange", "reverse"})
NAMES = _REORDERING | {"unroll"}
"""The directives whose loops may be made here."""


def is_transformation(construct: Construct) -> bool:
    """Whether the loops of a construct are made here: of ``unroll partial`` where another directive takes them."""
    name, above = construct.directive.name, construct.parent
    if name != "unroll" or above is None or above.body is None:
        return name in _REORDERING
    is_partial = any(clause.name == "partial" for clause in construct.directive.clauses)
    return is_partial and association_of(above.directive) is Association.LOOP and _takes_loop(above, construct)


def _takes_loop(above: Construct, inner: Construct) -> bool:
    """Whether a directive takes what stands at a construct's place for one of its loops."""
    node = above.body
    for _ in range(collapse_depth(above)):
        node = alone(node) if node is not None else None
        if node is inner.node:
            return True
        if node is None or node.kind != "FOR_STMT" or not node.children:
            return False
        node = node.children[-1]
    return False


@dataclass(frozen=True, eq=False)
class AffectedLoop:
    """A loop that a transformation changes.

    ``start`` and ``close`` are the range of its header in the user's text, ``init`` that of its initialisation.
    ``declares``: the loops that are made of it declare its index, because it did or because it has to be private.
    ``of_template``: its text serves several types.
    """

    loop: CanonicalLoop
    start: int
    close: int
    init: tuple[int, int]
    declares: bool
    of_template: bool


def affected_loops(unit: ParsedUnit, construct: Construct, depth: int, of_template: bool) -> tuple[AffectedLoop, ...]:
    """Return the loops that belong to a transformation, outermost first.

    Raises CompileError where they are not there, not canonical, or depend on each other.
    """
    assert construct.body is not None
    loops: list[CanonicalLoop] = []
    node = alone(construct.body)
    for level in range(depth):
        if node.kind != "FOR_STMT":
            raise _no_loop(unit, construct, node, level, depth)
        loops.append(canonical_loop(unit, node))
        node = alone(loops[-1].body)
    _check_bounds(unit, construct, loops)
    shared = _loop_directives_above(construct)
    _check_clauses(construct, shared, loops)
    return tuple(_affected(construct, loop, bool(shared), of_template) for loop in loops)


def _affected(construct: Construct, loop: CanonicalLoop, is_shared: bool, of_template: bool) -> AffectedLoop:
    file, init = construct.file, loop.statement.children[0]
    start, close = file.original(loop.statement.start), header_close(file, loop.statement)
    place = (file.original(init.start), file.original(init.end))
    if not start < place[0] <= place[1] < close:
        raise _unsupported(construct, f"a loop over '{loop.name}' whose header holds macros")
    if not (loop.is_integer or loop.is_pointer):
        raise _unsupported(construct, f"a loop over '{loop.name}', which is no integer and no pointer,")
    parts = (loop.lower, loop.bound) if loop.is_integer else ()
    if any(not _is_integer(part) for part in parts):
        raise _unsupported(construct, f"a loop over '{loop.name}' with a bound that is no integer")
    return AffectedLoop(loop, start, close, place, loop.declares or is_shared, of_template)


def _is_integer(node: Node) -> bool:
    kind = types.canonical(node.type)
    return types.is_scalar(kind) and types.kind_name(kind) not in ("FLOAT", "DOUBLE", "LONGDOUBLE", "POINTER")


def _no_loop(unit: ParsedUnit, construct: Construct, node: Node, level: int, depth: int) -> CompileError:
    name = construct.directive.name
    if level == 0:
        return loop_problem(unit, node, f"the statement after '{name}' must be a for loop")
    message = f"'{name}' needs {depth} loops with nothing but braces between them; this is not loop {level + 1}"
    return loop_problem(unit, node, message)


def _check_bounds(unit: ParsedUnit, construct: Construct, loops: list[CanonicalLoop]) -> None:
    """No header depends on another index, or reads what an index would hide from it where it moves to."""
    for position, loop in enumerate(loops):
        read = _read_in_header(loop)
        for other in loops:
            if other is loop:
                continue
            own = read.get(other.index)
            if own is not None and other in loops[:position]:
                name = construct.directive.name
                message = f"'{name}' needs loops with bounds of their own; this one depends on '{other.name}'"
                raise loop_problem(unit, own.uses[0], message)
            if any(variable.name == other.name for variable in read.values()):
                raise _unsupported(construct, f"a loop that reads a '{other.name}' which another's index hides")
        _check_first_value(unit, loop)


def _check_first_value(unit: ParsedUnit, loop: CanonicalLoop) -> None:
    """The first value, which may be computed again, stays the same."""
    changed = collect([loop.body]).variables
    for variable in collect([loop.lower]).variables:
        if variable in changed and changed[variable].written:
            place = next(use for use in changed[variable].uses if is_written(use))
            message = f"'{variable.name}' is part of the loop's first value and is changed here; use a copy of it"
            raise loop_problem(unit, place, message)


def _read_in_header(loop: CanonicalLoop) -> dict[Variable, UsedVariable]:
    parts = [loop.lower, loop.bound, *([loop.step_node] if loop.step_node else [])]
    return collect(parts).variables


def _loop_directives_above(construct: Construct) -> list[Construct]:
    """Return the loop constructs to which the transformed loops belong: the index of such a loop is private."""
    found: list[Construct] = []
    below, above = construct, construct.parent
    while above is not None and above.body is not None and alone(above.body) is below.node:
        if association_of(above.directive) is not Association.LOOP and "metadirective" not in above.directive.name:
            break
        if above.directive.name not in NAMES:
            found.append(above)
        below, above = above, above.parent
    return found


def _check_clauses(construct: Construct, shared: list[Construct], loops: list[CanonicalLoop]) -> None:
    """What the index of a loop is after the loops is asked of none that is transformed."""
    indices = {loop.name for loop in loops}
    for above in shared:
        for clause in (c for c in above.directive.of_type(ListClause) if c.name in ("lastprivate", "linear")):
            for item in clause.items:
                if item.whole.text.strip() in indices:
                    what = f"'{clause.name}' of the loop variable '{item.whole.text.strip()}' above '"
                    raise _unsupported(construct, f"{what}{construct.directive.name}'")


def _unsupported(construct: Construct, what: str) -> CompileError:
    subject = what if f"'{construct.directive.name}'" in what else f"'{construct.directive.name}' of {what}"
    return error("unsupported-construct", f"{subject.rstrip(',')} cannot be lowered yet", construct.span)
