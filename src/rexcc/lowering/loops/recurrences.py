"""Elements that an inner loop loads and that the iteration before has loaded or stored.

In: an inner loop. Out: its recurrences: ``p[(j - 1) * n + i]`` where each iteration stores ``p[j * n + i]``, or may do
so and has loaded it. Such an element needs no load: the iteration before leaves its value in a local.

The local has what memory has, for between the end of an iteration and the load in the next one nothing changes the
element: the loop's other stores are apart from it by a proof, its own comes behind the load in each iteration, or has
a subscript that is another by a constant, and threads do not wait for each other in it. It is the same element by the
text: the subscripts are equal sums of products, if one has the index of the iteration before. Signed sums do not
overflow, and unsigned ones are those of a type as wide as an address, in which they may.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.syntax import is_exact, is_unconditional, is_wrappable
from rexcc.lowering.loops.accesses import Access, outline_of
from rexcc.lowering.loops.inner_loop import InnerLoop
from rexcc.lowering.loops.polynomials import Polynomials, difference
from rexcc.lowering.loops.turn_addresses import Addresses
from rexcc.lowering.loops.turn_elements import can_have_local
from rexcc.lowering.loops.turn_stores import are_all_writes, comes_first
from rexcc.source.records import dataclass

_STATEMENTS = frozenset({"COMPOUND_STMT", "IF_STMT", "FOR_STMT"})


@dataclass(frozen=True, eq=False)
class Recurrence:
    """The loads of an element that the iteration before has, of which the first is in each iteration.

    ``store`` is the assignment to the element that the next iteration loads so; ``is_stored``: it is in each iteration.
    """

    loads: tuple[Node, ...]
    store: Node
    is_stored: bool

    def is_same(self, loads: list[Node]) -> bool:
        """Whether an element is that which the iteration stores."""
        return outline_of(loads[0]) == outline_of(self.store.children[0])


def recurrences(context: CleanupContext, inner: InnerLoop, addresses: Addresses) -> tuple[Recurrence, ...]:
    """Return the recurrences of a loop."""
    if context.wraps or not any(is_written(access.node) for access in inner.accesses):
        return ()
    found = (_recurrence(context, inner, addresses, write) for write in inner.written)
    known = tuple(one for one in found if one is not None)
    return known if known and are_all_writes(context, inner) else ()


def _recurrence(context: CleanupContext, inner: InnerLoop, addresses: Addresses, write: Access) -> Recurrence | None:
    loop, store = inner.loop, write.node.in_parentheses().parent
    if store is None or store.kind != "BINARY_OPERATOR" or store.operator != "=" or not _is_element(write):
        return None
    is_known = write.root is not None and addresses.stays(write.root) and addresses.is_known(write.node)
    if not (is_known and _is_statement(context, store)):
        return None
    others = [access for access in inner.accesses if access is not write and not inner.is_apart(write, access)]
    if any(is_written(one.node) or not _is_harmless(inner, write, one) for one in others):
        return None
    before = [one for one in others if _is_of_iteration_before(inner, write, one)]
    loads = sorted((one.node for one in before), key=lambda n: not is_unconditional(context, n, loop.body))
    if not loads or not is_unconditional(context, loads[0], loop.body):
        return None
    if not all(can_have_local(context, load) and addresses.is_known(load) for load in loads):
        return None
    return Recurrence(tuple(loads), store, is_unconditional(context, write.node, loop.body))


def _is_statement(context: CleanupContext, store: Node) -> bool:
    """Whether an assignment is a statement, by the user's own text, in front of which another one can stand."""
    body, above = context.body, store.parent
    start, end, target = body.start(store), body.end(store), store.children[0]
    is_text = is_exact(body, target) and body.start(target) == start
    in_macro = body.unit.macro_uses.holds(body.file.scan.source.path, start, start + 1)
    is_statement = above is not None and above.kind in _STATEMENTS
    return is_statement and is_text and not in_macro and is_wrappable(body, start, end)


def _is_element(access: Access) -> bool:
    """Whether an access is one to an element of an array, or of arrays of arrays."""
    node = access.node.bare()
    kind = types.canonical(node.type)
    return node.kind == "ARRAY_SUBSCRIPT_EXPR" and types.is_scalar(kind) and not types.is_volatile(node.type)


def _is_harmless(inner: InnerLoop, write: Access, load: Access) -> bool:
    """Whether a load comes before the store of an iteration, or is one of another element or another pointer's."""
    if load.outline_of_root != write.outline_of_root:
        return True
    if outline_of(load.node) == outline_of(write.node):
        return comes_first(inner.loop, load, write)
    is_before = _is_of_iteration_before(inner, write, load)
    return is_before and (comes_first(inner.loop, load, write) or _is_another(inner, write, load))


def _is_another(inner: InnerLoop, write: Access, load: Access) -> bool:
    """Whether two elements of an array have a subscript that differs by a constant."""
    sums = Polynomials(inner.loop.index, inner.locals, 0)
    pairs = [(sums.of(one), sums.of(other)) for one, other in zip(write.subscripts, load.subscripts, strict=True)]
    return any(one is not None and other is not None and difference(one, other) for one, other in pairs)


def _is_of_iteration_before(inner: InnerLoop, write: Access, load: Access) -> bool:
    """Whether the element that an iteration loads is that of the store of the iteration before."""
    if not _is_element(load) or write.outline_of_root != load.outline_of_root:
        return False
    if outline_of(write.node) == outline_of(load.node):
        return False  # one element of all iterations
    stored, loaded = list(write.subscripts), list(load.subscripts)
    if len(stored) != len(loaded) or _shape(write.node) != _shape(load.node):
        return False
    before, now = _step_back(inner), Polynomials(inner.loop.index, inner.locals, 0)
    sums = [(before.of(one), now.of(other)) for one, other in zip(stored, loaded, strict=True)]
    return all(one is not None and one == other for one, other in sums)


def _step_back(inner: InnerLoop) -> Polynomials:
    loop: CanonicalLoop = inner.loop
    step = loop.step.value or 0
    return Polynomials(loop.index, inner.locals, -step if loop.increasing else step)


def _shape(node: Node) -> tuple[object, ...]:
    """Return what an element is a part of, without its subscripts."""
    bare = node.bare()
    if bare.kind != "ARRAY_SUBSCRIPT_EXPR":
        return outline_of(bare)
    return (bare.kind, str(types.canonical(bare.type).spelling), _shape(bare.children[0]))
