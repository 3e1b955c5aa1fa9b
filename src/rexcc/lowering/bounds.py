"""Bounds that the host evaluates, on their way into the kernel.

In: a region. Out: the lines with which the host evaluates them in front of the launch, the arguments that carry their
values, and how the kernel's loops name them. Before and after::

    for (int i = 0; i < field->n; i++)

    const int __rex_bound_of_i = field->n;                                          // host
    const int __rex_bound_of_i = rex_unpack<int>(__rex_bound_of_i_bytes);           // kernel
"""

from __future__ import annotations

from collections.abc import Callable

from rexcc.analysis.regions import TargetRegion
from rexcc.clang.tree import Node
from rexcc.lowering.arguments import by_value
from rexcc.lowering.body import DeviceBody
from rexcc.lowering.model import Argument


def bound_lines(region: TargetRegion) -> list[str]:
    """Return the host's lines that evaluate the bounds."""
    return [f"const {b.type} {b.name} = {region.unit.user_text(b.node)};" for b in region.host_bounds]


def bound_arguments(region: TargetRegion) -> tuple[Argument, ...]:
    """Return the arguments that carry the values, as bytes in place of an address."""
    return tuple(_argument(b.name, b.type, region.unit.user_text(b.node)) for b in region.host_bounds)


def _argument(name: str, kind: str, what: str) -> Argument:
    return by_value(name, kind, name, " ".join(what.split()), f"{name}_bytes", "sizeof(__UINT64_TYPE__)")


def bound_text(region: TargetRegion, body: DeviceBody) -> Callable[[Node], str]:
    """Return how the kernel writes an expression of a loop's header."""

    def text(node: Node) -> str:
        found = region.bound_of(node)
        return found.name if found is not None else body.edited_node(node)

    return text
