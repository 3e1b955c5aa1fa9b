"""Loop nests (OpenMP 5.2, 4.4.1): the loops that ``collapse`` joins, and the code between them.

In: the statement of a directive. Out: its loops, outermost first, which of them can be numbered together, and the
statement that one iteration of these executes. That is the innermost body or, where other code stands between two of
the loops, the body around that code: OpenMP lets such code run once for each iteration of the loops together, so every
iteration executes all of it and finds there what the code declares.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rexcc.analysis.loop_reader import canonical_loop
from rexcc.analysis.loop_rules import loop_problem
from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import collect, is_written
from rexcc.clang.tree import Node
from rexcc.program.loop_shape import LOOPS, alone, loops_in
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.patterns import regex

_UNROLL = regex(r"#\s*pragma\s+omp\s+unroll\b")


def loop_nest(unit: ParsedUnit, body: Node, depth: int) -> tuple[CanonicalLoop, ...]:
    """Return the ``depth`` loops associated with a directive, outermost first.

    Raises CompileError where a loop is missing or not canonical, or where code between the loops changes an index.
    """
    loops: list[CanonicalLoop] = []
    node = body
    for level in range(depth):
        loops.append(canonical_loop(unit, _only_loop(unit, node, level, depth)))
        node = loops[-1].body
    _check_indices(unit, tuple(loops))
    return tuple(loops)


def rectangular_part(loops: tuple[CanonicalLoop, ...]) -> int:
    """Return how many of the outermost loops have bounds that are known before the nest.

    A loop that depends on an outer index (OpenMP 5.2, 4.4.2, non-rectangular), or on what the code between the loops
    does, and those inside it stay sequential in the thread that has the outer iteration: any thread may run any of
    them.
    """
    for position, loop in enumerate(loops):
        between = collect(_code_between(loops[: position + 1]))
        changed = between.declared | {v for v in between.variables.values() if v.written or v.exposed}
        changed |= {above.index for above in loops[:position]}
        if not changed.isdisjoint(_named_in_header(loop)):
            return position
    return len(loops)


def iteration_of(loops: tuple[CanonicalLoop, ...]) -> Node:
    """Return the statement that one iteration of the nest executes."""
    return loops[_directly_nested(loops) - 1].body


def inner_headers(loops: tuple[CanonicalLoop, ...]) -> tuple[CanonicalLoop, ...]:
    """Return the loops of a nest whose headers stand in the statement that one iteration executes.

    Loops in another order than they are written in have none: all code stands in the innermost.
    """
    if not all(_is_inside(inner, outer) for outer, inner in pairwise(loops)):
        return ()
    return loops[_directly_nested(loops) :]


def is_directly_nested(loops: tuple[CanonicalLoop, ...]) -> bool:
    """Whether nothing but braces stands between the loops of a nest."""
    return _directly_nested(loops) == len(loops)


def _is_inside(inner: CanonicalLoop, outer: CanonicalLoop) -> bool:
    return any(above is outer.statement for above in inner.statement.ancestors())


def _only_loop(unit: ParsedUnit, body: Node, level: int, depth: int) -> Node:
    node = alone(body)
    found = list(loops_in(node)) if level > 0 or node.kind in LOOPS else []
    if len(found) > 1:
        message = f"collapse({depth}) needs one loop in the body of loop {level}; this is another one"
        raise loop_problem(unit, found[1], message)
    if found and found[0].kind == "FOR_STMT":
        return found[0]
    if found:
        message = "this range-based for loop cannot be shared: its iterators must be pointers or have random access "
        message += "to what is no container's, and its range must be a name that the loop's variable does not hide and "
        message += "its body does not change, or a view made of such names by functions that only compute; "
        message += "write it with an index"
        raise loop_problem(unit, found[0], message)
    span = unit.span(node)
    if span is not None and _UNROLL.match(span.text):
        message = "'unroll' without 'partial' leaves no loop for another directive; write 'unroll partial(n)'"
        raise loop_problem(unit, node, message)
    if level == 0:
        raise loop_problem(unit, node, "the statement after this directive must be a for loop")
    raise loop_problem(
        unit, node, f"collapse({depth}) needs {depth} nested loops; loop {level + 1} is not a for loop here"
    )


def _directly_nested(loops: tuple[CanonicalLoop, ...]) -> int:
    """Return how many of the outermost loops have nothing but braces between them."""
    for position in range(1, len(loops)):
        if alone(loops[position - 1].body) is not loops[position].statement:
            return position
    return len(loops)


def _code_between(loops: tuple[CanonicalLoop, ...]) -> Iterator[Node]:
    """Yield the statements between the loops of a nest."""
    for outer, inner in pairwise(loops):
        below = inner.statement
        for above in inner.statement.ancestors():
            if above is outer.statement:
                break
            yield from (child for child in above.children if child is not below)
            below = above


def _named_in_header(loop: CanonicalLoop) -> frozenset[Variable]:
    parts = [loop.lower, loop.bound, *([loop.step_node] if loop.step_node else [])]
    return frozenset(collect(parts).variables)


def _check_indices(unit: ParsedUnit, loops: tuple[CanonicalLoop, ...]) -> None:
    """The code between the loops leaves the indices of the inner ones alone; each loop looks after its own body."""
    indices = {loop.index for loop in loops if not loop.declares}
    for variable in collect(_code_between(loops)).variables.values():
        if variable in indices and variable.written:
            place = next(use for use in variable.uses if is_written(use))
            message = f"not a canonical loop: the code between the loops changes the loop variable '{variable.name}'"
            raise loop_problem(unit, place, message)
