"""Variable-length arrays from outside of a region: how a kernel receives them, or has copies of its own.

In: an array variable of a region. Out: arguments for the extents that the kernel needs, and lines. What is mapped is a
pointer, or a view of its rows (rex_device_vla.h); a copy is an array of the thread or of the team
(rex_device_arrays.h)::

    const long long __rex_a_0_extent = rex_unpack<long long>(__rex_a_0);
    rex_thread_array<double> __rex_array_a(__rex_a_0_extent); double *const a = __rex_array_a.data;
"""

from __future__ import annotations

from clang.cindex import Cursor, Type

from rexcc.analysis.references import UsedVariable
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.clang.tree import Node, kind_of
from rexcc.kernel.ir import Code, CopyBytes, Declare, If, Stmt
from rexcc.kernel.reductions import Operand
from rexcc.lowering.model.host_values import Size
from rexcc.lowering.model.host_values import pointer as at
from rexcc.lowering.model.launch import Argument, MapRow, Parameter, by_value
from rexcc.lowering.model.map_types import SCRATCH
from rexcc.lowering.reductions.array_reductions import filled, runtime_elements
from rexcc.lowering.reductions.reduction_operators import Operation
from rexcc.lowering.text.extents import element_of, is_runtime_array, is_runtime_pointer, typedef_extent
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.runtime_arrays import array_name, named_array
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.own_names import own_name, related
from rexcc.source.records import replace

_TASKS = frozenset({"task", "taskloop"})
_PLAIN = frozenset({"DECL_REF_EXPR", "INTEGER_LITERAL", "PAREN_EXPR", "UNEXPOSED_EXPR"})


class RuntimeArray:
    """A variable-length array in a kernel; ``first`` is the outermost dimension whose extent the kernel knows.

    A view shares the extents that it has in common with other arrays, so that address computations do as well.
    """

    def __init__(self, variable: UsedVariable, first: int, is_view: bool = False) -> None:
        kind = types.without_reference(variable.cursor.type)
        self.name = variable.name
        self.element, self.dimensions = element_of(kind)
        self.host = host_name(variable)
        self.first = first
        self._common = common_extents(variable.cursor, self.dimensions) if is_view else {}

    @property
    def spelled(self) -> str:
        """The element's type."""
        return spelling.spell(self.element)

    @property
    def extents(self) -> str:
        """The names of the extents."""
        return ", ".join(related("extent", self._of(level)) for level in range(self.first, self.dimensions))

    def _of(self, level: int) -> str:
        return self._common.get(level, f"{self.name}_{level}")

    def arguments(self) -> list[Argument]:
        """Return the arguments that bring the extents; the host takes them from the array's own type."""
        rows = [f"{self.host}{'[0]' * level}" for level in range(self.dimensions + 1)]
        found: list[Argument] = []
        for level in range(self.first, self.dimensions):
            local, row = related("extent", self._of(level)), rows[level]
            extent, what = f"(sizeof({row}) / sizeof({row}[0]))", f"extent of {self.name}"
            found.append(by_value(local, "long long", extent, what, related("packed", local)))
        return found

    def needed(self, is_shared: bool) -> list[Argument]:
        """Return the arguments that a copy needs."""
        return [*([] if is_shared else [self.room()]), *self.arguments()]

    def room(self) -> Argument:
        """Return the argument with device memory for the copies of all threads, should they be too large for theirs."""
        place = at(self.host)
        size = Size(f"rex_room_bytes(sizeof {self.host}, (__INT64_TYPE__)_num_blocks_ * _threads_per_block_)")
        row = MapRow(place, place, size, SCRATCH, f"room for {self.name}")
        return Argument(row, Parameter("unsigned char *", related("room", self.name)))

    def own(self, is_shared: bool, source: str = "") -> Code:
        """Return the code of a copy, of the team or of the thread, with the values at ``source``."""
        kind = f"{self.spelled}, {self.dimensions}" if self.dimensions > 1 else self.spelled
        name, holder = array_name(self.name), "rex_team_array" if is_shared else "rex_thread_array"
        memory = "__rex_memory" if is_shared else f"rex_room{{{related('room', self.name)}}}"
        made: Code = (Declare(f"{holder}<{kind}> {name}", name, arguments=(memory, self.extents)),)
        if source:
            made += (CopyBytes(f"{name}.data", source, f"{name}.bytes", by_block=is_shared),)
        return (*made, self._named())

    def reduced(self, operation: Operation, is_shared: bool) -> tuple[Code, Operand]:
        """Return the code of a copy that is joined with the elements of the original at the kernel's end."""
        code, operand = self.own(is_shared), runtime_elements(self.name, self.spelled, operation, own_name(self.name))
        return (code[0], *filled(operand, self.spelled, operation, is_shared), *code[1:]), operand

    def last(self, condition: str, is_shared: bool) -> tuple[Code, Code]:
        """Return the code of a copy whose elements become those of the original under a condition."""
        name = array_name(self.name)
        back = CopyBytes(own_name(self.name), f"{name}.data", f"{name}.bytes")
        return self.own(is_shared), (If(condition, (back,)),)

    def view(self, pointer: str) -> Code:
        """Return the code that gives the user's name to what a pointer points to."""
        if self.first > 0:
            return (self.viewed(pointer, "const "),)
        kind = f"{self.spelled}, {self.dimensions}" if self.dimensions > 1 else self.spelled
        name = array_name(self.name)
        made = Declare(f"const rex_array<{kind}> {name}", name, arguments=(pointer, self.extents))
        return (made, self._named())

    def viewed(self, pointer: str, const: str = "") -> Declare:
        """Return the declaration of a view of what a pointer points to, by the user's name."""
        kind = f"rex_vla<{self.spelled}, {self.dimensions}>"
        return Declare(f"{const}{kind} {self.name}", self.name, arguments=(pointer, self.extents))

    def pointer(self) -> str:
        """Return the type of the parameter with the first element's address."""
        return spelling.pointer_to(self.element)

    def _named(self) -> Declare:
        return named_array(self.name, self.element, self.dimensions)


def common_extents(declaration: Cursor, dimensions: int) -> dict[int, str]:
    """Return names for the extents of a function's parameter that are others of its parameters, by dimension.

    All parameters' extents are computed when the function begins, before its body can change a parameter (C11 6.9.1);
    those that name the same one are the same, unless one of them does more than to compute a value.
    """
    if kind_of(declaration) != "PARM_DECL":
        return {}
    siblings = [c for c in declaration.semantic_parent.get_children() if kind_of(c) == "PARM_DECL"]
    if not all(kind_of(c) in _PLAIN for p in siblings for e in _extents_of(p) for c in e.walk_preorder()):
        return {}
    extents = _extents_of(declaration)
    places = {int(e.extent.start.offset) for e in extents}
    if len(extents) not in (dimensions - 1, dimensions) or len(places) < len(extents):  # a macro's are in no order
        return {}
    found = {level: _parameter(e) for level, e in enumerate(extents, dimensions - len(extents))}
    return {level: f"by_{parameter.spelling}" for level, parameter in found.items() if parameter is not None}


def _extents_of(parameter: Cursor) -> list[Cursor]:
    """Return the expressions in a parameter's brackets, outermost first."""
    found = (c for c in parameter.get_children() if c.kind.is_expression())
    return sorted(found, key=lambda c: int(c.extent.start.offset))


def _parameter(extent: Cursor) -> Cursor | None:
    """Return the parameter whose value an extent is."""
    while kind_of(extent) == "UNEXPOSED_EXPR" and len(children := list(extent.get_children())) == 1:
        extent = children[0]
    named = extent.referenced if kind_of(extent) == "DECL_REF_EXPR" else None
    return named if named is not None and kind_of(named) == "PARM_DECL" else None


def with_code(argument: Argument, *code: Stmt) -> Argument:
    """Return an argument whose parameter has further code at the kernel's start."""
    parameter = argument.parameter
    assert parameter is not None
    return replace(argument, parameter=replace(parameter, prologue=(*parameter.prologue, *code)))


def is_measured(region: TargetRegion, variable: UsedVariable) -> bool:
    """Whether a region needs the whole extent of an array: it asks for its size, or makes copies of it."""
    if any(_asks_size(use) for use in variable.uses):
        return True
    return any(_copies(construct, variable) for construct in region.constructs[-1].descendants())


def _copies(construct: Construct, variable: Variable) -> bool:
    """Whether a construct may make copies of a variable."""
    if _TASKS & set(construct.directive.leaves) or construct.directive.has("default"):
        return True
    return construct.environment.named(variable)


def _asks_size(use: Node) -> bool:
    above = next((n for n in use.ancestors() if n.kind not in ("PAREN_EXPR", "UNEXPOSED_EXPR")), None)
    return above is not None and above.kind == "CXX_UNARY_EXPR"


def typedef_arguments(region: TargetRegion) -> list[Argument]:
    """Return the arguments for the extents of typedefs from outside of a region that it names."""
    found: dict[str, Argument] = {}
    for use in region.body.walk():
        typedef = use.referenced if use.kind == "TYPE_REF" else None
        if typedef is None or typedef.kind.name != "TYPEDEF_DECL":
            continue
        if not (is_runtime_array(typedef.type) or is_runtime_pointer(typedef.type)) or typedef.spelling in found:
            continue
        place = region.unit.tree.node(typedef)
        if place.is_inside(region.body):
            continue
        found |= _typedef_extents(str(typedef.spelling), typedef.underlying_typedef_type)
    return list(found.values())


def _typedef_extents(name: str, kind: Type) -> dict[str, Argument]:
    array = f"*({name} *)0" if is_runtime_array(kind) else f"**({name} *)0"
    _, dimensions = element_of(kind)
    found: dict[str, Argument] = {}
    for level in range(dimensions - int(is_runtime_pointer(kind))):
        row = f"({array}){'[0]' * level}"
        local = typedef_extent(name, level)
        extent = f"(sizeof({row}) / sizeof({row}[0]))"
        found[name if level == 0 else local] = by_value(local, "long long", extent, f"extent of {name}")
    return found
