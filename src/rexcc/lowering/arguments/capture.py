"""Capture set: from attributes to the one ordered list of kernel arguments.

In: a region and its attributes. Out: arguments, explicit list items first in clause order, then by first use. The body
keeps the user's names: what is passed by address is bound to a reference of the same name, what is passed by value to
a local.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from clang.cindex import Type

from rexcc.analysis.addresses import may_be_changed
from rexcc.analysis.attributes import Attribute, Kind, Origin, Reason, RegionData
from rexcc.analysis.copies_made import copies_are_bytes, copies_are_bytes_that_end
from rexcc.analysis.indirect import indirect_functions
from rexcc.analysis.iterated import without_loops
from rexcc.analysis.partial_objects import may_be_there_in_part, members_used
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.sharing import implied_maps
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Code, Stmt, aligned
from rexcc.lowering.arguments.array_parameters import typedef_arguments
from rexcc.lowering.arguments.device_members import device_member_arguments
from rexcc.lowering.arguments.lambda_objects import is_lambda_object, is_mutable, place_name
from rexcc.lowering.arguments.literals import (
    count_words,
    is_own_copy,
    is_provably_read,
    is_provably_unmapped,
    words_if_absent,
    words_of_copy,
    words_of_lambda,
)
from rexcc.lowering.arguments.local_methods import require_known_class, require_no_method
from rexcc.lowering.arguments.mapped_ahead import rows_ahead
from rexcc.lowering.arguments.outer_lambda_arguments import kept_arguments
from rexcc.lowering.arguments.parameters import NO_COPIES, Binder
from rexcc.lowering.arguments.private_copies import is_on_device
from rexcc.lowering.arguments.words import copy_in_words, object_if_absent, object_in_words
from rexcc.lowering.loops.scan import region_scan
from rexcc.lowering.loops.team_scans import is_over_teams, scanned_row, scans_argument
from rexcc.lowering.maps.device_addresses import has_device_name
from rexcc.lowering.maps.items import Item, group_by_root, item_rows, make_item
from rexcc.lowering.maps.iterated import row_loops
from rexcc.lowering.maps.linked import attached, item_addresses, reached_rows
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.dependences import is_task
from rexcc.lowering.model.host_values import NOTHING, POINTER_SIZE, Pointer, address, address_of, pointer, size_of
from rexcc.lowering.model.launch import Argument, HostSum, MapRow
from rexcc.lowering.model.map_types import (
    IMPLICIT_LITERAL,
    LITERAL,
    PRIVATE_COPY,
    SCRATCH,
    Flags,
    MapFlag,
    MemberOf,
    clause_flags,
    map_order,
    type_flags,
)
from rexcc.lowering.reductions.host_reductions import finished_on_host
from rexcc.lowering.reductions.partials import Joined, partials_argument, reduced_row
from rexcc.lowering.reductions.strategies import STRATEGIES
from rexcc.lowering.text.alignment import own_alignments, region_alignments
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.runtime_arrays import MEMORY
from rexcc.openmp.model import ListClause, MapClause
from rexcc.program.variables import Variable
from rexcc.source.records import replace

_COPIED = frozenset({"to", "tofrom"})
"""How an object travels of which a copy for the kernel will do, where the kernel only reads it."""
_WITHOUT_ROWS = (Kind.DEVICE_POINTER, Kind.DEVICE_ADDRESS, Kind.CLOSURE)
_MAPPED = Reason(Origin.EXPLICIT, "named in 'map'", "5.8.3")
_THIS = pointer("this")
_THIS_PART = MapRow(_THIS, _THIS, size_of("*this", None), (MapFlag.TO, MapFlag.FROM, MapFlag.IMPLICIT), "*this",
                    reason="the object of 'this' is mapped tofrom")  # fmt: skip
_WHOLE_OBJECT = replace(_THIS_PART, flags=(MapFlag.PARAM, *_THIS_PART.flags))


def capture(
    region: TargetRegion,
    data: RegionData,
    facts: MapFacts,
    shared: frozenset[Variable] = frozenset(),
    strategy: str = STRATEGIES[0],
    copies: Mapping[Variable, int] = NO_COPIES,
) -> tuple[tuple[Argument, ...], Code, tuple[HostSum, ...], tuple[MapRow, ...]]:
    """Return the kernel's arguments, the other declarations it needs (private variables, constants), what the host
    adds after the launch, and the rows that are mapped ahead of the others.

    ``shared`` are the variables of which a team has one copy in shared memory instead of one for each thread;
    ``strategy`` says how teams reduce, ``copies`` how many of them a team has of arrays that its
    threads change together.
    Raises CompileError for variables whose transport is not supported.
    """
    return _Capture(region, data, facts, shared, strategy, copies).run()


class _Capture:
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
        self.items: list[Item] = []
        self.on_host = strategy == "host" and not region.has_inner_parallel and not is_task(region.construct.directive)
        self.bind = Binder(region, data, shared, self.arguments, strategy, copies)

    def run(self) -> tuple[tuple[Argument, ...], Code, tuple[HostSum, ...], tuple[MapRow, ...]]:
        self._mapped_items()
        for attribute in self.data.attributes:
            require_no_method(self.region, attribute)
            require_known_class(self.region, attribute)
            if not attribute.map_items or attribute.kind is not Kind.MAPPED:
                known = len(self.arguments)
                self._other(attribute)
                self._explain(attribute, known)
        self.arguments += device_member_arguments(self.region)
        if self.data.uses_this and not any(a.parameter and a.parameter.is_this for a in self.arguments):
            self._add_this()
        self.arguments += kept_arguments(self.data)
        self.arguments += typedef_arguments(self.region)
        if self.facts.links:
            self._attach()
        ahead = rows_ahead(self.region, self.data, self.facts, self.items, self.arguments)
        sums, joined = self._finish_on_host()
        if joined:
            self.arguments[:] = [reduced_row(a, joined) for a in self.arguments]
            self.arguments.append(partials_argument(joined, self.bind.combine))
        scan = region_scan(self.region)
        if scan is not None and is_over_teams(self.region, self.data, scan):
            self.arguments[:] = [scanned_row(a, scan) for a in self.arguments]
            self.arguments.append(scans_argument(self.data, scan))
        memory = (MEMORY,) if self.bind.has_team_arrays else ()
        self._align()
        return tuple(self.arguments), (*memory, *self.locals), sums, ahead

    def _finish_on_host(self) -> tuple[tuple[HostSum, ...], tuple[Joined, ...]]:
        """Return what the host adds after the launch, and the variables that the device finishes."""
        if not self.on_host:
            return (), tuple(self.bind.joined)
        found = finished_on_host(self.arguments, self.bind.joined)
        self.arguments[:] = found.arguments
        return found.sums, found.joined

    def _align(self) -> None:
        """Give the private copies the alignment that their originals have, or that ``allocate`` clauses ask for."""
        copied = (a.variable for a in self.data.attributes if a.kind is not Kind.MAPPED or a.reduction or a.last)
        wanted = own_alignments(self.region.unit, copied)
        for name, alignment in region_alignments(self.region).items():
            wanted[name] = max(alignment, wanted.get(name, 0))
        self.locals = list(aligned(tuple(self.locals), wanted))
        for position, argument in enumerate(self.arguments):
            if wanted and argument.parameter is not None:
                parameter = replace(argument.parameter, prologue=aligned(argument.parameter.prologue, wanted))
                self.arguments[position] = replace(argument, parameter=parameter)

    def _attach(self) -> None:
        """Attach the pointers of ``link`` variables that the region maps, and of those that its functions use."""
        links = self.facts.links
        addresses = item_addresses(self.items, links)
        for variable in (a.variable for a in self.data.attributes if a.variable in links):
            addresses[address_of(host_name(variable), variable.cursor.type)] = links[variable]
        self.arguments[:] = [replace(a, row=attached(a.row, addresses)) for a in self.arguments]
        known = [a.row for a in self.arguments]
        self.arguments += [Argument(row, None) for row in reached_rows(self.region, links, known)]

    def _explain(self, attribute: Attribute, first: int) -> None:
        """Give the rows of a variable the rule behind its attribute, and the place of its first use."""
        place = None
        if attribute.variable.uses and self.region.owner.template is None:  # all instances have the same rows
            place = self.region.unit.span(attribute.variable.uses[0])
        if place is not None and place.source is not self.region.construct.span.source:
            place = None
        for position, argument in enumerate(self.arguments[first:], first):
            known = argument.row
            by_rule = attribute.implicit and not known.reason
            reason, place_of = known.reason or attribute.reason.text, known.place or place
            row = replace(known, reason=reason, place=place_of, has_implicit_reason=by_rule)
            self.arguments[position] = replace(argument, row=row)

    def _mapped_items(self) -> None:
        device = {a.variable for a in self.data.attributes if a.kind in _WITHOUT_ROWS}
        items: list[Item] = []
        for construct in self.region.constructs:
            for clause in without_loops(construct.directive.of_type(MapClause)):
                flags, order = clause_flags(clause), map_order(clause, True)
                made = [make_item(item, flags, construct, self.facts, order) for item in clause.items]
                items += [m for m in made if m.variable not in device]
        sections = [(clause, item) for clause in implied_maps(self.region) for item in clause.items]
        items += [make_item(item, clause_flags(clause), self.region.construct, self.facts) for clause, item in sections]
        self.items = items
        for group in group_by_root(items):
            self._group(group)

    def _group(self, group: list[Item]) -> None:
        variable = group[0].variable
        if variable is None:
            self._this_group(group)
            return
        attribute = self.data.of(variable)
        if attribute is None or attribute.kind is Kind.PRIVATE:  # the region's variable is another one
            attribute = Attribute(UsedVariable(variable.cursor), Kind.MAPPED, _MAPPED)
        used = bool(attribute.variable.uses) or bool(attribute.reduction) or attribute.last
        if used and is_lambda_object(self.region.unit, attribute.variable.cursor.type):
            self._add_lambda(attribute, group)
            return
        literal = self._as_literal(attribute, group)
        if literal is not None:
            self.arguments.append(literal)
            return
        if words := self._words_if_absent(attribute, group):
            self.arguments += object_if_absent(self.region.unit, attribute.variable, words)
            return
        resident = attribute.variable in self.facts.residents
        rows = item_rows(group, len(self.arguments), (MapFlag.PARAM,) if used else (), None, resident)
        parameter = self.bind.by_shape(attribute, group) if used else None
        self.arguments += [Argument(r, parameter if i == 0 else None) for i, r in enumerate(rows)]

    def _as_literal(self, attribute: Attribute, group: list[Item]) -> Argument | None:
        """Pass a scalar by value if it is mapped ``to`` and no other map can refer to it; this saves a transfer."""
        if len(group) != 1 or group[0].flags != (MapFlag.TO,) or not attribute.variable.uses:
            return None
        if attribute.reduction or attribute.last or self._maps_later():
            return None
        is_of_device = attribute.variable in self.facts.residents or attribute.variable in self.facts.links
        if not is_provably_unmapped(self.region, attribute.variable, is_of_device):
            return None
        return self.bind.value(attribute.variable, LITERAL)

    def _words_if_absent(self, attribute: Attribute, group: list[Item]) -> int:
        """How many parameters carry a small object that is mapped ``to`` and looked up, 0 where it is mapped."""
        if len(group) != 1 or group[0].flags != (MapFlag.TO,) or not group[0].path.is_root:
            return 0
        if self.on_host or self._maps_later() or attribute.variable in self.bind.shared:
            return 0
        if row_loops(self.facts, *self.region.constructs) or self.facts.mapper(
            self.region.construct, attribute.variable
        ):
            return 0
        return words_if_absent(self.region, attribute)

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
            case Kind.CONSTANT | Kind.CONSTANT_ARRAY:
                self.locals.append(self.bind.constant(attribute))
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
            if words := 0 if is_bound else count_words(self.region, variable):
                self.arguments += object_in_words(self.region.unit, variable, words)
                return
            flags = PRIVATE_COPY
        row = self._address_row(variable, (*flags, MapFlag.IMPLICIT))
        position = len(self.arguments)
        self.arguments.append(Argument(replace(row, mapper=mapper), self.bind.by_address(attribute)))
        is_copy = MapFlag.PRIVATE in flags
        if not (is_copy or mapper) and self._may_be_there_in_part(variable):
            self._look_up(f"{place_name(self.region.unit, variable)}.", variable.uses, position)

    def _look_up(self, access: str, uses: Iterable[Node], position: int) -> None:
        """Have the runtime see whether the members that uses name are where the object of a row is."""
        assert self.region.construct.body is not None
        members = members_used(uses, self.region.construct.body)
        base = self.arguments[position].row.base
        self.arguments += [Argument(_looked_up(base, access, name, position), None) for name in members]

    def _may_be_there_in_part(self, variable: UsedVariable) -> bool:
        kind = types.without_reference(variable.cursor.type)
        if not types.is_record(kind) or not may_be_there_in_part(self.region.unit, kind):
            return False
        return not is_provably_unmapped(self.region, variable)

    def _address_row(self, variable: UsedVariable, flags: Flags) -> MapRow:
        host, kind = place_name(self.region.unit, variable), types.declared_type(variable.cursor)
        place = pointer(host) if types.is_array(kind) else address(host)
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
        points = types.is_pointer(kind) and (bool(attribute.reduction) or _has_sections(attribute))
        host = self._device_name(variable)
        place = pointer(host) if points else address_of(host, kind)
        row = MapRow(place, place, POINTER_SIZE, LITERAL, variable.name)
        bound = self.bind.reduced_pointer if attribute.reduction and points else self.bind.by_address
        by_value = points and not attribute.reduction
        self.arguments.append(Argument(row, self.bind.pointer(variable) if by_value else bound(attribute)))

    def _device_name(self, variable: UsedVariable) -> str:
        """Return the host's name of what clauses say is on the device: a local one where ``target data`` gives it."""
        return variable.name if has_device_name(self.region.construct, variable) else host_name(variable)

    def _add_this(self) -> None:
        mapper = self.facts.mapper(self.region.construct, None)
        position = len(self.arguments)
        self.arguments.append(Argument(replace(_WHOLE_OBJECT, mapper=mapper), self.bind.this()))
        if not mapper and may_be_there_in_part(self.region.unit, self._class_of_this()):
            self._look_up("this->", self.data.references.this_uses, position)

    def _class_of_this(self) -> Type:
        return self.region.owner.node.cursor.semantic_parent.type

    def _this_group(self, group: list[Item]) -> None:
        used = self.data.uses_this
        extra = (MapFlag.PARAM,) if used else ()
        around = _THIS_PART if self.data.this is not None and self.data.this.whole else None
        rows = item_rows(group, len(self.arguments), extra, around)
        if around is not None and self.data.this is not None:
            rows = (
                *rows,
                *(_looked_up(_THIS, "this->", name, len(self.arguments)) for name in self.data.this.besides),
            )
        parameter = self.bind.this() if used else None
        self.arguments += [Argument(r, parameter if i == 0 else None) for i, r in enumerate(rows)]


def _looked_up(base: Pointer, access: str, member: str, object_row: int) -> MapRow:
    """Return the row that maps nothing and tells the runtime that a region uses a member (rex_objects.h)."""
    text = f"{access}{member}"
    return MapRow(base, address(text), NOTHING, (MemberOf(object_row),), text, reason="used, and in no clause")


def _has_sections(attribute: Attribute) -> bool:
    """Whether the clause names a section of a pointer: the pointer's value is the address then."""
    clause = attribute.reason.clause
    items = clause.items if isinstance(clause, ListClause) else ()
    return any(item.sections for item in items if item.base.text.strip() == attribute.variable.name)
