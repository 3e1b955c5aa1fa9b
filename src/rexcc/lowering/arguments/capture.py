"""Capture set: from attributes to the one ordered list of kernel arguments.

In: a region and its attributes. Out: arguments, explicit list items first in clause order, then by first use. The body
keeps the user's names: what is passed by address is bound to a reference of the same name, what is passed by value to
a local.
"""

from __future__ import annotations

from collections.abc import Mapping

from rexcc.analysis.attributes import Attribute, Kind, Origin, Reason, RegionData
from rexcc.analysis.iterated import without_loops
from rexcc.analysis.lambda_values import is_lambda_object
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.sharing import implied_maps
from rexcc.kernel.code import aligned
from rexcc.kernel.ir import Code
from rexcc.lowering.arguments.array_parameters import typedef_arguments
from rexcc.lowering.arguments.attribute_arguments import THIS, THIS_PART, AttributeArguments, looked_up
from rexcc.lowering.arguments.device_members import device_member_arguments
from rexcc.lowering.arguments.literals import is_provably_unmapped, words_if_absent, words_of_absent
from rexcc.lowering.arguments.local_methods import require_known_class, require_no_method
from rexcc.lowering.arguments.mapped_ahead import rows_ahead
from rexcc.lowering.arguments.outer_lambda_arguments import kept_arguments
from rexcc.lowering.arguments.parameters import NO_COPIES
from rexcc.lowering.arguments.words import listed, object_if_absent, object_in_words
from rexcc.lowering.loops.scan import region_scan
from rexcc.lowering.loops.team_scans import is_over_teams, scanned_row, scans_argument
from rexcc.lowering.maps.computed import computed_row, is_result
from rexcc.lowering.maps.items import Item, group_by_root, item_rows, make_item
from rexcc.lowering.maps.iterated import row_loops
from rexcc.lowering.maps.linked import attached, item_addresses, reached_rows
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.model.host_values import address_of
from rexcc.lowering.model.launch import Argument, HostSum, MapRow
from rexcc.lowering.model.map_types import LITERAL, Flags, MapFlag, MapOrder, clause_flags, map_order
from rexcc.lowering.reductions.host_reductions import finished_on_host
from rexcc.lowering.reductions.partials import Joined, partials_argument, reduced_row
from rexcc.lowering.reductions.strategies import STRATEGIES
from rexcc.lowering.text.alignment import own_alignments, region_alignments
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.runtime_arrays import MEMORY
from rexcc.lowering.text.variables import values_of
from rexcc.openmp.model import MapClause
from rexcc.program.constructs import ResolvedItem
from rexcc.program.variables import Variable
from rexcc.source.records import replace

_WITHOUT_ROWS = (Kind.DEVICE_POINTER, Kind.DEVICE_ADDRESS, Kind.CLOSURE)
_MAPPED = Reason(Origin.EXPLICIT, "named in 'map'", "5.8.3")


def capture(
    region: TargetRegion,
    data: RegionData,
    facts: MapFacts,
    shared: frozenset[Variable],
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


class _Capture(AttributeArguments):
    """Collects all arguments: list items, then the other variables, then what the region needs besides."""

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
        wanted |= {values_of(name): alignment for name, alignment in wanted.items()}
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
                made = (self._item(one, flags, order) for one in construct.items_of(clause))
                items += [m for m in made if m is not None and m.variable not in device]
        sections = [(clause, item) for clause in implied_maps(self.region) for item in clause.items]
        items += [make_item(item, clause_flags(clause), self.region.construct, self.facts) for clause, item in sections]
        self.items = items
        for group in group_by_root(items):
            self._group(group)

    def _item(self, found: ResolvedItem, flags: Flags, order: MapOrder) -> Item | None:
        """Return a list item; what a function returns has a row at once, and no variable."""
        row = computed_row(found, flags, self.facts) if is_result(found) else None
        if row is None:
            return make_item(found.item, flags, found.construct, self.facts, order)
        self.arguments.append(Argument(row, None))
        return None

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
            self.arguments += listed([literal], group[0])
            return
        if self._may_be_in_words(attribute, group):
            if words := words_of_absent(self.region, attribute, len(self.arguments)):
                self.arguments += listed(object_in_words(self.region.unit, attribute.variable, words), group[0])
                return
            if words := words_if_absent(self.region, attribute):
                self.arguments += listed(object_if_absent(self.region.unit, attribute.variable, words), group[0])
                return
        resident = attribute.variable in self.facts.residents
        rows = item_rows(group, len(self.arguments), (MapFlag.PARAM,) if used else (), None, resident)
        parameter = self.bind.by_shape(attribute, group) if used else None
        self.arguments += [Argument(r, parameter if i == 0 else None) for i, r in enumerate(rows)]

    def _as_literal(self, attribute: Attribute, group: list[Item]) -> Argument | None:
        """Pass a scalar, or a pointer itself, by value if it is mapped ``to`` and no other map can refer to it; this
        saves a transfer."""
        if len(group) != 1 or group[0].flags != (MapFlag.TO,) or not attribute.variable.uses:
            return None
        if not group[0].path.is_root:  # a section, or what a pointer leads to
            return None
        if attribute.reduction or attribute.last or self._maps_later():
            return None
        is_of_device = attribute.variable in self.facts.residents or attribute.variable in self.facts.links
        if not is_provably_unmapped(self.region, attribute.variable, is_of_device):
            return None
        return self.bind.value(attribute.variable, LITERAL)

    def _may_be_in_words(self, attribute: Attribute, group: list[Item]) -> bool:
        """Whether an object that is mapped ``to`` may travel in parameters, where that is as good."""
        if len(group) != 1 or group[0].flags != (MapFlag.TO,) or not group[0].path.is_root:
            return False
        if self.on_host or self._maps_later() or attribute.variable in self.bind.shared:
            return False
        return not (row_loops(self.facts, *self.region.constructs) or group[0].mapper)

    def _this_group(self, group: list[Item]) -> None:
        used = self.data.uses_this
        extra = (MapFlag.PARAM,) if used else ()
        around = THIS_PART if self.data.this is not None and self.data.this.whole else None
        rows = item_rows(group, len(self.arguments), extra, around)
        if around is not None and self.data.this is not None:
            rows = (
                *rows,
                *(looked_up(THIS, "this->", name, len(self.arguments)) for name in self.data.this.besides),
            )
        parameter = self.bind.this() if used else None
        self.arguments += [Argument(r, parameter if i == 0 else None) for i, r in enumerate(rows)]
