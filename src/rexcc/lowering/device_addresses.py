"""``use_device_ptr`` and ``use_device_addr`` (OpenMP 5.2, 5.4.8 and 5.4.10).

In: a ``target data`` construct. Out: a map row per list item, whose base the runtime replaces by the device address,
and the lines that give the item's name that meaning inside the user's block.
"""

from __future__ import annotations

from dataclasses import dataclass

from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.unit import Construct, ParsedUnit
from rexcc.lowering.model import MapRow
from rexcc.openmp.model import ListClause, ListItem
from rexcc.source.diagnostics import error


@dataclass(frozen=True)
class DeviceItem:
    """A list item: its row, the line that binds its name inside the block, and the line that ends a binding."""

    row: MapRow
    opening: str
    closing: str = ""


def device_items(unit: ParsedUnit, construct: Construct, first_row: int) -> tuple[DeviceItem, ...]:
    """Return the items of both clauses; ``first_row`` is the number of their first row."""
    found: list[DeviceItem] = []
    for clause in construct.directive.of_type(ListClause):
        if clause.name not in ("use_device_ptr", "use_device_addr"):
            continue
        for item in clause.items:
            node = construct.expressions.get(item.base)
            if node is None or node.bare().kind != "DECL_REF_EXPR":
                raise error(
                    "unsupported-item", f"'{item.whole.text}' in {clause.name} must be a variable", item.whole.span
                )
            found.append(_device_item(unit, clause.name, item, node, first_row + len(found)))
    return tuple(found)


def _device_item(unit: ParsedUnit, clause: str, item: ListItem, node: Node, row: int) -> DeviceItem:
    name = item.base.text.strip()
    kind = types.without_reference(node.type)
    pointer = types.is_pointer(kind)
    if pointer and (clause == "use_device_ptr" or item.sections):
        line = f"{types.declare(kind, name)} = ({types.spell(kind)})__args_base[{row}];"
        return DeviceItem(MapRow(name, name, "0", ("REX_MAP_RETURN_PARAM",), name), line)
    array = types.is_array(kind)
    address = name if array else f"&{name}"
    mapped = MapRow(address, address, "0", ("REX_MAP_RETURN_PARAM",), name)
    if unit.is_cplusplus:
        pointer_type = types.declare_pointer_to(kind, "").strip()
        return DeviceItem(mapped, f"{types.declare_reference(kind, name)} = *({pointer_type})__args_base[{row}];")
    element = types.element_of(kind)
    if array and element is not None:
        return DeviceItem(mapped, f"{types.declare_pointer_to(element, name)} = __args_base[{row}];")
    bound = f"{types.declare_pointer_to(kind, f'__rex_device_{name}')} = __args_base[{row}];"
    return DeviceItem(mapped, f"{bound}\n#define {name} (*__rex_device_{name})", f"#undef {name}")
