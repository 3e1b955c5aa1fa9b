"""Loops of functions that walk along memory with a pointer, and change the elements on their way.

In: a declaration that is device code. Out: edits. Each iteration moves one pointer by the same distance, reads the
element that it points to, and writes it. Before::

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
* the loop accesses no other memory: its variables are the function's own numbers, to which no pointer leads. Threads do
  not wait for each other in it, so a store of another thread would be a race.
"""

from __future__ import annotations

from rexcc.clang import spelling, types
from rexcc.clang.tree import FUNCTION_KINDS, Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import UNROLL, Assign, Block, Declare, Do
from rexcc.lowering.loops.loop_forms import constant
from rexcc.lowering.loops.turn_rules import ITERATIONS
from rexcc.lowering.loops.turns import NUMBER, TURN, each_of_turn, head_of_turns
from rexcc.lowering.loops.walk_rules import Walk, walks_of
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
        for walk in walks_of(body, function):
            _place(body, walk)


def _place(body: DeviceBody, walk: Walk) -> None:
    start, first = body.start(walk.loop.statement), header_end(body.file, walk.loop.statement)
    block = _block(body, walk)
    for load in walk.loads:
        body.edits.replace(body.start(load), body.end(load), f"{related('ahead', walk.pointer.name)}[{NUMBER}]")
    place_header(body, start, first, block, walk.loop.body)


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
