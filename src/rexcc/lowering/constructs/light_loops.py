"""Loops that the threads of a block share and that do little: each thread takes four iterations at a time.

In: a loop and its form. Out: the block around its statement, or None where it stays a plain loop. Before and after::

    for (long i = threadIdx.x; i < n; i += blockDim.x) { … }

    rex_each(threadIdx.x, n, [&](long i) { … });

Where an iteration does no more than to compute what it stores at its end, the four values come before the first store
(:mod:`.late_stores`). Where the elements that it loads are neighbours, they may be loaded in fours (:mod:`.fours`).
Where it is light but for functions of the user's, neighbouring iterations may come together (:mod:`.neighbour_turns`).

The iterations of a nest with ``collapse`` are numbered, and a thread would divide each number to have the indices. It
divides twice instead: its first number, and how far apart its iterations are. Then it adds the positions in the loops,
with a carry, which is what the quotients and remainders of the next number are. Such iterations may make atomic
updates, too, as those of a histogram do::

    rex_each_of_nest<unsigned>(threadIdx.x, __rex_trips, {__rex_trips_x}, [&](long long y, long long x) { … });

A block has few threads, so what each has in flight decides how long a light loop takes. The compiler does not unroll
one whose step only the run knows, for it would have to divide to count its iterations, which costs more than a short
loop. The index stays a number of its own (no ``rex_index``): where addresses are added up from iteration to iteration,
loads of the later ones come behind what waits for the first ones. What the team has in memory of its own is there at
once, so loops that read nothing else stay as they are. Which loops are light, and why nothing can tell:
:mod:`rexcc.lowering.loops.light_loops`.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.kernel.ir import Block, Code, Do, For
from rexcc.lowering.constructs.context import Context
from rexcc.lowering.constructs.fours import fours
from rexcc.lowering.constructs.late_stores import LateStores, late_stores, place_late
from rexcc.lowering.constructs.neighbour_turns import neighbour_turns
from rexcc.lowering.loops.light_loops import call, is_light_loop, is_light_nest
from rexcc.lowering.loops.loop_forms import WIDE, IterationOrder, LoweredLoop
from rexcc.lowering.loops.numbered_loops import positions, quotients_of
from rexcc.lowering.text.team import Team
from rexcc.program.constructs import Construct
from rexcc.source.own_names import related

_DEEPEST = 4
"""Loops of a nest whose positions ``rex_each_of_nest`` knows."""


def light_loop(
    context: Context,
    construct: Construct,
    loops: tuple[CanonicalLoop, ...],
    lowered: LoweredLoop,
    team: Team,
    code: Code,
) -> Block | None:
    """Return the block of a light loop around ``code``, None for other loops."""
    header = lowered.headers[-1]
    if lowered.order is not IterationOrder.BY_INDEX or not isinstance(header, For) or context.is_pattern:
        return None
    if not team.is_block or not team.known:
        return None
    if header.relation != "<" or header.step != f"+= {team.threads}" or header.also:
        return None
    if not is_light_loop(context.unit, construct, loops):
        return neighbour_turns(context, construct, loops[0], header, code)
    late = late_stores(context.body, construct, loops[0].body)
    in_fours = fours(context, construct, loops[0], header, code, late)
    if in_fours is not None:
        return in_fours
    function, declared, code = _stores(context, late, "rex_each", f"[&]({header.declared})", code)
    return Block(call(function, header, declared), code, ");")


def light_nest(
    context: Context,
    construct: Construct,
    loops: tuple[CanonicalLoop, ...],
    lowered: LoweredLoop,
    team: Team,
    code: Code,
) -> Block | None:
    """Return the block of the iterations of a light nest that are numbered as one loop's, None for other nests."""
    if lowered.order is not IterationOrder.BY_NUMBER or context.is_pattern or not (team.is_block and team.known):
        return None
    if not is_light_nest(context.unit, construct, loops) or len(loops) > _DEEPEST:
        return None
    quotients, _ = quotients_of(loops)
    if code[: len(quotients)] != tuple(quotients):
        return None
    late = late_stores(context.body, construct, loops[-1].body) if not any(construct.descendants()) else None
    declared = f"[&]({', '.join(f'{WIDE} {name}' for name in positions(loops))})"
    function, declared, code = _stores(context, late, "rex_each_of_nest", declared, code[len(quotients) :])
    number = "unsigned long long" if any(loop.is_wide for loop in loops) else "unsigned"
    extents = ", ".join(related("trips", loop.name) for loop in loops[1:])
    return Block(f"{function}<{number}>({team.thread}, __rex_trips, {{{extents}}},\n    {declared}", code, ");")


def _stores(
    context: Context, late: LateStores | None, function: str, declared: str, code: Code
) -> tuple[str, str, Code]:
    """Return the function that executes the iterations, the lambda's head, and its code: with stores that come late."""
    if late is None:
        return function, declared, code
    place_late(context.body, late)
    if not late.always:
        code = (*code[:-1], Block("", code[-1:]), Do("return {};"))  # the user's last brace closes the inner block
    return f"{function}_late", f"{declared} -> {late.result}", code
