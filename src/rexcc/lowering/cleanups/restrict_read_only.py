"""Pointers to memory that nothing writes while the kernel runs are ``__restrict__`` parameters.

In: a kernel with its arguments. Out: parameters with the qualifier. ``const float *x`` becomes
``const float *__restrict__ x``: loads through it use the read-only cache, and stores through other pointers do not make
the compiler load again. The qualifier promises that memory reached through the pointer changes only through it, so
memory that provably never changes may have it whoever else points there (C11, 6.7.3.1). The preconditions are those of
``__ldg`` (:mod:`.ldg`), which says the same of single loads; with the qualifier the compiler knows it too, and may
unroll and reorder.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Type

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.references import UsedVariable, is_written
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.cleanups.context import CleanupContext
from rexcc.lowering.cleanups.memory import Memory
from rexcc.lowering.cleanups.missed_reasons import written_by
from rexcc.lowering.model.launch import Argument
from rexcc.lowering.model.remarks import Reason
from rexcc.source.records import replace

_GLOBAL = frozenset({Kind.MAPPED, Kind.POINTER, Kind.DEVICE_POINTER})
_NO_POINTER = Reason("it is no pointer to memory of the device")


def restrict_read_only_parameters(context: CleanupContext) -> None:
    """Qualify every pointer parameter that qualifies."""
    kernel = context.kernel
    found = read_only_pointers(context)
    for attribute in kernel.data.attributes if context.explains else ():
        _tell(context, attribute)
    kernel.arguments = tuple(qualify(argument, found) for argument in kernel.arguments)
    kernel.read_only = frozenset(found)


def read_only_pointers(context: CleanupContext) -> tuple[UsedVariable, ...]:
    """Return the pointers that qualify."""
    return tuple(a.variable for a in context.kernel.data.attributes if _is_read_only(context, a))


def _is_read_only(context: CleanupContext, attribute: Attribute) -> bool:
    """Whether a variable is a pointer whose value a parameter has, to memory that nothing writes: a thread that flushes
    may see what the host or another kernel writes meanwhile."""
    memory = context.memory
    if context.kernel.flushes:
        return False
    if pointer_changes(attribute) is not None:
        return False
    return attribute.variable in context.unchanged or memory.all_apart(_pointed(attribute), memory.written)


def _tell(context: CleanupContext, attribute: Attribute) -> None:
    """Tell whether a pointer that the region only reads through has the qualifier; those it writes through speak for
    themselves."""
    name, first, places = attribute.variable.name, _first_use(attribute), _pointed(attribute)
    reason, written = pointer_changes(attribute), context.memory.written
    if _is_read_only(context, attribute):
        context.tell(f"'{name}' is a '__restrict__' parameter: nothing writes what it points to", first)
    elif reason is not _NO_POINTER and (written is None or not places <= written):
        reason = reason or _flushing(context) or written_by(context, places, context.memory.region.body, name)
        context.tell(f"'{name}' is loaded as memory that may change", first, reason)


def _flushing(context: CleanupContext) -> Reason | None:
    is_known = context.memory.written is not None  # else it is a call of which nothing is known
    return (
        Reason("the region's threads flush, and see what others write") if context.kernel.flushes and is_known else None
    )


def pointer_changes(attribute: Attribute) -> Reason | None:
    """Return why a variable is no pointer whose value a parameter has and nothing changes, None where it is one."""
    variable = attribute.variable
    if attribute.kind not in _GLOBAL or not _is_address(attribute):
        return _NO_POINTER
    if variable.written or variable.exposed or attribute.reduction:
        use = next((u for u in variable.uses if is_written(u) or is_exposed(u)), _first_use(attribute))
        return Reason("the pointer itself changes here, or its address is taken", use)
    if _is_volatile(types.without_reference(variable.cursor.type)):
        return Reason("it points to something volatile", _first_use(attribute))
    return None


def _first_use(attribute: Attribute) -> Node | None:
    return attribute.variable.uses[0] if attribute.variable.uses else None


def _pointed(attribute: Attribute) -> frozenset[Memory]:
    return frozenset({Memory(attribute.variable, True)})


def _is_address(attribute: Attribute) -> bool:
    return types.is_pointer(types.without_reference(attribute.variable.cursor.type)) or attribute.variable.decays


def _is_volatile(kind: Type) -> bool:
    return types.is_volatile(types.canonical(kind).get_pointee())


def qualify(argument: Argument, found: Iterable[UsedVariable]) -> Argument:
    """Return an argument with the qualifier if its parameter has the value of one of these pointers."""
    parameter = argument.parameter
    variable = next((v for v in found if parameter is not None and v == parameter.value_of), None)
    if parameter is None or variable is None or _is_restrict(variable):
        return argument
    return replace(argument, parameter=replace(parameter, is_restrict=True))


def _is_restrict(variable: UsedVariable) -> bool:
    """Whether the user's type has the qualifier, and the parameter's with it."""
    kind = types.canonical(types.without_reference(variable.cursor.type))
    return bool(kind.is_restrict_qualified())
