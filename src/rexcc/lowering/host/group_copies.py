"""Variables of contention groups in host versions (OpenMP 6.0, 7.13): a region is a contention group of its own.

In: a kernel. Out: which of these variables the host version has a copy of, under their name, and the lines that keep
the values of others, because functions use those, and bring them back behind the host version. Functions of other
files use the host's variables there.
"""

from __future__ import annotations

from collections.abc import Iterator

from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.references import UsedVariable
from rexcc.lowering.model.dependences import is_task
from rexcc.lowering.model.launch import Kernel
from rexcc.lowering.text.qualified import host_name
from rexcc.source.diagnostics import error
from rexcc.source.own_names import related

_AT_ONCE = frozenset({"parallel", "teams", "task", "taskloop"})
"""Leaves of the host in which several threads may execute the host version at once."""


def is_own_group(kernel: Kernel, attribute: Attribute) -> bool:
    """Whether an attribute is that of a variable of the file of which the host version has a copy."""
    variable = attribute.variable
    groups = kernel.region.unit.kept(GroupVariables)
    is_listed = attribute.kind is Kind.DEVICE_GLOBAL and groups.of(variable) is not None
    return is_listed and variable not in _of_functions(kernel)


def kept_groups(kernel: Kernel) -> list[str]:
    """Return the lines that keep the host's values of variables that functions of the region use.

    Raises CompileError where the host's threads may use the variables at the same time.
    """
    found = _of_functions(kernel)
    region = kernel.region
    around = {leaf for construct in region.construct.around() for leaf in construct.directive.leaves}
    if found and (is_task(region.construct.directive) or not _AT_ONCE.isdisjoint(around)):
        name = next(iter(found)).name
        message = f"this region may run while others use '{name}', which is groupprivate and used by functions that it "
        message += "calls; that cannot be lowered yet: leave out 'nowait' and 'depend', and move the region out of "
        message += "constructs of several threads, or use it in regions alone"
        raise error("unsupported-construct", message, region.construct.span)
    return [line for variable in found for line in (f"__typeof__({host_name(variable)}) {_kept(variable)};",
            _copied(_kept(variable), host_name(variable)))]  # fmt: skip


def groups_restored(kernel: Kernel) -> list[str]:
    """Return the lines behind the host version that bring the values back."""
    return [_copied(host_name(variable), _kept(variable)) for variable in _of_functions(kernel)]


def _copied(target: str, source: str) -> str:
    return f"__builtin_memcpy((void *)&{target}, (const void *)&{source}, sizeof {source});"


def _kept(variable: UsedVariable) -> str:
    return related("kept", variable.name)


def _of_functions(kernel: Kernel) -> dict[UsedVariable, None]:
    return dict.fromkeys(_used(kernel))


def _used(kernel: Kernel) -> Iterator[UsedVariable]:
    """Yield the variables of the file that functions of a region use, and the host's code too."""
    for one, _ in kernel.region.unit.kept(GroupVariables).used_by_functions(kernel.region.body):
        if not one.is_of_block and not one.is_device_only and one.cursor is not None:
            yield UsedVariable(one.cursor)
