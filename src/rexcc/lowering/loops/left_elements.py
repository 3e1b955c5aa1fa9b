"""Elements that each iteration of a loop leaves to the next one in a local (which: :mod:`.recurrences`).

In: a loop that goes in turns. Out: edits, and lines in front of the loop. Before::

    for (int j = 1; j < n; j++) p[j * m + i] = p[(j - 1) * m + i] * c + b[j * m + i];

after::

    float __rex_carry_p = 0;
    { int j = 1; if (j < n) __rex_carry_p = p[(j - 1) * m + i]; }
    rex_in_turns<int, 8, 1>(1, n, [&](int __rex_turn_first, auto __rex_turn) {
      float __rex_ahead_b[__rex_turn.count];
      …
      #pragma unroll
      for (int __rex_turn_number = 0; __rex_turn_number < __rex_turn.count; __rex_turn_number++) {
        int j = __rex_turn_first + __rex_turn_number;
        const float __rex_kept_p = __rex_carry_p;
        __rex_carry_p = p[j * m + i] = __rex_kept_p * c + __rex_ahead_b[__rex_turn_number];
      }
    });

An iteration that may not store its element leaves what it has loaded.
"""

from __future__ import annotations

from rexcc.clang import spelling, types
from rexcc.kernel.ir import Assign, Code, Declare, Do
from rexcc.lowering.cleanups.context import CleanupContext, LeftElement, TurnElement
from rexcc.lowering.cleanups.syntax import value_type
from rexcc.lowering.loops.loop_forms import Text
from rexcc.lowering.loops.recurrences import Recurrence
from rexcc.lowering.loops.turn_addresses import NUMBER, names_of
from rexcc.lowering.loops.turn_rules import TurnLoop
from rexcc.source.own_names import related


def leave(
    context: CleanupContext, found: TurnLoop, one: Recurrence, elements: tuple[TurnElement, ...], text: Text
) -> LeftElement:
    """Put a local in the place of what the iteration before has, and let each iteration give it a value."""
    body, first = context.body, one.loads[0]
    left, before = (context.name(related(role, *names_of(first))) for role in ("carry", "kept"))
    kind = value_type(first.type, body.unit.is_cplusplus)
    context.put_before(found.loop.statement, Declare(f"{kind} {left}", left, "0"))
    context.put_before(found.loop.statement, Do(_first(context, found, one, left, text)))
    for load in one.loads:
        body.edits.replace(body.start(load), body.end(load), before)
    body.edits.before(body.start(one.store), body.end(one.store), f"{left} = ")
    same = next((e for loads, e in zip(found.elements, elements, strict=True) if one.is_same(list(loads))), None)
    kept = f"{same.local}[{NUMBER}]" if same is not None and not one.is_stored else ""
    return LeftElement(left, before, kind, kept)


def _first(context: CleanupContext, found: TurnLoop, one: Recurrence, left: str, text: Text) -> str:
    """Return what loads the element of the first iteration, if there is one."""
    loop, load = found.loop, one.loads[0]
    index = loop.type_text or spelling.spell_value(types.without_reference(loop.index_type))
    places = "".join(f"{declared} = {value}; " for declared, _, value in found.addresses.needed([load]))
    has_one = f"if ({loop.name} {loop.relation} {text(loop.bound)})"
    loaded = f"{has_one} {{ {places}{left} = {context.body.original(load)}; }}"
    return f"{{ {index} {loop.name} = {text(loop.lower)}; {loaded} }}"


def of_iteration(recurrences: tuple[LeftElement, ...]) -> Code:
    """Return what an iteration does with what the one before has left."""
    found: list[Declare | Assign] = []
    for one in recurrences:
        found.append(Declare(f"const {one.type} {one.before}", one.before, one.left))
        if one.value:
            found.append(Assign(one.left, one.value))
    return tuple(found)
