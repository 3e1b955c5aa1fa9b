"""Which constructs of a unit this compiler answers for.

In: a parsed unit. Out: its constructs, and of these the ones that speak to a device or stand in a region for one. All
others are the host compiler's, and so are the rules about them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit


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


def may_defer_tasks(unit: ParsedUnit) -> bool:
    """Whether target tasks may be deferred (OpenMP 5.2, 13.8 and 15.6): then libomp needs threads for them."""
    directives = (construct.directive for construct in all_constructs(unit))
    return any(d.name.startswith("target") and d.has("nowait") for d in directives)
