"""Constant arrays of a function whose values are known when the program is compiled.

In: a variable of a region. Out: its initialiser as C++ writes it, where each value is a number that clang computes::

    const double weights[2][2] = {{1.0 / 3, 0.25}, {W0, 2}};    ->    {{0.3333333333333333, 0.25}, {0.125, 2.0}}

All copies of such an array have the same elements, so a kernel that only reads elements may have one of its own.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

from clang.cindex import Cursor, Type

from rexcc.analysis.addresses import address_is_kept
from rexcc.analysis.references import UsedVariable
from rexcc.clang import library, types
from rexcc.clang.tree import kind_of

_FLOATING = {"FLOAT": "f", "DOUBLE": ""}
_INTEGERS = frozenset({"SHORT", "USHORT", "INT", "UINT", "LONG", "ULONG", "LONGLONG", "ULONGLONG"})
_CHARACTERS = frozenset({"CHAR_S", "CHAR_U", "SCHAR", "UCHAR"})
_LARGEST_FLOAT = float.fromhex("0x1.fffffep127")
_MOST = 1000
"""Elements of an array that a kernel's text may list."""


def known_values(variable: UsedVariable) -> str:
    """Return the initialiser of a function's constant array of which only elements are read, or ``""``."""
    cursor = variable.cursor
    if not _is_constant_array(cursor.type) or any(address_is_kept(use, lambda *_: True) for use in variable.uses):
        return ""
    first = library.initialiser(cursor.get_definition() or cursor)
    if first is None or kind_of(first) != "INIT_LIST_EXPR":
        return ""
    return _listed(first, types.canonical(types.innermost(cursor.type))) or ""


def _is_constant_array(kind: Type) -> bool:
    element = types.innermost(kind)
    if not types.is_array(kind) or not types.is_constant(kind) or types.is_volatile(kind):
        return False
    name = types.kind_name(types.canonical(element))
    size, each = types.canonical(kind).get_size(), types.canonical(element).get_size()
    return (name in _FLOATING or name in _INTEGERS | _CHARACTERS) and 0 < size <= _MOST * each


def _listed(initial: Cursor, element: Type) -> str | None:
    """Return a list of initial values, or None where one of them is not known."""
    values = list(_values(initial, element))
    return None if None in values else "{" + ", ".join(v for v in values if v is not None) + "}"


def _values(initial: Cursor, element: Type) -> Iterator[str | None]:
    for child in initial.get_children():
        yield _listed(child, element) if kind_of(child) == "INIT_LIST_EXPR" else number_text(child, element)


def number_text(value: Cursor, element: Type) -> str | None:
    """Return what a value is after its conversion to the type of the elements, as C++ may list it."""
    name = types.kind_name(element)
    if name in _FLOATING:
        return _floating(value, name)
    number = library.evaluate_integer(value)
    if number is None or types.kind_name(types.canonical(value.type)) in _FLOATING:
        return None
    size, is_unsigned = 8 * element.get_size(), name.startswith("U") or name == "CHAR_U"
    least, most = (0, 2**size - 1) if is_unsigned else (1 - 2 ** (size - 1), 2 ** (size - 1) - 1)
    return str(number) if least <= number <= min(most, 2**63 - 1) else None


def _floating(value: Cursor, name: str) -> str | None:
    number = library.evaluate_floating(value)
    if number is None:
        whole = library.evaluate_integer(value)
        number = float(whole) if whole is not None and abs(whole) <= 2**24 else None
    if number is None or not math.isfinite(number) or (name == "FLOAT" and abs(number) > _LARGEST_FLOAT):
        return None
    return _shortest(number, name) + _FLOATING[name]


def _shortest(number: float, name: str) -> str:
    """Return the fewest digits that mean the same number of a type."""
    if name == "DOUBLE":
        return repr(number)
    rounded = struct.unpack("f", struct.pack("f", number))[0]
    digits = (f"{rounded:.{count}g}" for count in range(1, 10))
    found = next(text for text in digits if struct.unpack("f", struct.pack("f", float(text)))[0] == rounded)
    return found if any(mark in found for mark in ".e") else f"{found}.0"
