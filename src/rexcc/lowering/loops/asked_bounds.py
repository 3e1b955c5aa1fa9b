"""Which kernels ask whether their bounds are the host's, and have a form for the launches in which they are.

In: a kernel with loops over the grid, whose headers read objects that the device may have (``field->n``, a member of
``*this``). Out: the conditions that the kernel's start asks, and its arguments for two forms. Such a bound is looked up
(:mod:`rexcc.analysis.lookups`): the kernel goes by the device's value, so nothing that the host counts can be relied
on. But hardly ever are the two different, and the kernel can tell. Its code is one template of the type of the numbers
(:mod:`.narrow_nests`), and one kernel has both::

    if (((rex_is_hosts<int>(__rex_address_bound_of_i, rex_unpack<int>(__rex_packed_bound_of_i))) & …) == 0) {
      …code__<long long>(…);
      return;
    }
    …code__<rex_narrow_number>(…);

In the second the bounds are the host's values. What the host has counted and made for them is right then: no thread has
a second iteration, numbers have 32 bits, divisions are multiplications, as in kernels whose bounds travel by value. The
first goes by the device's values alone, as kernels with such bounds do that ask nothing.

It cannot be seen: a thread of the second form goes by a number that it has found to be the device's value. In both
forms each iteration has a thread, in the second by the rules of :mod:`.single_iteration`, in the first because threads
come around. Threads of one launch may differ only where the object changes while it runs, which is a race with the
header's read in any form. Up to 2^30 iterations the numbers fit, which nests ask for, too. No thread waits for another
in these kernels.

Kernels stay as they are whose inner loops have conditions. Bounds that a condition guards, that are parts of a byte,
volatile or not aligned stay as they are. So do instances of templates, which share a launch, and iterations that are
long to compile (:func:`.narrow_nests.may_have_two_forms`).
"""

from __future__ import annotations

from rexcc.analysis.lookups import HostBound
from rexcc.analysis.loops import CanonicalLoop
from rexcc.clang import types
from rexcc.clang.members import is_bit_field, is_unaligned
from rexcc.clang.tree import LOOP_KINDS, Node
from rexcc.kernel.ir import Declare
from rexcc.lowering.loops.last_values import last_items
from rexcc.lowering.loops.narrow_nests import NUMBER, may_have_two_forms
from rexcc.lowering.loops.nests import Divided, count_argument, divided_nest
from rexcc.lowering.loops.single_iteration import has_chosen_grid, is_known_to_host
from rexcc.lowering.model.launch import Argument, Kernel
from rexcc.source.own_names import related
from rexcc.source.records import replace


def may_ask(kernel: Kernel) -> bool:
    """Whether a kernel may ask for the host's bounds, and knows as much as the host then."""
    region = kernel.region
    looked_up = _looked_up(kernel)
    if not looked_up or not all(map(_is_plain, looked_up)) or region.owner.template is not None:
        return False
    if not has_chosen_grid(kernel) or not may_have_two_forms(kernel) or last_items(region):
        return False
    if _has_conditions_in_loops(region.iteration):
        return False
    return all(_is_counted(kernel, loop) for loop in region.loops)


def _has_conditions_in_loops(iteration: Node) -> bool:
    """Whether inner loops have conditions in each iteration, where threads wait for memory in turn: then threads count
    that a multiprocessor holds at once, and two forms in one kernel need more registers for each."""
    loops = (node for node in iteration.walk() if node.kind in LOOP_KINDS)
    return any(inside.kind == "IF_STMT" for loop in loops for inside in loop.walk())


def ask(kernel: Kernel, *others: str) -> None:
    """Have a kernel ask, for ``others`` too, and give its bounds the values of its two forms."""
    looked_up = _looked_up(kernel)
    kernel.asks = (*(f"rex_is_hosts<{b.stored}>({_address(b)}, {_passed(b)})" for b in looked_up), *others)
    declared = {_address(bound): _in_forms(bound) for bound in looked_up}
    kernel.arguments = tuple(_declaring(argument, declared) for argument in kernel.arguments)


def divided_by_form(kernel: Kernel, order: tuple[CanonicalLoop, ...]) -> Divided:
    """Return what the host makes for a nest of such a kernel: how many iterations it has, and for each inner extent
    that only the run knows a divisor, of which there is none where the bounds are not the host's."""
    made = divided_nest(kernel, order, is_asked=True)
    count, *divisors = made.arguments or (count_argument(),)
    return Divided((count, *map(_by_form, divisors)), made.names)


def _by_form(argument: Argument) -> Argument:
    parameter = argument.parameter
    assert parameter is not None
    (line,) = parameter.prologue
    assert isinstance(line, Declare)
    made = Declare(f"const auto {line.name}", line.name, f"rex_divisor_of<{NUMBER}>({line.value})")
    return Argument(argument.row, replace(parameter, prologue=(made,)))


def _looked_up(kernel: Kernel) -> tuple[HostBound, ...]:
    return tuple(bound for bound in kernel.region.host_bounds if bound.is_looked_up)


def _is_plain(bound: HostBound) -> bool:
    """Whether a bound is a number in memory of its own that is always read, at a place for such numbers."""
    nodes = (bound.node, *bound.again)
    if bound.guard or bound.stored == "bool" or any(map(is_bit_field, nodes)):
        return False
    return not any(is_unaligned(node) or types.is_volatile(node.type) for node in nodes)


def _is_counted(kernel: Kernel, loop: CanonicalLoop) -> bool:
    """Whether an index has no more than 32 bits, and the host counts as many iterations where bounds are the same."""
    if not loop.is_integer or loop.is_wide or loop.type_text or loop.converted.order:
        return False
    return is_known_to_host(kernel.region, kernel.data, loop, is_asked=True)


def _address(bound: HostBound) -> str:
    return related("address", bound.name)


def _passed(bound: HostBound) -> str:
    return f"rex_unpack<{bound.type}>({related('packed', bound.name)})"


def _in_forms(bound: HostBound) -> Declare:
    value = f"rex_bound_of<{NUMBER}, {bound.stored}>({_address(bound)}, {_passed(bound)})"
    return Declare(f"const {bound.type} {bound.name}", bound.name, value)


def _declaring(argument: Argument, declared: dict[str, Declare]) -> Argument:
    parameter = argument.parameter
    if parameter is None or parameter.name not in declared:
        return argument
    return Argument(argument.row, replace(parameter, prologue=(declared[parameter.name],)))
