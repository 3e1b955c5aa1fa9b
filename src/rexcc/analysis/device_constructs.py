"""Which constructs of a unit this compiler answers for.

In: a parsed unit. Out: its constructs, and of these the ones that speak to a device or stand in a region for one. All
others are the host compiler's, and so are the rules about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit

_TASKS = frozenset({"task", "taskloop"})
_TARGET_TASKS = frozenset(
    {"target", "target data", "target enter data", "target exit data", "target update", "dispatch", "interop"}
)
_OF_OTHER_TASKS = ("device", "if", "in_reduction", "priority")


def all_constructs(unit: ParsedUnit) -> Iterator[Construct]:
    """Yield every construct of every function, outer before inner."""
    for function in unit.functions:
        yield from function.walk()


def is_region(construct: Construct) -> bool:
    """Whether a construct starts a target region."""
    return construct.directive.leaves[0] == "target"


def is_kernel(construct: Construct) -> bool:
    """Whether a construct becomes a kernel."""
    return is_region(construct) and construct.body is not None


def region_bodies(constructs: Iterable[Construct]) -> list[Node]:
    """Return the statements of those constructs that become kernels."""
    return [construct.body for construct in constructs if is_region(construct) and construct.body is not None]


def is_ours(construct: Construct) -> bool:
    """Whether a construct is a target construct, for code or data, or stands in a target region."""
    return construct.directive.leaves[0].split(" ")[0] == "target" or any(map(is_region, construct.around()))


def makes_queued_tasks_only(unit: ParsedUnit) -> bool:
    """Whether all tasks that constructs of the unit make are those of kernels and updates for the default device, which
    one queue can execute in order: then a ``taskwait`` in it mostly has no others to wait for."""
    return all(_is_of_default_device(c) for c in all_constructs(unit) if _makes_task(c))


def _makes_task(construct: Construct) -> bool:
    directive = construct.directive
    return not _TASKS.isdisjoint(directive.leaves) or (directive.has("nowait") and directive.leaves[0] in _TARGET_TASKS)


def _is_of_default_device(construct: Construct) -> bool:
    is_queued = is_kernel(construct) or construct.directive.name == "target update"
    return is_queued and not any(map(construct.directive.has, _OF_OTHER_TASKS))


def may_defer_tasks(unit: ParsedUnit) -> bool:
    """Whether target tasks may be deferred (OpenMP 5.2, 13.8 and 15.6): then libomp needs threads for them."""
    directives = (construct.directive for construct in all_constructs(unit))
    return any(d.name.startswith("target") and d.has("nowait") for d in directives)
