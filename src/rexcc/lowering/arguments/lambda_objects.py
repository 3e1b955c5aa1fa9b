"""Objects of lambdas that have names, as regions of templates get them (``transformation/lambdas``).

In: a region's variables. Out: the host's lines that make the object that the device gets, in which captured pointers
are those of mapped memory, and the name of that object. What a lambda refers to is mapped until the region has been
executed, so a task is not deferred where that had to be mapped. Nobody can change such an object: its call operator is
``const``, and its members have names that no program knows. So a copy is as good as the object itself, whatever clause
maps it. A ``mutable`` one changes the device's copy, which all threads have in common where no clause says that it is
private; it does not come back.
"""

from __future__ import annotations

from rexcc.analysis.attributes import Kind
from rexcc.analysis.lambda_values import is_lambda_object
from rexcc.analysis.references import UsedVariable
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.qualified import host_name
from rexcc.program.unit import ParsedUnit
from rexcc.source.own_names import related

_CAPTURES = "__rex_captures"
_TRAVELLING = (Kind.FIRSTPRIVATE, Kind.MAPPED, Kind.MAPPED_IMPLICITLY)


def place_name(unit: ParsedUnit, variable: UsedVariable) -> str:
    """Return the host's name of what a device gets of a variable."""
    is_object = is_lambda_object(unit, variable.cursor.type)
    return related("there", variable.name) if is_object else host_name(variable)


def objects(kernel: Kernel) -> list[str]:
    """Return the host's names of the lambdas' objects of which the device gets others."""
    return [
        host_name(a.variable)
        for a in kernel.data.attributes
        if a.kind in _TRAVELLING and is_lambda_object(kernel.region.unit, a.variable.cursor.type)
    ]


def object_lines(kernel: Kernel, *, is_deferrable: bool, wanted: str) -> list[str]:
    """Return the host's lines that make the objects for the device; those of a task are mapped when it may run.
    ``wanted`` names what tells whether an ``if`` clause wants the device, empty without such a clause."""
    names = objects(kernel)
    lines = [
        f"const auto &{related('there', name)} = rex_there<decltype({name})>({name}, {_CAPTURES}).object;"
        for name in names
    ]
    if not names:
        return []
    task = ", &__rex_task" if is_deferrable else ""
    added = [f"{_CAPTURES}.add({name});" for name in names]
    given = ", ".join(filter(None, ("__device_id", wanted)))
    begun = f"{_CAPTURES}.begin(&__rex_place{task}); /* what they refer to is mapped until the kernel has run */"
    return [f"rex_captures {_CAPTURES}({given});", *added, begun, *lines]


def waits_for_captures(kernel: Kernel) -> list[str]:
    """Return the host's line that keeps a task with such objects from running later than they are mapped."""
    return [f"__rex_task.deferred &= {_CAPTURES}.has_none();"] if objects(kernel) else []


def end_of_captures(kernel: Kernel) -> list[str]:
    """Return the host's line behind a launch that unmaps what was mapped for it: its host version may change that."""
    return [f"{_CAPTURES}.end();"] if objects(kernel) else []
