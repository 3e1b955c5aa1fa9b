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
* where the region's threads wait for each other, nothing in it writes the elements, so that they are the same whenever
  they are loaded, and the loop is no construct's.

Elements that are only read may be loaded in front of loops further out, and a simpler address may say whether they are
aligned (:mod:`.neighbour_addresses`).
"""

from __future__ import annotations

from rexcc.analysis.nests import loop_nest
from rexcc.analysis.references import is_written
from rexcc.analysis.regions import collapse_depth
from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.kernel.ir import UNROLL, Code, Declare, Do, UserSlot
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import OWN, initialiser, union
from rexcc.lowering.cleanups.neighbour_addresses import (
    LEAVING,
    aligned_alike,
    known_alignment,
    loop_to_precede,
    values_of_base,
)
from rexcc.lowering.cleanups.pure_values import Meaning, library_function, meaning_of
from rexcc.lowering.cleanups.syntax import (
    can_precede,
    is_evaluated,
    is_exact,
    is_free,
    is_load,
    is_plain_scalar,
    is_unconditional,
    value_type,
)
from rexcc.lowering.cleanups.value_changes import value_changes
from rexcc.lowering.model.remarks import Reason
from rexcc.program.variables import Variable, named_variable
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

MOST_ITERATIONS, MOST_NODES, NODES_OF_CALL = 32, 2000, 50
"""Of a loop that is unrolled for this, for locals that a variable is the index of are no registers: iterations, nodes
of the tree in all of them together, and how many of these a function of the library counts as."""

SIZES = frozenset({8, 16, 32})
"""The bytes of the elements of a loop: pieces of 8 or 16 that registers can hold."""

LARGEST_PIECE = 16
"""The bytes of the largest piece that is loaded at once."""

_WORD = 4
"""The bytes of the smallest piece that is better than single elements."""

_LOOPS = frozenset({"for", "distribute", "simd", "loop", "taskloop"})
_WIDE = frozenset({"LONG", "LONGLONG", "ULONG", "ULONGLONG"})


@dataclass(frozen=True, eq=False)
class _Loop:
    """A loop with its index, and how often its body runs."""

    statement: Node
    index: Variable
    count: int

    @property
    def body(self) -> Node:
        """What each iteration executes."""
        return self.statement.children[-1]


@dataclass(frozen=True, eq=False)
class _Group:
    """Accesses that name the same element in each iteration; ``position`` is ``e``, None where there is none."""

    base: Node
    position: Node | None
    accesses: list[Node]

    @property
    def address(self) -> tuple[Node, ...]:
        """The values that make the address of the first element."""
        return (*values_of_base(self.base), *((self.position,) if self.position is not None else ()))

    @property
    def writes(self) -> list[Node]:
        """The accesses that write the element."""
        return [access for access in self.accesses if is_written(access)]

    @property
    def is_loaded(self) -> bool:
        """Whether an access reads the element."""
        return any(not _is_stored_only(access) for access in self.accesses)


def join_neighbours(context: CleanupContext) -> None:
    """Give locals to the elements that qualify, loop by loop."""
    shared = _shared_loops(context) if context.threads_meet else frozenset()
    for statement in context.inner_loops():
        loop = _loop(context, statement) if statement not in shared else None
        if loop is None:
            continue
        behind: Code = ()
        is_edited = False
        for group in _groups(context, loop):
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
    unit = context.kernel.region.unit
    found: set[Node] = set()
    for construct in context.kernel.region.constructs[-1].descendants():
        if construct.body is not None and _LOOPS & set(construct.directive.leaves):
            nest = loop_nest(unit, construct.body, collapse_depth(construct))
            found.update(loop.statement for loop in nest)
    return frozenset(found)


def _loop(context: CleanupContext, statement: Node) -> _Loop | None:
    """Return an innermost loop of few iterations that all run, None for any other."""
    if statement.kind != "FOR_STMT" or len(statement.children) != 4 or statement is context.shared_loop:
        return None
    first, test, step, body = statement.children
    declared = [n for n in first.walk() if n.kind == "VAR_DECL"]
    value = initialiser(declared[0]) if len(declared) == 1 else None
    if value is None or not can_precede(context, statement):
        return None
    index = Variable(declared[0].cursor)
    lower, upper = evaluate_integer(value.cursor), _upper(test, index)
    if lower != 0 or upper is None or not 2 <= upper <= MOST_ITERATIONS or not _is_one_step(context, step, index):
        return None
    nodes = list(body.walk())
    size = len(nodes) + NODES_OF_CALL * sum(n.kind == "CALL_EXPR" for n in nodes)
    is_small = upper * size <= MOST_NODES
    return _Loop(statement, index, upper) if is_small and not any(_is_in_the_way(context, n) for n in nodes) else None


def _upper(test: Node, index: Variable) -> int | None:
    """Return the first value of an index for which a test does not hold, where that is a constant."""
    bare = test.bare()
    if bare.operator not in ("<", "<=", "!=") or named_variable(bare.children[0].bare()) != index:
        return None
    bound = evaluate_integer(bare.children[1].cursor)
    return None if bound is None else bound + (bare.operator == "<=")


def _is_one_step(context: CleanupContext, step: Node, index: Variable) -> bool:
    """Whether a loop's step adds one to its index, and nothing else changes that."""
    bare = step.bare()
    if bare.operator not in ("++", "p++") or named_variable(bare.children[0].bare()) != index:
        return False
    changes = context.memory.provenance.changes(index)
    return not changes.exposed and len(changes.writes) == 1


def _is_in_the_way(context: CleanupContext, node: Node) -> bool:
    """Whether a loop with this node in its body stays: it is left, or is more than it looks."""
    if node.kind == "CALL_EXPR" and not library_function(node):
        return True
    return node.kind in LEAVING or node.is_called_code or context.is_loop(node) or context.is_directive(node)


def _groups(context: CleanupContext, loop: _Loop) -> list[_Group]:
    """Return the accesses of a loop by the elements that they name."""
    found: dict[tuple[Meaning | None, Meaning | None], _Group] = {}
    for node in loop.body.walk():
        if node.kind != "ARRAY_SUBSCRIPT_EXPR" or not is_plain_scalar(node.type) or not is_evaluated(node):
            continue
        base, subscript = node.children[0], node.children[1]
        is_found, position = _position(context, subscript, loop.index)
        size = types.canonical(node.type).get_size() * loop.count
        if not is_found or size not in SIZES or not types.is_pointer(types.canonical(base.type)):
            continue
        body = context.body
        names = (meaning_of(body, base), meaning_of(body, position) if position is not None else ())
        if None not in names and OWN not in (context.memory.provenance.place(node) or ()):
            found.setdefault(names, _Group(base, position, [])).accesses.append(node)
    return list(found.values())


def _position(context: CleanupContext, subscript: Node, index: Variable) -> tuple[bool, Node | None]:
    """Return whether a subscript is the index, or a sum of it and something else, and that."""
    bare = subscript.bare()
    if named_variable(bare) == index:
        return True, None
    if bare.kind != "BINARY_OPERATOR" or bare.operator != "+":
        return False, None
    kind = types.kind_name(types.canonical(bare.type))
    if kind not in _WIDE and (kind != "INT" or context.wraps):
        return False, None
    left, right = bare.children
    for one, other in ((right, left), (left, right)):
        if named_variable(one.bare()) == index:
            return True, other
    return False, None


def _is_stored_only(access: Node) -> bool:
    """Whether an access is the target of a plain assignment, whose value is not looked at."""
    above = access.in_parentheses().parent
    return is_written(access) and above is not None and above.kind == "BINARY_OPERATOR" and above.operator == "="


def _first_failed(context: CleanupContext, loop: _Loop, group: _Group) -> Reason | None:
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


def _own_name(part: Node, loop: _Loop) -> Node | None:
    """Return what a part of an access names that the loop declares."""
    declared = {Variable(n.cursor) for n in loop.statement.walk() if n.kind == "VAR_DECL"}
    return next((n for n in part.walk() if named_variable(n) in declared), None)


def _can_be_edited(context: CleanupContext, access: Node) -> bool:
    """Whether an access is only read or written, and stands in the user's text."""
    body = context.body
    start, end = body.start(access), body.end(access)
    is_plain = is_load(access) or is_written(access)
    return is_plain and not spelling.is_unnamed(access.type) and is_exact(body, access) and is_free(body, start, end)


def _replace(context: CleanupContext, loop: _Loop, group: _Group) -> Code:
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


def _piece(context: CleanupContext, group: _Group, count: int) -> tuple[str, str]:
    """Return the end of the name of the functions that access a group, and their last argument."""
    size = types.canonical(group.accesses[0].type).get_size()
    known = min(known_alignment(context, group.base, group.position), LARGEST_PIECE)
    if size < known and known >= _WORD:
        return f"words<{known}>", ""
    return "neighbours", _aligned(context, group, count)


def _aligned(context: CleanupContext, group: _Group, count: int) -> str:
    """Return the argument that is aligned as the first element is, if there is a simpler one."""
    size = types.canonical(group.accesses[0].type).get_size() * count
    found = aligned_alike(context, group.base, group.position, min(size, LARGEST_PIECE))
    return "" if found is None else f", {context.body.original(found)}"
