"""What the lowering stages hand on: one ordered argument list and the kernel it belongs to.

In: nothing; values made by the stages. Out: what code generation prints. One :class:`Argument` gives a row of the map
arrays and, when the kernel uses it, a parameter; so signature, arrays and report cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Mapping

from clang.cindex import Cursor, Type

from rexcc.analysis.attributes import Attribute, RegionData
from rexcc.analysis.reachable_functions import Place
from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling
from rexcc.clang.tree import Node
from rexcc.kernel.ir import Code, Declare
from rexcc.lowering.model.host_values import Number, Pointer, Size, number, size_of_word
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, Flags, MemberOf
from rexcc.lowering.model.remarks import Remark
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field
from rexcc.source.text import Span


@dataclass(frozen=True)
class Dimension:
    """A dimension of a section with gaps: how many elements, and the bytes between two, as host expressions."""

    count: Size
    stride: Size


@dataclass(frozen=True)
class MapRow:
    """One row of ``__args_base``, ``__args``, ``__arg_sizes``, ``__arg_types``; ``begin`` None: the same as ``base``.

    ``what`` names the list item for reports and ``place`` is where it stands; ``reason`` says why the row is there.
    ``mapper`` is the host function of a ``declare mapper`` that maps the item's parts, empty for none.
    ``dimensions`` are those of a section with gaps, in place of begin and size. ``is_path_pointer`` tells that it is
    for pointers on the way to a list item, and not for one, ``has_implicit_reason`` that the reason is a rule.
    """

    base: Pointer
    begin: Pointer | None
    size: Size
    flags: Flags
    what: str
    mapper: str = ""
    reason: str = ""
    place: Span | None = None
    dimensions: tuple[Dimension, ...] = ()
    is_path_pointer: bool = False
    has_implicit_reason: bool = False

    @property
    def is_member(self) -> bool:
        """Whether the row maps a part of what another row maps."""
        return any(isinstance(flag, MemberOf) for flag in self.flags)


@dataclass(frozen=True)
class RowLoop:
    """Rows that are there once for each round of loops, with the headers of these; none for rows after loops."""

    headers: tuple[str, ...]
    rows: tuple[MapRow, ...]

    @property
    def has_members(self) -> bool:
        """Whether rows refer to others of the same round."""
        return bool(self.headers) and any(row.is_member for row in self.rows)


@dataclass(frozen=True)
class Parameter:
    """A kernel parameter: its type, its name, and the code it needs at the kernel's start and end.

    ``is_first_value``: it brings the value that a variable has when the kernel starts, beside the variable itself;
    ``is_this``: it is the object of the method that the region stands in.
    ``value_of`` is the pointer, or the array passed as one, whose value on the device it has; ``is_restrict``: it is a
    pointer with the qualifier ``__restrict__``; ``carries`` is the object that is made of it, with those in front of
    it: each thread has its own.
    """

    type: str
    name: str
    prologue: Code = ()
    epilogue: Code = ()
    is_first_value: bool = False
    is_this: bool = False
    value_of: Variable | None = None
    is_restrict: bool = False
    carries: Variable | None = None

    @property
    def declaration(self) -> str:
        """The parameter as it stands in the kernel's signature."""
        return spelling.with_declarator(self.type, f"{'__restrict__ ' if self.is_restrict else ''}{self.name}")


@dataclass(frozen=True)
class Argument:
    """A map row with the parameter it becomes; None for rows that only move data."""

    row: MapRow
    parameter: Parameter | None


@dataclass(frozen=True)
class Geometry:
    """Launch geometry as host expressions.

    ``teams`` and ``threads`` are what the program decides, or None where the compiler chooses; ``one_team`` and
    ``one_thread`` mark constructs without a league or without a parallel. ``bound`` is the constant for
    the launch bounds, 0 when unknown. ``tripcount`` is a host expression or empty,
    ``team_chunk`` the chunk size of ``dist_schedule``. ``shared_bytes`` the dynamic shared memory of a block,
    empty for none. There is one team where ``teams_if``, empty for none, is false. ``tile`` is how many iterations a
    thread takes side by side, ``limit`` the threads of a block where the program names none; ``constant_threads`` are
    those that it names, where they are the same number in all launches, else 0. ``grouped`` are the iterations of the
    inner loop that groups of threads share, empty where there is none. ``is_spare``: of the threads that the program
    names a launch may leave out those that have no iteration. ``has_small_grids``: grids that leave half of a GPU's
    threads idle have a kernel of their own; ``has_wide``: so have launches with more iterations than 32 bits count,
    or where it ``is_by_threads`` those whose threads may have several iterations.
    ``has_forms``: loops of the form for small grids are others, so its code and the usual one's is a template.
    ``registers`` of a thread are the most, 0 where nothing says so. ``has_bins``: blocks add to some elements in their
    own memory first, which takes many ``additions``, of which each iteration has so many. ``scans``: all teams share a
    loop with prefix sums.
    ``has_light_loops``: the loops that the threads of a team share do little; ``shared_loop`` are the iterations of the
    only one, where teams have an iteration each and their blocks may be wide in the usual form, else empty.
    ``most`` are the threads of the widest block where the program may ask for few teams, 0 where it cannot;
    ``has_large``: blocks of more than ``limit`` have a kernel of their own. ``lanes`` are the threads of a team where
    several teams may be a block, else 0.
    """

    teams: Number | None
    threads: Number | None
    one_team: bool
    one_thread: bool
    bound: int
    tripcount: str
    reduces: bool
    team_chunk: str = ""
    shared_bytes: str = ""
    teams_if: str = ""
    tile: int = 1
    limit: int = 256
    most: int = 0
    has_large: bool = False
    constant_threads: int = 0
    grouped: str = ""
    is_spare: bool = False
    has_small_grids: bool = False
    has_wide: bool = False
    is_by_threads: bool = False
    has_forms: bool = False
    registers: int = 0
    has_bins: bool = False
    additions: int = 1
    scans: bool = False
    has_light_loops: bool = False
    lanes: int = 0
    shared_loop: str = ""


@dataclass(frozen=True)
class HostSum:
    """A variable of which the host adds the blocks' results: the type as host text, which serves all instances of a
    template, the results' buffer, the variable, and the statement that adds one of them.
    """

    type: str
    buffer: str
    host: str
    statement: str


@dataclass(frozen=True, eq=False)
class FunctionPack:
    """A pack that a region names: its parameter in the template, and the parameters that are its elements.

    ``used`` are the elements that the kernel gets, ``by_value``: all of them are copies of the kernel's own, which it
    declares as the program does. ``changes``: the region may change a value that is private to it.
    """

    parameter: Cursor
    elements: tuple[Variable, ...]
    used: tuple[Attribute, ...]
    by_value: bool
    changes: bool

    @property
    def name(self) -> str:
        """The name in the program's text."""
        return str(self.parameter.spelling)


@dataclass(eq=False)
class Kernel:
    """A lowered region: names, arguments, geometry, and its code.

    ``entry`` are lines between the declarations and the body, ``synchronises`` asks the CPU device for fibers,
    ``criticals`` are the locks it takes, ``flushes`` tells whether its threads see what others write while they run
    (:mod:`rexcc.analysis.memory_orders`), ``read_only`` the pointers to memory that never changes,
    ``remarks`` say how it was lowered and why. ``form`` numbers the forms of launch that a template's instantiations
    have, None where all have the same; ``packs`` are those of the function that the region names. ``varying`` are the
    variables of which the host version has a copy in some of the instantiations, with the condition for it. ``ahead``
    are rows that calls of their own map around the launch, ``in_task`` tells that other instantiations have such rows
    and stand in a task of the host's. ``sequential`` is the first statement that one thread of a
    team executes while the others wait. ``team_elements`` are the arrays whose elements threads change together,
    ``together`` the places of the functions that they call together. ``aligned`` are pointers that the kernel asks for
    a multiple, with it; ``asks`` are the conditions, in a kernel's start, for one of the two forms that it has by its
    bounds (:mod:`rexcc.lowering.loops.asked_bounds`); ``host_reads`` is what the host reads at the launch that queued
    kernels may write; ``looked_up`` are the parameters with addresses of what the device may have, for which the kernel
    asks first.
    """

    stem: str
    base: str
    region: TargetRegion
    data: RegionData
    arguments: tuple[Argument, ...]
    geometry: Geometry
    locals: Code = ()
    closures: Code = ()
    entry: Code = ()
    code: Code = ()
    synchronises: bool = False
    criticals: frozenset[str] = frozenset()
    flushes: bool = False
    read_only: frozenset[Variable] = frozenset()
    remarks: tuple[Remark, ...] = ()
    uses_xomp: bool = False
    sums: tuple[HostSum, ...] = ()
    form: int | None = None
    packs: tuple[FunctionPack, ...] = ()
    varying: Mapping[str, str] = field(default_factory=dict)
    row_loops: tuple[RowLoop, ...] = ()
    ahead: tuple[MapRow, ...] = ()
    in_task: bool = False
    sequential: Node | None = None
    team_elements: frozenset[Variable] = frozenset()
    together: frozenset[Place] = frozenset()
    aligned: tuple[tuple[str, int], ...] = ()
    asks: tuple[str, ...] = ()
    host_reads: tuple[str, ...] = ()
    looked_up: tuple[str, ...] = ()

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of the names of the region's kernels: of the second form, too, if there is one."""
        if self.geometry.has_wide:
            return (self.stem, f"{self.stem}wide__")
        if self.geometry.has_large:
            return (self.stem, f"{self.stem}large__")
        return (self.stem, f"{self.stem}small__") if self.geometry.has_small_grids else (self.stem,)

    @property
    def room(self) -> int:
        """The threads for which a multiprocessor has room where teams are few: half of all where the kernel that they
        execute may have twice the registers."""
        limits = self.region.unit.target.limits
        return limits.threads if len(self.stems) > 1 else limits.resident

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in the order of their rows."""
        return tuple(a.parameter for a in self.arguments if a.parameter is not None)

    @property
    def fits_threads_to_teams(self) -> bool:
        """Whether the program decides how many teams share a loop, and the compiler how many threads they have, or
        leaves out those that have no iteration."""
        shape = self.geometry
        is_shared = bool(self.region.loops) and not self.region.has_inner_parallel
        is_open = (shape.threads is None or shape.is_spare) and not (shape.one_team or shape.one_thread)
        by_program = shape.teams is not None or bool(shape.team_chunk and shape.tripcount)
        return is_shared and is_open and by_program

    @property
    def this_type(self) -> Type | None:
        """The class of the object whose method the region stands in, None where the kernel does not get the object."""
        has_this = any(p.is_this for p in self.parameters)
        return self.region.owner.node.cursor.semantic_parent.type if has_this else None


def by_value(name: str, kind: str, value: str, what: str, parameter: str = "", word: str = "__SIZE_TYPE__") -> Argument:
    """Return the argument by which a kernel gets the integer or bytes of ``value`` as the constant ``name``.

    ``kind`` is the constant's type, ``what`` names the value in reports, ``parameter`` is the parameter's name where it
    is not ``<name>_literal``, ``word`` the host's integer of eight bytes that the row names.
    """
    parameter = parameter or f"{name}_literal"
    row = MapRow(number(value), None, size_of_word(word), IMPLICIT_LITERAL, what)
    return Argument(row, Parameter("rex_literal", parameter, (unpacked(kind, name, parameter),)))


def unpacked(kind: str, name: str, parameter: str) -> Declare:
    """Return the constant that has the value of a parameter."""
    return Declare(f"const {kind} {name}", name, f"rex_unpack<{kind}>({parameter})")
