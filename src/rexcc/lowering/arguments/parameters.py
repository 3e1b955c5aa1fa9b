"""How a kernel receives its variables: parameters, and the lines that give them the user's names.

In: a region's attributes. Out: :class:`Parameter` with its prologue and epilogue; arguments that a parameter needs in
front of it (extents, first values) join the capture set as they come up. What is passed by address is bound to a
reference of the user's name, what is passed by value to a local; private copies, of a thread or of a team, and what
becomes of them at the kernel's end are lines too.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from clang.cindex import Type

from rexcc.analysis.allocators import allocator_of
from rexcc.analysis.attributes import Attribute, Kind, RegionData
from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.kernel.code import of_team
from rexcc.kernel.ir import Bind, ByFirst, Code, Declare, Storage
from rexcc.lowering.arguments.array_parameters import RuntimeArray, is_measured, with_code
from rexcc.lowering.arguments.private_copies import is_only_read, is_read_in_place
from rexcc.lowering.arguments.this_parameter import this_parameter
from rexcc.lowering.loops.last_values import last_copy, last_items
from rexcc.lowering.loops.scan import carry_code, region_scan
from rexcc.lowering.loops.team_scans import is_over_teams
from rexcc.lowering.maps.items import Item, maps_pointer
from rexcc.lowering.model.host_values import POINTER_SIZE, Size, number, packed, size_of
from rexcc.lowering.model.host_values import pointer as at
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import LITERAL, Flags
from rexcc.lowering.reductions.partials import Joined, combine_of
from rexcc.lowering.reductions.region_reductions import (
    KernelCopy,
    element_operation,
    kernel_copy,
    reduction_item,
    region_reduction,
)
from rexcc.lowering.reductions.strategies import STRATEGIES
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.runtime_arrays import check_alignment
from rexcc.lowering.text.variables import copy_by_block, copy_of_pointee, is_made, pointer, shared_variable, team_object
from rexcc.lowering.text.variables import variable as declare
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.own_names import own_name
from rexcc.source.records import replace
from rexcc.source.text import Span

NO_COPIES: Mapping[Variable, int] = MappingProxyType({})


class Binder:
    """Makes the parameters of one region's kernel; ``pending`` is the list that further arguments join.

    ``strategy`` says how teams reduce, ``joined`` collects the variables that all of them join at once; ``copies`` are
    those of a team, of the arrays whose elements its threads change together.
    """

    def __init__(
        self,
        region: TargetRegion,
        data: RegionData,
        shared: frozenset[Variable],
        pending: list[Argument],
        strategy: str = STRATEGIES[0],
        copies: Mapping[Variable, int] = NO_COPIES,
    ) -> None:
        self.copies = copies
        self.combine = combine_of(strategy, region.has_inner_parallel)
        self.joined: list[Joined] = []
        self.region, self.data = region, data
        self.shared = shared
        self.pending = pending
        self.has_team_arrays = False

    def fail(self, variable: UsedVariable, message: str) -> CompileError:
        """Return the error that a variable cannot be used in a kernel."""
        return error("unsupported-capture", message, self._place(variable))

    def _place(self, variable: UsedVariable) -> Span | None:
        return self.region.unit.span(variable.uses[0]) if variable.uses else self.region.construct.span

    def value(self, variable: UsedVariable, flags: Flags) -> Argument:
        """Return the argument of a scalar or pointer that travels by value, with its ``flags``."""
        name, host = variable.name, host_name(variable)
        kind = types.without_reference(variable.cursor.type)
        if types.is_pointer(kind) or variable.decays:
            size = POINTER_SIZE if variable.decays else Size(f"sizeof {host}", POINTER_SIZE.value)
            return Argument(MapRow(at(host), at(host), size, flags, name), self.pointer(variable))
        row = MapRow(packed(host), None, size_of(host, kind), flags, name)
        changes = variable.written or variable.exposed or self._is_assigned_inside(variable)
        is_constant = not changes and not kind.is_const_qualified()
        code = (declare(kind, name, f"rex_unpack<{spelling.spell_bare(kind)}>({own_name(name)})", is_constant),)
        return Argument(row, Parameter("rex_literal", own_name(name), self._own(code, variable)))

    def allocator(self, variable: Variable) -> Argument:
        """The handle of an allocator of the region's own, which the host makes of its traits."""
        found = allocator_of(self.region, variable)
        row = MapRow(number(found.device_handle), None, POINTER_SIZE, LITERAL, variable.name)
        name = variable.name
        line = Declare(f"omp_allocator_handle_t {name}", name, f"rex_unpack<omp_allocator_handle_t>({own_name(name)})")
        return Argument(row, Parameter("rex_literal", own_name(name), self._own((line,), variable)))

    def _is_assigned_inside(self, variable: Variable) -> bool:
        """Whether a clause of a construct inside assigns a variable, whether a statement does or not."""
        inner = self.region.constructs[-1].descendants()
        return any(construct.environment.assigning(variable) is not None for construct in inner)

    def pointer(self, variable: UsedVariable) -> Parameter:
        """A pointer whose value is a device address on arrival."""
        kind = types.without_reference(variable.cursor.type)
        if types.has_runtime_extent(kind):
            return self._runtime_view(variable)
        if types.is_array(kind):
            element = types.element_of(kind)
            assert element is not None
            return Parameter(spelling.pointer_to(element), variable.name, value_of=variable)
        if variable in self.shared:
            name = own_name(variable.name)
            return Parameter(spelling.spell(kind), name, of_team((declare(kind, variable.name, name),)))
        return Parameter(spelling.spell(kind), variable.name, value_of=variable)

    def _runtime_view(self, variable: UsedVariable, first: int = 1) -> Parameter:
        """A view of an array whose inner extents are values of the run: ``a[i][j]`` stays as written."""
        array = RuntimeArray(variable, first, is_view=True)
        known = {a.parameter.name for a in self.pending if a.parameter is not None}
        self.pending += [a for a in array.arguments() if a.parameter is not None and a.parameter.name not in known]
        name = own_name(variable.name)
        return Parameter(array.pointer(), name, array.view(name), value_of=variable)

    def by_shape(self, attribute: Attribute, group: list[Item]) -> Parameter:
        """Choose how a mapped variable is bound in the kernel."""
        variable = attribute.variable
        kind = variable.cursor.type
        is_pointer = types.is_pointer(kind) or variable.decays
        if is_pointer and not group[0].path.is_root and not maps_pointer(group):
            return self.reduced_pointer(attribute) if attribute.reduction else self.pointer(variable)
        if is_pointer and types.has_runtime_extent(kind):
            name = variable.name
            message = f"'{name}', a pointer to arrays of variable length, cannot be mapped itself yet; map its section"
            raise self.fail(variable, message)
        return self._decayed(variable) if variable.decays else self.by_address(attribute)

    def by_address(self, attribute: Attribute) -> Parameter:
        """Return the parameter of a variable of which the kernel gets the address."""
        variable = attribute.variable
        name = variable.name
        kind = types.without_reference(types.declared_type(variable.cursor))
        self.require_nameable(variable)
        if types.is_variable_length(kind):
            return self._variable_length(attribute, kind)
        if attribute.reduction or attribute.last:
            start, end = self._last(variable) if attribute.last else self._reduction(variable, attribute.reduction)
            return Parameter(spelling.pointer_to(kind), own_name(name), start, end)
        pointer = spelling.pointer_to(kind)
        in_place = is_read_in_place(self.region, attribute)
        if variable in self.shared and is_made(kind):
            return Parameter(pointer, own_name(name), team_object(kind, name, f"*{own_name(name)}"))
        if not in_place and (attribute.copied or self._is_teams_own(attribute)):
            by_block = types.is_array(kind) and variable in self.shared
            own = copy_of_pointee(kind, name, own_name(name))
            copied = copy_by_block(kind, name, own_name(name)) if by_block else self._own(own, variable)
            return Parameter(pointer, own_name(name), copied)
        const = "const " if in_place and self._is_constant_here(attribute) else ""
        bound = Bind(f"{const}{spelling.declare_reference(kind, name)}", name, f"*{own_name(name)}")
        return Parameter(pointer, own_name(name), (bound,))

    def _decayed(self, variable: UsedVariable) -> Parameter:
        """A parameter written as an array: a pointer, of which the kernel gets the address."""
        element = types.element_of(types.without_reference(variable.cursor.type))
        assert element is not None
        if types.has_runtime_extent(variable.cursor.type):
            raise self.fail(
                variable, f"'{variable.name}', a pointer to arrays of variable length, cannot be mapped yet"
            )
        own = own_name(variable.name)
        bound = Bind(spelling.declare_pointer_to(element, f"&{variable.name}"), variable.name, f"*{own}")
        return Parameter(spelling.with_declarator(spelling.pointer_to(element), "*"), own, (bound,))

    def _is_teams_own(self, attribute: Attribute) -> bool:
        return attribute.kind is Kind.FIRSTPRIVATE and attribute.variable in self.shared

    def _is_constant_here(self, attribute: Attribute) -> bool:
        """Whether the kernel says that it only reads a first-private object."""
        kind = attribute.variable.cursor.type
        element = types.shape_of(kind).element if types.is_array(kind) else kind
        if spelling.qualifies_behind(element) or types.is_constant(kind):
            return False
        return attribute.copied and is_only_read(self.region, attribute)

    def _reduction(self, variable: UsedVariable, operator: str) -> tuple[Code, Code]:
        """Return the lines of a reduction; around parallels it is the team's value that one thread adds at the end."""
        scan = region_scan(self.region)
        item = next((i for i in scan.items if i.variable == variable), None) if scan is not None else None
        if scan is not None and item is not None:
            over_teams = not self.region.loops or is_over_teams(self.region, self.data, scan)
            return ((), ()) if over_teams else carry_code(item, own_name(variable.name))
        copies = self.copies.get(variable, 0)
        made = region_reduction(self.region, variable, operator, self.combine, variable in self.shared, copies)
        return self._lines(made, variable)

    def _last(self, variable: UsedVariable) -> tuple[Code, Code]:
        """Return the lines of a variable of which the last private copy is kept."""
        return self._lines(last_copy(self.region, last_items(self.region)[variable], variable), variable)

    def _lines(self, made: KernelCopy, variable: Variable) -> tuple[Code, Code]:
        self.pending.extend(made.arguments)
        self.joined += made.joined
        is_own = self.region.has_inner_parallel and not made.is_for_team
        opening = self._own(made.opening, variable) if is_own else made.opening
        return opening, self._by_first(made.closing)

    def _by_first(self, closing: Code) -> Code:
        """Let the first thread alone do what ends a team's copy."""
        return (ByFirst(closing, in_lines=True),) if closing and self.region.has_inner_parallel else closing

    def reduced_pointer(self, attribute: Attribute) -> Parameter:
        """A pointer of which a section is reduced: the user's name is that of the private elements."""
        variable = attribute.variable
        name, kind = own_name(variable.name), types.without_reference(variable.cursor.type)
        start, end = self._reduction(variable, attribute.reduction)
        element = types.element_of(kind) if types.is_array(kind) else None
        return Parameter(spelling.spell(kind) if element is None else spelling.pointer_to(element), name, start, end)

    def _own(self, code: Code, variable: Variable) -> Code:
        """Make the code that declares a thread's copy declare the team's, where the team has one."""
        return of_team(code) if variable in self.shared else code

    def _variable_length(self, attribute: Attribute, kind: Type) -> Parameter:
        variable = attribute.variable
        if attribute.reduction or attribute.last:
            return self._returned_array(attribute)
        if attribute.copied and not is_read_in_place(self.region, attribute):
            array, shared = RuntimeArray(variable, 0), self._is_shared(variable)
            self.pending += self._needed(variable, array, shared)
            return Parameter(array.pointer(), own_name(variable.name), array.own(shared, own_name(variable.name)))
        if types.has_runtime_extent(kind) or is_measured(self.region, variable):
            return self._runtime_view(variable, 0 if is_measured(self.region, variable) else 1)
        element = types.element_of(kind)
        assert element is not None
        return Parameter(spelling.pointer_to(element), variable.name)

    def _returned_array(self, attribute: Attribute) -> Parameter:
        """A copy of an array that is joined with the original, or becomes it, at the kernel's end."""
        variable, name = attribute.variable, own_name(attribute.variable.name)
        array, shared = RuntimeArray(variable, 0), self._is_shared(variable)
        found = reduction_item(self.region, variable) if attribute.reduction else None
        if found is not None and found.item.sections and array.dimensions == 1:
            return Parameter(array.pointer(), name, *self._reduction(variable, attribute.reduction))
        if attribute.last and not self.region.loops:
            return self._runtime_view(variable, 0)
        if attribute.copied or (attribute.reduction and (found is None or found.item.sections)):
            message = f"this clause for the variable-length array '{variable.name}' cannot be lowered yet"
            raise self.fail(variable, message)
        self.pending += self._needed(variable, array, shared)
        if found is None:
            opening, closing = array.last("__rex_ran_last", shared)
            return Parameter(array.pointer(), name, opening, self._by_first(closing))
        operation = element_operation(self.region.unit, array.element, found)
        made = kernel_copy((), array.reduced(operation, shared), self.combine, f"sizeof {host_name(variable)}")
        self.joined += made.joined
        return Parameter(array.pointer(), name, made.opening, self._by_first(made.closing))

    def _needed(self, variable: UsedVariable, array: RuntimeArray, is_shared: bool) -> list[Argument]:
        """Return the arguments that a copy of an array needs; raises CompileError for one that needs too much."""
        check_alignment(array.element, variable.name, self._place(variable))
        return array.needed(is_shared)

    def _is_shared(self, variable: Variable) -> bool:
        """Whether a team has one copy of an array of run-time extents, and then the memory for it."""
        shared = variable in self.shared
        self.has_team_arrays |= shared
        return shared

    def private(self, attribute: Attribute) -> Code:
        """Return the declaration of a private variable; what it needs of the host joins the arguments."""
        variable = attribute.variable
        kind = types.without_reference(variable.cursor.type)
        if variable.decays:
            return self._private_pointer(variable, kind)
        if types.is_variable_length(kind):
            array, shared = RuntimeArray(variable, 0), self._is_shared(variable)
            *others, last = self._needed(variable, array, shared)
            self.pending += [*others, with_code(last, *array.own(shared))]
            return ()
        if variable in self.shared and is_made(kind):
            return team_object(kind, variable.name)
        made = shared_variable if variable in self.shared else declare
        return (made(kind, variable.name),)

    def _private_pointer(self, variable: UsedVariable, kind: Type) -> Code:
        """A parameter that is written as an array is a pointer."""
        if types.has_runtime_extent(kind):
            array = RuntimeArray(variable, 1)
            arguments = array.arguments()
            view = array.viewed("nullptr")
            self.pending += arguments[:-1]
            self.pending.append(with_code(arguments[-1], view))
            return ()
        element = types.element_of(kind)
        assert element is not None
        made = pointer(element, variable.name)
        return (replace(made, storage=Storage.TEAM) if variable in self.shared else made,)

    def require_nameable(self, variable: UsedVariable) -> None:
        """Raise CompileError for a variable whose type cannot be written in a kernel."""
        if spelling.is_unnamed(variable.cursor.type):
            raise self.fail(
                variable,
                f"'{variable.name}' has a type without a name; give its struct a name to use it in a target region",
            )

    def this(self) -> Parameter:
        """Return the parameter of ``this``; raises CompileError in methods of classes that a function declares."""
        made = this_parameter(self.region, self.combine)
        self.pending.extend(made.arguments)
        self.joined += made.joined
        return made.parameter
