"""Bounds that the host evaluates, on their way into the kernel.

In: a region. Out: the lines with which the host evaluates them in front of the launch, the arguments that carry their
values, and how the kernel's loops name them. Before and after::

    for (int i = 0; i < field->n; i++)

    const int __rex_bound_of_i = field->n;                                          // host
    const int __rex_bound_of_i = rex_unpack<int>(__rex_packed_bound_of_i);           // kernel

Where the device may have ``field->n``, a row looks its address up (``rex_lookups.h``), for the kernel to read it::

    const int __rex_bound_of_i = rex_device_value(__rex_address_bound_of_i, rex_unpack<int>(__rex_packed_bound_of_i));
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rexcc.analysis.evaluated_parts import is_behind_pointer, reads_behind_pointers
from rexcc.analysis.lookups import HostBound
from rexcc.analysis.loops import CanonicalLoop, Step
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.constancy import depends_on_constancy
from rexcc.clang.members import bits_of
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Declare
from rexcc.lowering.model.geometry import host_tripcount
from rexcc.lowering.model.host_values import NOTHING, Pointer, address_text
from rexcc.lowering.model.launch import Argument, MapRow, Parameter, by_value
from rexcc.lowering.model.map_types import LITERAL, MapFlag
from rexcc.lowering.text.body import DeviceBody
from rexcc.source.own_names import related
from rexcc.source.records import replace


def waiting_lines(region: TargetRegion) -> list[str]:
    """Return the host's lines that wait for kernels which may write what the bounds read behind pointers."""
    if region.merged:
        return []  # the host's trip count decides no more than how many threads there are
    counted = [loop for loop in region.loops if host_tripcount(region, loop)]
    parts = [n for loop in counted for n in (loop.lower, loop.bound, loop.step_node) if n is not None]
    parts += [bound.node for bound in region.host_bounds if not bound.guard]
    reads = [read for part in parts for read in reads_behind_pointers(region.unit, part) or ()]
    texts = (_address(region, read) for read in reads if is_behind_pointer(read))
    return [f"rex_host_reads({text});" for text in dict.fromkeys(texts)]


def _address(region: TargetRegion, read: Node) -> str:
    return address_text(" ".join(region.unit.user_text(read).split()), read.type)


def bound_lines(region: TargetRegion) -> list[str]:
    """Return the host's lines that evaluate the bounds."""
    return [f"{_kind(b)} {b.name} = {_guarded(b, region.unit.user_text(b.node))};" for b in region.host_bounds]


def _kind(bound: HostBound) -> str:
    """Return the type of a bound's variable: a constant would ask for the value that a compiler computes."""
    return f"{'' if depends_on_constancy(bound.node.cursor) else 'const '}{bound.type}"


def _guarded(bound: HostBound, text: str) -> str:
    return f"({bound.guard} ? {text} : 0)" if bound.guard else text


def bound_arguments(region: TargetRegion) -> tuple[Argument, ...]:
    """Return the arguments that carry the values, as bytes in place of an address."""
    return tuple(argument for bound in region.host_bounds for argument in _arguments(region, bound))


def _arguments(region: TargetRegion, bound: HostBound) -> Iterator[Argument]:
    text = " ".join(region.unit.user_text(bound.node).split())
    value = by_value(bound.name, bound.type, bound.name, text, related("packed", bound.name), "__UINT64_TYPE__")
    if not bound.is_looked_up:
        yield value
        return
    assert value.parameter is not None
    yield Argument(value.row, Parameter(value.parameter.type, value.parameter.name))
    name, passed = related("address", bound.name), f"rex_unpack<{bound.type}>({value.parameter.name})"
    bits = bits_of(bound.node)
    if bits is None:
        place, chosen = f"&{text}", f"rex_device_value<{bound.stored}>({name}, {passed})"
    else:
        place = f"(const char *){_object(region, bound.node)} + {bits.byte}"
        chosen = f"rex_device_bits<{bound.stored}, {bits.first}, {bits.count}>({name}, {passed})"
    found = Pointer(_guarded(bound, place), is_unary=bits is None and not bound.guard)
    flags, reason = (*LITERAL, MapFlag.LOOKED_UP), "looked up, the bound is the device's"
    row = MapRow(found, found, NOTHING, flags, text, reason=reason)
    line = Declare(f"const {bound.type} {bound.name}", bound.name, chosen)
    yield Argument(row, Parameter("const void *", name, (line,)))


def _object(region: TargetRegion, member: Node) -> str:
    """Return the address of the object whose member an expression names."""
    inner = [child for child in member.children if child.kind != "TYPE_REF"]
    if not inner:
        return "this"
    text = f"({region.unit.user_text(inner[0])})"
    return text if types.is_pointer(inner[0].type) else address_text(text, inner[0].type)


def name_looked_up(region: TargetRegion, body: DeviceBody) -> None:
    """Put the names of what is looked up in the places of what the user wrote."""
    for bound in region.host_bounds:
        if bound.is_looked_up:
            body.edits.rewrite(body.start(bound.node), body.end(bound.node), bound.name)


def bound_text(region: TargetRegion, body: DeviceBody) -> Callable[[Node], str]:
    """Return how the kernel writes an expression of a loop's header."""

    def text(node: Node) -> str:
        found = region.bound_of(node)
        return found.name if found is not None else body.edited_node(node)

    return text


def with_steps_on_device(region: TargetRegion, text: Callable[[Node], str]) -> TargetRegion:
    """Return the region with the steps that the kernel evaluates as the kernel writes them."""
    known = {id(node) for bound in region.host_bounds for node in bound.node.walk()}

    def step_of(loop: CanonicalLoop) -> Step:
        node = loop.step_node
        if node is None or loop.step.value is not None or any(id(n) in known for n in node.walk()):
            return loop.step
        return replace(loop.step, written=text(node))

    return replace(region, loops=tuple(replace(loop, step=step_of(loop)) for loop in region.loops))
