"""What ``-Rrex=access`` tells of accesses by which neighbouring threads do not reach neighbouring elements.

In: a lowered kernel whose threads share a loop, and that loop. Out: remarks. Threads with neighbouring numbers execute
neighbouring iterations, and a GPU moves memory in pieces of some bytes (CUDA C++ best practices guide, "Coalesced
Access to Global Memory"): where the next thread's element lies in another piece, each of them costs a transfer of its
own. Nothing is told of what is not known, nor of small distances, as those of members of small structs.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups import CleanupContext
from rexcc.lowering.cleanups.memory import parts
from rexcc.lowering.loops.accesses import Access, accesses_of, locals_of, outline_of
from rexcc.lowering.loops.affine import Slope, Slopes
from rexcc.lowering.model.remarks import Reason
from rexcc.lowering.model.topics import Topic
from rexcc.source.records import dataclass


@dataclass(frozen=True, eq=False)
class _Step:
    """How a subscript moves an access from one thread to the next: elements of so many bytes, None for unknown."""

    subscript: Node
    slope: Slope | None
    size: int


def tell_of_accesses(context: CleanupContext, shared: CanonicalLoop) -> None:
    """Tell of the accesses in an iteration whose elements lie apart for neighbouring iterations of a loop."""
    if not context.explains or not context.kernel.region.has_parallel or not shared.is_integer:
        return
    slopes = Slopes(shared.index, locals_of(context.memory, context.scope))
    told = set()
    for access in accesses_of(context.memory, context.scope):
        text, outline = context.body.original(access.node), outline_of(access.node)
        steps = [step for step in _steps(access, slopes) if step.slope is None or not step.slope.is_zero]
        if not steps or outline in told:
            continue
        told.add(outline)
        reason = _reason(context, steps, shared)
        if reason is not None:
            context.tell(f"neighbouring threads access '{text}' far apart", access.node, reason, topic=Topic.ACCESS)
        elif (read := _data_read(context, steps)) is not None:
            why = Reason("this is read from memory", read)
            message = f"how far apart neighbouring threads access '{text}' depends on data"
            context.tell(message, access.node, why, topic=Topic.ACCESS)


def _steps(access: Access, slopes: Slopes) -> Iterator[_Step]:
    """Yield how each subscript of an access moves it."""
    sizes = {}
    for node in access.node.bare().walk():
        inner = parts(node)
        if node.kind == "ARRAY_SUBSCRIPT_EXPR" and len(inner) == 2:
            sizes[inner[1]] = types.canonical(node.type).get_size()
    for subscript in access.subscripts:
        yield _Step(subscript, slopes.of(subscript), sizes.get(subscript, 0))


def _reason(context: CleanupContext, steps: list[_Step], shared: CanonicalLoop) -> Reason | None:
    """Return why the elements of neighbouring threads lie in different pieces, None where they may not."""
    index, stride = shared.index.name, shared.step.value
    if any(step.slope is None or step.size <= 0 for step in steps):
        return None
    unknown = next((step for step in steps if step.slope is not None and step.slope.value is None), None)
    if unknown is not None:
        return Reason(f"'{index}', in which they differ, is multiplied by what only the run knows", unknown.subscript)
    if stride is None:
        return Reason(f"the step of '{index}', in which they differ, is known only when it runs", steps[0].subscript)
    distance = sum((step.slope.value or 0) * step.size for step in steps if step.slope is not None) * stride
    if abs(distance) <= context.kernel.region.unit.target.limits.transfer_bytes:
        return None
    return Reason(f"{abs(distance)} bytes lie between them: they differ in '{index}'", steps[0].subscript)


def _data_read(context: CleanupContext, steps: list[_Step]) -> Node | None:
    """Return what a subscript reads from memory to find its element."""
    for step in (s for s in steps if s.slope is None):
        found = accesses_of(context.memory, step.subscript)
        if found:
            return found[0].node
    return None
