"""Collapsed loops: indices that the kernel finds without dividing, headers that stand in the code between loops.

In: a nest over the grid. Out: further arguments of its kernel, which the host makes before the launch: how many
iterations there are, and for each inner extent that only the run knows a divisor (``rex_divide.h``). Before and after::

    rex_divmod(__rex_iteration, __rex_trips_j, &__rex_above_j, &__rex_j);
    rex_divmod(__rex_iteration, __rex_trips_j, __rex_by_j, &__rex_above_j, &__rex_j);

The first takes some 30 instructions for each loop and each iteration, the second 8: a thread of a short kernel executes
fewer than a hundred (GPUs' grids of two and three dimensions give their indices for nothing, but libomptarget 19 has
grids of one). Where a nest has 2**31 iterations or more the divisors are 0, and the kernel divides.

The host counts with its own variables, so they must have the kernel's values: bounds are made of constants and of what
travels by value.

Where there is code between the loops, one iteration of them all executes it, and a block with the index takes the place
of each inner loop's header. A ``continue`` of the innermost loop still goes to the code behind that loop, so there the
block is one that it leaves::

    for (int j = 0; j < m; j++) { … }        { int j = (int)__rex_j; … }
    for (int j = 0; j < m; j++) { … }        do { int j = (int)__rex_j; … } while (0);
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers, iteration_of
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.frontend.statements import header_end
from rexcc.kernel.ir import Block
from rexcc.lowering.loops.last_values import last_items
from rexcc.lowering.loops.loop_forms import WIDE, LoweredLoop, Share, Text
from rexcc.lowering.loops.numbered_loops import (
    divisor,
    inner_index,
    lower_asked,
    lower_counted,
    lower_divided,
    lower_narrow,
)
from rexcc.lowering.loops.single_iteration import has_chosen_grid, is_known_to_host
from rexcc.lowering.model.geometry import host_tripcount
from rexcc.lowering.model.launch import Argument, Kernel, by_value
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.placing import USER, place_header
from rexcc.lowering.text.team import grid
from rexcc.source.own_names import related
from rexcc.source.records import dataclass

_TEAM_LOOPS = frozenset({"target", "teams", "distribute", "parallel", "for", "simd"})


WORD = "__UINT64_TYPE__"
"""The host's integer of eight bytes."""


@dataclass(frozen=True)
class Divided:
    """The arguments that a kernel gets for its nest, and the names of the loops that have a divisor."""

    arguments: tuple[Argument, ...] = ()
    names: frozenset[str] = frozenset()


def divided_nest(kernel: Kernel, order: tuple[CanonicalLoop, ...], is_asked: bool = False) -> Divided:
    """Return what the host makes for a nest; nothing where it cannot, or where all extents are constants.

    ``order`` are its loops, the one that is numbered fastest last. ``is_asked``: the kernel asks whether its bounds are
    the host's (:mod:`.asked_bounds`).
    """
    region = kernel.region
    if not is_counted_by_host(kernel, is_asked):
        return Divided()
    if inner_headers(region.loops) and last_items(region):  # which asks for all extents
        return Divided()
    loops = [loop for loop in order[1:] if not is_constant(loop)]
    if not loops:
        return Divided()
    arguments = (count_argument(), *(divisor_argument(kernel, loop) for loop in loops))
    return Divided(arguments, frozenset(loop.name for loop in loops))


def is_counted_by_host(kernel: Kernel, is_asked: bool = False) -> bool:
    """Whether a kernel has a nest of which the host counts as many iterations as the kernel does, loop by loop."""
    region = kernel.region
    if len(region.loops) < 2 or not kernel.geometry.tripcount or not set(region.leaves) <= _TEAM_LOOPS:
        return False
    return all(loop.is_integer and is_known_to_host(region, kernel.data, loop, is_asked) for loop in region.loops)


def lower_nest(
    kernel: Kernel, loops: tuple[CanonicalLoop, ...], divided: Divided, number: str, text: Text
) -> LoweredLoop:
    """Return the form of a nest whose threads take one iteration after another; ``number`` is the numbers' type.

    ``loops`` are in the order of the numbers.
    """
    words = kernel.region.unit.target.words
    if kernel.asks:
        return lower_asked(loops, divided.names, number, text, words)
    if number != WIDE:
        return lower_narrow(loops, divided.names, number, text, words, kernel.geometry.is_by_threads)
    if divided.names:
        return lower_divided(loops, divided.names, Share.of(grid(words)), not has_chosen_grid(kernel), text)
    is_known = all(loop.is_integer and is_known_to_host(kernel.region, kernel.data, loop) for loop in loops)
    return lower_counted(loops, not (is_known and has_chosen_grid(kernel)), text, words)


def is_constant(loop: CanonicalLoop) -> bool:
    """Whether the device's compiler knows a loop's extent: it makes a multiplier itself."""
    bounds = evaluate_integer(loop.lower.cursor), evaluate_integer(loop.bound.cursor)
    return None not in bounds and loop.step.value is not None


def count_argument() -> Argument:
    """Return the argument that tells a kernel how many iterations the host has counted."""
    what = "iterations of the nest"
    return by_value("__rex_trips", "long long", "__rex_tripcount", what, "__rex_packed_trips", WORD)


def divisor_argument(kernel: Kernel, loop: CanonicalLoop) -> Argument:
    """Return the argument by which a kernel divides by a loop's extent."""
    name = divisor(loop)
    value = f"rex_extent_bytes({host_tripcount(kernel.region, loop)}, __rex_tripcount)"
    return by_value(name, "rex_divisor", value, f"divisor of '{loop.name}'", related("packed", name), WORD)


def replace_inner_headers(body: DeviceBody, loops: tuple[CanonicalLoop, ...], text: Text) -> None:
    """Make blocks of the loops whose headers stand in the nest's iteration."""
    for loop in inner_headers(loops):
        first = (inner_index(loop, text),) if loop.declares else ()
        leaves = loop is loops[-1] and _continues(loop.body) and _is_followed(loop.statement, iteration_of(loops))
        start, end = body.start(loop.statement), header_end(body.file, loop.statement)
        block = Block("do", (*first, *USER), " while (0);") if leaves else Block("", (*first, *USER))
        place_header(body, start, end, block, loop.body)


def _continues(body: Node) -> bool:
    """Whether a loop's body has a ``continue`` of that loop."""
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "CONTINUE_STMT":
            return True
        if node.kind not in LOOP_KINDS and not node.is_called_code:
            stack.extend(node.children)
    return False


def _is_followed(loop: Node, iteration: Node) -> bool:
    """Whether code stands behind a loop in the statement that one iteration executes."""
    below = loop
    while below is not iteration and below.parent is not None:
        if below.parent.children[-1] is not below:
            return True
        below = below.parent
    return False
