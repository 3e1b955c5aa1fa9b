"""The sequentially last iteration of a nest in which inner bounds depend on an outer index (OpenMP 5.2, 4.4.2).

In: the loops that threads share, and those inside them that each thread runs itself. Out: code that finds the last
iteration of the shared loops that has one of the loops inside, for the last ones may have none, and all indices of the
nest in it. Every thread asks that of the headers alone, from the last iteration backwards::

    long long __rex_final_iteration = -1, __rex_last_i = 0, __rex_last_k = 0;
    {
      for (long long __rex_iteration = rex_tripcount_lt(0, n, 1) - 1;
           __rex_iteration >= 0 && __rex_final_iteration < 0; __rex_iteration--) {
        int i = __rex_iteration;
        const long long __rex_trips_k = rex_tripcount_lt(0, n - i, 1);
        if (__rex_trips_k > 0) { …
          __rex_final_iteration = __rex_iteration; __rex_last_i = i; __rex_last_k = k;
        }
      }
    }

The loops stand directly one in the other: nobody knows what code between them has done to bounds or variables.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import is_directly_nested
from rexcc.analysis.regions import TargetRegion
from rexcc.kernel.ir import Assign, Block, Code, Declare, DeclareAll, For, Guard
from rexcc.lowering.loops.loop_forms import Text, constant, counting
from rexcc.lowering.loops.numbered_loops import device_tripcount, indices, inner_index, nest_counts
from rexcc.openmp.model import ListItem
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error
from rexcc.source.own_names import own_name, related

FINAL_ITERATION = "__rex_final_iteration"
"""The number of the last iteration of the shared loops that has one of the loops inside, -1 where none has."""
_ITERATION = "__rex_iteration"


def unknown_last(loops: tuple[CanonicalLoop, ...]) -> str:
    """Return what keeps the last iteration of a nest whose inner bounds depend on an outer index from being found,
    empty for nothing."""
    if not is_directly_nested(loops):
        return "loops with code between them"
    return "" if all(loop.is_integer for loop in loops) else "loops over pointers or objects"


def check_dependent(
    region: TargetRegion, variable: Variable, item: ListItem, stepping: str, is_conditional: bool
) -> None:
    """Raise CompileError where a variable's last value is not known of loops whose bounds depend on an outer index.

    ``stepping`` is the name of a clause that gives it a value in each iteration, empty for none.
    Assignments to a conditional variable are noted, whichever iteration is the last one.
    """
    nest = (*region.loops, *region.sequential)
    is_index = any(loop.index == variable for loop in nest)
    if stepping and not is_index:
        message = f"{stepping}({variable.name}) on loops whose bounds depend on an outer index cannot be lowered yet; "
        raise error("unsupported-clause", message + "compute it from the loops' indices", item.whole.span)
    unknown = unknown_last(nest)
    if unknown and (is_index or not is_conditional):
        message = f"the last value of '{variable.name}' of {unknown} whose bounds depend on an outer index "
        message += "cannot be lowered yet; let the iteration that knows it assign it"
        raise error("unsupported-clause", message, item.whole.span)


def note_dependent(region: TargetRegion, ran: str, text: Text) -> tuple[Code, Code]:
    """Return what stands in front of a region's loop, and what notes in each of its iterations that it is the last one.

    Later iterations of the same thread have none of the loops inside, and leave its copies as they are.
    """
    is_last = " && ".join(f"{loop.name} == {last_index(loop)}" for loop in region.loops)
    noted = Assign(ran, f"{ran} || ({FINAL_ITERATION} >= 0 && {is_last})")
    return (Declare(f"int {ran}", ran, "0"), *find_last(region.loops, region.sequential, text)), (noted,)


def find_last(shared: tuple[CanonicalLoop, ...], inside: tuple[CanonicalLoop, ...], text: Text) -> Code:
    """Return the code that finds the last iteration, and the indices in it, each in its variable."""
    loops = (*shared, *inside)
    names = (FINAL_ITERATION, *(last_index(loop) for loop in loops))
    declared = DeclareAll("long long", tuple(Declare(n, n, "-1" if n == FINAL_ITERATION else "0") for n in names))
    noted = (
        Assign(FINAL_ITERATION, _ITERATION),
        *(Assign(last_index(loop), f"(long long){loop.name}") for loop in loops),
    )
    counts, product = nest_counts(shared, text)
    searched: Code = _indices(shared, text)
    header = For(
        f"long long {_ITERATION}", _ITERATION, f"{product} - 1", ">=", "0", "--", also=f"{FINAL_ITERATION} < 0"
    )
    return declared, Block("", (*counts, Block(header, (*searched, *_last_of(inside, noted, text)))))


def last_index(loop: CanonicalLoop) -> str:
    """Return the name of an index's value in the last iteration, a number of 64 bits."""
    return related("last", loop.name)


def behind_loop(loop: CanonicalLoop) -> str:
    """Return the value that an index has behind its loop after the last iteration."""
    return f"{last_index(loop)} {'+' if loop.increasing else '-'} {loop.step.text}"


def _indices(shared: tuple[CanonicalLoop, ...], text: Text) -> Code:
    if len(shared) > 1:
        return indices(shared, text)
    (loop,) = shared
    return (constant(own_name(loop.name), _ITERATION), inner_index(loop, text))


def _last_of(inside: tuple[CanonicalLoop, ...], noted: Code, text: Text) -> Code:
    """Return the code that notes the last iteration of the inner loops, if they have one for the indices around."""
    loop, *others = inside
    trips, position = related("trips", loop.name), own_name(loop.name)
    count = constant(trips, device_tripcount(loop, text))
    if others:
        code = (inner_index(loop, text), *_last_of(tuple(others), noted, text))
        return count, Block(counting(position, "0", trips, "++"), code)
    last = (constant(position, f"{trips} - 1"), inner_index(loop, text), *noted)
    return count, Guard(f"{trips} > 0", last)
