"""Iterations that end with what they store: four values are computed before the first of them is stored.

In: the statement of a light loop that the threads of a block share (:mod:`.light_loops`). Out: its stores, and edits by
which they happen later. Before and after::

    rex_each(threadIdx.x, n, [&](long i) { y[i] = x[i] - x[i + 1]; });

    rex_each_late(threadIdx.x, n, [&](long i) -> rex_late<float> {
      return rex_late<float>(y[i], x[i] - x[i + 1]);
    });

Unless it is known that they are apart, the compiler keeps a load behind the stores in front of it, and each iteration
waits for the memory once more.

It cannot be noticed. Inside an iteration the order stays: the store is the last thing that it does. What an iteration
accesses depends on its index and on what all threads share, not on the thread: the directive makes the threads and
shares out the loop at once, and a thread has no variables of its own that iterations could change. So in a conforming
program none reads what another one writes, for threads may execute both at the same time (OpenMP 5.2, 1.4.1). A program
could rely on the order in which a thread executes its own iterations only where it knows which those are: where a
schedule says so, or one thread has all of them; then stores stay where they are, by the clauses here and by the number
of threads in ``rex_each_late``.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.regions import effective_leaves
from rexcc.clang import types
from rexcc.clang.members import is_unaligned
from rexcc.clang.tree import Node
from rexcc.frontend.statements import statement_end
from rexcc.lowering.cleanups.syntax import is_exact, is_plain_scalar, value_type
from rexcc.lowering.loops.tile_rules import leads_to_element
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.constructs import Construct
from rexcc.source.records import dataclass

_COMBINED = ("parallel", "for")
_KNOWN_ORDER = ("ordered", "safelen", "schedule", "linear", "induction", "lastprivate")
_OF_THREADS = ("copyin",)
_CHANGES = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--", "p++", "p--"})


@dataclass(frozen=True)
class LateStores:
    """The assignments with which iterations end; ``result`` is the type of a store, ``always``: all end with one."""

    stores: tuple[Node, ...]
    result: str
    always: bool


def late_stores(body: DeviceBody, construct: Construct, statement: Node) -> LateStores | None:
    """Return the stores that can come behind those of other iterations, None where a statement has another form."""
    if not deals_out_freely(construct, statement) or construct.directive.has("reduction"):
        return None
    ends = list(_ends(statement))
    stores = [end for end in ends if end is not None and _is_late(body, end)]
    if not stores or len(stores) < sum(end is not None for end in ends) or _changes(statement) != len(stores):
        return None
    kinds = {value_type(store.bare().children[0].type, body.unit.is_cplusplus) for store in stores}
    if len(kinds) > 1:
        return None
    always = None not in ends
    result = f"{'rex_late' if always else 'rex_late_if'}<{kinds.pop()}>"
    return LateStores(tuple(stores), result, always)


def deals_out_freely(construct: Construct, statement: Node) -> bool:
    """Whether nothing can tell which thread has which of the iterations, and in which order."""
    leaves = tuple(leaf for leaf in effective_leaves(construct) if leaf != "simd")
    if leaves != _COMBINED or any(construct.directive.has(name) for name in (*_KNOWN_ORDER, *_OF_THREADS)):
        return False
    return not _threads_have_objects(construct) and not _takes_address(statement)


def place_late(body: DeviceBody, late: LateStores) -> None:
    """Make each assignment the value of its iteration: a place, and what is to be stored there."""
    for store in late.stores:
        target, value = store.bare().children
        start, behind, first, end = body.start(target), body.end(target), body.start(value), body.end(value)
        between = body.text[behind:first].replace("=", ",", 1).lstrip(" \t")
        body.edits.before(start, behind, f"return {late.result}(")
        body.edits.replace(behind, first, between)
        body.edits.after(first, end, ")")


def _ends(statement: Node) -> Iterator[Node | None]:
    """Yield the last statement of each way through an iteration, None for one that has none."""
    top = statement.bare()
    if top.kind == "COMPOUND_STMT":
        if any(child.bare().kind not in ("DECL_STMT", "NULL_STMT") for child in top.children[:-1]):
            yield from (top, top)  # what stands before the last one does more than to declare
        elif top.children:
            yield from _ends(top.children[-1])
        else:
            yield None
    elif top.kind == "IF_STMT":
        _, *branches = top.children
        for branch in branches:
            yield from _ends(branch)
        if len(branches) < 2:
            yield None
    else:
        yield None if top.kind in ("DECL_STMT", "NULL_STMT") else statement


def _threads_have_objects(construct: Construct) -> bool:
    """Whether threads may have arrays or structures of their own: an iteration could read what one before it stored."""
    default = construct.default("parallel")
    if default is not None and default.keyword in ("private", "firstprivate"):
        return True
    named = (item.node for item in construct.items("private", "firstprivate"))
    return any(n is None or not (types.is_scalar(n.type) or types.is_pointer(n.type)) for n in named)


def _takes_address(statement: Node) -> bool:
    """Whether a statement takes the address of a variable, which may be one of the iteration or of the thread."""
    addresses = (node for node in statement.walk() if node.kind == "UNARY_OPERATOR" and node.operator == "&")
    return any(node.children[0].bare().kind == "DECL_REF_EXPR" for node in addresses)


def _is_late(body: DeviceBody, statement: Node) -> bool:
    """Whether a statement assigns to an element, and all of it stands in the user's text."""
    top = statement.bare()
    if top.operator != "=":
        return False
    target, value = top.children
    if not leads_to_element(target.bare()) or not is_plain_scalar(target.type) or is_unaligned(target.bare()):
        return False
    if not is_exact(body, target.bare()) or value.file != target.file or body.start(statement) != body.start(target):
        return False
    is_simple = body.text[body.end(target) : body.start(value)].strip() == "="
    return is_simple and body.text[statement_end(body.file, statement) - 1] == ";"


def _changes(statement: Node) -> int:
    """Count what changes something."""
    return sum(node.operator in _CHANGES for node in statement.walk())
