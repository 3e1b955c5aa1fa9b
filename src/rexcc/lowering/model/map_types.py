"""Map types to the runtime's type bits (LLVM ``omptarget.h``).

In: map type and modifiers. Out: the names of the bit macros in ``rex_kmp.h``, never numbers.
"""

from __future__ import annotations

from rexcc.openmp.model import MapClause, Modifier, MotionClause
from rexcc.source.diagnostics import error


class MemberOf(str):
    """The bits that make an entry a part of what another row maps: the runtime's macro with the number of that row."""

    row: int

    def __new__(cls, row: int) -> MemberOf:
        """Return the bits for the row of a number, counted from 0."""
        made = super().__new__(cls, f"REX_MAP_MEMBER_OF({row})")
        made.row = row
        return made


PARAM = "REX_MAP_PARAM"
IMPLICIT = "REX_MAP_IMPLICIT"

_TYPES: dict[str, tuple[str, ...]] = {
    "to": ("REX_MAP_TO",),
    "from": ("REX_MAP_FROM",),
    "tofrom": ("REX_MAP_TO", "REX_MAP_FROM"),
    "alloc": (),
    "storage": (),
    "release": (),
    "present": ("REX_MAP_PRESENT",),
    "delete": ("REX_MAP_DELETE",),
}
_MODIFIERS = {
    "always": "REX_MAP_ALWAYS",
    "close": "REX_MAP_CLOSE",
    "present": "REX_MAP_PRESENT",
    "ompx_hold": "REX_MAP_OMPX_HOLD",
}


def type_bits(map_type: str) -> tuple[str, ...]:
    """Return the bits of a map type (or ``defaultmap`` behaviour)."""
    return _TYPES[map_type]


def modifier_bits(modifiers: tuple[Modifier, ...]) -> tuple[str, ...]:
    """Return the bits of map or motion modifiers; raises CompileError for those not lowered yet."""
    others = [m for m in modifiers if m.name not in ("mapper", "iterator")]
    for modifier in others:
        if modifier.name not in _MODIFIERS:
            raise error("unsupported-modifier", f"the '{modifier.name}' modifier cannot be lowered yet", modifier.span)
    return tuple(_MODIFIERS[m.name] for m in others)


_DEFAULTS = {"target enter data": "to", "target exit data": "from"}
"""Map types of clauses without one, where it is not ``tofrom`` (OpenMP 5.2, 5.8.3)."""


def clause_bits(clause: MapClause, directive: str = "") -> tuple[str, ...]:
    """Return the bits of a ``map`` clause on a directive."""
    if clause.is_default_type and directive in _DEFAULTS:
        return (*type_bits(_DEFAULTS[directive]), *modifier_bits(clause.modifiers))
    return (*type_bits(clause.map_type), *modifier_bits(clause.modifiers))


def rank(clause: MapClause | MotionClause, is_kernel: bool = False) -> int:
    """Return which items of one variable come first, as clang orders them: those with ``present``.

    Items of map type ``alloc`` come next on data constructs and last on kernels.
    """
    if any(m.name == "present" for m in clause.modifiers):
        return 0
    is_alloc = isinstance(clause, MapClause) and clause.map_type == "alloc"
    return 1 if is_alloc != is_kernel else 2


def motion_bits(clause: MotionClause) -> tuple[str, ...]:
    """Return the bits of a ``to`` or ``from`` clause of ``target update``."""
    return ("REX_MAP_TO" if clause.name == "to" else "REX_MAP_FROM", *modifier_bits(clause.modifiers))


def expression(bits: tuple[str, ...]) -> str:
    """Return the C expression of type bits."""
    known = list(bits)
    if "REX_MAP_TO" in known and "REX_MAP_FROM" in known:
        known[known.index("REX_MAP_TO")] = "REX_MAP_TOFROM"
        known.remove("REX_MAP_FROM")
    return " | ".join(known) or "REX_MAP_NONE"
