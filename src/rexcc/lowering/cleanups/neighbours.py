"""Neighbouring elements that a loop of few iterations visits are loaded and stored together.

In: innermost loops of an iteration with constant bounds. Out: locals that have the elements while the loop runs, loads
in front of it and stores behind it, of 64 and 128 bits where the address allows it (``rex_device_neighbours.h`` tests
that). Before::

    for (int v = 0; v < 8; v++) o[i * 8 + v] = g[i * 8 + v] & 0x8000 ? 0 : g[i * 8 + v];

after::

    unsigned short __rex_near_g[8];
    rex_load_neighbours(__rex_near_g, &g[i * 8]);
    unsigned short __rex_near_o[8];
    for (int v = 0; v < 8; v++) __rex_near_o[v] = __rex_near_g[v] & 0x8000 ? 0 : __rex_near_g[v];
    rex_store_neighbours(&o[i * 8], __rex_near_o);

What must hold:

* the loop counts from 0 up to a constant by one, nothing else changes its index, no jump or label, directive or call
  of a function of the user's is in it, it is small enough to be unrolled, and its threads do not wait for each other;
* the elements are mapped scalars, not volatile, together 8, 16 or 32 bytes; all accesses are spelled alike,
  ``base[index]``, ``base[e + index]`` or ``base[index + e]`` in a type that cannot wrap, with ``base`` and ``e`` pure
  values (:mod:`.pure_values`) that the loop does not change;
* one of the accesses is in every iteration, and where they are written one of the writes is: no element is touched that
  the loop does not touch;
* nothing else in the loop can write elements that are loaded, nor read or write those that are stored (:mod:`.alias`);
* threads that are neighbours have addresses that are multiples of 8 or 16 bytes all or none of them, as far as the code
  shows (:mod:`.neighbour_threads`): pieces are no larger than that;
* where the region's threads wait for each other, nothing in it writes the elements, so that they are the same whenever
  they are loaded, and the loop is no construct's.

Elements that are only read may be loaded in front of loops further out, and a simpler address may say whether they are
aligned (:mod:`.neighbour_addresses`).
"""

from __future__ import annotations

from rexcc.analysis.references import is_written
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import UNROLL, Code, Declare, Do, UserSlot
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import union
from rexcc.lowering.cleanups.neighbour_addresses import (
    aligned_alike,
    known_alignment,
    loop_to_precede,
)
from rexcc.lowering.cleanups.neighbour_groups import Group, ShortLoop, groups_of, short_loop
from rexcc.lowering.cleanups.neighbour_threads import distance_of_threads, shared_nests
from rexcc.lowering.cleanups.syntax import (
    is_exact,
    is_free,
    is_load,
    is_unconditional,
    value_type,
)
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related

LARGEST_PIECE = 16
"""The bytes of the largest piece that is loaded at once."""

_WORD = 4
"""The bytes of the smallest piece that is better than single elements."""

_SMALLEST_PIECE = 8
"""The bytes of the smallest piece for which an address is tested."""


def join_neighbours(context: CleanupContext) -> None:
    """Give locals to the elements that qualify, loop by loop."""
    shared = _shared_loops(context) if context.threads_meet else frozenset()
    for statement in context.inner_loops():
        loop = short_loop(context, statement) if statement not in shared else None
        if loop is None:
            continue
        behind: Code = ()
        is_edited = False
        for group in groups_of(context, loop):
            reason = _first_failed(context, loop, group)
            text = context.body.original(group.accesses[0])
            if reason is not None:
                context.tell(f"'{text}' is visited one by one", group.accesses[0], reason)
                continue
            behind += _replace(context, loop, group)
            context.tell(f"'{text}' and its neighbours in this loop are one access where aligned", group.accesses[0])
            is_edited = True
        if is_edited:
            context.guarded[statement] = (UNROLL, UserSlot(), *behind)


def _shared_loops(context: CleanupContext) -> frozenset[Node]:
    """Return the loops that belong to constructs in the region."""
    return frozenset(loop.statement for nest in shared_nests(context) for loop in nest)


def _first_failed(context: CleanupContext, loop: ShortLoop, group: Group) -> Reason | None:
    """Return the first precondition that does not hold for a group, None where all do."""
    memory, body = context.memory, context.body
    first, places = group.accesses[0], memory.provenance.place(group.accesses[0])
    if places is None:
        return Reason("it is not known where it is", first)
    if context.threads_meet and not memory.all_apart(places, memory.written):
        return Reason("the region's threads wait for each other, and it changes meanwhile", first)
    other = next((a for a in group.accesses if not _can_be_edited(context, a)), None)
    if other is not None:
        return Reason("this does more than read or write a value, or a macro has a part in it", other)
    if _most(context, group) < _SMALLEST_PIECE:
        return Reason("neighbouring threads would test their addresses with different answers", first)
    for part in group.address:
        change = next(value_changes(memory, part, [loop.statement], frozenset()), None) or _own_name(part, loop)
        if change is not None:
            return Reason("this changes in the loop", change)
    if not any(is_unconditional(context, access, loop.body) for access in group.accesses):
        return Reason("no access is in every iteration, so that loading early might read what is not there", first)
    if group.writes and not any(is_unconditional(context, access, loop.body) for access in group.writes):
        return Reason("it would be stored in iterations that do not store it", group.writes[0])
    own = {*group.accesses, *(a.in_parentheses().parent for a in group.writes)}
    own |= {n for access in group.accesses for n in access.children[0].walk() if types.is_array(n.type)}
    for node in loop.statement.walk():
        effects = memory.of_node(node)
        touched = union(effects.written, effects.read) if group.writes else effects.written
        if node not in own and not memory.all_apart(places, touched):
            return Reason(f"this may be '{body.original(first)}' or one of its neighbours", node)
    return None


def _own_name(part: Node, loop: ShortLoop) -> Node | None:
    """Return what a part of an access names that the loop declares."""
    declared = {Variable(n.cursor) for n in loop.statement.walk() if n.kind == "VAR_DECL"}
    return next((n for n in part.walk() if named_variable(n) in declared), None)


def _can_be_edited(context: CleanupContext, access: Node) -> bool:
    """Whether an access is only read or written, and stands in the user's text."""
    body = context.body
    start, end = body.start(access), body.end(access)
    is_plain = is_load(access) or is_written(access)
    return is_plain and not spelling.is_unnamed(access.type) and is_exact(body, access) and is_free(body, start, end)


def _replace(context: CleanupContext, loop: ShortLoop, group: Group) -> Code:
    """Put a local in the place of a group's accesses; return what stores it."""
    body, first = context.body, group.accesses[0]
    base = body.original(group.base)
    name = context.name(related("near", base if base.isidentifier() else "elements"))
    kind = value_type(first.type, body.unit.is_cplusplus)
    for access in group.accesses:
        body.edits.replace(body.start(access), body.end(access), f"{name}[{loop.index.name}]")
    place = f"&{base}[{'0' if group.position is None else body.original(group.position)}]"
    front = loop.statement
    if not group.writes and not context.threads_meet:
        front = loop_to_precede(context, front, group.address, context.memory.provenance.place(first))
    context.put_before(front, Declare(f"{kind} {name}[{loop.count}]", name))
    words, aligned = _piece(context, group, loop.count)
    if group.is_loaded:
        context.put_before(front, Do(f"rex_load_{words}({name}, {place}{aligned});"))
    return (Do(f"rex_store_{words}({place}, {name}{aligned});"),) if group.writes else ()


def _known(context: CleanupContext, group: Group) -> int:
    """Return the bytes of the words that a group has by its type, 0 where a test has to tell."""
    size = types.canonical(group.accesses[0].type).get_size()
    known = min(known_alignment(context, group.base, group.position), LARGEST_PIECE)
    return known if size < known and known >= _WORD else 0


def _most(context: CleanupContext, group: Group) -> int:
    """Return the bytes of the largest piece for which all threads of a warp find their addresses alike."""
    apart = distance_of_threads(context, group.base, group.position)
    return min(apart, LARGEST_PIECE) if not _known(context, group) else LARGEST_PIECE


def _piece(context: CleanupContext, group: Group, count: int) -> tuple[str, str]:
    """Return the end of the name of the functions that access a group, and their last argument."""
    known = _known(context, group)
    if known:
        return f"words<{known}>", ""
    most = _most(context, group)
    size = types.canonical(group.accesses[0].type).get_size() * count
    name = f"neighbours<{most}>" if most < min(size, LARGEST_PIECE) else "neighbours"
    return name, _aligned(context, group, min(size, most))


def _aligned(context: CleanupContext, group: Group, piece: int) -> str:
    """Return the argument that is aligned as the first element is, if there is a simpler one."""
    found = aligned_alike(context, group.base, group.position, piece)
    return "" if found is None else f", {context.body.original(found)}"
