"""Loops that compute a sine or a cosine in each iteration.

In: innermost loops of an iteration. Out: code of eight of their iterations, or four, that may be executed twice, in the
kernel's form for small grids. Before and after::

    for (int k = 0; k < n; k++) {
      s += a[k] * sinf(w[k] * x);
    }

    rex_sines_in_turns<__rex_form, int, 8, 1>(0, n, [&](int __rex_turn_first, REX_SINES_TURN __rex_turn,
                                                        REX_SINES rex_sincos) {
      #pragma unroll
      for (int __rex_turn_number = 0; __rex_turn_number < __rex_turn.count; __rex_turn_number++) {
        int k = __rex_turn_first + __rex_turn_number;
        s += a[k] * rex_sincos.sine(w[k] * x);
      }
    }, s);

The device's functions have a branch for large arguments, and its compiler computes nothing of the next one in front of
it. So eight iterations are executed as if all arguments were usual, and one test asks behind them: if some were not,
the variables that they have changed get the values back that they had, and these iterations and all that the loop has
left are executed in the usual way (``rex_device_sines.h``). That cannot be noticed, for the reasons of
:mod:`.several_roots`; the sine of an unusual argument is that of zero the first time.

Threads that wait for one sine after the other cost no time where a multiprocessor has all the threads that it can, for
others compute then. So it is for grids that leave half of them idle (:mod:`.small_grids`), and kernels whose usual form
executes the loops of math functions as ``cleanups/unroll`` has them. It is for these loops, but not for those that wait
for memory first (:mod:`.turns`), and for all where threads of the kernel wait for each other, as those over a tile that
a team has loaded. They call nothing else that has a branch, and no argument stays the same in the loop. A sine and a
cosine of one argument are one call by then (``cleanups/sine_and_cosine``), which has the parameter's name.
"""

from __future__ import annotations

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext, Turns
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.cleanups.pure_values import library_function
from rexcc.lowering.cleanups.sine_and_cosine import SINES, stands_here
from rexcc.lowering.cleanups.unroll import is_math, is_of_math
from rexcc.lowering.loops.several_roots import innermost, turns_with_one_test
from rexcc.lowering.loops.small_grids import FORM, has_small_grids
from rexcc.lowering.loops.turn_addresses import Addresses
from rexcc.lowering.model.topics import Topic
from rexcc.program.optimisations import Optimisation
from rexcc.source.records import replace

_WITHOUT_BRANCHES = {*SINES, "exp", "expf"}
_NAMES = {"sin": "rex_sincos.sine", "cos": "rex_sincos.cosine"}


def join_sines_of_turns(context: CleanupContext, threads_meet: bool) -> None:
    """Ask once for the sines of several iterations of the loops that qualify."""
    if Optimisation.MATH_LOOPS in context.kernel.region.left_out:
        return
    form = "rex_small_form" if threads_meet else _form(context)
    for loop in innermost(context, Optimisation.SINES) if form else ():
        calls = _sines(context, loop.children[-1])
        if not calls or not (threads_meet or is_of_math(context, loop)) or _has_other_branches(loop):
            continue
        turns = turns_with_one_test(context, loop, frozenset(map(context.body.start, calls)))
        if turns is not None and not _has_one_value(context, turns, calls):
            context.turns[loop] = replace(turns, form=form)
            context.body.needs.has_forms |= form == FORM
            told = f"one test for all sines and cosines of {turns.iterations} iterations"
            told += " in small grids" if form == FORM else ""
            context.tell(told, loop, topic=Topic.LOOP)


def _form(context: CleanupContext) -> str:
    """Return the name of a kernel's form where that for small grids may have loops of its own, else nothing."""
    kernel = context.kernel
    if kernel.region.keeps_objects or context.shared_loop is not None or kernel.closures:
        return ""
    return FORM if has_small_grids(kernel.region, kernel.geometry) else ""


def _has_one_value(context: CleanupContext, turns: Turns, calls: list[Node]) -> bool:
    """Whether one of some calls has the same argument in each iteration."""
    addresses = Addresses(context, turns.loop)
    return any(addresses.stays(parts(call)[1]) for call in calls)


def _has_other_branches(loop: Node) -> bool:
    """Whether a loop calls other functions that have branches."""
    calls = (call for call in loop.children[-1].walk() if call.kind == "CALL_EXPR" and is_math(call))
    return any(library_function(call) not in _WITHOUT_BRANCHES or not _is_of_float(call) for call in calls)


def name_sines(context: CleanupContext) -> None:
    """Name the sines and cosines of these loops that no other clean-up has made one call of."""
    body = context.body
    for turns in (one for one in context.turns.values() if one.form):
        for call in _sines(context, turns.loop.body):
            start, end = body.start(call), body.text.index("(", body.start(call))
            if body.edits.is_free(start, end):
                body.edits.replace(start, end, _NAMES[SINES[library_function(call)]])


def _sines(context: CleanupContext, code: Node) -> list[Node]:
    """Return the calls in some code of the functions for ``float``, as the user has written them."""
    calls = (node for node in code.walk() if node.kind == "CALL_EXPR" and library_function(node) in SINES)
    return [call for call in calls if _is_of_float(call) and stands_here(context, call, parts(call)[1])]


def _is_of_float(call: Node) -> bool:
    return len(parts(call)) == 2 and types.kind_name(types.canonical(call.type)) == "FLOAT"
