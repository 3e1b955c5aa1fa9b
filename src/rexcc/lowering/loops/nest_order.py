"""In which order threads number the iterations of a nest over the grid: neighbours should access neighbouring elements.

In: a nest whose iterations are light (:mod:`.tile_rules`), or one that reduces. Out: its loops, the one in which
neighbouring threads differ last, and whether they go through the nest in strips (:mod:`.strips`,
:mod:`.strip_numbers`).

As written the innermost index is numbered fastest. Another order, or strips, is taken for these two forms
(docs/decisions/075-order-of-nests.md)::

    for (i …) for (j …) b[j * n + i] = 2 * a[j * n + i];  // all contiguous in i: i is numbered fastest
    for (i …) for (j …) b[j * n + i] = a[i * n + j];      // stores contiguous in i, loads in j: strips of i
    for (i …) for (j …) s += a[i * n + j] * b[j * n + i]; // a reduction's loads are contiguous in either

No program can tell. Which thread executes which iteration is not seen there: :mod:`.tile_rules` lets through no calls
that ask for a thread's number or keep something, a nest that reduces is asked for them here, and loops with chunks, or
of teams that the program chooses, do not come here. In which order a reduction combines values, and which thread those
of which iterations, no program knows (OpenMP 5.2, 5.5.5). Iterations of a worksharing loop have no order among each
other, and one that reads what another writes would race. So nothing here has to be proved of addresses: what is found
of the accesses decides about time alone. Where any of them is not understood the order stays as it is.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.references import is_written
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.loops.accesses import Access, accesses_of, locals_of
from rexcc.lowering.loops.affine import Slopes
from rexcc.lowering.loops.tile_rules import refused_by_form
from rexcc.lowering.model.remarks import Reason
from rexcc.source.records import dataclass

_FAR = 16
"""Elements from which on a literal distance is one between rows; smaller ones are members, colours, bands."""


@dataclass(frozen=True, eq=False)
class NestOrder:
    """The loops, the one that is numbered fastest last.

    ``in_strips``: neighbouring threads take a strip of it, and several iterations of the last but one side by side, or
    one where the nest ``reduces``.
    """

    loops: tuple[CanonicalLoop, ...]
    in_strips: bool = False
    reduces: bool = False

    def in_rows_of(self, loop: CanonicalLoop) -> NestOrder | None:
        """Return the order in which a thread takes neighbours in a loop, which threads do not go along."""
        if self.in_strips or loop is self.loops[-1]:
            return None
        return NestOrder((loop, *(other for other in self.loops if other is not loop)))

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Why it is not as it is written, nothing where it is."""
        if len(self.loops) < 2:
            return ()
        before, fastest = self.loops[-2:]
        if self.in_strips and self.reduces:
            where = f"'{before.name}', and others in '{fastest.name}'"
            return (Reason(f"some accesses are contiguous in {where}: threads go along both in strips"),)
        if self.in_strips:
            where = f"'{fastest.name}', loads in '{before.name}'"
            return (Reason(f"stores are contiguous in {where}: threads go along both in strips"),)
        if fastest.statement.start > before.statement.start:
            return ()
        what = "accesses" if self.reduces else "stores and loads"
        return (Reason(f"{what} are contiguous in '{fastest.name}': neighbouring threads differ in it"),)


class _UnknownError(Exception):
    """An access that is not understood."""


def nest_order(context: CleanupContext) -> NestOrder:
    """Return the order of a nest whose iterations are light."""
    loops = context.kernel.region.loops
    if len(loops) < 2:
        return NestOrder(loops)
    try:
        stores, loads = _contiguous(context, loops)
    except _UnknownError:
        return NestOrder(loops)
    if len(stores) != 1 or len(loads - stores) > 1:
        return NestOrder(loops)
    (fastest,) = stores
    others = tuple(loop for loop in loops if loop is not fastest and loop not in loads)
    if loads - stores:
        return NestOrder((*others, *(loads - stores), fastest), in_strips=True)
    return NestOrder((*(loop for loop in loops if loop is not fastest), fastest))


def order_of_reduction(context: CleanupContext, numbered: bool, threads_meet: bool) -> NestOrder:
    """Return the order of a nest that reduces and whose iterations threads take one by one."""
    region = context.kernel.region
    loops = region.loops
    if len(loops) < 2 or not context.kernel.geometry.reduces or context.kernel.geometry.has_bins:
        return NestOrder(loops)
    if refused_by_form(context, numbered, threads_meet, groups=True) or region.sequential:
        return NestOrder(loops)
    if region.owner.template is not None or can_tell_threads(region.unit, region.iteration):
        return NestOrder(loops)
    try:
        stores, loads = _contiguous(context, loops)
    except _UnknownError:
        return NestOrder(loops)
    contiguous = tuple(loop for loop in loops if loop in stores or loop in loads)
    if len(contiguous) not in (1, 2):
        return NestOrder(loops)
    others = tuple(loop for loop in loops if loop not in contiguous)
    return NestOrder((*others, *contiguous), len(contiguous) == 2, reduces=True)


def _contiguous(
    context: CleanupContext, loops: tuple[CanonicalLoop, ...]
) -> tuple[frozenset[CanonicalLoop], frozenset[CanonicalLoop]]:
    """Return the loops in which stores, and in which loads, go from one element to the next.

    An access that differs in one loop alone, or in none, goes to few elements: it does not count.
    """
    stores: set[CanonicalLoop] = set()
    loads: set[CanonicalLoop] = set()
    known = locals_of(context.memory, context.scope)
    slopes = {loop: Slopes(loop.index, known) for loop in loops}
    for access in accesses_of(context.memory, context.scope):
        moved = [loop for loop in loops if _moves(access, slopes[loop])]
        if len(moved) < 2:
            continue
        found = [loop for loop in moved if _is_contiguous(access, loop, slopes[loop])]
        if len(found) != 1:
            raise _UnknownError
        (stores if is_written(access.node) else loads).update(found)
    return frozenset(stores), frozenset(loads)


def _moves(access: Access, slopes: Slopes) -> bool:
    """Whether an access goes to another object in the next iteration of a loop."""
    root = access.root
    if root is None or slopes.depends(root):
        raise _UnknownError
    found = [slopes.of(subscript) for subscript in access.subscripts]
    if None in found:
        raise _UnknownError
    return any(slope is not None and not slope.is_zero for slope in found)


def _is_contiguous(access: Access, loop: CanonicalLoop, slopes: Slopes) -> bool:
    """Whether an access that a loop moves goes to the next element, not to one in another row."""
    last, *rows = (slopes.of(subscript) for subscript in access.subscripts)
    if last is None or last.is_zero:
        return False
    if any(row is None or not row.is_zero for row in rows) or loop.step.value is None:
        raise _UnknownError
    if last.value is None or abs(last.value * loop.step.value) >= _FAR:
        return False
    if abs(last.value * loop.step.value) != 1:
        raise _UnknownError
    return True
