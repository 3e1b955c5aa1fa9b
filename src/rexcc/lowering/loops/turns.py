"""Inner loops that load what several iterations need before they execute the first of these.

In: innermost loops of an iteration. Out: their elements as locals, and the form that :func:`place_turns` gives them
(``rex_device_turns.h``). Before::

    for (int j = 0; j < n; j++) {
      float dx = p[j].x - p[i].x, dy = p[j].y - p[i].y;
      float r = 1.0f / sqrtf(dx * dx + dy * dy + 0.01f);
      s += p[j].m * r;
    }

after::

    rex_in_turns<int, 8, 1>(0, n, [&](int __rex_turn_first, auto __rex_turn) {
      /* Several iterations load what they need before the first of them computes. */
      float __rex_ahead_p_x[__rex_turn.count], …;
      #pragma unroll
      for (int __rex_turn_number = 0; __rex_turn_number < __rex_turn.count; __rex_turn_number++) {
        int j = __rex_turn_first + __rex_turn_number;
        __rex_ahead_p_x[__rex_turn_number] = __ldg(&p[j].x); …
        rex_loaded(__rex_ahead_p_x[__rex_turn_number], …);
      }
      #pragma unroll
      for (int __rex_turn_number = 0; __rex_turn_number < __rex_turn.count; __rex_turn_number++) {
        int j = __rex_turn_first + __rex_turn_number;
        float dx = __rex_ahead_p_x[__rex_turn_number] - p[i].x, …
      }
    });

A division or a function of the math library has a branch for the arguments that the short way cannot do. The device's
compiler loads nothing in front of the branches of the iterations before, or of their stores where it does not know that
they are elsewhere, so each iteration waits for memory.

It cannot be noticed. The iterations are the same, in the same order, and each executes the user's statement:

* the loop counts by a constant, between values that it does not change, and nothing in it leaves it, skips a part of
  it, or is a construct or a call of which it is not known that it only computes: with the first iteration of a turn
  there are all others, which is asked as the user's loop asks it, in the types in which that counts and compares;
* each iteration makes a load of the element, no condition leaves it out: no memory is touched that would not be;
* no other iteration of the loop writes an element: it is apart from what the loop stores by a proof of the compiler's
  (``cleanups/alias.py``), or because the thread finds when it comes to the loop that the addresses lie apart, else
  turns have one iteration. Where each iteration stores the element that it loads, the elements of the first two are
  compared: all others are as far from each other. An iteration may store the element that it has loaded before; where
  it may store it first, turns of one iteration load it in its place (``rex_ahead``). Threads do not wait for each other
  in these kernels, so a store of another thread would be a race;
* their places are made of the index and of what the loop leaves as it is (:mod:`.turn_addresses`).

It is for loops that wait for nothing else (:mod:`.turn_rules`).
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import UNROLL, Assign, Block, Code, Declare, Do
from rexcc.lowering.cleanups.context import CleanupContext, TurnElement, Turns
from rexcc.lowering.cleanups.ldg import load_text
from rexcc.lowering.cleanups.syntax import value_type
from rexcc.lowering.cleanups.unroll import is_taken
from rexcc.lowering.loops.groups import conditions
from rexcc.lowering.loops.left_elements import leave, of_iteration
from rexcc.lowering.loops.loop_forms import Text, constant
from rexcc.lowering.loops.turn_addresses import NUMBER, names_of
from rexcc.lowering.loops.turn_rules import TurnLoop, turn_loop
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_header
from rexcc.program.optimisations import Optimisation
from rexcc.source.own_names import related

Finder = Callable[[CleanupContext, Node], TurnLoop | None]

_FIRST, TURN = "__rex_turn_first", "__rex_turn"
_STEP = "\n  "
_TOLD = Do("/* Several iterations load what they need before the first of them computes. */")
_TOLD_OF_SINES = Do("/* The sines of several iterations have one test for large arguments. */")
_TOLD_OF_ROW = Do("/* Neighbouring elements of the thread's row are loaded together. */")


def load_in_turns(context: CleanupContext, text: Text, find: Finder = turn_loop) -> None:
    """Give locals to the elements of the loops that ``find`` returns; ``text`` gives an expression's text."""
    region = context.kernel.region
    if region.choice.unroll or Optimisation.HOISTING in region.left_out:
        return
    loops = context.inner_loops()
    for statement in loops:
        if is_taken(context, statement) or any(inner in loops for inner in statement.walk() if inner is not statement):
            continue
        found = find(context, statement)
        if found is not None:
            _load_in_turns(context, found, text)


def _load_in_turns(context: CleanupContext, found: TurnLoop, text: Text) -> None:
    loop, firsts = found.loop, [loads[0] for loads in found.elements]
    is_apart = _compared(context, found, text)
    places = tuple(Declare(declared, name, value) for declared, name, value in found.addresses.needed(firsts))
    elements = tuple(in_local(context, loads, found.late) for loads in found.elements)
    recurrences = tuple(leave(context, found, one, elements, text) for one in found.recurrences)
    context.turns[loop.statement] = Turns(loop, found.iterations, elements, places, is_apart, recurrences=recurrences)
    names = ", ".join(f"'{context.body.original(first)}'" for first in firsts)
    which = f"{names} of {found.iterations}"
    for one in found.recurrences:
        left = context.body.original(one.loads[0])
        context.tell(f"each iteration leaves '{left}' to the next one", loop.statement, topic=Topic.LOOP)
    if is_apart:
        context.tell(f"{which} iterations are loaded before the first if apart", loop.statement, topic=Topic.LOOP)
    else:
        context.tell(f"{which} iterations are loaded before the first", loop.statement, topic=Topic.LOOP)


def _compared(context: CleanupContext, found: TurnLoop, text: Text) -> str:
    """Declare what compares the addresses of a loop's accesses; return its name, empty where there is no need."""
    lines = conditions(found, text, found.stepping)
    if not lines:
        return ""
    name = context.name(related("apart", found.loop.name))
    value = f"[&] {{{''.join(f'{_STEP}{line}' for line in lines)}\n}}"
    told = f"Loads come first where what the loop over '{found.loop.name}' stores lies apart from what it loads."
    context.put_before(found.loop.statement, Do(f"/* {told} */"))
    context.put_before(found.loop.statement, constant(name, value, "auto"))
    return name


def in_local(context: CleanupContext, loads: tuple[Node, ...], late: frozenset[Node], loader: str = "") -> TurnElement:
    """Put a local in the place of the loads of an element; ``loader``: the function that loads those of a turn."""
    body, first = context.body, loads[0]
    local = context.name(related("ahead", *names_of(first)))
    value = f"&{body.original(first)}" if loader else load_text(context, first)
    for load in loads:
        text = f"{local}[{NUMBER}]"
        if load in late:
            text = f"rex_ahead({TURN}, {text}, {body.original(load)})"
        body.edits.replace(body.start(load), body.end(load), text)
    return TurnElement(local, value_type(first.type, body.unit.is_cplusplus), value, loader)


def place_turns(context: CleanupContext) -> None:
    """Write the loops that load in turns."""
    for turns in context.turns.values():
        statement = turns.loop.statement
        start, end = context.body.start(statement), header_end(context.body.file, statement)
        place_header(context.body, start, end, _block(context.body, turns), turns.loop.body)


def _block(body: DeviceBody, turns: Turns) -> Block:
    head, each = head_of_turns(body, turns.loop, turns.iterations, turns.is_apart, turns.rows), each_of_turn(turns.loop)
    left = of_iteration(turns.recurrences)
    if turns.kept is not None:
        iterations = (UNROLL, Block(each.head, (*each.body, *USER)))
        if turns.form:
            return Block(_head_of_sines(body, turns), (_TOLD_OF_SINES, *iterations), _behind(turns.kept))
        return Block(head, (with_one_test(iterations, turns.kept),), ");")
    locals_ = tuple(Declare(f"{one.type} {one.local}[{TURN}.count]", one.local) for one in turns.elements)
    told, loads = (_TOLD_OF_ROW, _row_loads(turns, each)) if turns.rows else (_TOLD, _loads(turns, each))
    return Block(head, (told, *locals_, *loads, UNROLL, Block(each.head, (*each.body, *left, *USER))), ");")


def _loads(turns: Turns, each: Block) -> Code:
    """Return the loop that loads, for each iteration of a turn, the elements that are loaded alone, and tells that all
    are loaded."""
    loads = tuple(Assign(f"{one.local}[{NUMBER}]", one.value) for one in turns.elements if not one.loader)
    called = f"rex_loaded_row({TURN}, " if turns.rows else "rex_loaded("
    loaded = Do(f"{called}{', '.join(f'{one.local}[{NUMBER}]' for one in turns.elements)});")
    index: Code = (*each.body, *turns.places) if loads else ()
    return (UNROLL, Block(each.head, (*index, *loads, loaded)))


def _row_loads(turns: Turns, each: Block) -> Code:
    """Return what loads neighbouring elements together, and the others."""
    index = Declare(f"{_index_type(turns.loop)} {turns.loop.name}", turns.loop.name, _FIRST)
    loads = tuple(Do(f"{one.loader}({TURN}, {one.local}, {one.value});") for one in turns.elements if one.loader)
    return (Block("", (index, *turns.places, *loads)), *_loads(turns, each))


def with_one_test(code: Code, kept: tuple[str, ...]) -> Block:
    """Return code that changes some variables, and whose quotients by roots have one test (:mod:`.several_roots`)."""
    return Block("rex_of_usual_roots([&](REX_ROOTS rex_root)", code, _behind(kept))


def _behind(kept: tuple[str, ...]) -> str:
    return f"{''.join(f', {name}' for name in kept)});"


def _head_of_sines(body: DeviceBody, turns: Turns) -> str:
    """Return the call that executes a loop whose turns have one test for their sines (:mod:`.several_sines`)."""
    call = _call_of_turns(body, turns.loop, "rex_sines_in_turns", f"{turns.form}, ", turns.iterations)
    return f"{call}REX_SINES_TURN {TURN}, REX_SINES rex_sincos)"


def head_of_turns(
    body: DeviceBody, loop: CanonicalLoop, iterations: int, is_apart: str, rows: tuple[str, ...] = ()
) -> str:
    """Return the call that executes a loop in turns, up to the braces of what a turn does.

    ``is_apart``: what it asks before the first turn, if anything; ``rows``: statements that it asks where it goes along
    rows.
    """
    called = "rex_along_row" if rows else "rex_in_turns"
    return f"{_call_of_turns(body, loop, called, '', iterations, is_apart, rows)}auto {TURN})"


def _call_of_turns(
    body: DeviceBody, loop: CanonicalLoop, called: str, form: str, iterations: int, is_apart: str = "",
    rows: tuple[str, ...] = (),
) -> str:  # fmt: skip
    """Return such a call up to the parameters of what a turn does, behind its first iteration."""
    kind = _index_type(loop)
    called += "_through" if loop.relation.endswith("=") else ""
    step = "" if rows else f", {'' if loop.increasing else '-'}{loop.step.value}"
    called += f"<{form}{kind}, {iterations}{step}>"
    bounds = body.edited_node(loop.lower), body.edited_node(loop.bound)
    asked = (f"[&]({kind} {loop.name}) {{ {row} }}" for row in rows)
    arguments = ", ".join((*([is_apart] if is_apart else ()), *bounds, *asked))
    return f"{called}({arguments}, [&]({kind} {_FIRST}, "


def each_of_turn(loop: CanonicalLoop) -> Block:
    """Return the loop over the iterations of a turn, which declares their index."""
    times = "" if loop.step.is_one else f" * {loop.step.value}"
    sign = "+" if loop.increasing else "-"
    index = Declare(f"{_index_type(loop)} {loop.name}", loop.name, f"{_FIRST} {sign} {NUMBER}{times}")
    return Block(f"for (int {NUMBER} = 0; {NUMBER} < {TURN}.count; {NUMBER}++)", (index,))


def _index_type(loop: CanonicalLoop) -> str:
    return loop.type_text or spelling.spell_value(types.without_reference(loop.index_type))
