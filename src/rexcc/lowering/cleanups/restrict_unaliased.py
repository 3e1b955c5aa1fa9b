"""Pointers that are the only way to what they point to are ``__restrict__`` parameters, though it is written.

In: a kernel with its arguments. Out: parameters with the qualifier. ``float *y`` becomes ``float *__restrict__ y``
where everything else that the kernel reads or writes is provably apart from what ``y`` points to (:mod:`.alias`): a
value just stored stays in its register although others are stored behind it, and loads may come before stores.

The qualifier speaks of one thread's accesses. Others write there, too, but what they write a thread may read only after
they have met; so nothing in the kernel, nor in a function that it calls, may order threads: no constructs inside, and
no calls but those of functions that compute a value from values.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Attribute
from rexcc.analysis.references import UsedVariable
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import Memory, Places, union
from rexcc.lowering.cleanups.missed_reasons import first_overlap, together
from rexcc.lowering.cleanups.pure_functions import computes
from rexcc.lowering.cleanups.restrict_read_only import pointer_changes, qualify
from rexcc.lowering.model.remarks import Reason


def restrict_only_ways(context: CleanupContext) -> None:
    """Qualify every pointer parameter that qualifies; those that are only read through are not looked at."""
    kernel = context.kernel
    if not kernel.region.is_worksharing or kernel.region.constructs[-1].children or _may_meet(kernel.region.body):
        return
    places = union(context.memory.effects(kernel.region.body).read, context.memory.written)
    found: list[UsedVariable] = []
    for attribute in (a for a in kernel.data.attributes if _is_written(context, a)):
        name, first = attribute.variable.name, next(iter(attribute.variable.uses), None)
        reason = _first_failed(context, attribute, places)
        if reason is None:
            found.append(attribute.variable)
            context.tell(f"'{name}' is a '__restrict__' parameter: no other way leads to what it writes", first)
        else:
            context.tell(
                f"'{name}' is no '__restrict__' parameter: other ways may lead to what it writes", first, reason
            )
    kernel.arguments = tuple(qualify(argument, found) for argument in kernel.arguments)


def _is_written(context: CleanupContext, attribute: Attribute) -> bool:
    """Whether a pointer that nothing changes leads to what the kernel writes."""
    return pointer_changes(attribute) is None and _pointed(attribute) <= (context.memory.written or frozenset())


def _first_failed(context: CleanupContext, attribute: Attribute, places: Places) -> Reason | None:
    """Return the first precondition that does not hold for a pointer, None where all do; ``places`` are all that the
    kernel reads and writes."""
    variable, pointed = attribute.variable, _pointed(attribute)
    if places is None:
        return Reason("it is not known what the kernel reads")
    if types.is_reference(variable.cursor.type):
        return Reason("it is a reference")
    other = first_overlap(context, pointed, places - pointed)
    return Reason(together(other, variable.name)) if other is not None else None


def _pointed(attribute: Attribute) -> frozenset[Memory]:
    return frozenset({Memory(attribute.variable, True)})


def _may_meet(body: Node) -> bool:
    """Whether the body calls what may order threads, or reads what the language calls volatile."""
    return any(types.is_volatile(n.type) or (n.kind == "CALL_EXPR" and not computes(n)) for n in body.walk())
