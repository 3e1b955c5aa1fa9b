"""Choices between a half and another number in device code: ``x > 0 ? x : 0`` of a ``_Float16``.

In: device code of C or C++. Out: edits that cast the operand which has another type than the expression:
``x > 0 ? x : (_Float16)(0)``. On GPUs the type is a class (rex_device_half.h) that converts to every number and from
every number, so that C++ finds such a choice ambiguous. In templates, where types are open, it stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterable

from clang.cindex import Type

from rexcc.clang import spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.c.editing import CEdits
from rexcc.lowering.text.body import DeviceBody
from rexcc.program.unit import ParsedUnit

_HALF = "FLOAT16"


def cast_half_choices(body: DeviceBody, tops: Iterable[Node]) -> None:
    """Cast operands of the choices below some nodes."""
    if not body.unit.kept(_names_halves):
        return
    edits = CEdits(body)
    for top in tops:
        for node in top.walk():
            if node.kind == "CONDITIONAL_OPERATOR" and len(node.children) == 3:
                _cast(edits, node)


def _names_halves(unit: ParsedUnit) -> bool:
    """Whether the text of a user's file names the type."""
    return any("_Float16" in file.scan.source.text for file in unit.files.values())


def _cast(edits: CEdits, choice: Node) -> None:
    operands = choice.children[1:]
    kinds = [_kind_of(operand.bare().type) for operand in operands]
    if kinds.count(_HALF) != 1 or not all(types.is_scalar(operand.bare().type) for operand in operands):
        return
    wanted = _kind_of(choice.type)
    for operand, kind in zip(operands, kinds, strict=True):
        if kind != wanted:
            edits.wrap(operand, f"({spelling.spell_value(choice.type)})(", ")")


def _kind_of(kind: Type) -> str:
    return types.kind_name(types.canonical(kind))
