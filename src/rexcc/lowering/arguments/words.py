"""Objects that travel by value: eight bytes of one in each argument.

In: a variable of a region, and how many words it has (:mod:`~rexcc.lowering.arguments.literals`). Out: arguments; the
last one's prologue makes the object of all words, under the user's name.
"""

from __future__ import annotations

from rexcc.analysis.references import UsedVariable
from rexcc.clang import spelling, types
from rexcc.kernel.ir import Declare
from rexcc.lowering.arguments.lambda_objects import place_name
from rexcc.lowering.maps.items import Item
from rexcc.lowering.model.host_values import NOTHING, Pointer, address_of, address_text, size_of_word
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, LITERAL, MapFlag
from rexcc.lowering.text.qualified import host_name
from rexcc.lowering.text.variables import variable as declare
from rexcc.program.unit import ParsedUnit
from rexcc.source.own_names import related
from rexcc.source.records import replace


def object_in_words(unit: ParsedUnit, variable: UsedVariable, count: int) -> list[Argument]:
    """Return the arguments of a structure that is only read and travels by value, eight bytes in each."""
    names, spelled = _words_of(variable, count)
    return _carried(unit, variable, names, f"rex_unpack_object<{spelled}>({', '.join(names)})")


def copy_in_words(unit: ParsedUnit, variable: UsedVariable, count: int) -> list[Argument]:
    """Return the arguments of an object of which each thread has a copy, eight bytes in each."""
    names, spelled = _words_of(variable, count)
    return _carried(unit, variable, names, f"rex_unpack_object<{spelled}>({', '.join(names)})", changes=True)


def object_if_absent(unit: ParsedUnit, variable: UsedVariable, count: int) -> list[Argument]:
    """Return the arguments of one whose value on the device is meant where the device has it."""
    names, spelled = _words_of(variable, count)
    there, host = related("address", variable.name), host_name(variable)
    place, reason = address_of(host, variable.cursor.type), "looked up, and travels by value"
    row = MapRow(place, place, NOTHING, (*LITERAL, MapFlag.LOOKED_UP), variable.name, reason=reason)
    found = Argument(row, Parameter("const void *", there))
    return [found, *_carried(unit, variable, names, f"rex_object_there<{spelled}>({there}, {', '.join(names)})")]


def listed(arguments: list[Argument], item: Item) -> list[Argument]:
    """Return the arguments of an object that a clause maps, with that as the reason where they have none."""
    reason = "list item that is only read"
    rows = (replace(a.row, reason=a.row.reason or reason, place=item.item.whole.span) for a in arguments)
    return [replace(argument, row=row) for argument, row in zip(arguments, rows, strict=True)]


def _words_of(variable: UsedVariable, count: int) -> tuple[list[str], str]:
    """Return the names of the parameters that carry an object, and its type."""
    names = [related("word", f"{variable.name}_{word}") for word in range(count)]
    return names, spelling.spell_value(types.without_reference(variable.cursor.type))


def _carried(
    unit: ParsedUnit, variable: UsedVariable, names: list[str], value: str, changes: bool = False
) -> list[Argument]:
    """Return the arguments that carry the words of an object, which the last one gives its name."""
    host, kind = place_name(unit, variable), types.without_reference(variable.cursor.type)
    constant = Declare(f"const {spelling.spell_value(kind)} {variable.name}", variable.name, value)
    line = declare(kind, variable.name, value) if changes else constant
    arguments = []
    for word, name in enumerate(names):
        place = Pointer(f"rex_pack_word({address_text(host, kind)}, sizeof {host}, {word})", is_untyped=True)
        row = MapRow(place, None, size_of_word("__UINT64_TYPE__"), IMPLICIT_LITERAL, variable.name)
        made = (line,) if name == names[-1] else ()
        carried = variable if made else None
        arguments.append(Argument(row, Parameter("rex_literal", name, made, carries=carried)))
    return arguments
