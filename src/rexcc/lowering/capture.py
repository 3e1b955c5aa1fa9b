"""Capture set: from attributes to the one ordered list of kernel arguments (seed 004).

In: a region and its attributes. Out: arguments, explicit list items first in clause order, then by first use. The body
keeps the user's names: what is passed by address is bound to a reference of the same name, what is passed by value to
a local.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.allocators import allocator_of
from rexcc.analysis.attributes import Attribute, Kind, Origin, Reason, RegionData
from rexcc.analysis.implied_maps import implied_maps
from rexcc.analysis.references import Variable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.lowering.constructs.team import Combine
from rexcc.lowering.items import (
    Item,
    dereference_row,
    direct_row,
    group_by_root,
    has_members,
    is_dereference,
    make_item,
    member_rows,
    outer_member,
)
from rexcc.lowering.last_values import last_copy, last_items
from rexcc.lowering.literals import is_provably_unmapped
from rexcc.lowering.map_types import IMPLICIT, PARAM, clause_bits, type_bits
from rexcc.lowering.member_reductions import member_reductions
from rexcc.lowering.model import Argument, MapRow, Parameter
from rexcc.lowering.qualified import host_name
from rexcc.lowering.region_reductions import KernelCopy, region_reduction
from rexcc.lowering.scan import carry_lines, region_scan
from rexcc.openmp.model import ListClause, MapClause, ReductionClause
from rexcc.source.diagnostics import CompileError, error

_ASSIGNING = frozenset({"reduction", "lastprivate", "linear"})
_LITERAL = ("REX_MAP_LITERAL_PARAM",)
_IMPLICIT_LITERAL = ("REX_MAP_IMPLICIT_LITERAL",)
_MAPPED = Reason(Origin.EXPLICIT, "named in 'map'", "5.8.3")
_WHOLE_OBJECT = MapRow("this", "this", "sizeof *this", (PARAM, "REX_MAP_TO", "REX_MAP_FROM", IMPLICIT), "*this")


def capture(
    region: TargetRegion, data: RegionData, shared: frozenset[int] = frozenset()
) -> tuple[tuple[Argument, ...], tuple[str, ...]]:
    """Return the kernel's arguments and the other declarations it needs (private variables, constants).

    ``shared`` are the variables, by key, of which a team has one copy in shared memory instead of one for each thread.
    Raises CompileError for variables whose transport is not supported.
    """
    return _Capture(region, data, shared).run()


class _Capture:
    def __init__(self, region: TargetRegion, data: RegionData, shared: frozenset[int]) -> None:
        self.region = region
        self.data = data
        self.shared = shared
        self.arguments: list[Argument] = []
        self.locals: list[str] = []

    def run(self) -> tuple[tuple[Argument, ...], tuple[str, ...]]:
        self._mapped_items()
        for attribute in self.data.attributes:
            if not attribute.map_items or attribute.kind is not Kind.MAPPED:
                self._other(attribute)
        if self.data.uses_this and not any(a.parameter and a.parameter.name == "__rex_this" for a in self.arguments):
            self._add_this()
        return tuple(self.arguments), tuple(self.locals)

    def fail(self, variable: Variable, message: str) -> CompileError:
        place = self.region.unit.span(variable.uses[0]) if variable.uses else self.region.construct.span
        return error("unsupported-capture", message, place)

    def _mapped_items(self) -> None:
        device = {a.variable.key for a in self.data.attributes if a.kind in (Kind.DEVICE_POINTER, Kind.DEVICE_ADDRESS)}
        items: list[Item] = []
        for construct in self.region.constructs:
            for clause in construct.directive.of_type(MapClause):
                bits = clause_bits(clause)
                made = [make_item(item, bits, construct) for item in clause.items]
                items += [m for m in made if m.key not in device]
        sections = [(clause, item) for clause in implied_maps(self.region) for item in clause.items]
        items += [make_item(item, clause_bits(clause), self.region.construct) for clause, item in sections]
        for group in group_by_root(items):
            self._group(group)

    def _group(self, group: list[Item]) -> None:
        if group[0].is_this:
            self._this_group(group)
            return
        attribute = self.data.of(group[0].key)
        if attribute is None:
            variable = Variable(group[0].root.referenced)
            attribute = Attribute(variable, Kind.MAPPED, _MAPPED)
        used = bool(attribute.variable.uses) or bool(attribute.reduction) or attribute.last
        if has_members(group):
            rows = member_rows(group, (PARAM,) if used else (), len(self.arguments))
        else:
            rows = tuple(self._plain_row(i, position == 0 and used) for position, i in enumerate(group))
        literal = self._as_literal(attribute, group)
        if literal is not None:
            self.arguments.append(literal)
            return
        parameter = self._by_shape(attribute, group) if used else None
        self.arguments += [Argument(r, parameter if i == 0 else None) for i, r in enumerate(rows)]

    def _plain_row(self, item: Item, is_parameter: bool) -> MapRow:
        extra = (PARAM,) if is_parameter else ()
        return dereference_row(item, extra) if is_dereference(item) else direct_row(item, extra)

    def _as_literal(self, attribute: Attribute, group: list[Item]) -> Argument | None:
        """A scalar mapped ``to`` that can be on no other list travels by value: no transfer at all (seed 004)."""
        if len(group) != 1 or group[0].bits != ("REX_MAP_TO",) or not attribute.variable.uses:
            return None
        if attribute.reduction or attribute.last:
            return None
        if not is_provably_unmapped(self.region, attribute.variable):
            return None
        return self._value(attribute.variable, _LITERAL)

    def _by_shape(self, attribute: Attribute, group: list[Item]) -> Parameter:
        """Choose how a mapped variable is bound in the kernel."""
        variable = attribute.variable
        kind = variable.cursor.type
        by_value_pointer = (types.is_pointer(kind) or variable.decays) and (
            group[0].item.sections or has_members(group) or is_dereference(group[0])
        )
        if by_value_pointer:
            return self._reduced_pointer(attribute) if attribute.reduction else self._pointer(variable)
        return self._by_address(attribute)

    def _other(self, attribute: Attribute) -> None:
        variable = attribute.variable
        if attribute.kind is Kind.CLOSURE:
            return
        self._require_nameable(variable)
        match attribute.kind:
            case Kind.VALUE:
                self._add_value(attribute)
            case Kind.POINTER:
                self._add_pointer(attribute)
            case Kind.DEVICE_POINTER:
                host = host_name(variable)
                row = MapRow(host, host, f"sizeof {host}", _LITERAL, variable.name)
                parameter = self._reduced_pointer(attribute) if attribute.reduction else self._pointer(variable)
                self.arguments.append(Argument(row, parameter))
            case Kind.DEVICE_ADDRESS:
                self._add_device_address(attribute)
            case Kind.FIRSTPRIVATE:
                bits = (PARAM, "REX_MAP_PRIVATE", "REX_MAP_TO")
                self.arguments.append(Argument(self._address_row(variable, bits), self._by_address(attribute)))
            case Kind.MAPPED_IMPLICITLY:
                self._add_implicit(attribute)
            case Kind.ALLOCATOR:
                self.arguments.append(self._allocator(variable))
            case Kind.PRIVATE:
                self.locals.append(self._local(variable))
            case Kind.CONSTANT:
                self.locals.append(self._constant(attribute))
            case _:
                pass

    def _add_implicit(self, attribute: Attribute) -> None:
        variable = attribute.variable
        implicit = (IMPLICIT,) if attribute.implicit else ()
        row = self._address_row(variable, (PARAM, *type_bits(attribute.map_type), *implicit))
        self.arguments.append(Argument(row, self._by_address(attribute)))

    def _address_row(self, variable: Variable, bits: tuple[str, ...]) -> MapRow:
        host = host_name(variable)
        address = host if types.is_array(variable.cursor.type) else f"&{host}"
        return MapRow(address, address, f"sizeof {host}", bits, variable.name)

    def _add_pointer(self, attribute: Attribute) -> None:
        variable = attribute.variable
        if types.is_function_pointer(variable.cursor.type):
            raise self.fail(variable, f"function pointer '{variable.name}' cannot be used in a target region yet")
        host = host_name(variable)
        row = MapRow(host, host, "0", (PARAM, IMPLICIT), variable.name)
        parameter = self._reduced_pointer(attribute) if attribute.reduction else self._pointer(variable)
        self.arguments.append(Argument(row, parameter))

    def _add_value(self, attribute: Attribute) -> None:
        bits = _IMPLICIT_LITERAL if attribute.implicit else _LITERAL
        self.arguments.append(self._value(attribute.variable, bits))

    def _allocator(self, variable: Variable) -> Argument:
        """The handle of an allocator of the region's own, which the host makes of its traits."""
        found = allocator_of(self.region, variable)
        row = MapRow(f"(void *)(uintptr_t){found.device_handle}", "", "sizeof(void *)", _LITERAL, variable.name)
        name = variable.name
        line = f"omp_allocator_handle_t {name} = rex_unpack<omp_allocator_handle_t>(__rex_{name});"
        return Argument(row, Parameter(f"rex_literal __rex_{name}", f"__rex_{name}", self._own((line,), variable)))

    def _value(self, variable: Variable, bits: tuple[str, ...]) -> Argument:
        name, host = variable.name, host_name(variable)
        kind = types.without_reference(variable.cursor.type)
        if types.is_pointer(kind) or variable.decays:
            row = MapRow(host, host, f"sizeof {host}", bits, name)
            return Argument(row, self._pointer(variable))
        packed = f"rex_pack(&{host}, sizeof {host})"
        row = MapRow(packed, "", f"sizeof {host}", bits, name)
        spelled = types.spell(kind)
        bare = spelled.removeprefix("const ").removeprefix("volatile ")
        changes = variable.written or variable.exposed or name in self._written_back()
        const = "" if changes or spelled.startswith("const ") else "const "
        line = f"{const}{types.declare(kind, name)} = rex_unpack<{bare}>(__rex_{name});"
        lines = team_copy((line,), name) if variable.key in self.shared else (line,)
        return Argument(row, Parameter(f"rex_literal __rex_{name}", f"__rex_{name}", lines))

    def _written_back(self) -> frozenset[str]:
        """Return the names that clauses of inner constructs assign, whether their statements do or not."""
        clauses = (c for inner in self.region.constructs[-1].descendants() for c in inner.directive.clauses)
        lists = (c for c in clauses if isinstance(c, ListClause | ReductionClause) and c.name in _ASSIGNING)
        return frozenset(item.base.text.strip() for c in lists for item in c.items)

    def _pointer(self, variable: Variable) -> Parameter:
        """A pointer whose value is a device address on arrival."""
        kind = types.without_reference(variable.cursor.type)
        if types.has_runtime_extent(kind):
            return self._runtime_view(variable, kind)
        if types.is_array(kind):
            element = types.element_of(kind)
            assert element is not None
            return Parameter(types.declare_pointer_to(element, variable.name), variable.name)
        if variable.key in self.shared:
            name = f"__rex_{variable.name}"
            lines = team_copy((f"{types.declare(kind, variable.name)} = {name};",), variable.name)
            return Parameter(types.declare(kind, name), name, lines)
        return Parameter(types.declare(kind, variable.name), variable.name)

    def _runtime_view(self, variable: Variable, kind: Type) -> Parameter:
        """A view of an array whose inner extents are values of the run: ``a[i][j]`` stays as written."""
        name = variable.name
        shape = types.shape_of(kind)
        element = types.spell(shape.element)
        inner = [f"{host_name(variable)}{'[0]' * level}" for level in range(1, shape.dimensions)]
        extents = [f"sizeof({e}) / sizeof({e}[0])" for e in inner]
        names = [f"__rex_{name}_{level}" for level in range(1, shape.dimensions)]
        for local, extent in zip(names, extents, strict=True):
            row = MapRow(f"(void *)(uintptr_t)({extent})", "", "sizeof(size_t)", _IMPLICIT_LITERAL, f"extent of {name}")
            line = f"const long long {local}_extent = rex_unpack<long long>({local});"
            self._pending.append(Argument(row, Parameter(f"rex_literal {local}", local, (line,))))
        arguments = ", ".join([f"__rex_{name}", *(f"{n}_extent" for n in names)])
        line = f"const rex_vla<{element}, {shape.dimensions}> {name}({arguments});"
        return Parameter(f"{element} *__rex_{name}", f"__rex_{name}", (line,))

    @property
    def _pending(self) -> list[Argument]:
        """Extents are arguments of their own and stand before the array, so that its view can be built from them."""
        return self.arguments

    def _by_address(self, attribute: Attribute) -> Parameter:
        variable = attribute.variable
        name = variable.name
        kind = types.without_reference(variable.cursor.type)
        self._require_nameable(variable)
        if types.is_variable_length(kind):
            return self._variable_length(attribute, kind)
        if attribute.reduction or attribute.last:
            start, end = self._last(variable) if attribute.last else self._reduction(variable, attribute.reduction)
            return Parameter(types.declare_pointer_to(kind, f"__rex_{name}"), f"__rex_{name}", start, end)
        pointer = types.declare_pointer_to(kind, f"__rex_{name}")
        if attribute.copied or (attribute.kind is Kind.FIRSTPRIVATE and variable.key in self.shared):
            copy = self._copy(kind, name)
            return Parameter(pointer, f"__rex_{name}", self._own(copy, variable))
        line = f"{types.declare_reference(kind, name)} = *__rex_{name};"
        return Parameter(pointer, f"__rex_{name}", (line,))

    def _copy(self, kind: Type, name: str) -> tuple[str, ...]:
        if types.is_array(kind):
            copy = f"__builtin_memcpy({name}, *__rex_{name}, sizeof {name});"
            return (f"{types.declare(kind, name)};", copy)
        return (f"{types.declare(kind, name)} = *__rex_{name};",)

    def _reduction(self, variable: Variable, operator: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the lines of a reduction; around parallels it is the team's value that one thread adds at the end."""
        scan = region_scan(self.region)
        item = next((i for i in scan.items if i.key == variable.key), None) if scan is not None else None
        if item is not None:
            return carry_lines(item, f"__rex_{variable.name}") if self.region.loops else ((), ())
        combine = Combine.EACH if self.region.has_inner_parallel else Combine.BLOCK
        made = region_reduction(self.region, variable, operator, combine, variable.key in self.shared)
        return self._lines(made, variable)

    def _last(self, variable: Variable) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the lines of a variable of which the last private copy is kept."""
        return self._lines(last_copy(self.region, last_items(self.region)[variable.key], variable), variable)

    def _lines(self, made: KernelCopy, variable: Variable) -> tuple[tuple[str, ...], tuple[str, ...]]:
        self._pending.extend(made.arguments)
        if not self.region.has_inner_parallel:
            return made.opening, made.closing
        start = made.opening if made.is_for_team else self._own(made.opening, variable)
        return start, ("if (threadIdx.x == 0) {", *(f"  {line}" for line in made.closing), "}")

    def _reduced_pointer(self, attribute: Attribute) -> Parameter:
        """A pointer of which a section is reduced: the user's name is that of the private elements."""
        variable = attribute.variable
        name, kind = f"__rex_{variable.name}", types.without_reference(variable.cursor.type)
        start, end = self._reduction(variable, attribute.reduction)
        element = types.element_of(kind) if types.is_array(kind) else None
        declared = types.declare(kind, name) if element is None else types.declare_pointer_to(element, name)
        return Parameter(declared, name, start, end)

    def _own(self, lines: tuple[str, ...], variable: Variable) -> tuple[str, ...]:
        """Make the lines that declare a thread's copy declare the team's, where the team has one."""
        return team_copy(lines, variable.name) if variable.key in self.shared else lines

    def _variable_length(self, attribute: Attribute, kind: Type) -> Parameter:
        if attribute.copied or attribute.reduction:
            raise self.fail(
                attribute.variable, f"variable-length array '{attribute.variable.name}' cannot be private yet"
            )
        if types.has_runtime_extent(kind):
            return self._runtime_view(attribute.variable, kind)
        element = types.element_of(kind)
        assert element is not None
        return Parameter(types.declare_pointer_to(element, attribute.variable.name), attribute.variable.name)

    def _add_device_address(self, attribute: Attribute) -> None:
        variable = attribute.variable
        kind = types.without_reference(variable.cursor.type)
        pointer = types.is_pointer(kind)
        host = host_name(variable)
        address = host if pointer or types.is_array(kind) else f"&{host}"
        row = MapRow(address, address, "sizeof(void *)", _LITERAL, variable.name)
        bound = self._reduced_pointer if attribute.reduction and pointer else self._by_address
        by_value = pointer and not attribute.reduction
        self.arguments.append(Argument(row, self._pointer(variable) if by_value else bound(attribute)))

    def _local(self, variable: Variable) -> str:
        kind = types.without_reference(variable.cursor.type)
        if types.is_variable_length(kind):
            raise self.fail(variable, f"variable-length array '{variable.name}' cannot be private yet")
        return f"{'__shared__ ' if variable.key in self.shared else ''}{types.declare(kind, variable.name)};"

    def _constant(self, attribute: Attribute) -> str:
        kind = types.without_reference(attribute.variable.cursor.type)
        value = str(attribute.value)
        if types.kind_name(types.canonical(kind)) == "ENUM":
            value = f"({types.spell(kind).removeprefix('const ')}){value}"
        return f"{types.declare(kind, attribute.variable.name)} = {value};"

    def _require_nameable(self, variable: Variable) -> None:
        if types.is_unnamed(variable.cursor.type):
            raise self.fail(
                variable,
                f"'{variable.name}' has a type without a name; give its struct a name to use it in a target region",
            )

    def _add_this(self) -> None:
        self.arguments.append(Argument(_WHOLE_OBJECT, self._this_parameter()))

    def _this_parameter(self) -> Parameter:
        record = self.region.owner.node.cursor.semantic_parent
        made = member_reductions(self.region)
        self._pending.extend(made.arguments)
        return Parameter(f"{types.spell(record.type)} *__rex_this", "__rex_this", made.opening, made.closing)

    def _this_group(self, group: list[Item]) -> None:
        used = self.data.uses_this
        extra = (PARAM,) if used else ()
        around = _WHOLE_OBJECT if self._uses_more_than(group) else None
        rows = member_rows(group, extra, len(self.arguments), around)
        parameter = self._this_parameter() if used else None
        self.arguments += [Argument(r, parameter if i == 0 else None) for i, r in enumerate(rows)]

    def _uses_more_than(self, group: list[Item]) -> bool:
        """Whether the region uses ``this`` for anything but the members that are mapped."""
        mapped = {outer_member(i.node) for i in group}
        return any(_member_used(use) not in mapped for use in self.data.references.this_uses)


def team_copy(lines: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Turn the lines that declare a variable and give it its first value into those of one copy for the team.

    The declaration comes first; shared memory has no initialisers, so the first thread assigns.
    """
    declaration, given, value = lines[0].removesuffix(";").removeprefix("const ").partition(" = ")
    made = [*([f"{name} = {value};"] if given else []), *lines[1:]]
    return (f"__shared__ {declaration};", *([f"if (threadIdx.x == 0) {{ {' '.join(made)} }}"] if made else []))


def _member_used(use: Node) -> int:
    """Return the identity of the member that a use of ``this``, written or implied, is for; 0 for the object itself."""
    current = use
    while current.kind != "MEMBER_REF_EXPR" and current.parent is not None and current.parent.bare() is use:
        current = current.parent
    member = current if current.kind == "MEMBER_REF_EXPR" else current.parent
    return outer_member(member) if member is not None and member.kind == "MEMBER_REF_EXPR" else 0
