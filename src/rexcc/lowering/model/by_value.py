"""Kernel arguments that carry a value of the host.

In: an expression of the host and the type of its value. Out: the row, whose address is the value itself, and the
parameter, which the kernel unpacks to a constant.
"""

from __future__ import annotations

from rexcc.kernel.ir import Declare
from rexcc.lowering.model.host_values import number, size_of_word
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL


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
