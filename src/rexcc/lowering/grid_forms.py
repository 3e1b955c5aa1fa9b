"""Which form a loop has whose iterations all threads of the grid share, where no group of threads shares one: tiles,
inner loops together, conditions side by side, or one iteration after another.

In: a kernel with its arguments, whose body is cleaned up. Out: the loop's form; what it adds to arguments and geometry,
and why it has no other, as a remark.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.frontend.statements import statement_range
from rexcc.kernel.ir import ONE_BY_ONE, UNROLLED, Block, Code, UserSlot
from rexcc.lowering.access_remarks import tell_of_accesses
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.unroll import loops_to_unroll
from rexcc.lowering.loops.asked_bounds import ask, divided_by_form, may_ask
from rexcc.lowering.loops.grid_loops import lower_by_launch, lower_loops, lower_once
from rexcc.lowering.loops.invariant_division import multiply_instead
from rexcc.lowering.loops.jam import REGISTERS, Jammed, jam
from rexcc.lowering.loops.light_loops import over_grid
from rexcc.lowering.loops.loads_first import load_before_stores
from rexcc.lowering.loops.loop_forms import LoweredLoop, Share, Text
from rexcc.lowering.loops.narrow_nests import NUMBER, number_type
from rexcc.lowering.loops.nest_order import NestOrder, nest_order, order_of_reduction
from rexcc.lowering.loops.nests import Divided, divided_nest, lower_nest
from rexcc.lowering.loops.numbered_loops import (
    lower_numbered,
)
from rexcc.lowering.loops.single_iteration import has_thread_for_each, lower_narrow
from rexcc.lowering.loops.strip_numbers import lower_in_strips, strip_divisors
from rexcc.lowering.loops.threads_of_run import has_form_by_threads, nest_has_form_by_threads
from rexcc.lowering.loops.tile_conditions import tile_conditions
from rexcc.lowering.loops.tile_counts import PACKED_TILING, TileCounts, tile_counts
from rexcc.lowering.loops.tiles import NEST_REGISTERS, TILE, Light, light_loop, tile
from rexcc.lowering.model.launch import Argument, Kernel
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.model.topics import Topic
from rexcc.lowering.text.placing import place_in_lines
from rexcc.lowering.text.team import grid
from rexcc.program.optimisations import Optimisation
from rexcc.source.records import replace

NOT_WANTED = Reason("--rex-opt leaves this out")


def threads_meet(kernel: Kernel) -> bool:
    """Whether threads wait for each other in the body, or flush: then values of shared memory change between its
    statements, and are seen by others."""
    return kernel.synchronises or bool(kernel.criticals) or kernel.flushes


def grid_loop(
    context: CleanupContext, numbered: bool, text: Text, alone: tuple[Reason, ...], tells_apart: bool
) -> LoweredLoop:
    """Return the loop whose iterations all threads share: in tiles, or one after another.

    ``alone`` says why no group shares the loop inside of it, nothing where there is none. ``tells_apart``: objects of
    different types are different objects.
    """
    kernel = context.kernel
    left_out = kernel.region.left_out
    is_multiplying = multiplies(kernel)
    divisions = multiply_instead(context) if is_multiplying and not kernel.packs else ()
    found, order = (
        _light_loop(context, numbered) if Optimisation.TILES not in left_out else (NOT_WANTED, _as_is(kernel))
    )
    if Optimisation.TILES not in left_out and not isinstance(found, Light):
        order = order_of_reduction(context, numbered, threads_meet(kernel))
    if not order.in_strips:
        tell_of_accesses(context, order.loops[-1])
    may_jam = found.overlap is not None if isinstance(found, Light) else found is not NOT_WANTED
    jammed = jam(context, numbered, threads_meet(kernel), text) if may_jam else None
    if isinstance(found, Light) and not isinstance(jammed, Jammed):
        return _in_tiles(context, found, order, divisions, text)
    divided = Divided()
    if is_multiplying and not numbered and not isinstance(jammed, Jammed):
        make = strip_divisors if order.in_strips else divided_nest
        divided = make(kernel, order.loops)
    kernel.arguments = (*kernel.arguments, *divided.arguments, *divisions)
    if isinstance(jammed, Jammed):
        return _with_inner_loops_together(context, jammed)
    assert not isinstance(found, Light)
    found = jammed or found
    if found is not NOT_WANTED and not kernel.geometry.has_bins:
        asked = tile_conditions(context, numbered, threads_meet(kernel), text)
        if isinstance(asked, LoweredLoop):
            kernel.geometry = replace(kernel.geometry, tile=TILE)
            context.tell(
                f"each thread evaluates the conditions of {TILE} iterations side by side", None, topic=Topic.LOOP
            )
            return asked
    if tells_apart and Optimisation.HOISTING not in left_out:
        load_before_stores(context, numbered, threads_meet(kernel))
    return _in_turn(context, order, divided, (found, *alone), text, numbered)


def _light_loop(context: CleanupContext, numbered: bool) -> tuple[Light | Reason, NestOrder]:
    """Return a loop that is tiled, or why it is not, and the order of its indices."""
    kernel = context.kernel
    found = light_loop(context, numbered, threads_meet(kernel))
    if not isinstance(found, Light):
        return found, _as_is(kernel)
    order = nest_order(context)
    if found.overlap is None:
        return found, order
    in_rows = order.in_rows_of(found.overlap)
    return (
        (found, in_rows) if in_rows is not None else (Reason("neighbouring threads go along its rows"), _as_is(kernel))
    )


def _as_is(kernel: Kernel) -> NestOrder:
    return NestOrder(kernel.region.loops)


def _in_tiles(
    context: CleanupContext, found: Light, order: NestOrder, divisions: tuple[Argument, ...], text: Text
) -> LoweredLoop:
    """Return the loop in which a thread executes several iterations side by side."""
    kernel = context.kernel
    is_asked = multiplies(kernel) and may_ask(kernel)
    counts = tile_counts(kernel, order, is_asked) if multiplies(kernel) else TileCounts()
    if counts.is_asked:
        _ask(context, f"rex_has_few_tiles(rex_unpack<unsigned long long>({PACKED_TILING}))")
    kernel.arguments = (*kernel.arguments, *counts.arguments, *divisions)
    registers = kernel.geometry.registers or (NEST_REGISTERS if len(order.loops) > 1 else 0)
    if found.overlap is not None:
        _unroll(context)
    has_wide = counts.number == NUMBER and not counts.is_asked
    kernel.geometry = replace(kernel.geometry, tile=TILE, has_wide=has_wide, registers=registers)
    context.tell(f"each thread executes {TILE} iterations side by side", None, *order.reasons, topic=Topic.LOOP)
    return tile(context, found, order, counts, text)


def _unroll(context: CleanupContext) -> None:
    """Have the loops unrolled in which the iterations of a tile load the same: the compiler finds equal addresses."""
    for loop in loops_to_unroll(context):
        code: Code = (UNROLLED, UserSlot())
        if not context.can_declare_before(loop):
            code = (Block("", code),)
        place_in_lines(context.body, *statement_range(context.body.file, loop), code)


def _with_inner_loops_together(context: CleanupContext, jammed: Jammed) -> LoweredLoop:
    kernel = context.kernel
    registers = kernel.geometry.registers or REGISTERS
    kernel.geometry = replace(kernel.geometry, tile=jammed.count, registers=registers)
    context.tell(f"each thread executes the inner loops of {jammed.count} iterations together", None, topic=Topic.LOOP)
    return jammed.loop


def _in_turn(
    context: CleanupContext, order: NestOrder, divided: Divided, why: tuple[Reason, ...], text: Text, numbered: bool
) -> LoweredLoop:
    """Return the loop in which a thread executes one iteration after another; ``why`` it has no other form."""
    kernel = context.kernel
    light = None if numbered else _light_reduction(kernel, text)
    if light is not None:
        context.tell("each thread executes four iterations at a time", None, *why[1:], topic=Topic.LOOP)
        return light
    context.tell("each thread executes one iteration at a time", None, *why, *order.reasons, topic=Topic.LOOP)
    loops, target = order.loops, kernel.region.unit.target
    if numbered:
        return once_each(lower_numbered(loops, text, grid(target.words)), kernel)
    if has_thread_for_each(kernel):
        return lower_once(loops[0], text, kernel.geometry.bound, target.words)
    if multiplies(kernel) and has_form_by_threads(kernel):
        kernel.geometry = replace(kernel.geometry, has_wide=True, is_by_threads=True)
        lowered = lower_narrow(kernel, text, NUMBER) or lower_by_launch(loops[0], text, target.words, NUMBER)
        return once_each(lowered, kernel)
    if not order.in_strips and multiplies(kernel) and may_ask(kernel):
        return _by_bounds(context, loops, text)
    if order.in_strips:
        return lower_in_strips(loops, divided, Share.of(grid(target.words)), text)
    if len(loops) > 1:
        number = number_type(kernel) if multiplies(kernel) else "long long"
        is_by_threads = multiplies(kernel) and nest_has_form_by_threads(kernel)
        number = NUMBER if is_by_threads else number
        kernel.geometry = replace(kernel.geometry, has_wide=number == NUMBER, is_by_threads=is_by_threads)
        return once_each(lower_nest(kernel, loops, divided, number, text), kernel)
    return once_each(
        lower_narrow(kernel, text) or lower_loops(loops, text, grid(target.words), target.limits.threads), kernel
    )


def _by_bounds(context: CleanupContext, loops: tuple[CanonicalLoop, ...], text: Text) -> LoweredLoop:
    """Return the loop of a kernel that asks whether its bounds are the host's."""
    kernel, words = context.kernel, context.kernel.region.unit.target.words
    if len(loops) == 1:
        _ask(context)
        return once_each(lower_narrow(kernel, text, NUMBER) or lower_by_launch(loops[0], text, words, NUMBER), kernel)
    divided = divided_by_form(kernel, loops)
    kernel.arguments = (*kernel.arguments, *divided.arguments)
    _ask(context, "(rex_unpack<long long>(__rex_packed_trips) <= 1ll << 30)")
    return once_each(lower_nest(kernel, loops, divided, NUMBER, text), kernel)


def _ask(context: CleanupContext, *others: str) -> None:
    ask(context.kernel, *others)
    context.tell("the kernel has a form for the bounds that the host has counted with", None, topic=Topic.LOOP)


def multiplies(kernel: Kernel) -> bool:
    """Whether divisions by what the launch knows may be multiplications."""
    return Optimisation.DIVISIONS not in kernel.region.left_out


def _light_reduction(kernel: Kernel, text: Text) -> LoweredLoop | None:
    """Return the form of a reduction whose iterations do little, None for other loops."""
    region, target = kernel.region, kernel.region.unit.target
    if not kernel.geometry.reduces or len(region.loops) > 1:
        return None
    return over_grid(region, lower_loops(region.loops, text, grid(target.words), target.limits.threads))


def once_each(lowered: LoweredLoop, kernel: Kernel) -> LoweredLoop:
    """Return the loop with what the compiler cannot know: most threads have one iteration.

    Unrolled it would begin with a 64-bit division, which costs more than such an iteration. A reduction's threads are
    few and have many iterations.
    """
    if kernel.geometry.reduces or kernel.geometry.has_bins:
        return lowered
    return replace(lowered, before=(*lowered.before, ONE_BY_ONE))
