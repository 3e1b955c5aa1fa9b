"""Data-sharing and data-mapping attributes of a region's variables (OpenMP 5.2, 5.1 and 5.8).

In: a target region. Out: one :class:`Attribute` per outside variable: how it reaches the kernel and what each thread
sees. Explicit clauses first, then what is predetermined, then the implicit rules with ``defaultmap``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from rexcc.analysis.closures import follow_closures
from rexcc.analysis.declare_target import DeclareTarget
from rexcc.analysis.default_none import check_default_none
from rexcc.analysis.references import References, Variable, collect, variable_key
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.tree import FUNCTION_KINDS, RECORD_KINDS, Node
from rexcc.frontend.unit import Construct
from rexcc.openmp.model import (
    Clause,
    DefaultmapClause,
    ListClause,
    ListItem,
    MapClause,
    ReductionClause,
)
from rexcc.source.diagnostics import CompileError, error

_LAST = frozenset({"lastprivate", "linear"})
"""Clauses by which a variable leaves a region with the value of the sequentially last iteration."""


class Kind(Enum):
    """How a variable reaches the kernel."""

    MAPPED = "mapped by a map clause"
    MAPPED_IMPLICITLY = "implicitly mapped tofrom"
    POINTER = "pointer, implicitly mapped as a zero-length section"
    VALUE = "first-private by value"
    FIRSTPRIVATE = "first-private, copied to storage of its own on the device"
    DEVICE_POINTER = "device pointer, passed as it is"
    DEVICE_ADDRESS = "its address is a device address already"
    PRIVATE = "private to each thread"
    CONSTANT = "constant, its value is known"
    ALLOCATOR = "memory allocator of the region's own"
    CLOSURE = "lambda, defined again in the kernel"
    DEVICE_GLOBAL = "global variable that lives on the device"


@dataclass(frozen=True, eq=False)
class Attribute:
    """The attribute of one variable.

    ``map_clause``/``map_items`` are what a ``map`` clause says of it. ``reduction`` is the operator when each thread
    has a private copy that is combined at the end; ``copied`` when each thread has a private copy with the first value,
    ``last`` when the sequentially last one is kept. ``implicit`` tells that no clause names it.
    """

    variable: Variable
    kind: Kind
    implicit: bool
    map_items: tuple[tuple[MapClause, ListItem, Construct], ...] = ()
    reduction: str = ""
    copied: bool = False
    value: int | None = None
    last: bool = False


@dataclass(frozen=True, eq=False)
class RegionData:
    """All attributes of a region, clause order first, then order of first use; ``uses_this`` for methods.

    ``closures`` are the lambdas from outside that the region calls, by variable, in the order to define them.
    """

    references: References
    attributes: tuple[Attribute, ...]
    uses_this: bool
    closures: tuple[tuple[int, Node], ...] = ()

    def of(self, key: int) -> Attribute | None:
        """Return the attribute of a variable."""
        return next((a for a in self.attributes if a.variable.key == key), None)


def region_data(region: TargetRegion, declared: DeclareTarget) -> RegionData:
    """Return the attributes of all variables a region uses or its clauses name."""
    return _Sharing(region, declared).run()


class _Sharing:
    def __init__(self, region: TargetRegion, declared: DeclareTarget) -> None:
        self.region = region
        self.declared = declared
        self.references = collect([region.body])
        self.maps: dict[int, list[tuple[MapClause, ListItem, Construct]]] = {}
        self.listed: dict[int, dict[str, Clause]] = {}
        self.order: dict[int, Variable] = {}
        self.closures: dict[int, Node] = {}
        self.sequential = {variable_key(loop.index) for loop in region.sequential if not loop.declares}
        self.target_clauses = {id(c) for c in region.target_clauses()}

    def run(self) -> RegionData:
        check_default_none(self.region, self.references, self.declared)
        self.closures = follow_closures(self.region.unit, self.region.owner, self.references)
        self._read_clauses()
        indices = {variable_key(loop.index) for loop in self.region.loops}
        for key, variable in self.references.variables.items():
            self.order.setdefault(key, variable)
        wanted = (v for key, v in self.order.items() if key not in indices or self._is_last(key))
        found = [self._attribute(v) for v in wanted]
        attributes = tuple(a for a in found if a is not None)
        return RegionData(self.references, attributes, bool(self.references.this_uses), tuple(self.closures.items()))

    def _is_last(self, key: int) -> bool:
        return not _LAST.isdisjoint(self.listed.get(key, {}))

    def _read_clauses(self) -> None:
        for construct in self.region.constructs:
            for clause in construct.directive.clauses:
                if isinstance(clause, MapClause | ListClause | ReductionClause):
                    self._add_items(clause, clause.items, construct)
        for mapped in implied_maps(self.region):
            self._add_items(mapped, mapped.items, self.region.construct)

    def _add_items(self, clause: Clause, items: tuple[ListItem, ...], construct: Construct) -> None:
        for item in items:
            node = construct.expressions.get(item.base)
            root = root_variable(node) if node is not None else None
            if root is None or root.referenced is None:
                _check_member(clause, item)
                continue
            key = variable_key(root.referenced)
            variable = self.references.variables.get(key) or self.order.get(key) or Variable(root.referenced)
            self.order.setdefault(key, variable)
            if isinstance(clause, MapClause):
                self.maps.setdefault(key, []).append((clause, item, construct))
            else:
                self.listed.setdefault(key, {}).setdefault(clause.name, clause)

    def _attribute(self, variable: Variable) -> Attribute | None:
        key = variable.key
        if key in self.closures:
            return Attribute(variable, Kind.CLOSURE, True)
        listed = self.listed.get(key, {})
        maps = tuple(self.maps.get(key, ()))
        if not maps and not variable.uses and not _wanted_without_use(listed):
            return None
        if types.kind_name(types.canonical(variable.cursor.type)) in ("DEPENDENT", "UNEXPOSED", "INVALID", "AUTO"):
            raise self._fail(
                variable,
                f"the type of '{variable.name}' is not known here; "
                "a target region in a generic lambda cannot be lowered yet",
            )
        if key in self.sequential and not self._is_last(key):
            return Attribute(variable, Kind.PRIVATE, False)
        explicit = self._explicit(variable, listed, maps)
        return explicit if explicit is not None else self._implicit(variable, listed)

    def _explicit(
        self, variable: Variable, listed: dict[str, Clause], maps: tuple[tuple[MapClause, ListItem, Construct], ...]
    ) -> Attribute | None:
        reduction = listed.get("reduction")
        operator = reduction.operator if isinstance(reduction, ReductionClause) else ""
        copied = "firstprivate" in listed
        last = not _LAST.isdisjoint(listed)
        if "uses_allocators" in listed:
            return Attribute(variable, Kind.ALLOCATOR, False)
        if "is_device_ptr" in listed:
            return Attribute(variable, Kind.DEVICE_POINTER, False, reduction=operator, copied=copied)
        if "has_device_addr" in listed:
            return Attribute(variable, Kind.DEVICE_ADDRESS, False, reduction=operator, copied=copied)
        if maps:
            return Attribute(variable, Kind.MAPPED, False, maps, operator, copied, last=last)
        if "private" in listed:
            return Attribute(variable, Kind.PRIVATE, False)
        if self.declared.has_variable(variable.cursor) and not operator and not last:
            return Attribute(variable, Kind.DEVICE_GLOBAL, False, copied=copied)
        returning = {id(c) for name, c in listed.items() if name == "reduction" or name in _LAST}
        combined = not returning.isdisjoint(self.target_clauses | self._combined_clauses())
        if combined or ((operator or last) and self.declared.has_variable(variable.cursor)):
            return Attribute(variable, Kind.MAPPED_IMPLICITLY, False, reduction=operator, last=last)
        if last:
            kind = Kind.FIRSTPRIVATE if _category(variable) == "scalar" else Kind.MAPPED_IMPLICITLY
            return Attribute(variable, kind, True, last=True)
        if copied:
            kind = Kind.VALUE if _fits_value(variable) else Kind.FIRSTPRIVATE
            return Attribute(variable, kind, False, copied=True)
        return None

    def _combined_clauses(self) -> set[int]:
        """A reduction on the combined target construct itself maps its variable tofrom (5.2, 5.8.1)."""
        return {id(c) for c in self.region.construct.directive.clauses}

    def _implicit(self, variable: Variable, listed: dict[str, Clause]) -> Attribute | None:
        reduction = listed.get("reduction")
        operator = reduction.operator if isinstance(reduction, ReductionClause) else ""
        if variable.cursor.semantic_parent.kind.name in RECORD_KINDS and not variable.cursor.type.is_const_qualified():
            raise self._fail(variable, f"the static member '{variable.name}' cannot be used in a target region yet")
        constant = self._constant(variable)
        if constant is not None and not operator:
            return constant
        category = _category(variable)
        behavior = self._defaultmap(category)
        if behavior == "none":
            raise self._fail(variable, f"defaultmap(none) asks for an explicit attribute of '{variable.name}'")
        if behavior in ("to", "from", "tofrom", "alloc", "present"):
            return Attribute(variable, Kind.MAPPED_IMPLICITLY, True, reduction=operator)
        if category == "scalar" or behavior == "firstprivate":
            return self._firstprivate(variable, operator)
        if category == "pointer":
            return Attribute(variable, Kind.POINTER, True, reduction=operator)
        return Attribute(variable, Kind.MAPPED_IMPLICITLY, True, reduction=operator)

    def _firstprivate(self, variable: Variable, operator: str) -> Attribute:
        """A first-private scalar is passed by value unless the threads may share what is written to it."""
        shared = operator != "" or variable.exposed or self._atomically_written(variable)
        several = self.region.has_teams or self.region.has_parallel
        if _fits_value(variable) and not (shared and several):
            return Attribute(variable, Kind.VALUE, True)
        return Attribute(variable, Kind.FIRSTPRIVATE, True, reduction=operator)

    def _atomically_written(self, variable: Variable) -> bool:
        atomics = [c.body for c in self.region.constructs[-1].descendants() if c.directive.name == "atomic" and c.body]
        return any(a.start <= use.start < a.end for a in atomics for use in variable.uses)

    def _constant(self, variable: Variable) -> Attribute | None:
        """A const variable with a constant value, or a const global, needs no transport."""
        if not types.is_constant(variable.cursor.type) or types.is_reference(variable.cursor.type):
            return None
        if types.is_array(variable.cursor.type) and not variable.is_global:
            return None
        value = evaluate_integer(variable.cursor) if types.is_scalar(variable.cursor.type) else None
        at_file_scope = variable.cursor.semantic_parent.kind.name not in FUNCTION_KINDS
        if variable.is_global and at_file_scope and _has_initialiser(variable):
            return Attribute(variable, Kind.DEVICE_GLOBAL, True)
        if value is not None and _is_integer(variable):
            return Attribute(variable, Kind.CONSTANT, True, value=value)
        return None

    def _defaultmap(self, category: str) -> str:
        for placed in self.region.clauses("defaultmap"):
            clause = placed.clause
            if isinstance(clause, DefaultmapClause) and clause.category in (category, "all"):
                return clause.behavior
        return "default"

    def implicit_behavior(self, variable: Variable) -> str:
        """Return the ``defaultmap`` behaviour for a variable, ``default`` where none is given."""
        return self._defaultmap(_category(variable))

    def _fail(self, variable: Variable, message: str) -> CompileError:
        place = self.region.unit.span(variable.uses[0]) if variable.uses else self.region.construct.span
        return error("omp-attribute", message, place)


def defaultmap_behavior(region: TargetRegion, variable: Variable) -> str:
    """Return the ``defaultmap`` behaviour that applies to a variable, ``default`` where none is given."""
    category = _category(variable)
    for placed in region.clauses("defaultmap"):
        clause = placed.clause
        if isinstance(clause, DefaultmapClause) and clause.category in (category, "all"):
            return clause.behavior
    return "default"


def implied_maps(region: TargetRegion) -> list[MapClause]:
    """Return the ``map`` clauses that sections in reductions of the combined target construct imply (5.2, 5.8.1)."""
    construct = region.construct
    named = {
        root
        for placed in region.clauses("map", "is_device_ptr", "has_device_addr")
        if isinstance(placed.clause, MapClause | ListClause)
        for item in placed.clause.items
        if (root := _root_key(placed.construct, item) or _member_pointer(placed.construct, item)) is not None
    }
    return [
        MapClause("map", clause.span, "tofrom", (item,))
        for clause in construct.directive.of_type(ReductionClause)
        if clause.name == "reduction"
        for item in clause.items
        if item.sections and (_root_key(construct, item) or _member_pointer(construct, item) or -1) not in named | {-1}
    ]


def _member_pointer(construct: Construct, item: ListItem) -> int | None:
    """Return the identity of a member of ``*this`` that is a pointer; other members travel with their object."""
    node = construct.expressions.get(item.base)
    bare = node.bare() if node is not None else None
    if bare is None or bare.kind != "MEMBER_REF_EXPR" or bare.referenced is None or not types.is_pointer(bare.type):
        return None
    return variable_key(bare.referenced)


def _check_member(clause: Clause, item: ListItem) -> None:
    """Refuse private copies of members; those of a reduction have a stage of their own."""
    if clause.name in ("private", "firstprivate", "lastprivate", "linear"):
        message = f"'{clause.name}' of '{item.whole.text.strip()}', which is no variable, cannot be lowered yet"
        raise error("unsupported-item", message, item.whole.span)


def _root_key(construct: Construct, item: ListItem) -> int | None:
    node = construct.expressions.get(item.base)
    root = root_variable(node) if node is not None else None
    return variable_key(root.referenced) if root is not None and root.referenced is not None else None


def root_variable(node: Node) -> Node | None:
    """Return the variable reference at the root of a list item: ``s`` of ``s.p[i]``, ``p`` of ``*p`` or ``p->x``."""
    current = node.bare()
    while current.kind != "DECL_REF_EXPR":
        if current.kind not in ("MEMBER_REF_EXPR", "ARRAY_SUBSCRIPT_EXPR", "UNARY_OPERATOR", "CSTYLE_CAST_EXPR"):
            return None
        inner = [c for c in current.children if c.kind not in ("TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF")]
        if not inner:
            return None
        current = inner[0].bare()
    return current


def _wanted_without_use(listed: dict[str, Clause]) -> bool:
    return "reduction" in listed or not _LAST.isdisjoint(listed)


def _category(variable: Variable) -> str:
    kind = variable.cursor.type
    if types.is_pointer(kind) or variable.decays:
        return "pointer"
    return "scalar" if types.is_scalar(kind) else "aggregate"


def _fits_value(variable: Variable) -> bool:
    kind = variable.cursor.type
    if types.is_pointer(kind) or variable.decays:
        return True
    return types.is_scalar(kind) and 0 < types.canonical(kind).get_size() <= 8


def _is_integer(variable: Variable) -> bool:
    return types.kind_name(types.canonical(variable.cursor.type)) not in (
        "FLOAT",
        "DOUBLE",
        "LONGDOUBLE",
        "COMPLEX",
        "POINTER",
    )


def _has_initialiser(variable: Variable) -> bool:
    definition = variable.cursor.get_definition() or variable.cursor
    return any(c.kind.is_expression() for c in definition.get_children())
