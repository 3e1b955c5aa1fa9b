"""Elements that an iteration of an inner loop needs are loaded before its first division.

In: the bodies of loops that store elements. Out: locals in front of the first statement that divides, or calls a
function of the math library. Before::

    double m = 1.0 / (b[j] - a[j] * cp);
    cp = c[j] * m;
    w[j] = cp;

after::

    const double __rex_early_c = c[j];
    rex_loaded(__rex_early_c);
    double m = 1.0 / (b[j] - a[j] * cp);
    cp = __rex_early_c * m;
    w[j] = cp;

A division has a branch for what it cannot do otherwise, behind which the device's compiler puts loads of what is needed
later: the thread waits for memory twice in each iteration. Loads of memory that nothing writes it moves by itself.

What must hold for a load to move to the front of a statement of the same block:

* from there on to the load stand declarations and expressions alone, so that it is reached whenever they are; it is no
  part that a condition leaves out, and nothing leaves the loop, so that no memory is touched that would not be;
* none of these statements changes its address, or may write the element; what the load's own statement assigns, it does
  behind its loads. Threads do not wait for each other in these kernels, so nothing else may change it meanwhile;
* the element is in memory that other threads have, too: what is written to the thread's own is not told of.

An element that is the same one in all iterations stays where it is: the device's compiler may keep it in a register
from one iteration to the next, and there is no memory to wait for.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.kernel.ir import Declare, Do
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import NOWHERE, OWN
from rexcc.lowering.cleanups.neighbour_addresses import may_leave, values_of_address
from rexcc.lowering.cleanups.pure_values import Meaning, meaning_of
from rexcc.lowering.cleanups.syntax import is_evaluated, is_exact, is_free, is_load, is_unconditional, value_type
from rexcc.lowering.cleanups.unroll import is_math
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related

MOST_LOADS = 4
"""Elements of an iteration that are loaded early: each has a register meanwhile."""

LOADED = frozenset({"FLOAT", "DOUBLE", "INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
"""The types that ``rex_loaded`` takes."""

_NO_EXPRESSIONS = frozenset({"NULL_STMT", "DECL_STMT"})


def load_before_divisions(context: CleanupContext) -> None:
    """Move the loads of each inner loop that qualify."""
    for loop in context.inner_loops():
        body = loop.children[-1] if loop.children else loop
        if body.kind != "COMPOUND_STMT" or loop is context.shared_loop or loop in context.guarded:
            continue
        if context.memory.effects(body).written != NOWHERE and not any(map(may_leave, body.walk())):
            _load_early(context, loop)


def _load_early(context: CleanupContext, loop: Node) -> None:
    """Move what comes behind the first division of a loop's body."""
    body = loop.children[-1]
    first = next((at for at, statement in enumerate(body.children) if _divides(statement)), None)
    if first is None or not _is_simple(body.children[first]):
        return
    if not _can_follow_lines(context, body.children[: first + 1]):
        return
    found: dict[Meaning, list[Node]] = {}
    for last in range(first + 1, len(body.children)):
        passed = body.children[first : last + 1]
        if not _is_simple(passed[-1]):
            break
        for node in passed[-1].walk():
            meaning = meaning_of(context.body, node) if node.kind == "ARRAY_SUBSCRIPT_EXPR" else None
            if meaning is not None and _can_move(context, node, body, passed) and _is_another(context, node, loop):
                found.setdefault(meaning, []).append(node)
    if 0 < len(found) <= MOST_LOADS:
        _move(context, body.children[first], list(found.values()))


def _is_simple(statement: Node) -> bool:
    """Whether a statement is an expression or declares something."""
    return statement.kind in _NO_EXPRESSIONS or not statement.kind.endswith("_STMT")


def _divides(statement: Node) -> bool:
    """Whether a statement divides floating-point numbers, or calls a function of the math library."""
    return any(map(is_slow, statement.walk()))


def is_slow(node: Node) -> bool:
    """Whether a node is such a division, or such a call."""
    return _is_division(node) or (node.kind == "CALL_EXPR" and is_math(node))


def _is_division(node: Node) -> bool:
    if node.operator not in ("/", "/=") or types.kind_name(types.canonical(node.type)) not in ("FLOAT", "DOUBLE"):
        return False
    return any(n.kind in ("DECL_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR") for n in node.children[1].walk())


def _can_follow_lines(context: CleanupContext, statements: Sequence[Node]) -> bool:
    """Whether lines can be put in front of the last of some statements: no macro makes it and the one before."""
    body, last = context.body, statements[-1]
    ends = [statement_end(body.file, one) for one in statements[:-1]]
    return last.file == body.file.scan.source.path and all(end <= body.start(last) for end in ends)


def _can_move(context: CleanupContext, load: Node, body: Node, passed: Sequence[Node]) -> bool:
    """Whether a load in the last of some statements can stand in front of the first."""
    memory, text = context.memory, context.body
    places = memory.provenance.place(load)
    if not places or OWN in places or any(place.variable in context.kernel.read_only for place in places):
        return False
    if types.kind_name(types.canonical(load.type)) not in LOADED or spelling.is_unnamed(load.type):
        return False
    if not (is_load(load) and is_evaluated(load) and is_exact(text, load)):
        return False
    if not is_free(text, text.start(load), text.end(load)) or not is_unconditional(context, load, body):
        return False
    declared = {Variable(n.cursor) for statement in passed for n in statement.walk() if n.kind == "VAR_DECL"}
    for part in values_of_address(load):
        if any(named_variable(n) in declared for n in part.walk()):
            return False
        if next(value_changes(memory, part, passed, frozenset()), None) is not None:
            return False
    written = [memory.effects(part).written for part in (*passed[:-1], _before_assignment(passed[-1], load))]
    return all(memory.all_apart(places, one) for one in written)


def _is_another(context: CleanupContext, load: Node, loop: Node) -> bool:
    """Whether a load may be of another element in each iteration of a loop."""
    declared = {Variable(n.cursor) for n in loop.walk() if n.kind == "VAR_DECL"}
    for part in values_of_address(load):
        if any(named_variable(n) in declared for n in part.walk()):
            return True
        if next(value_changes(context.memory, part, [loop], frozenset()), None) is not None:
            return True
    return False


def _before_assignment(statement: Node, load: Node) -> Node:
    """Return the value that a statement assigns, where that is what the load belongs to; else all of it."""
    bare = statement.bare()
    is_assignment = bare.kind == "COMPOUND_ASSIGNMENT_OPERATOR" or bare.operator == "="
    return bare.children[1] if is_assignment and load.is_inside(bare.children[1]) else statement


def _move(context: CleanupContext, statement: Node, loads: list[list[Node]]) -> None:
    """Put locals in front of a statement and in the place of loads behind it."""
    body, names = context.body, []
    for accesses in loads:
        first = accesses[0]
        base = body.original(first.children[0])
        names.append(context.name(related("early", base if base.isidentifier() else "element")))
        kind = value_type(first.type, body.unit.is_cplusplus)
        context.put_before(statement, Declare(f"const {kind} {names[-1]}", names[-1], body.original(first)))
        for access in accesses:
            body.edits.replace(body.start(access), body.end(access), names[-1])
        context.tell(f"'{body.original(first)}' is loaded before this division", statement)
    context.put_before(statement, Do(f"rex_loaded({', '.join(names)});"))
