"""Loops in which several numbers are divided by square roots in one iteration.

In: innermost loops of an iteration. Out: their code in a function that may be executed twice. Before and after::

    for (int k = 0; k < n; k++) {
      s += a[k].w / sqrtf(x * x + y * y);
      t += a[k].w / sqrtf(x * x + z * z);
    }

    for (int k = 0; k < n; k++) {
      rex_of_usual_roots([&](REX_ROOTS rex_root) {
        s += a[k].w / rex_root(x * x + y * y);
        t += a[k].w / rex_root(x * x + z * z);
      }, s, t);
    }

A quotient by a root is computed from one approximation, and a test asks whether its numbers are usual
(:mod:`rexcc.lowering.text.roots`). Each test has a branch behind it, which the next quotient waits for. So the code is
executed as if all numbers were usual, and one test asks behind it: if some were not, the variables that it has changed
get the values back that they had, and it is executed again, with a test for each quotient.

In kernels whose threads wait for each other a loop with few quotients, as those over a tile that a team has loaded, has
such code of eight iterations, or four::

    rex_in_turns<int, 8, 1>(0, TILE, [&](int __rex_turn_first, auto __rex_turn) {
      rex_of_usual_roots([&](REX_ROOTS rex_root) {
        #pragma unroll
        for (int __rex_turn_number = 0; __rex_turn_number < __rex_turn.count; __rex_turn_number++) {
          int k = __rex_turn_first + __rex_turn_number;
          s += tile[k] / rex_root(x * x + y * y);
        }
      }, s);
    });

It cannot be noticed: the code changes the thread's own variables alone, numbers whose address nobody has, and reads
memory that it does not write. It has no other effect, and nothing in it leaves it. A quotient of unusual numbers is any
number the first time, so no element is found by what is computed from one, nor accessed where that decides it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.references import is_written
from rexcc.clang import classes, types
from rexcc.clang.library import has_global_storage
from rexcc.clang.tree import Node, kind_of
from rexcc.lowering.cleanups.context import CleanupContext, Turns
from rexcc.lowering.cleanups.memory import NOWHERE, OWN
from rexcc.lowering.cleanups.syntax import is_free
from rexcc.lowering.cleanups.unroll import is_decided
from rexcc.lowering.loops.turn_addresses import is_access
from rexcc.lowering.loops.turn_rules import counting_loop, is_plain
from rexcc.lowering.loops.turns import with_one_test
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.placing import USER, place_around
from rexcc.lowering.text.roots import roots_in
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable

_LEAST, _MOST, _MOST_NODES = 2, 16, 900
"""Quotients, or sines, of the code, and nodes of its tree: it stands there twice."""
_TURNS = (8, 4)
"""How many iterations may have one test together."""

_CHOICES = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR"})


def join_roots(context: CleanupContext) -> None:
    """Ask once for all quotients of the iterations of the loops that qualify."""
    for loop in _innermost_with_block(context):
        code = loop.children[-1]
        if loop in context.turns or loop in context.folded:
            continue
        changed = changed_by(context, code, 1, _roots(context, code))
        if changed is not None:
            start, end = context.body.start(code) + 1, context.body.end(code) - 1
            place_around(context.body, start, end, (with_one_test(USER, _named(changed)),))
            context.tell("one test for all quotients by roots of an iteration", loop, topic=Topic.LOOP)


def join_roots_of_turns(context: CleanupContext) -> None:
    """Ask once for the quotients of several iterations of the loops that qualify; threads of the kernel may meet."""
    for loop in _innermost_with_block(context):
        turns = turns_with_one_test(context, loop, _roots(context, loop.children[-1]))
        if turns is not None:
            context.turns[loop] = turns
            told = f"one test for all quotients by roots of {turns.iterations} iterations"
            context.tell(told, loop, topic=Topic.LOOP)


def turns_with_one_test(context: CleanupContext, loop: Node, calls: frozenset[int]) -> Turns | None:
    """Return the turns of a loop whose calls at these places have one test in each, None where it stays."""
    if context.kernel.region.choice.unroll or is_decided(context, loop) or has_to_do_with_construct(context, loop):
        return None
    counted = counting_loop(context, loop)
    for turn in _TURNS if counted is not None else ():
        changed = changed_by(context, loop.children[-1], turn, calls)
        if counted is not None and changed is not None and _keep_their_names(context, loop, changed):
            return Turns(counted, turn, (), (), kept=_named(changed))
    return None


def innermost(context: CleanupContext, wanted: Optimisation) -> Iterator[Node]:
    """Yield the loops that have no loop inside of them, none where the form is not wanted."""
    region = context.kernel.region
    if wanted in region.left_out or region.owner.template is not None:
        return
    loops = context.inner_loops()
    for loop in loops:
        if not any(inner in loops for inner in loop.walk() if inner is not loop):
            yield loop


def _innermost_with_block(context: CleanupContext) -> Iterator[Node]:
    for loop in innermost(context, Optimisation.ROOTS):
        code = loop.children[-1]
        if code.kind == "COMPOUND_STMT" and code.children:
            yield loop


def has_to_do_with_construct(context: CleanupContext, loop: Node) -> bool:
    """Whether a loop is that of a construct, which deals out its iterations, or has one inside, as a barrier."""
    if loop.parent is not None and context.is_directive(loop.parent):
        return True
    return context.has_directive(loop)


def _named(changed: list[Variable]) -> tuple[str, ...]:
    return tuple(variable.name for variable in changed)


def _keep_their_names(context: CleanupContext, loop: Node, changed: list[Variable]) -> bool:
    """Whether the kernel's text names variables in a loop as the user does: the code has them there."""
    body = context.body
    uses = (node for node in loop.walk() if named_variable(node) in changed)
    return all(is_free(body, body.start(use), body.end(use)) for use in uses)


def _roots(context: CleanupContext, code: Node) -> frozenset[int]:
    """Return where the roots stand that something is divided by."""
    return frozenset(start for start, _ in roots_in(context.body, context.body.start(code), context.body.end(code)))


def changed_by(context: CleanupContext, code: Node, iterations: int, calls: frozenset[int]) -> list[Variable] | None:
    """Return the variables from outside that so many iterations change, None where they may not be executed twice.

    ``calls`` are where the calls stand that have one test.
    """
    nodes = list(code.walk())
    count = iterations * len(calls)
    if not _LEAST <= count <= _MOST or iterations * len(nodes) > _MOST_NODES:
        return None
    if not all(is_plain(context, node) or (iterations > 1 and _is_copy(node)) for node in nodes):
        return None
    if any(context.memory.of_node(node).written != NOWHERE for node in nodes):
        return None
    declared = {Variable(node.cursor) for node in nodes if node.kind == "VAR_DECL"}
    found: dict[Variable, None] = {}
    for node in (node for node in nodes if is_written(node)):
        variable = named_variable(node.bare())
        if variable is None or not _is_own_number(context, node, variable):
            return None
        if variable not in declared:
            found[variable] = None
    return None if _decide_what_is_read(context, code, calls) else list(found)


def _is_copy(node: Node) -> bool:
    """Whether a node declares an object that is a copy of another one's bytes, or copies them."""
    if not types.is_record(node.type) or not classes.is_copied_as_bytes(node.type):
        return False
    if node.kind == "VAR_DECL":
        return not has_global_storage(node.cursor)
    callee = node.referenced if node.kind == "CALL_EXPR" else None
    return callee is not None and kind_of(callee) == "CONSTRUCTOR" and bool(callee.is_copy_constructor())


def _is_own_number(context: CleanupContext, node: Node, variable: Variable) -> bool:
    """Whether a variable is a number or a pointer of the thread's own to which no other pointer leads."""
    is_number = types.is_scalar(variable.type) or types.is_pointer(variable.type)
    if not is_number or types.is_reference(variable.type):
        return False
    if has_global_storage(variable.cursor) or not variable.is_named:
        return False
    uses = context.memory.provenance.uses.get(variable, [])
    is_own = context.memory.provenance.place(node) == frozenset({OWN})
    return is_own and bool(uses) and not any(address_leaves(use) for use in uses)


def _decide_what_is_read(context: CleanupContext, code: Node, calls: frozenset[int]) -> bool:
    """Whether what calls give decides which elements are accessed, or which are not."""
    nodes, computed = list(code.walk()), set[Variable]()

    def depends(top: Node) -> bool:
        inner = list(top.walk())
        is_call = any(n.kind == "CALL_EXPR" and context.body.start(n) in calls for n in inner)
        return is_call or any(named_variable(n) in computed for n in inner)

    def is_decided(node: Node) -> bool:
        return any(map(depends, _deciding(node, code)))

    count = -1
    while count != len(computed):
        count = len(computed)
        for variable, change in filter(None, map(_change, nodes)):
            if variable not in computed and (depends(change) or is_decided(change)):
                computed.add(variable)
    return any(depends(node) or is_decided(node) for node in nodes if is_access(node))


def _change(node: Node) -> tuple[Variable, Node] | None:
    """Return a variable and what gives it a value, where a node names one that gets it."""
    if node.kind == "VAR_DECL":
        return Variable(node.cursor), node
    variable = named_variable(node) if is_written(node) else None
    above = node.in_parentheses().parent
    return (variable, above) if variable is not None and above is not None else None


def _deciding(node: Node, code: Node) -> Iterator[Node]:
    """Yield what decides inside of some code whether a node is evaluated, and what is evaluated instead of it."""
    while node is not code and node.parent is not None:
        above = node.parent
        if above.kind in _CHOICES or above.operator in ("&&", "||"):
            yield from above.children[: above.children.index(node)]
        node = above
