"""The elements that each iteration of a loop loads, and of which several iterations' may be loaded together.

In: a loop, and the addresses of its body. Out: the loads, by what they load; none where the loop loads anything else
that another iteration has elsewhere, or where a condition leaves a load out.
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_stored, is_written
from rexcc.clang import spelling, types
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.early_loads import LOADED
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.pure_values import Meaning, meaning_of
from rexcc.lowering.cleanups.syntax import is_evaluated, is_exact, is_free, is_load, is_unconditional
from rexcc.lowering.loops.turn_addresses import Addresses, goes_on, is_access

_NARROW = frozenset({"BOOL", "CHAR_S", "CHAR_U", "SCHAR", "UCHAR", "SHORT", "USHORT"})


def elements_of(
    context: CleanupContext,
    loop: CanonicalLoop,
    addresses: Addresses,
    is_element: Callable[[CleanupContext, Node], bool] | None = None,
    kept: frozenset[Node] = frozenset(),
) -> list[list[Node]]:
    """Return the loads of the loop's elements, by what they load; none where it loads others that change.

    ``is_element`` says which may be such elements: without it, those of memory that other threads have too. ``kept``
    are loads of what the iteration before has left in a local.
    """
    is_wanted = is_element or _can_be_local
    found: dict[Meaning, list[Node]] = {}
    for node in loop.body.walk():
        if not is_access(node) or goes_on(node) or not is_evaluated(node) or node in kept:
            continue
        if _is_no_load(context, node, addresses):
            continue
        meaning = meaning_of(context.body, node)
        if meaning is None or not addresses.is_known(node) or not is_wanted(context, node):
            return []
        found.setdefault(meaning, []).append(node)
    is_made = all(any(is_unconditional(context, n, loop.body) for n in loads) for loads in found.values())
    return list(found.values()) if is_made else []


def _is_no_load(context: CleanupContext, node: Node, addresses: Addresses) -> bool:
    """Whether an access is none that the loop waits for: of a variable of the thread's, of one element, a store, or an
    address."""
    if addresses.stays(node) or is_stored(node) or _is_address(node):
        return True
    if is_written(node) and addresses.is_one(node):
        return True
    is_own = context.memory.provenance.place(node) == frozenset({OWN})
    return is_own and not any(n.kind == "ARRAY_SUBSCRIPT_EXPR" for n in node.walk())


def _is_address(node: Node) -> bool:
    """Whether of what an access names the address alone is taken: for a reference, or by ``&``."""
    above = node.in_parentheses().parent
    if above is None or above.kind == "VAR_DECL":
        return above is not None and types.is_reference(above.type)
    return above.kind == "UNARY_OPERATOR" and above.operator == "&"


def _can_be_local(context: CleanupContext, load: Node) -> bool:
    """Whether a local can stand for a load of memory that other threads have too, by the user's own text."""
    places = context.memory.provenance.place(load)
    return places is not None and bool(places) and OWN not in places and can_have_local(context, load)


def can_have_local(context: CleanupContext, load: Node) -> bool:
    """Whether a local can stand for a load, by the user's own text."""
    body = context.body
    if types.kind_name(types.canonical(load.type)) not in LOADED | _NARROW or is_bit_field(load):
        return False
    is_named = not spelling.is_unnamed(load.type)
    return is_named and is_load(load) and is_exact(body, load) and is_free(body, body.start(load), body.end(load))
