"""Arguments of single variables, by what the rules of OpenMP make of them.

In: a region's variables, each with its attribute. Out: arguments, and the declarations of what the kernel has of its
own. What is passed by address is bound to a reference of the user's name, what is passed by value to a local.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.copies_made import copies_are_bytes, copies_are_bytes_that_end
from rexcc.analysis.indirect import indirect_functions
from rexcc.analysis.lambda_values import is_lambda_object, is_mutable
from rexcc.analysis.partial_objects import may_be_there_in_part, members_used, numbers_read, this_may_be_there_in_part
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Declare, Stmt
from rexcc.lowering.arguments.lambda_objects import place_name
from rexcc.lowering.arguments.literals import (
    count_words,
    is_own_copy,
    is_provably_read,
    is_provably_unmapped,
    words_of_copy,
    words_of_lambda,
)
from rexcc.lowering.arguments.parameters import Binder
from rexcc.lowering.arguments.private_copies import is_on_device
from rexcc.lowering.arguments.read_members import read_members
from rexcc.lowering.arguments.words import copy_in_words, object_in_words
from rexcc.lowering.maps.device_addresses import has_device_name
from rexcc.lowering.maps.items import Item
from rexcc.lowering.maps.iterated import row_loops
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.dependences import is_task
from rexcc.lowering.model.host_values import NOTHING, POINTER_SIZE, Pointer, address, address_of, pointer, size_of
from rexcc.lowering.model.launch import Argument, MapRow
from rexcc.lowering.model.map_types import (
    IMPLICIT_LITERAL,
    LITERAL,
    PRIVATE_COPY,
    SCRATCH,
    Flags,
    MapFlag,
    MemberOf,
    type_flags,
)
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.variables import variable as declare
from rexcc.program.variables import Variable
from rexcc.source.records import replace

_COPIED = frozenset({"to", "tofrom"})
"""How an object travels of which a copy for the kernel will do, where the kernel only reads it."""
THIS = pointer("this")
THIS_PART = MapRow(THIS, THIS, size_of("*this", None), (MapFlag.TO, MapFlag.FROM, MapFlag.IMPLICIT), "*this",
                   reason="the object of 'this' is mapped tofrom")  # fmt: skip
_WHOLE_OBJECT = replace(THIS_PART, flags=(MapFlag.PARAM, *THIS_PART.flags))


class AttributeArguments:
    """Collects the arguments of variables as they come; ``bind`` makes their parameters."""

    def __init__(
        self,
        region: TargetRegion,
        data: RegionData,
        facts: MapFacts,
        shared: frozenset[Variable],
        strategy: str,
        copies: Mapping[Variable, int],
    ) -> None:
        self.region = region
        self.data = data
        self.facts = facts
        self.arguments: list[Argument] = []
        self.locals: list[Stmt] = []
        self.on_host = strategy == "host" and not region.has_inner_parallel and not is_task(region.construct.directive)
        self.bind = Binder(region, data, shared, self.arguments, strategy, copies)

    def _other(self, attribute: Attribute) -> None:
        variable = attribute.variable
        if attribute.kind is Kind.CLOSURE:
            return
        self.bind.require_nameable(variable)
        is_object = is_lambda_object(self.region.unit, variable.cursor.type)
        if is_object and attribute.kind in (Kind.FIRSTPRIVATE, Kind.MAPPED_IMPLICITLY):
            self._add_lambda(attribute)
            return
        match attribute.kind:
            case Kind.VALUE:
                self._add_value(attribute)
            case Kind.POINTER:
                self._add_pointer(attribute)
            case Kind.DEVICE_POINTER:
                host = self._device_name(variable)
                place = pointer(host)
                size = POINTER_SIZE if variable.decays else size_of(host, variable.cursor.type)
                row = MapRow(place, place, size, LITERAL, variable.name)
                parameter = self.bind.reduced_pointer(attribute) if attribute.reduction else self.bind.pointer(variable)
                self.arguments.append(Argument(row, parameter))
            case Kind.DEVICE_ADDRESS:
                self._add_device_address(attribute)
            case Kind.FIRSTPRIVATE:
                self._add_first_private(attribute)
            case Kind.MAPPED_IMPLICITLY:
                self._add_implicit(attribute)
            case Kind.ALLOCATOR:
                self.arguments.append(self.bind.allocator(variable))
            case Kind.PRIVATE:
                self._add_private(attribute)
            case Kind.CONSTANT | Kind.CONSTANT_ARRAY | Kind.NEEDED_CONSTANT:
                self.locals.append(_constant(attribute))
            case _:
                pass

    def _add_lambda(self, attribute: Attribute, mapped: Sequence[Item] = ()) -> None:
        """The object of a lambda travels as a copy; by value, unless the launch must have one form for all lambdas. Its
        captures were copied when it was made. Where destructors of captured objects have a body, a private copy is one
        of each thread that has it, which ends it; what is mapped is made and ended by nobody."""
        if not copies_are_bytes_that_end(self.region.unit, attribute.variable.cursor.type):
            message = f"the lambda '{attribute.variable.name}' captures an object that says itself how it is copied"
            raise self.bind.fail(attribute.variable, message)
        changes = is_mutable(attribute.variable.cursor.type)
        if changes and any(MapFlag.FROM in item.flags for item in mapped):
            message = (
                f"what the lambda '{attribute.variable.name}' changes in itself cannot be mapped back; map it 'to'"
            )
            raise self.bind.fail(attribute.variable, message)
        ends = not copies_are_bytes(self.region.unit, attribute.variable.cursor.type)
        in_memory = self._has_one_form() or changes or ends or attribute.variable in self.bind.shared
        words = 0 if in_memory else words_of_lambda(attribute.variable, len(self.arguments))
        if words:  # std::forward takes no constant, and cannot change the object either
            is_bound = any(map(may_be_changed, attribute.variable.uses))
            carried = copy_in_words if is_bound else object_in_words
            self.arguments += carried(self.region.unit, attribute.variable, words)
            return
        row = self._address_row(attribute.variable, PRIVATE_COPY)
        self.arguments.append(Argument(row, self.bind.by_address(attribute)))

    def _add_first_private(self, attribute: Attribute) -> None:
        """A copy that travels by value, or in memory: large ones, and those that several threads have together."""
        variable = attribute.variable
        in_memory = self._has_one_form() or variable in self.bind.shared
        words = 0 if in_memory else words_of_copy(self.region, attribute, len(self.arguments))
        if words:
            carried = copy_in_words if is_own_copy(self.region, attribute) else object_in_words
            self.arguments += carried(self.region.unit, variable, words)
            return
        flags = (*PRIVATE_COPY, MapFlag.IMPLICIT) if attribute.implicit else PRIVATE_COPY
        self.arguments.append(Argument(self._address_row(variable, flags), self.bind.by_address(attribute)))

    def _maps_later(self) -> bool:
        """Whether the region is a task's: others that it depends on may change an original until it is mapped."""
        return is_task(self.region.construct.directive)

    def _has_one_form(self) -> bool:
        """Whether the launch must have one form for objects of all sizes that a template's instantiations have."""
        has_loops = bool(row_loops(self.facts, *self.region.constructs))
        return self.on_host or self._maps_later() or has_loops

    def _add_private(self, attribute: Attribute) -> None:
        if is_on_device(self.region, attribute):
            row = self._address_row(attribute.variable, SCRATCH)
            self.arguments.append(Argument(row, self.bind.by_address(attribute)))
        else:
            self.locals += self.bind.private(attribute)

    def _add_implicit(self, attribute: Attribute) -> None:
        variable = attribute.variable
        flags = (MapFlag.PARAM, *type_flags(attribute.map_type))
        mapper = self.facts.mapper(self.region.construct, variable) if attribute.implicit else ""
        copied = attribute.implicit and not mapper and attribute.map_type in _COPIED  # a mapper attaches what it maps
        if copied and not self._maps_later() and is_provably_read(self.region, variable):
            is_bound = self.region.owner.template is not None and self._has_one_form()
            if words := 0 if is_bound else count_words(variable):
                self.arguments += object_in_words(self.region.unit, variable, words)
                return
            flags = PRIVATE_COPY
        row = self._address_row(variable, (*flags, MapFlag.IMPLICIT))
        position = len(self.arguments)
        self.arguments.append(Argument(replace(row, mapper=mapper), self.bind.by_address(attribute)))
        is_copy = MapFlag.PRIVATE in flags
        if not (is_copy or mapper) and self._may_be_there_in_part(variable):
            self._look_up(f"{place_name(self.region.unit, variable)}.", variable.uses, position)

    def _look_up(self, access: str, uses: Iterable[Node], position: int, read: Sequence[str] = ()) -> None:
        """Have the runtime see whether the members that uses name are where the object of a row is; ``read`` are all
        those of which none is there where the kernel gets a copy."""
        assert self.region.construct.body is not None
        needed = members_used(uses, self.region.construct.body)
        base = self.arguments[position].row.base
        self.arguments += [Argument(looked_up(base, access, name, position), None) for name in needed]
        others = (looked_up(base, access, name, position) for name in read if name not in needed)
        self.arguments += [Argument(replace(row, flags=(*row.flags, MapFlag.READ)), None) for row in others]

    def _may_be_there_in_part(self, variable: UsedVariable) -> bool:
        kind = types.without_reference(variable.cursor.type)
        if not types.is_record(kind) or not may_be_there_in_part(self.region.unit, kind):
            return False
        return not is_provably_unmapped(self.region, variable)

    def _address_row(self, variable: UsedVariable, flags: Flags) -> MapRow:
        host, kind = place_name(self.region.unit, variable), types.declared_type(variable.cursor)
        place = pointer(host) if types.is_array(kind) else address(host, kind)
        size = NOTHING if types.kind_name(variable.cursor.type) == "INCOMPLETEARRAY" else size_of(host, kind)
        return MapRow(place, place, size, flags, variable.name)

    def _add_pointer(self, attribute: Attribute) -> None:
        variable = attribute.variable
        if types.is_function_pointer(variable.cursor.type):
            if not indirect_functions(self.region.unit):
                message = f"function pointer '{variable.name}' cannot be used in a target region: this file has no "
                raise self.bind.fail(variable, message + "function that 'declare target indirect' names")
            self._add_value(attribute)
            return
        host = host_name(variable)
        row = MapRow(pointer(host), pointer(host), NOTHING, (MapFlag.PARAM, MapFlag.IMPLICIT), variable.name)
        parameter = self.bind.reduced_pointer(attribute) if attribute.reduction else self.bind.pointer(variable)
        position = len(self.arguments)
        self.arguments.append(Argument(row, parameter))
        pointee = types.canonical(types.without_reference(variable.cursor.type)).get_pointee()
        if types.is_record(pointee) and may_be_there_in_part(self.region.unit, pointee):
            self._look_up(f"{host}->", variable.uses, position)

    def _add_value(self, attribute: Attribute) -> None:
        flags = IMPLICIT_LITERAL if attribute.implicit else LITERAL
        self.arguments.append(self.bind.value(attribute.variable, flags))

    def _add_device_address(self, attribute: Attribute) -> None:
        variable = attribute.variable
        kind = types.without_reference(types.declared_type(variable.cursor))
        points = types.is_pointer(kind) and (bool(attribute.reduction) or self._has_section(variable))
        host = self._device_name(variable)
        place = pointer(host) if points else address_of(host, kind)
        row = MapRow(place, place, POINTER_SIZE, LITERAL, variable.name)
        bound = self.bind.reduced_pointer if attribute.reduction and points else self.bind.by_address
        by_value = points and not attribute.reduction
        self.arguments.append(Argument(row, self.bind.pointer(variable) if by_value else bound(attribute)))

    def _has_section(self, variable: UsedVariable) -> bool:
        """Whether the clause names a section of a pointer: the pointer's value is the address then."""
        items = self.region.items("has_device_addr")
        return any(item.item.sections and item.whole_variable == variable for item in items)

    def _device_name(self, variable: UsedVariable) -> str:
        """Return the host's name of what clauses say is on the device: a local one where ``target data`` gives it."""
        return variable.name if has_device_name(self.region.construct, variable) else host_name(variable)

    def _add_this(self) -> None:
        mapper = self.facts.mapper(self.region.construct, None)
        position = len(self.arguments)
        if members := read_members(self.region, self.data, bool(mapper)):
            self.arguments += [argument for member in members for argument in member.arguments()]
            return
        uses = self.data.references.this_uses
        may_be_in_part = not mapper and this_may_be_there_in_part(self.region.unit, self.region.owner.node.cursor)
        read = numbers_read(uses) if may_be_in_part else ()
        flags = (*_WHOLE_OBJECT.flags, MapFlag.READ) if read else _WHOLE_OBJECT.flags
        self.arguments.append(Argument(replace(_WHOLE_OBJECT, mapper=mapper, flags=flags), self.bind.this()))
        if may_be_in_part:
            self._look_up("this->", uses, position, read)


def looked_up(base: Pointer, access: str, member: str, object_row: int) -> MapRow:
    """Return the row that maps nothing and tells the runtime that a region uses a member (rex_objects.h)."""
    text = f"{access}{member}"
    return MapRow(base, address(text, None), NOTHING, (MemberOf(object_row),), text, reason="used, and in no clause")


def _constant(attribute: Attribute) -> Declare:
    """Return the declaration of a variable whose value is known."""
    kind = types.without_reference(attribute.variable.cursor.type)
    if attribute.values:
        made = declare(kind, attribute.variable.name, attribute.values)
        word = "static constexpr" if attribute.kind is Kind.NEEDED_CONSTANT else "static"
        return replace(made, declared=f"{word} {made.declared}")
    value = str(attribute.value)
    if types.kind_name(types.canonical(kind)) == "ENUM":
        value = f"({spelling.spell_value(kind)}){value}"
    return declare(kind, attribute.variable.name, value, not types.is_constant(kind))
