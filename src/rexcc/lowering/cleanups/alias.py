"""Which memory of a kernel is provably apart.

In: a region with its attributes. Out: :class:`KernelMemory`, which tells where an expression's memory is, what code
writes and reads, and whether two places can overlap. A proof is one of: two variables are two objects; one is constant;
both are list items of one construct's map clauses, which OpenMP forbids to overlap (5.2, 5.8.3); the user promised it
by ``restrict``; nothing ever took the variable's address.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, lru_cache

from rexcc.analysis.addresses import is_exposed
from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.lambda_values import may_be_bound
from rexcc.analysis.references import is_written
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.unreachable_objects import is_unreachable_object
from rexcc.clang import types
from rexcc.clang.tree import VARIABLE_KINDS, Node, Tree, kind_of
from rexcc.lowering.cleanups.effects import EffectReader, Effects, Functions
from rexcc.lowering.cleanups.memory import NOWHERE, OWN, Memory, Places, Provenance, is_pointer_variable, union
from rexcc.openmp.model import ListItem
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable

_BY_VALUE = frozenset({Kind.VALUE, Kind.CONSTANT, Kind.PRIVATE})
_POINTERS = frozenset({Kind.POINTER, Kind.DEVICE_POINTER})


class KernelMemory:
    """What is known of one kernel's memory."""

    def __init__(self, region: TargetRegion, data: RegionData) -> None:
        self.region = region
        self.data = data
        self.provenance = Provenance(region.body, _Arguments(region, data))
        self._reader = EffectReader(self.provenance, Functions(region.unit.tree))
        self._constructs = [region.construct, *_enclosing_data(region.construct)]
        self._listed: dict[int, frozenset[Memory]] = {}
        self._own_objects: dict[Variable, bool] = {}

    def effects(self, node: Node) -> Effects:
        """Return what a piece of the region may write and read."""
        return self._reader.effects(node)

    def of_node(self, node: Node) -> Effects:
        """Return what one node writes and reads, without those below it."""
        return self._reader.of_node(node)

    def of_node_without(self, node: Node, left_out: frozenset[Node]) -> Effects:
        """Return what one node writes and reads, but for what a call does through some of its arguments."""
        return self._reader.of_node_without(node, left_out)

    @property
    def tree(self) -> Tree:
        """The tree of the unit."""
        return self.region.unit.tree

    def maps_whole(self, pointer: Variable) -> bool:
        """Whether a construct around the region maps whole objects of those that a pointer leads to."""
        return any(
            Memory(pointer, True) in self._items(construct) and _has_one_section(construct, pointer)
            for construct in self._constructs
        )

    @cached_property
    def written(self) -> Places:
        """Everything the whole kernel may write, results of reductions and last values included."""
        reduced = [a.variable for a in self.data.attributes if a.reduction or a.last]
        results = frozenset(Memory(v, is_pointer_variable(v)) for v in reduced)
        return union(self.effects(self.region.body).written, results)

    def writers(self, places: Places, top: Node) -> Iterator[Node]:
        """Yield the nodes in a piece of the region that may write some of these places."""
        return (n for n in top.walk() if not self.all_apart(places, self._reader.of_node(n).written))

    def all_apart(self, places: Places, others: Places) -> bool:
        """Whether no memory of the first can overlap any of the second."""
        if others == NOWHERE or places == NOWHERE:
            return True
        if places is None or others is None:
            return False
        return all(self.apart(a, b) for a in places for b in others)

    def apart(self, first: Memory, second: Memory) -> bool:
        """Whether two memories, of which one is written, cannot overlap."""
        if OWN in (first, second):
            return first != second
        if None in (first.variable, second.variable) or first.variable == second.variable:
            return False
        return (
            (_is_object(first) and _is_object(second))
            or _is_constant(first)
            or _is_constant(second)
            or self._listed_together(first, second)
            or self._restricted(first, second)
            or self._unreachable(first)
            or self._unreachable(second)
        )

    def _listed_together(self, first: Memory, second: Memory) -> bool:
        return any({first, second} <= self._items(c) for c in self._constructs)

    def _items(self, construct: Construct) -> frozenset[Memory]:
        """Return the list items of a construct whose variables still mean the same in the region."""
        known = self._listed.get(id(construct))
        if known is None:
            outer = construct is not self.region.construct
            found = [m for m in _list_items(construct) if not outer or self._lasts(construct, m)]
            known = self._listed[id(construct)] = frozenset(found)
        return known

    def _lasts(self, construct: Construct, item: Memory) -> bool:
        """Whether a variable keeps its value from an enclosing construct's start to the region."""
        variable = item.variable
        if not item.pointee or variable is None or construct.body is None:
            return True
        if variable.is_global or may_be_bound(variable):
            return False
        changes = _changes_in(self.region.owner.node)
        inside = range(construct.body.start, construct.body.end)
        return variable not in changes.exposed and not any(p in inside for p in changes.written.get(variable, ()))

    def _restricted(self, first: Memory, second: Memory) -> bool:
        """Whether one is a ``restrict`` parameter's and the other is a parameter's or an object of its own."""
        return any(
            self._is_parameter(a) and _promises(a) and (self._is_parameter(b) or _is_object(b))
            for a, b in ((first, second), (second, first))
        )

    def _is_parameter(self, memory: Memory) -> bool:
        variable = memory.variable
        if not memory.pointee or variable is None or kind_of(variable.cursor) != "PARM_DECL":
            return False
        changes = _changes_in(self.region.owner.node)
        owned = variable in map(Variable, self.region.owner.node.cursor.get_arguments())
        return owned and variable not in changes.exposed and variable not in changes.written

    def _unreachable(self, memory: Memory) -> bool:
        """Whether memory is a local scalar, or object of a class, that no pointer can point to."""
        variable = memory.variable
        if variable is None or not _is_object(memory) or variable.is_global:
            return False
        if types.is_record(variable.type):
            if variable not in self._own_objects:
                found = is_unreachable_object(self.region.unit, self.region.owner, variable)
                self._own_objects[variable] = found
            return self._own_objects[variable]
        return types.is_scalar(variable.type) and variable not in _changes_in(self.region.owner.node).exposed


class _Arguments:
    """A region's boundary: what the kernel gets as arguments."""

    def __init__(self, region: TargetRegion, data: RegionData) -> None:
        self.data = data
        self.indices = {loop.index for loop in region.loops}
        is_shared = region.is_worksharing and not region.has_inner_parallel
        self.is_plain_loop = bool(region.loops) and is_shared and not region.constructs[-1].children

    def storage(self, variable: Variable) -> Places:
        """Values, private variables, copies for reductions and last values are the thread's own; the rest is mapped."""
        attribute = self.data.of(variable)
        if variable in self.indices or (attribute is not None and _is_own(attribute)):
            return frozenset({OWN})
        if attribute is not None and attribute.last and self.indices:
            return frozenset({OWN})
        return frozenset({Memory(variable, False)})

    def target(self, pointer: Variable) -> Places:
        """A pointer that is passed as a device address points to its own mapped memory, and one of which a section is
        reduced to private elements, where threads share a loop and nothing else."""
        attribute = self.data.of(pointer)
        if attribute is not None and attribute.reduction:
            return frozenset({OWN}) if self.is_plain_loop else None
        if attribute is None or attribute.copied:
            return None
        if not _is_device_address(attribute):
            return None
        return frozenset({Memory(pointer, True)})


def _is_own(attribute: Attribute) -> bool:
    if attribute.kind in _BY_VALUE or attribute.copied or attribute.reduction:
        return True
    return is_pointer_variable(attribute.variable) and _is_device_address(attribute)


def _is_device_address(attribute: Attribute) -> bool:
    """Whether the kernel gets a pointer's value, translated to the device, not the pointer's own storage."""
    if attribute.kind is Kind.MAPPED:
        return all(item.sections for _, item, _ in attribute.map_items)
    written_as_array = types.is_array(attribute.variable.cursor.type)
    return attribute.kind in _POINTERS or (attribute.kind is Kind.MAPPED_IMPLICITLY and written_as_array)


def _is_object(memory: Memory) -> bool:
    """Whether memory is a variable's own storage, not what a pointer or reference leads to."""
    return not memory.pointee and memory.variable is not None and not may_be_bound(memory.variable)


def _is_constant(memory: Memory) -> bool:
    """Whether memory is a constant of a scalar type, or an array of such: nothing that is written can be it."""
    kind = memory.variable.type if memory.variable is not None and _is_object(memory) else None
    if kind is None or types.is_pointer(kind):
        return False
    constant = str(kind.get_canonical().spelling).startswith("const ")  # clang does not tell it of an array otherwise
    return constant and types.is_scalar(types.shape_of(kind).element)


def _promises(memory: Memory) -> bool:
    return memory.variable is not None and bool(memory.variable.type.is_restrict_qualified())


def _enclosing_data(construct: Construct) -> list[Construct]:
    return [above for above in construct.around() if above.directive.name == "target data"]


def _list_items(construct: Construct) -> list[Memory]:
    """Return what a construct's map clauses list, as memory; a combined construct's reduction maps its items too."""
    found: list[Memory] = []
    for listed in construct.items("map", "reduction", "in_reduction"):
        variable, item = listed.whole_variable, listed.item
        if variable is None or kind_of(variable.cursor) not in VARIABLE_KINDS or not _has_extent(construct, item):
            continue
        pointer = is_pointer_variable(variable)
        if item.sections or not (pointer or types.is_record(variable.type)):  # a whole structure may hold another item
            found.append(Memory(variable, pointer))
    return found


def _has_one_section(construct: Construct, pointer: Variable) -> bool:
    listed = [item for item in construct.items("map") if item.whole_variable == pointer]
    return bool(listed) and all(len(item.item.sections) == 1 for item in listed)


def _has_extent(construct: Construct, item: ListItem) -> bool:
    """Whether an item's sections say how much is used: lengths of 0 and 1 are often only handles to more."""
    for section in item.sections:
        length = section.length
        constant = construct.value_of(length)
        if section.is_index:
            return False
        if constant is not None and constant < 2:
            return False
    return True


class _Changes:
    """Where a function writes its variables (offsets), and which have their address taken; what a lambda writes is
    written whenever that is called."""

    def __init__(self, function: Node) -> None:
        self.written: dict[Variable, list[int]] = {}
        self.exposed: set[Variable] = set()
        nodes = list(function.walk())
        in_lambdas = {inner for node in nodes if node.kind == "LAMBDA_EXPR" for inner in node.walk()}
        for node in nodes:
            target = node.referenced if node.kind == "DECL_REF_EXPR" else None
            if target is None or kind_of(target) not in VARIABLE_KINDS:
                continue
            if is_written(node):
                self.written.setdefault(Variable(target), []).append(node.start)
            if is_exposed(node) or (is_written(node) and node in in_lambdas):
                self.exposed.add(Variable(target))


@lru_cache(maxsize=1)
def _changes_in(function: Node) -> _Changes:
    """Remembered for the function at hand: its regions come one after another."""
    return _Changes(function)
