"""Loops in which several numbers are divided by square roots in one iteration.

In: innermost loops of an iteration. Out: their code in a function that may be executed twice. Before and after::

    for (int k = 0; k < n; k++) {
      s += a[k].w / sqrtf(x * x + y * y);
      t += a[k].w / sqrtf(x * x + z * z);
    }

    for (int k = 0; k < n; k++) {
      rex_of_usual_roots([&](auto rex_root) {
        s += a[k].w / rex_root(x * x + y * y);
        t += a[k].w / rex_root(x * x + z * z);
      }, s, t);
    }

A quotient by a root is computed from one approximation, and a test asks whether its numbers are usual
(:mod:`rexcc.lowering.text.roots`). Each test has a branch behind it, which the next quotient waits for. So the code is
executed as if all numbers were usual, and one test asks behind it: if some were not, the variables that it has changed
get the values back that they had, and it is executed again, with a test for each quotient.

It cannot be noticed: the code changes the thread's own variables alone, numbers whose address nobody has, and reads
memory that it does not write. It has no other effect, and nothing in it leaves it. A quotient of unusual numbers is any
number the first time, so no element is found by what is computed from one, nor accessed where that decides it.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.addresses import address_leaves
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.library import has_global_storage
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Block
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import NOWHERE, OWN
from rexcc.lowering.loops.turn_addresses import is_access
from rexcc.lowering.loops.turn_rules import is_plain
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.placing import USER, place_around
from rexcc.lowering.text.roots import roots_in
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable, named_variable

_LEAST, _MOST, _MOST_NODES = 2, 16, 600
"""Quotients of an iteration, and nodes of its tree: the code stands there twice."""

_CHOICES = frozenset({"IF_STMT", "CONDITIONAL_OPERATOR"})


def join_roots(context: CleanupContext) -> None:
    """Ask once for all quotients of the iterations of the loops that qualify."""
    region = context.kernel.region
    if Optimisation.ROOTS in region.left_out or region.owner.template is not None:
        return
    loops = context.inner_loops()
    for loop in loops:
        code = loop.children[-1]
        if loop in context.turns or loop in context.folded or code.kind != "COMPOUND_STMT" or not code.children:
            continue
        if any(inner in loops for inner in loop.walk() if inner is not loop):
            continue
        changed = _changed(context, code)
        if changed is not None:
            _place(context, code, changed)


def _place(context: CleanupContext, code: Node, changed: list[Variable]) -> None:
    body = context.body
    start, end = body.start(code) + 1, body.end(code) - 1
    kept = "".join(f", {variable.name}" for variable in changed)
    place_around(body, start, end, (Block("rex_of_usual_roots([&](auto rex_root)", USER, f"{kept});"),))
    context.tell("one test for all quotients by roots of an iteration", code.parent, topic=Topic.LOOP)


def _changed(context: CleanupContext, code: Node) -> list[Variable] | None:
    """Return the variables from outside that an iteration changes, None where it may not be executed twice."""
    nodes = list(code.walk())
    count = len(roots_in(context.body, context.body.start(code), context.body.end(code)))
    if not _LEAST <= count <= _MOST or len(nodes) > _MOST_NODES or not all(is_plain(context, node) for node in nodes):
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
    return None if _decide_what_is_read(context, code) else list(found)


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


def _decide_what_is_read(context: CleanupContext, code: Node) -> bool:
    """Whether quotients decide which elements are accessed, or which are not."""
    names = roots_in(context.body, context.body.start(code), context.body.end(code))
    roots = {start for start, _ in names}
    nodes, computed = list(code.walk()), set[Variable]()

    def depends(top: Node) -> bool:
        inner = list(top.walk())
        is_root = any(n.kind == "CALL_EXPR" and context.body.start(n) in roots for n in inner)
        return is_root or any(named_variable(n) in computed for n in inner)

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
