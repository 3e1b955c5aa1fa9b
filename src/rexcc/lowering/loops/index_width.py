"""Loops over the grid that 32 bits can count.

In: a loop whose threads have an iteration each. Out: its form with an unsigned 32-bit counter, or None where 64 bits
are needed. Before and after::

    for (int i = 0; i < n; i++) …

    const unsigned _dev_thread_num = rex_stride(gridDim.x * blockDim.x);
    const unsigned _dev_thread_id = blockDim.x * blockIdx.x + threadIdx.x;
    const unsigned _dev_count = rex_up_to(n);
    for (unsigned __rex_i = _dev_thread_id; __rex_i < _dev_count; __rex_i += _dev_thread_num) {
      int i = (int)__rex_i; …

Short kernels are bound by their instructions, and 64-bit numbers, their comparison and the step are some 20 of them
(docs/decisions/024-one-iteration-for-each-thread.md).

An ``int`` that goes up from a literal has fewer than 2^31 iterations; the grid is the launch's own, so it has at most a
block more threads than that; and a step of at most 2^31 from a number below 2^31 does not wrap. (The step matters to no
thread of a grid of more threads than that: it has one iteration.) A reduction keeps its 64-bit counter, because the
compiler cannot unroll a loop whose counter may wrap.
"""

from __future__ import annotations

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.kernel.ir import For, UserSlot
from rexcc.lowering.loops.grid_loops import LoweredLoop, Text, constant, device_tripcount, positions_of
from rexcc.lowering.model.launch import Kernel

_INDICES = frozenset({"INT", "SHORT", "CHAR_S", "SCHAR", "UCHAR", "CHAR_U", "USHORT"})


def lower_narrow(kernel: Kernel, text: Text) -> LoweredLoop | None:
    """Return the form with a 32-bit counter."""
    loops = kernel.region.loops
    if len(loops) != 1 or not _owns_grid(kernel) or not _is_small(loops[0]):
        return None
    loop, number, words = loops[0], f"__rex_{loops[0].name}", kernel.region.unit.target.words
    before = (
        constant("_dev_thread_num", f"rex_stride({words.blocks} * {words.threads})", "unsigned"),
        constant("_dev_thread_id", words.number_in_grid(), "unsigned"),
        constant("_dev_count", _count(loop, text), "unsigned"),
    )
    header = For(f"unsigned {number}", number, "_dev_thread_id", "<", "_dev_count", "+= _dev_thread_num")
    return LoweredLoop(before, (header,), (*positions_of((loop,), (loop,), number, text), UserSlot()))


def _owns_grid(kernel: Kernel) -> bool:
    """Whether the launch chooses blocks by the trip count, and nothing else asks for a thread's number."""
    region, shape = kernel.region, kernel.geometry
    is_grid = region.has_teams and region.has_parallel and not region.constructs[-1].children
    keeps_last = any(a.last for a in kernel.data.attributes) or any(region.clauses("linear"))
    return is_grid and shape.teams is None and bool(shape.tripcount) and not shape.reduces and not keeps_last


def _count(loop: CanonicalLoop, text: Text) -> str:
    bound_kind = types.kind_name(types.canonical(loop.bound.bare().type))
    if loop.is_from_zero and loop.step.is_one and loop.relation == "<" and bound_kind in _INDICES:
        return f"rex_up_to({text(loop.bound)})"
    return f"(unsigned){device_tripcount(loop, text)}"


def _is_small(loop: CanonicalLoop) -> bool:
    """Whether a loop has fewer than 2^31 iterations whatever its bound."""
    kind = types.kind_name(loop.index_type.get_canonical())
    return kind in _INDICES and loop.increasing and loop.lower_value is not None and loop.step.value is not None
