"""Bounds and steps of a combined construct's loops that the host evaluates.

In: a target construct that is itself the worksharing construct, with its loops. Out: the expressions of their headers
that read more than plain variables. The host evaluates them once, before the launch, and the kernel gets the values, as
clang does for combined constructs: on the device an object may be present in part only, and functions of the host, such
as ``size()`` of a container, do not exist. How often such an expression is evaluated is unspecified (OpenMP 5.2,
4.4.1), so the host version may do it again.

What only the device can read stays there: memory behind ``is_device_ptr`` and objects of ``has_device_addr``. So do
bounds that depend on the region's own variables, and headers that stand in the code between collapsed loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rexcc.analysis.loops import CanonicalLoop
from rexcc.analysis.nests import inner_headers
from rexcc.analysis.references import collect
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import Node
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.source.records import dataclass

_READING = frozenset({"MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "CALL_EXPR", "CXX_THIS_EXPR", "CXX_MEMBER_CALL_EXPR"})
_ON_DEVICE = ("is_device_ptr", "has_device_addr")
_TYPES = {
    "CHAR_U": "char", "CHAR_S": "char", "SCHAR": "signed char", "UCHAR": "unsigned char", "SHORT": "short",
    "USHORT": "unsigned short", "INT": "int", "UINT": "unsigned int", "LONG": "long", "ULONG": "unsigned long",
    "LONGLONG": "long long", "ULONGLONG": "unsigned long long", "BOOL": "int",
}  # fmt: skip
"""How the types of such values are written in all languages: the user's names may not be known where they are used."""


@dataclass(frozen=True, eq=False)
class HostBound:
    """An expression of a loop's header, and the variable of the type ``type`` that has its value everywhere."""

    node: Node
    name: str
    type: str


def reads_objects(node: Node) -> bool:
    """Whether an expression has a value that more than plain variables decide."""
    below = node.walk()
    return any(n.kind in _READING or (n.kind == "UNARY_OPERATOR" and n.operator == "*") for n in below)


def host_bounds(
    unit: ParsedUnit, construct: Construct, loops: tuple[CanonicalLoop, ...]
) -> tuple[tuple[CanonicalLoop, ...], tuple[HostBound, ...]]:
    """Return the loops of a combined construct, and what the host evaluates of their headers.

    A step that it evaluates has the variable's name in the loop's ``step``, with the sign that it had.
    """
    later = inner_headers(loops)
    on_device = device_variables([construct])
    found: list[HostBound] = []
    kept: list[CanonicalLoop] = []
    for loop in loops:
        here = [] if loop in later else list(_bounds_of(loop, construct, on_device))
        found += here
        step = next((b for b in here if b.node is loop.step_node), None)
        kept.append(loop if step is None else replace(loop, step=_signed(unit, loop, step)))
    return tuple(kept), tuple(found)


def _bounds_of(loop: CanonicalLoop, construct: Construct, on_device: frozenset[int]) -> Iterator[HostBound]:
    if not loop.is_integer:
        return
    parts = (("lower", loop.lower), ("bound", loop.bound), ("step", loop.step_node))
    for what, node in parts:
        if node is None or not reads_objects(node) or evaluate_integer(node.cursor) is not None:
            continue
        written = _written_type(node)
        if written is not None and _is_of_host(node, construct, on_device):
            yield HostBound(node, f"__rex_{what}_of_{loop.name}", written)


def _written_type(node: Node) -> str | None:
    """Return how an integer's type is written, None for a type of another kind."""
    kind = types.canonical(types.without_reference(node.bare().type))
    if types.kind_name(kind) == "ENUM":
        kind = types.canonical(kind.get_declaration().enum_type)
    return _TYPES.get(types.kind_name(kind))


def _is_of_host(node: Node, construct: Construct, on_device: frozenset[int]) -> bool:
    """Whether all variables that an expression names are the host's, and exist in front of the directive."""
    assert construct.body is not None
    for variable in collect([node]).variables.values():
        place = node.tree.node(variable.cursor)
        inside = place.file == construct.body.file and construct.body.start <= place.start < construct.body.end
        if inside or variable.key in on_device:
            return False
    return True


def device_variables(constructs: Iterable[Construct]) -> frozenset[int]:
    """Return the variables of which a clause says that the device has them, or what they point to, by their keys."""
    items = (item for construct in constructs for item in construct.items(*_ON_DEVICE))
    return frozenset(item.key for item in items if item.key is not None)


def _signed(unit: ParsedUnit, loop: CanonicalLoop, step: HostBound) -> str:
    """Return a step's name with the sign that the loop gives its text."""
    text = unit.user_text(step.node)
    return f"(-{step.name})" if loop.step in (f"(-{text})", f"(-({text}))") and loop.step != f"({text})" else step.name


def parts_without(top: Node, left_out: frozenset[Node]) -> Iterator[Node]:
    """Yield a tree's largest parts that contain none of some nodes."""
    if top in left_out:
        return
    if not any(n in left_out for n in top.walk()):
        yield top
        return
    for child in top.children:
        yield from parts_without(child, left_out)
