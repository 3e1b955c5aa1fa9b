"""What C's conversions make of a loop's first value and bound (C23, 6.3.1.8), where they are other numbers behind them.

In: the type of a loop's index, the nodes of its bounds. Out: :class:`Conversions`. Kernels and the host count in signed
64 bits, where ``unsigned i < -1`` and ``i < n`` with an ``int i`` of -5 and an unsigned ``n`` would be something else.
"""

from __future__ import annotations

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.clang.library import evaluate_integer
from rexcc.clang.members import is_bit_field
from rexcc.clang.tree import Node
from rexcc.source.records import dataclass

_UNSIGNED = frozenset({"BOOL", "CHAR_U", "UCHAR", "CHAR16", "CHAR32", "USHORT", "UINT", "ULONG", "ULONGLONG"})
_SIGNED = frozenset({"CHAR_S", "SCHAR", "WCHAR", "SHORT", "INT", "LONG", "LONGLONG"})
_INT = 32


@dataclass(frozen=True)
class Conversions:
    """The types to which a loop converts values before it counts; empty where that changes none of them.

    ``lower`` is the index's type, ``bound`` the unsigned one of the index where the bound is signed. ``order`` is the
    unsigned type in which a loop compares a signed index.
    """

    lower: str = ""
    bound: str = ""
    order: str = ""


def conversions(index: Type, lower: Node, bound: Node, increasing: bool) -> Conversions:
    """Return the conversions of a loop over integers.

    Those to an unsigned type of 64 bits are left out where the index has it: all sums are right in such a type.
    """
    own, first, last = _bits(index), _bits_of(lower), _bits_of(bound)
    if own is None:
        return Conversions()
    narrowed = first is not None and abs(own) <= _INT and not _fits(lower, first, own)
    to_index = spelling.spell_value(types.without_reference(index)) if narrowed else ""
    if last is None or (_promoted(own) < 0) == (_promoted(last) < 0) or _compared(own, last) < 0:
        return Conversions(to_index)
    if own > 0:
        stays = abs(own) > _INT or _is_natural(bound)
        return Conversions(to_index, "" if stays else "unsigned int")
    if _is_natural(lower if increasing else bound):
        return Conversions(to_index)
    return Conversions(to_index, order="unsigned int" if _compared(own, last) == _INT else "unsigned long long")


def _bits(kind: Type) -> int | None:
    """Return how many bits an integer type has, negative for a signed one; None for other types."""
    kind = types.canonical(kind)
    if types.kind_name(kind) == "ENUM":
        kind = types.canonical(kind.get_declaration().enum_type)
    name, bits = types.kind_name(kind), 8 * int(kind.get_size())
    if name in _UNSIGNED:
        return bits
    return -bits if name in _SIGNED else None


def _bits_of(node: Node) -> int | None:
    """Return the same of an expression; a bit-field counts as the ``int`` that its value fits in."""
    bits = _bits(node.bare().type)
    return -_INT if bits == _INT and is_bit_field(node.bare()) else bits


def _promoted(bits: int) -> int:
    return bits if abs(bits) >= _INT else -_INT


def _compared(first: int, second: int) -> int:
    """Return the type in which two integers are compared: the wider one, of two as wide the unsigned one."""
    first, second = _promoted(first), _promoted(second)
    return max(first, second, key=lambda bits: (abs(bits), bits))


def _is_natural(node: Node) -> bool:
    value = evaluate_integer(node.cursor)
    return value is not None and value >= 0


def _fits(node: Node, kind: int, index: int) -> bool:
    """Whether the index's type has a first value of a type."""
    low, high = _range(index)
    value = evaluate_integer(node.cursor)
    if value is not None:
        return low <= value <= high
    return low <= _range(kind)[0] and _range(kind)[1] <= high


def _range(bits: int) -> tuple[int, int]:
    return (0, (1 << bits) - 1) if bits > 0 else (-(1 << (-bits - 1)), (1 << (-bits - 1)) - 1)
