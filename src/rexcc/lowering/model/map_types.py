"""Map types to the runtime's type bits (LLVM ``omptarget.h``).

In: map type and modifiers. Out: :data:`Flags`, and their macros in ``rex_kmp.h``, never numbers.
"""

from __future__ import annotations

from enum import Enum, IntEnum, auto

from rexcc.openmp.model import MapClause, Modifier, MotionClause
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass


class MapFlag(Enum):
    """A bit of a row's map type; the value is its macro in ``rex_kmp.h``."""

    TO = "REX_MAP_TO"
    FROM = "REX_MAP_FROM"
    ALWAYS = "REX_MAP_ALWAYS"
    DELETE = "REX_MAP_DELETE"
    PRESENT = "REX_MAP_PRESENT"
    CLOSE = "REX_MAP_CLOSE"
    HOLD = "REX_MAP_OMPX_HOLD"
    SELF = "REX_MAP_SELF"
    PARAM = "REX_MAP_PARAM"
    LITERAL = "REX_MAP_LITERAL"
    IMPLICIT = "REX_MAP_IMPLICIT"
    PRIVATE = "REX_MAP_PRIVATE"
    ATTACH = "REX_MAP_PTR_AND_OBJ"
    RETURN = "REX_MAP_RETURN_PARAM"
    NON_CONTIGUOUS = "REX_MAP_NON_CONTIG"
    COPIES_POINTERS = "REX_MAP_COPIES_POINTERS"
    LOOKED_UP = "REX_MAP_LOOKED_UP"
    PARTIALS = "REX_MAP_PARTIALS"
    REDUCED = "REX_MAP_REDUCED"
    ZEROED = "REX_MAP_ZEROED"
    READ = "REX_MAP_READ"


@dataclass(frozen=True)
class MemberOf:
    """What makes an entry a part of what another row maps; ``row`` is the number of that row, counted from 0."""

    row: int


Flags = tuple[MapFlag | MemberOf, ...]

LITERAL: Flags = (MapFlag.LITERAL, MapFlag.PARAM)
"""Flags of a value that travels as the argument itself."""

IMPLICIT_LITERAL: Flags = (*LITERAL, MapFlag.IMPLICIT)
"""The same, where no clause names the variable."""

PRIVATE_COPY: Flags = (MapFlag.PARAM, MapFlag.PRIVATE, MapFlag.TO)
"""Flags of an object of which the device gets a copy of its own for the launch."""

SCRATCH: Flags = (MapFlag.PARAM, MapFlag.PRIVATE)
"""Flags of device memory for the time of a launch, without a value."""

_TOFROM: Flags = (MapFlag.TO, MapFlag.FROM)
_TYPES: dict[str, Flags] = {
    "to": (MapFlag.TO,),
    "from": (MapFlag.FROM,),
    "tofrom": _TOFROM,
    "alloc": (),
    "storage": (),
    "release": (),
    "present": (MapFlag.PRESENT,),
    "delete": (MapFlag.DELETE,),
    "self": (MapFlag.SELF,),
}
_MODIFIERS = {
    "always": MapFlag.ALWAYS,
    "close": MapFlag.CLOSE,
    "present": MapFlag.PRESENT,
    "ompx_hold": MapFlag.HOLD,
    "self": MapFlag.SELF,
}
_TOGETHER: tuple[tuple[Flags, str], ...] = (
    (IMPLICIT_LITERAL, "REX_MAP_IMPLICIT_LITERAL"),
    (LITERAL, "REX_MAP_LITERAL_PARAM"),
    (_TOFROM, "REX_MAP_TOFROM"),
)
"""Flags that have a macro together; of several that fit the first is taken."""


def type_flags(map_type: str) -> Flags:
    """Return the flags of a map type (or ``defaultmap`` behaviour)."""
    return _TYPES[map_type]


def modifier_flags(modifiers: tuple[Modifier, ...]) -> Flags:
    """Return the flags of map or motion modifiers; raises CompileError for those not lowered yet."""
    others = [m for m in modifiers if m.name not in ("mapper", "iterator")]
    for modifier in others:
        if modifier.name not in _MODIFIERS:
            message = f"the '{modifier.name}' modifier cannot be lowered yet; leave it out: "
            message += "a reference and what it refers to are mapped together"
            raise error("unsupported-modifier", message, modifier.span)
    return tuple(_MODIFIERS[m.name] for m in others)


_DEFAULTS = {"target enter data": "to", "target exit data": "from"}
"""Map types of clauses without one, where it is not ``tofrom`` (OpenMP 5.2, 5.8.3)."""


def clause_flags(clause: MapClause, directive: str = "") -> Flags:
    """Return the flags of a ``map`` clause on a directive."""
    if clause.is_default_type and directive in _DEFAULTS:
        return (*type_flags(_DEFAULTS[directive]), *modifier_flags(clause.modifiers))
    return (*type_flags(clause.map_type), *modifier_flags(clause.modifiers))


class MapOrder(IntEnum):
    """When an item is mapped, of those of one variable, as clang orders them; those with ``present`` first."""

    FIRST = auto()
    EARLY = auto()
    LATE = auto()


def map_order(clause: MapClause | MotionClause, is_kernel: bool = False) -> MapOrder:
    """Return when the items of a clause are mapped: those of map type ``alloc`` early by data constructs, late by
    kernels."""
    if any(m.name == "present" for m in clause.modifiers):
        return MapOrder.FIRST
    is_alloc = isinstance(clause, MapClause) and clause.map_type == "alloc"
    return MapOrder.EARLY if is_alloc != is_kernel else MapOrder.LATE


def motion_flags(clause: MotionClause) -> Flags:
    """Return the flags of a ``to`` or ``from`` clause of ``target update``."""
    return (MapFlag.TO if clause.name == "to" else MapFlag.FROM, *modifier_flags(clause.modifiers))


def folded(flags: Flags) -> tuple[MapFlag | MemberOf | str, ...]:
    """Return flags in order, with those that have a macro together as that macro where the first of them stands."""
    found: list[MapFlag | MemberOf | str] = list(flags)
    for group, macro in _TOGETHER:
        if all(flag in found for flag in group):
            found[found.index(group[0])] = macro
            found = [flag for flag in found if flag not in group]
    return tuple(found)


def expression(flags: Flags, in_round: bool = False) -> str:
    """Return the C expression of flags.

    ``in_round``: the row is one of a round of a loop, and rows of the round are numbered from ``__rex_round_start``.
    """
    return " | ".join(_macro(flag, in_round) for flag in folded(flags)) or "REX_MAP_NONE"


def _macro(flag: MapFlag | MemberOf | str, in_round: bool) -> str:
    if isinstance(flag, str):
        return flag
    if isinstance(flag, MapFlag):
        return flag.value
    if in_round:
        return f"rex_member_of(__rex_round_start + {flag.row})" if flag.row else "rex_member_of(__rex_round_start)"
    return f"REX_MAP_MEMBER_OF({flag.row})"
