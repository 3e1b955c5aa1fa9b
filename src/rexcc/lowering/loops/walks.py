"""Loops that walk along memory with a pointer, and change the elements on their way.

In: functions that are device code, and the iterations of regions. Out: edits. Each iteration moves one pointer by the
same distance, reads the element that it points to, and writes it. Before::

    for (int k = 1; k < n; k++) {
      p = p + step;
      *p = last = a * *p + b * last;
    }

after::

    {
      const auto __rex_walked_p = [=](float *p) { p = p + step; return p; };
      rex_in_turns<int, 8, 1>([&] { return rex_is_walk(p, __rex_walked_p(p)); }, 1, n,
                              [&](int __rex_turn_first, auto __rex_turn) {
        /* Several iterations load their elements before the first of them computes. */
        float *__rex_place_p = p;
        float __rex_ahead_p[__rex_turn.count];
        #pragma unroll
        for (int __rex_turn_number = 0; …) {
          __rex_place_p = __rex_walked_p(__rex_place_p);
          __rex_ahead_p[__rex_turn_number] = *__rex_place_p;
          rex_loaded(__rex_ahead_p[__rex_turn_number]);
        }
        #pragma unroll
        for (int __rex_turn_number = 0; …) {
          int k = __rex_turn_first + __rex_turn_number;
          p = p + step;
          *p = last = a * __rex_ahead_p[__rex_turn_number] + b * last;
        }
      });
    }

The device's compiler does not know that the next element is another one than that which is written, so it loads it
behind the store, and each iteration waits for memory.

It cannot be noticed. The iterations are the same, in the same order, and each executes the user's statement:

* the loop counts by a constant, up to a value that it does not change, and nothing in it leaves it or skips a part of
  it: with the first iteration of a turn there are all others (:mod:`.counted_headers`);
* each iteration writes its element, whatever it computes: so the element is there, and may be read;
* where the step is not shorter than an element, which is asked when the loop begins, no other iteration of a turn has
  the element, and the one that has it reads it before it writes it. Else a turn has one iteration;
* the step is the same in all iterations, as it is made of numbers that the loop does not change;
* the loop accesses no other memory: its variables are the thread's own numbers, to which no pointer leads. Threads do
  not wait for each other in it, so a store of another thread would be a race.
"""

from __future__ import annotations

from functools import partial

from rexcc.analysis.addresses import address_leaves
from rexcc.clang import spelling, types
from rexcc.clang.library import has_global_storage
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import UNROLL, Assign, Block, Declare, Do
from rexcc.lowering.cleanups.context import CleanupContext, Walk
from rexcc.lowering.cleanups.memory import OWN
from rexcc.lowering.cleanups.unroll import is_taken
from rexcc.lowering.loops.loop_forms import constant
from rexcc.lowering.loops.turn_addresses import NUMBER
from rexcc.lowering.loops.turn_counts import ITERATIONS
from rexcc.lowering.loops.turns import TURN, each_of_turn, head_of_turns
from rexcc.lowering.loops.walk_rules import is_own_number, walk_of, walks_of
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_header
from rexcc.program.optimisations import Optimisation
from rexcc.program.variables import Variable
from rexcc.source.own_names import related

_TOLD = Do("/* Several iterations load their elements before the first of them computes. */")


def lower_walks(body: DeviceBody, declaration: Node) -> None:
    """Let the loops of the functions in a declaration walk in turns."""
    if Optimisation.HOISTING in body.unit.left_out:
        return
    for function in (node for node in declaration.walk() if node.kind in FUNCTION_KINDS):
        for walk in list(walks_of(body, function)):
            _load_first(body, walk)
            _place(body, walk)


def find_walks(context: CleanupContext) -> None:
    """Find the loops of an iteration that walk, and give locals to their elements."""
    region, body = context.kernel.region, context.body
    is_left = region.choice.unroll or Optimisation.HOISTING in region.left_out or region.owner.template is not None
    loops = [] if is_left else context.inner_loops()
    for statement in loops:
        if is_taken(context, statement) or any(inner in loops for inner in statement.walk() if inner is not statement):
            continue
        walk = walk_of(body, statement, partial(_are_own, context))
        if walk is not None:
            context.walks[statement] = walk
            _load_first(body, walk)
            elements = body.original(walk.loads[0])
            told = f"'{elements}' of {ITERATIONS[0]} iterations are loaded before the first if apart"
            context.tell(told, statement, topic=Topic.LOOP)


def place_walks(context: CleanupContext) -> None:
    """Write the loops of an iteration that walk."""
    for walk in context.walks.values():
        _place(context.body, walk)


def _are_own(context: CleanupContext, variables: set[Variable]) -> bool:
    """Whether variables are the thread's own numbers and pointers, to which no other pointer leads."""
    provenance = context.memory.provenance
    for variable in variables:
        uses = provenance.uses.get(variable, [])
        if not is_own_number(variable) or not uses or any(map(address_leaves, uses)):
            return False
        if not has_global_storage(variable.cursor) and any(provenance.place(use) != frozenset({OWN}) for use in uses):
            return False
    return True


def _load_first(body: DeviceBody, walk: Walk) -> None:
    for load in walk.loads:
        body.edits.replace(body.start(load), body.end(load), f"{related('ahead', walk.pointer.name)}[{NUMBER}]")


def _place(body: DeviceBody, walk: Walk) -> None:
    start, first = body.start(walk.loop.statement), header_end(body.file, walk.loop.statement)
    place_header(body, start, first, _block(body, walk), walk.loop.body)


def _block(body: DeviceBody, walk: Walk) -> Block:
    name, loop = walk.pointer.name, walk.loop
    kind, pointer = _element_type(walk.pointer), _pointer_type(walk.pointer)
    walked, ahead, place = related("walked", name), related("ahead", name), related("place", name)
    move = f"[=]({pointer}{name}) {{ {body.edited_node(walk.move)}; return {name}; }}"
    head = head_of_turns(body, loop, ITERATIONS[0], f"[&] {{ return rex_is_walk({name}, {walked}({name})); }}")
    go_on = Assign(place, f"{walked}({place})")
    load = Assign(f"{ahead}[{NUMBER}]", f"*{place}")
    loaded = Do(f"rex_loaded({ahead}[{NUMBER}]);")
    loads = (go_on, load, loaded) if walk.moves_first else (load, loaded, go_on)
    own = (Declare(f"{pointer}{place}", place, name), Declare(f"{kind} {ahead}[{TURN}.count]", ahead))
    index = each_of_turn(loop)
    turn = Block(
        head, (_TOLD, *own, UNROLL, Block(index.head, loads), UNROLL, Block(index.head, (*index.body, *USER))), ");"
    )
    return Block("", (constant(walked, move, "auto"), turn))


def _element_type(pointer: Variable) -> str:
    return spelling.spell_value(types.canonical(types.canonical(pointer.type).get_pointee()))


def _pointer_type(pointer: Variable) -> str:
    return f"{_element_type(pointer)} *"
