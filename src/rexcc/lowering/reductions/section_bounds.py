"""The bounds of reduced sections in a kernel, and how many elements lie between them.

In: a list item with brackets. Out: :class:`Bounds`, which makes arguments of what only the run knows; the elements, the
memory for private ones of which the launch brings some for each thread, and their bytes on the host.
"""

from __future__ import annotations

from functools import partial

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.lowering.model.host_values import Size, pointer
from rexcc.lowering.model.launch import Argument, MapRow, Parameter, by_value
from rexcc.lowering.model.map_types import SCRATCH
from rexcc.lowering.reductions.array_reductions import Amount, SectionRange, section_range
from rexcc.lowering.reductions.reduction_clauses import written
from rexcc.openmp.model import Expression, ListItem
from rexcc.program.constructs import Construct
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, field
from rexcc.target.model import Words


@dataclass
class Bounds:
    """The bounds of a section in the kernel: constants as numbers, values of the run as literals of their own."""

    name: str
    construct: Construct
    words: Words
    found: dict[Expression, str] = field(default_factory=dict)
    arguments: list[Argument] = field(default_factory=list)

    def amount(self, expression: Expression) -> Amount:
        """Return a bound's value in the kernel."""
        value = self.construct.value_of(expression)
        if value is not None:
            return Amount.of(value)
        if expression not in self.found:
            self.found[expression] = local = related("section", f"{len(self.found)}_{self.name}")
            made = by_value(local, "long long", f"({written(expression)})", f"bound of {self.name}")
            self.arguments.append(made)
        return Amount(self.found[expression], is_operand=True)


def section_size(construct: Construct, item: ListItem, kind: Type, host: str) -> str:
    """Return the bytes of a section's elements on the host."""
    count = section_range(construct, item, kind, partial(Amount.written, construct)).count.text
    return f"sizeof {host}{'[0]' * types.shape_of(kind).dimensions} * (__SIZE_TYPE__)({count})"


def section_elements(
    bounds: Bounds, item: ListItem, kind: Type, host: str, is_shared: bool
) -> tuple[SectionRange, str]:
    """Return the elements of a section, and the storage of a thread's (or team's) own where the run knows their number.

    ``host`` is what the host calls the variable. What the kernel needs for that is added to the bounds' arguments.
    """
    elements = section_range(bounds.construct, item, kind, bounds.amount)
    if elements.constant is not None:
        return elements, ""
    count = section_range(bounds.construct, item, kind, partial(Amount.written, bounds.construct)).count.text
    bounds.arguments.append(_room(bounds.name, host, kind, count))
    words = bounds.words
    number = f"(long long){words.block}" if is_shared else f"((long long){words.number_in_grid()})"
    return elements, f"{related('room', bounds.name)} + {number} * {elements.count.operand}"


def _room(name: str, host: str, kind: Type, count: str) -> Argument:
    """Return the argument that gives all threads their private elements: device memory for the time of the launch."""
    shape = types.shape_of(kind)
    size = f"sizeof {host}{'[0]' * shape.dimensions} * (__SIZE_TYPE__)({count}) * _num_blocks_ * _threads_per_block_"
    row = MapRow(pointer(host), pointer(host), Size(size), SCRATCH, f"private elements of {name}")
    return Argument(row, Parameter(f"{spelling.spell_bare(shape.element)} *", related("room", name)))
