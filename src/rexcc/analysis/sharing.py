"""Data-sharing and data-mapping attributes of a region's variables (OpenMP 5.2, 5.1 and 5.8).

In: a target region. Out: one :class:`Attribute` per outside variable: how it reaches the kernel and what each thread
sees. What clauses say comes first, then what is predetermined, then the implicit rules with ``defaultmap``.
"""

from __future__ import annotations

import re

from rexcc.analysis.attributes import Attribute, Kind, MapItem, Origin, Reason, RegionData
from rexcc.analysis.closures import Closures
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.default_none import check_default_none
from rexcc.analysis.group_variables import GroupVariables
from rexcc.analysis.implicit_rules import attribute_error, category, fits_value, implicit_attribute, implicitly_mapped
from rexcc.analysis.iterated import by_loops
from rexcc.analysis.live_out_indices import kept_indices
from rexcc.analysis.outer_lambdas import changing_capture, follow_closures
from rexcc.analysis.ownership import Owner, is_only_measured, is_told, original_uses, owner_of
from rexcc.analysis.references import UsedVariable, collect
from rexcc.analysis.regions import TargetRegion
from rexcc.analysis.this_object import this_object
from rexcc.clang import classes, types
from rexcc.clang.library import key_of
from rexcc.openmp.model import Clause, ListClause, MapClause, ReductionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.environment import Sharing
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import error

_LAST = ("lastprivate", "linear", "induction")
"""Clauses by which a variable leaves a region with the value of the sequentially last iteration."""
_ON_DEVICE_ALREADY = ("is_device_ptr", "has_device_addr")
_UNKNOWN_TYPES = frozenset({"DEPENDENT", "UNEXPOSED", "INVALID", "AUTO"})
_SECTIONS = {
    "private": "5.4.3", "firstprivate": "5.4.4", "lastprivate": "5.4.5", "linear": "5.4.6", "induction": "6.0, 7.6.13",
    "is_device_ptr": "5.4.7",
    "has_device_addr": "5.4.9", "reduction": "5.5.8", "map": "5.8.3", "uses_allocators": "6.8",
}  # fmt: skip
_INDEX = Reason(Origin.PREDETERMINED, "the iteration variable of an associated loop is private", "5.1.1")
_PRIVATE_WITHIN = Reason(Origin.PREDETERMINED, "private to every construct of the region that uses it", "5.1.1")
_MEASURED = Reason(Origin.PREDETERMINED, "only its size is asked for, nothing uses it", "5.1.1")
_ON_DEVICE = Reason(Origin.PREDETERMINED, "declare target puts it on the device", "7.8")
_GROUP = Reason(Origin.PREDETERMINED, "it is groupprivate: each team has its own", "6.0, 7.13")
_LINKED = Reason(Origin.PREDETERMINED, "declare target makes it mapped tofrom, with its own storage", "5.8.1")
_CLOSURE = Reason(Origin.IMPLICIT, "a lambda is first-private, what it captures has attributes of its own", "5.8.1")
_REFERRED = Reason(Origin.IMPLICIT, "a lambda of the region has captured it by reference", "5.8.1")
_COPIES = (Kind.VALUE, Kind.FIRSTPRIVATE, Kind.PRIVATE)


def region_data(region: TargetRegion, declared: DeclareTarget) -> RegionData:
    """Return the attributes of all variables a region uses or its clauses name.

    Raises CompileError for what has no attribute: where ``default(none)`` or ``defaultmap(none)`` asks for a clause.
    """
    return _Sharing(region, declared).run()


class _Sharing:
    def __init__(self, region: TargetRegion, declared: DeclareTarget) -> None:
        self.region = region
        self.declared = declared
        self.references = collect(region.device_parts)
        self.references.forget(loop.index for loop in region.loops if loop.declares)
        self.maps: dict[Variable, list[MapItem]] = {}
        self.this_maps: list[MapItem] = []
        self.device_members: set[int] = set()
        self.iterated: dict[Variable, Clause] = {}
        self.listed: dict[Variable, dict[str, Clause]] = {}
        self.order: dict[Variable, UsedVariable] = {}
        self.closures = Closures()
        self.groups = region.unit.kept(GroupVariables)
        self.sequential = {loop.index for loop in region.sequential if not loop.declares}
        self.kept = kept_indices(region)
        self.on_target = {id(c) for c in (*region.target_clauses(), *region.construct.directive.clauses)}

    def run(self) -> RegionData:
        check_default_none(self.region, collect([self.region.body]), self.declared)
        self.closures = follow_closures(self.region.unit, self.region.owner, self.references)
        self._read_clauses()
        indices = {loop.index for loop in self.region.loops}
        for variable in self.references.variables.values():
            self.order.setdefault(variable, variable)
        wanted = (v for v in self.order.values() if v not in indices or self._is_last(v))
        found = [self._referred(v, self._attribute(v)) for v in wanted]
        attributes = tuple(a for a in found if a is not None)
        this = this_object(self.references, self.this_maps, self.device_members)
        closures = tuple(self.closures.defined.values())
        return RegionData(self.references, attributes, this, closures, self.declared.linked)

    def _is_last(self, variable: Variable) -> bool:
        return variable in self.kept or any(name in self.listed.get(variable, {}) for name in _LAST)

    def _read_clauses(self) -> None:
        for construct in self.region.constructs:
            for clause in construct.directive.clauses:
                if isinstance(clause, MapClause):
                    self._add_mapped(clause, construct)
                elif isinstance(clause, ListClause | ReductionClause):
                    self._add_items(clause, construct)
        for mapped in implied_maps(self.region):
            self._add_items(mapped, self.region.construct)

    def _add_mapped(self, clause: MapClause, construct: Construct) -> None:
        """Note the items of a ``map`` clause; those with iterators are parts of a variable with its own attribute."""
        for part, loops in by_loops(clause):
            if not loops:
                self._add_items(part, construct)
                continue
            for item in construct.items_of(part):
                if item.variable is not None:
                    self.iterated.setdefault(item.variable, part)

    def _add_items(self, clause: Clause, construct: Construct) -> None:
        for resolved in construct.items_of(clause):
            item, named = resolved.item, resolved.variable
            if named is None:
                _check_member(clause, resolved)
                if isinstance(clause, MapClause) and resolved.this is not None:
                    self.this_maps.append((clause, item, construct))
                member = resolved.own_member if clause.name in _ON_DEVICE_ALREADY else None
                if member is not None and member.referenced is not None:
                    self.device_members.add(key_of(member.referenced))
                continue
            variable = self.references.variables.get(named) or self.order.get(named) or UsedVariable(named.cursor)
            self.order.setdefault(variable, variable)
            if isinstance(clause, MapClause):
                self.maps.setdefault(variable, []).append((clause, item, construct))
            else:
                self.listed.setdefault(variable, {}).setdefault(clause.name, clause)

    def _attribute(self, variable: UsedVariable) -> Attribute | None:
        if variable in self.closures.defined:
            return self._closure(variable)
        group = self.groups.of(variable)
        if group is not None and not group.is_host_only and variable.uses:
            return Attribute(variable, Kind.PRIVATE if group.is_of_block else Kind.DEVICE_GLOBAL, _GROUP)
        listed = self.listed.get(variable, {})
        maps = tuple(self.maps.get(variable, ()))
        if not maps and not variable.uses and not ("reduction" in listed or self._is_last(variable)):
            return None
        if not variable.name and types.is_record(variable.cursor.type):
            message = "a member of an anonymous union outside of the region cannot be used in it yet; name the union"
            raise error("unsupported-capture", message, self.region.unit.span(variable.uses[0]))
        if types.kind_name(types.canonical(variable.cursor.type)) in _UNKNOWN_TYPES:
            message = f"the type of '{variable.name}' is not known here; "
            if "_BitInt" in str(variable.cursor.type.spelling):
                message = f"'{variable.name}' is a _BitInt, which device code does not have; "
                message += "use an integer type, or a copy of one in the region"
            else:
                message += "a target region in a generic lambda that uses local types, static variables or other "
                message += "names of the function around it cannot be lowered yet; make the lambda a function template"
            raise attribute_error(self.region, variable, message)
        if variable in self.sequential and not self._is_last(variable):
            return Attribute(variable, Kind.PRIVATE, _INDEX)
        explicit = self._explicit(variable, listed, maps)
        if explicit is not None:
            return explicit
        unneeded = None if listed else self._unneeded(variable)
        return unneeded or implicit_attribute(self.region, self.declared, variable, _operator(listed))

    def _closure(self, variable: UsedVariable) -> Attribute:
        """A lambda has no storage on the device: a kernel's is its own."""
        text = self.region.unit.user_text(self.closures.defined[variable].definition)
        back = any("from" in clause.map_type for clause, _, _ in self.maps.get(variable, ()))
        if back and re.search(r"\)\s*mutable\b", text[: text.find("{")]):
            message = f"what the lambda '{variable.name}' changes in itself cannot be mapped back; map it 'to'"
            place = self.region.unit.span(variable.uses[0]) if variable.uses else None
            raise error("unsupported-capture", message, place)
        return Attribute(variable, Kind.CLOSURE, _CLOSURE)

    def _referred(self, variable: UsedVariable, found: Attribute | None) -> Attribute | None:
        """What a lambda captured by reference is the original variable, which a copy would hide if either changed."""
        closure = self.closures.referred.get(variable)
        if closure is None or found is None or found.kind not in _COPIES or category(variable) == "pointer":
            return found
        if self._is_constant_copy(variable, found):
            return found
        if variable not in self.closures.mapped or self.listed.get(variable):
            raise changing_capture(self.region.unit, closure, variable.name)
        return implicitly_mapped(variable, _REFERRED)

    def _is_constant_copy(self, variable: UsedVariable, found: Attribute) -> bool:
        """Whether a first-private scalar keeps the value that its original has when the region starts."""
        if found.kind is Kind.PRIVATE or category(variable) != "scalar" or not variable.uses:
            return False
        listed = self.listed.get(variable, {}).keys()
        changed = variable.written or variable.exposed or variable in self.closures.may_change
        return not changed and listed <= {"firstprivate"}

    def _unneeded(self, variable: UsedVariable) -> Attribute | None:
        """A variable of which the region needs the name, but not the value."""
        kind = types.without_reference(variable.cursor.type)
        if types.is_variable_length(kind) or variable.is_global:
            return None
        if not original_uses(self.region.constructs[-1], variable):
            return Attribute(variable, Kind.PRIVATE, _PRIVATE_WITHIN)
        if is_only_measured(variable) and classes.is_copied_as_bytes(kind):
            return Attribute(variable, Kind.PRIVATE, _MEASURED)
        return None

    def _explicit(
        self, variable: UsedVariable, listed: dict[str, Clause], maps: tuple[MapItem, ...]
    ) -> Attribute | None:
        operator = _operator(listed)
        copied = "firstprivate" in listed
        last = self._is_last(variable)
        if "uses_allocators" in listed:
            return Attribute(variable, Kind.ALLOCATOR, _named(listed["uses_allocators"]))
        if "private" in listed:  # inside of what the construct maps; nothing comes back from it
            return Attribute(variable, Kind.PRIVATE, _named(listed["private"]))
        if "is_device_ptr" in listed:
            reason = _named(listed["is_device_ptr"])
            return Attribute(variable, Kind.DEVICE_POINTER, reason, reduction=operator, copied=copied)
        if "has_device_addr" in listed:
            reason = _named(listed["has_device_addr"])
            return Attribute(variable, Kind.DEVICE_ADDRESS, reason, reduction=operator, copied=copied)
        if maps:
            return Attribute(variable, Kind.MAPPED, _named(maps[0][0]), maps, operator, copied, last=last)
        unchanged = not operator and not last and "in_reduction" not in listed
        if unchanged and self.declared.link_of(variable) is not None and not copied:
            return implicitly_mapped(variable, _LINKED)
        lives_there = self.declared.has_variable(variable) and self.declared.link_of(variable) is None
        if unchanged and lives_there and not self._is_copied_by_host(variable):
            return Attribute(variable, Kind.DEVICE_GLOBAL, _ON_DEVICE, copied=copied)
        if variable in self.iterated:
            reason = Reason(Origin.IMPLICIT, "'map' names parts of it by iterators", "5.8.1", self.iterated[variable])
            is_pointer = types.is_pointer(variable.cursor.type) or variable.decays
            return Attribute(variable, Kind.POINTER, reason) if is_pointer else implicitly_mapped(variable, reason)
        returning = self._returning(variable, listed)
        if returning is not None:
            return returning
        if copied:
            by_value = fits_value(variable) and not self._is_shared_by_teams(variable)
            kind = Kind.VALUE if by_value else Kind.FIRSTPRIVATE
            return Attribute(variable, kind, _named(listed["firstprivate"]), copied=True)
        return None

    def _is_copied_by_host(self, variable: Variable) -> bool:
        """Whether the target construct itself makes a variable first-private: its original is the host's (5.4.4)."""
        entry = self.region.construct.environment.leaves["target"].get(variable)
        return entry is not None and entry.sharing in (Sharing.FIRSTPRIVATE, Sharing.FIRST_AND_LAST)

    def _is_shared_by_teams(self, variable: UsedVariable) -> bool:
        """Whether threads tell each other values through the target construct's own copy."""
        if owner_of(self.region, variable) is not Owner.TARGET or not is_told(self.region, variable):
            return False
        return self.region.has_teams or self.region.has_parallel

    def _returning(self, variable: UsedVariable, listed: dict[str, Clause]) -> Attribute | None:
        """A variable whose value a reduction, ``lastprivate`` or ``linear`` brings out of the region."""
        operator, last = _operator(listed), self._is_last(variable)
        clauses = [c for name, c in listed.items() if name in ("in_reduction", "reduction", *_LAST)]
        combined = next((c for c in clauses if id(c) in self.on_target), None)
        if combined is not None:
            takes_part = combined.name == "in_reduction"
            where = "a target" if takes_part else "a combined target"
            rule = f"'{combined.name}' on {where} construct maps its variable tofrom"
            reason = Reason(Origin.EXPLICIT, rule, "5.5.10" if takes_part else "5.8.1", combined)
            return implicitly_mapped(variable, reason, operator, last)
        if clauses and self.declared.has_variable(variable):
            return implicitly_mapped(variable, _ON_DEVICE, operator, last)
        if not last:
            return None
        if self._is_copied_by_host(variable):
            return Attribute(variable, Kind.FIRSTPRIVATE, _named(listed["firstprivate"]), last=True)
        found = implicit_attribute(self.region, self.declared, variable, "")
        if found.kind in _COPIES:
            return Attribute(variable, Kind.FIRSTPRIVATE, found.reason, last=True)
        map_type = found.map_type if found.kind is Kind.MAPPED_IMPLICITLY else "tofrom"
        return Attribute(variable, Kind.MAPPED_IMPLICITLY, found.reason, last=True, map_type=map_type)


def _operator(listed: dict[str, Clause]) -> str:
    reduction = listed.get("reduction")
    return reduction.operator if isinstance(reduction, ReductionClause) else ""


def _named(clause: Clause) -> Reason:
    """A clause names the variable."""
    return Reason(Origin.EXPLICIT, f"named in '{clause.name}'", _SECTIONS[clause.name], clause)


def _check_member(clause: Clause, resolved: ResolvedItem) -> None:
    """Refuse what leaves a region with the value of a member, and private copies of what is no member of ``*this``."""
    if clause.name in ("private", "firstprivate") and resolved.own_member is not None:
        return  # the kernel's declaration of it says what else it cannot be
    if clause.name in ("private", "firstprivate", "lastprivate", "linear", "induction", "in_reduction"):
        item = resolved.item.whole
        what = f"'{clause.name}' of '{item.text.strip()}', which is no variable,"
        message = f"{what} cannot be lowered yet; use one in its place"
        raise error("unsupported-item", message, item.span)


def implied_maps(region: TargetRegion) -> list[MapClause]:
    """Return the ``map`` clauses that sections in reductions of the combined target construct imply."""
    mapped = region.items("map", "is_device_ptr", "has_device_addr")
    named = {None, *(item.variable or item.pointer_member for item in mapped)}
    return [
        MapClause("map", reduced.clause.span, "tofrom", (reduced.item,))
        for reduced in region.construct.items("reduction", "in_reduction")
        if reduced.item.sections and (reduced.variable or reduced.pointer_member) not in named
    ]
