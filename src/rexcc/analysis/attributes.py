"""What the analysis says of a region's variables: how each reaches the kernel, and by which rule.

In: nothing; values made by ``sharing`` and read by the lowering stages and by inspection. Out: :class:`Attribute` with
its :class:`Reason`, and :class:`RegionData`, all attributes of one region.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from functools import cached_property

from rexcc.analysis.closures import Closure
from rexcc.analysis.linked_variables import Linked
from rexcc.analysis.references import References, UsedVariable
from rexcc.openmp.model import Clause, ListItem, MapClause
from rexcc.program.constructs import Construct
from rexcc.program.variables import Variable
from rexcc.source.records import dataclass, field
from rexcc.source.sections import with_version

MapItem = tuple[MapClause, ListItem, Construct]
"""What a ``map`` clause on one of the region's constructs says of a variable."""


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
    CONSTANT_ARRAY = "constant array, its values are known"
    NEEDED_CONSTANT = "constant that the region needs as one"
    ALLOCATOR = "memory allocator of the region's own"
    CLOSURE = "lambda, defined again in the kernel"
    DEVICE_GLOBAL = "global variable that lives on the device"


class Origin(Enum):
    """Which of the three sets of rules gives a variable its attribute (OpenMP 5.2, 5.1.1)."""

    PREDETERMINED = "predetermined"
    EXPLICIT = "explicit"
    IMPLICIT = "implicit"


@dataclass(frozen=True)
class Reason:
    """Why a variable has its attribute: the rule in words, its section of OpenMP 5.2 (or ``6.0, 7.13``), and the
    clause it rests on."""

    origin: Origin
    rule: str
    section: str
    clause: Clause | None = None

    @property
    def text(self) -> str:
        """One line for people: ``implicit: a scalar is first-private (5.2, 5.8.1)``."""
        return f"{self.origin.value}: {self.rule} ({with_version(self.section)})"


@dataclass(frozen=True, eq=False)
class Attribute:
    """The attribute of one variable.

    ``map_items`` are what ``map`` clauses say of it, ``map_type`` how it travels where it is mapped implicitly.
    ``reduction`` is the operator when each thread has a private copy that is combined at the end; ``copied`` when each
    thread has a private copy with the first value, ``last`` when the sequentially last one is kept. ``value`` is that
    of a constant, ``values`` are those of a constant array, as C++ lists them.
    """

    variable: UsedVariable
    kind: Kind
    reason: Reason
    map_items: tuple[MapItem, ...] = ()
    reduction: str = ""
    copied: bool = False
    value: int | None = None
    last: bool = False
    map_type: str = ""
    values: str = ""

    @property
    def implicit(self) -> bool:
        """Whether no clause of the target construct gives the attribute."""
        return self.reason.origin is Origin.IMPLICIT


@dataclass(frozen=True, eq=False)
class ThisObject:
    """The attribute of ``*this``, which is always mapped: by clauses that name it or members, ``whole`` implicitly.

    ``besides`` are the names of the members that the region uses and no clause names.
    """

    reason: Reason
    map_items: tuple[MapItem, ...]
    whole: bool
    besides: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class RegionData:
    """All attributes of a region, clause order first, then order of first use; ``this`` where a region uses it.

    ``closures`` are the lambdas from outside that the region calls, in the order to define them;
    ``linked`` the variables that these reach through pointers of the image.
    """

    references: References
    attributes: tuple[Attribute, ...]
    this: ThisObject | None
    closures: tuple[Closure, ...] = ()
    linked: Mapping[Variable, Linked] = field(default_factory=dict)

    @property
    def uses_this(self) -> bool:
        """Whether the region's statements use ``*this``, explicitly or not."""
        return self.this is not None and bool(self.references.this_uses)

    def of(self, variable: Variable) -> Attribute | None:
        """Return the attribute of a variable."""
        return self._by_variable.get(variable)

    @cached_property
    def _by_variable(self) -> dict[Variable, Attribute]:
        return {a.variable: a for a in reversed(self.attributes)}
