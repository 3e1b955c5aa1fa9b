"""How a kernel receives its variables: parameters, and the lines that give them the user's names.

In: a region's attributes. Out: :class:`Parameter` with its prologue and epilogue; arguments that a parameter needs in
front of it (extents, first values) join the capture set as they come up. What is passed by address is bound to a
reference of the user's name, what is passed by value to a local; private copies, of a thread or of a team, and what
becomes of them at the kernel's end are lines too.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.analysis.allocators import allocator_of
from rexcc.analysis.attributes import Attribute, Kind
from rexcc.analysis.references import Variable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import types
from rexcc.lowering.constructs.team import Combine
from rexcc.lowering.items import Item, maps_pointer
from rexcc.lowering.last_values import last_copy, last_items
from rexcc.lowering.member_reductions import member_reductions
from rexcc.lowering.model import Argument, MapRow, Parameter
from rexcc.lowering.qualified import host_name
from rexcc.lowering.region_reductions import KernelCopy, region_reduction
from rexcc.lowering.scan import carry_lines, region_scan
from rexcc.openmp.model import ListClause, ReductionClause
from rexcc.source.diagnostics import CompileError, error

LITERAL = ("REX_MAP_LITERAL_PARAM",)
"""Map type of a value that travels as the argument itself."""

IMPLICIT_LITERAL = ("REX_MAP_IMPLICIT_LITERAL",)
"""The same, where no clause names the variable."""

_ASSIGNING = frozenset({"reduction", "lastprivate", "linear"})


class Binder:
    """Makes the parameters of one region's kernel; ``pending`` is the list that further arguments join."""

    def __init__(self, region: TargetRegion, shared: frozenset[int], pending: list[Argument]) -> None:
        self.region = region
        self.shared = shared
        self.pending = pending

    def fail(self, variable: Variable, message: str) -> CompileError:
        """Return the error that a variable cannot be used in a kernel."""
        place = self.region.unit.span(variable.uses[0]) if variable.uses else self.region.construct.span
        return error("unsupported-capture", message, place)

    def value(self, variable: Variable, bits: tuple[str, ...]) -> Argument:
        """Return the argument of a scalar or pointer that travels by value, with its ``bits``."""
        name, host = variable.name, host_name(variable)
        kind = types.without_reference(variable.cursor.type)
        if types.is_pointer(kind) or variable.decays:
            row = MapRow(host, host, f"sizeof {host}", bits, name)
            return Argument(row, self.pointer(variable))
        packed = f"rex_pack(&{host}, sizeof {host})"
        row = MapRow(packed, "", f"sizeof {host}", bits, name)
        spelled = types.spell(kind)
        bare = spelled.removeprefix("const ").removeprefix("volatile ")
        changes = variable.written or variable.exposed or name in self._written_back()
        const = "" if changes or spelled.startswith("const ") else "const "
        line = f"{const}{types.declare(kind, name)} = rex_unpack<{bare}>(__rex_{name});"
        lines = team_copy((line,), name) if variable.key in self.shared else (line,)
        return Argument(row, Parameter(f"rex_literal __rex_{name}", f"__rex_{name}", lines))

    def allocator(self, variable: Variable) -> Argument:
        """The handle of an allocator of the region's own, which the host makes of its traits."""
        found = allocator_of(self.region, variable)
        row = MapRow(f"(void *)(uintptr_t){found.device_handle}", "", "sizeof(void *)", LITERAL, variable.name)
        name = variable.name
        line = f"omp_allocator_handle_t {name} = rex_unpack<omp_allocator_handle_t>(__rex_{name});"
        return Argument(row, Parameter(f"rex_literal __rex_{name}", f"__rex_{name}", self._own((line,), variable)))

    def _written_back(self) -> frozenset[str]:
        """Return the names that clauses of inner constructs assign, whether their statements do or not."""
        clauses = (c for inner in self.region.constructs[-1].descendants() for c in inner.directive.clauses)
        lists = (c for c in clauses if isinstance(c, ListClause | ReductionClause) and c.name in _ASSIGNING)
        return frozenset(item.base.text.strip() for c in lists for item in c.items)

    def pointer(self, variable: Variable) -> Parameter:
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
            row = MapRow(f"(void *)(uintptr_t)({extent})", "", "sizeof(size_t)", IMPLICIT_LITERAL, f"extent of {name}")
            line = f"const long long {local}_extent = rex_unpack<long long>({local});"
            self.pending.append(Argument(row, Parameter(f"rex_literal {local}", local, (line,))))
        arguments = ", ".join([f"__rex_{name}", *(f"{n}_extent" for n in names)])
        line = f"const rex_vla<{element}, {shape.dimensions}> {name}({arguments});"
        return Parameter(f"{element} *__rex_{name}", f"__rex_{name}", (line,))

    def by_shape(self, attribute: Attribute, group: list[Item]) -> Parameter:
        """Choose how a mapped variable is bound in the kernel."""
        variable = attribute.variable
        kind = variable.cursor.type
        is_pointer = types.is_pointer(kind) or variable.decays
        if is_pointer and not group[0].path.is_root and not maps_pointer(group):
            return self.reduced_pointer(attribute) if attribute.reduction else self.pointer(variable)
        return self.by_address(attribute)

    def by_address(self, attribute: Attribute) -> Parameter:
        """Return the parameter of a variable of which the kernel gets the address."""
        variable = attribute.variable
        name = variable.name
        kind = types.without_reference(variable.cursor.type)
        self.require_nameable(variable)
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
        self.pending.extend(made.arguments)
        if not self.region.has_inner_parallel:
            return made.opening, made.closing
        start = made.opening if made.is_for_team else self._own(made.opening, variable)
        return start, ("if (threadIdx.x == 0) {", *(f"  {line}" for line in made.closing), "}")

    def reduced_pointer(self, attribute: Attribute) -> Parameter:
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

    def local(self, variable: Variable) -> str:
        """Return the declaration of a private variable."""
        kind = types.without_reference(variable.cursor.type)
        if types.is_variable_length(kind):
            raise self.fail(variable, f"variable-length array '{variable.name}' cannot be private yet")
        return f"{'__shared__ ' if variable.key in self.shared else ''}{types.declare(kind, variable.name)};"

    def constant(self, attribute: Attribute) -> str:
        """Return the declaration of a variable whose value is known."""
        kind = types.without_reference(attribute.variable.cursor.type)
        value = str(attribute.value)
        if types.kind_name(types.canonical(kind)) == "ENUM":
            value = f"({types.spell(kind).removeprefix('const ')}){value}"
        return f"{types.declare(kind, attribute.variable.name)} = {value};"

    def require_nameable(self, variable: Variable) -> None:
        """Raise CompileError for a variable whose type cannot be written in a kernel."""
        if types.is_unnamed(variable.cursor.type):
            raise self.fail(
                variable,
                f"'{variable.name}' has a type without a name; give its struct a name to use it in a target region",
            )

    def this(self) -> Parameter:
        """Return the parameter of ``this``."""
        record = self.region.owner.node.cursor.semantic_parent
        made = member_reductions(self.region)
        self.pending.extend(made.arguments)
        return Parameter(f"{types.spell(record.type)} *__rex_this", "__rex_this", made.opening, made.closing)


def team_copy(lines: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Turn the lines that declare a variable and give it its first value into those of one copy for the team.

    The declaration comes first; shared memory has no initialisers, so the first thread assigns.
    """
    declaration, given, value = lines[0].removesuffix(";").removeprefix("const ").partition(" = ")
    made = [*([f"{name} = {value};"] if given else []), *lines[1:]]
    return (f"__shared__ {declaration};", *([f"if (threadIdx.x == 0) {{ {' '.join(made)} }}"] if made else []))
