"""Map rows of explicit list items, for kernels, data regions and updates alike.

In: list items with their clauses. Out: map rows in the order the runtime wants: a struct of which members are mapped
comes first as one row covering them, its members after it as ``MEMBER_OF``, pointers attached to what they point to.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from rexcc.analysis.list_roots import root_variable, this_root
from rexcc.analysis.references import variable_key
from rexcc.clang import types
from rexcc.clang.tree import Node
from rexcc.frontend.unit import Construct
from rexcc.lowering.model import MapRow
from rexcc.lowering.sections import Extent, atom, extent
from rexcc.openmp.model import ListItem
from rexcc.source.diagnostics import CompileError, error


@dataclass(frozen=True, eq=False)
class Item:
    """An explicit list item with its bits; ``root`` is the variable (or ``this``) that it starts from.

    ``mapper`` is the function of the ``declare mapper`` that maps it; the row of the item itself carries it.
    """

    item: ListItem
    bits: tuple[str, ...]
    node: Node
    root: Node
    mapper: str = ""

    @property
    def key(self) -> int:
        """Identity of the root."""
        return variable_key(self.root.referenced) if self.root.referenced is not None else 0

    @property
    def is_direct(self) -> bool:
        """Whether the base is the variable itself, not a member or a dereference."""
        return self.node.bare() is self.root and self.root.kind != "MEMBER_REF_EXPR"

    @property
    def is_this(self) -> bool:
        """Whether the item starts from ``this``."""
        return self.root.kind in ("CXX_THIS_EXPR", "MEMBER_REF_EXPR")


def make_item(item: ListItem, bits: tuple[str, ...], construct: Construct) -> Item:
    """Join an item with clang's view; raises CompileError where its form is not supported (``unsupported-item``)."""
    node = construct.expressions.get(item.base)
    if node is None:
        raise _unsupported(item)
    root = root_variable(node) or this_root(node)
    if root is None:
        raise _unsupported(item)
    return Item(item, bits, node, root, construct.mappers.get(item.whole, ""))


def _unsupported(item: ListItem) -> CompileError:
    return error("unsupported-item", f"list item '{item.whole.text}' cannot be lowered yet", item.whole.span)


def direct_row(item: Item, extra: tuple[str, ...]) -> MapRow:
    """Return the row of an item that names a variable: base is its address, or its value for a pointer's section."""
    found = extent(item.item, item.node)
    name = item.item.base.text.strip()
    pointer = item.item.sections and types.is_pointer(item.node.type)
    base = name if pointer or types.is_array(item.node.type) else f"&{name}"
    return MapRow(base, found.begin, found.size, (*extra, *item.bits), item.item.whole.text.strip(), item.mapper)


def dereference_row(item: Item, extra: tuple[str, ...]) -> MapRow:
    """Return the row of ``*p``: base is the pointer, one object of what it points to."""
    pointer = item.item.base.text.strip()[1:].strip()
    whole = item.item.base.text.strip()
    return MapRow(pointer, pointer, f"sizeof({whole})", (*extra, *item.bits), whole, item.mapper)


def is_dereference(item: Item) -> bool:
    """Whether an item is ``*p`` of a pointer variable."""
    bare = item.node.bare()
    return bare.kind == "UNARY_OPERATOR" and bare.operator == "*" and bare.children[0].bare() is item.root


def member_rows(
    items: list[Item], extra: tuple[str, ...], index: int, around: MapRow | None = None
) -> tuple[MapRow, ...]:
    """Return the rows of all items that are members of one struct.

    ``index`` is the row number of the first of them, for ``MEMBER_OF``. The first row covers the mapped members (or the
    whole struct when it is mapped itself, ``around`` when it is mapped implicitly), the others follow.
    """
    whole = next((i for i in items if i.is_direct or is_dereference(i) or i.node.bare().kind == "CXX_THIS_EXPR"), None)
    members = [i for i in items if i is not whole]
    if whole is not None and not members:
        return (direct_row(whole, extra) if whole.is_direct else _whole_this(whole, extra),)
    first, last = _outermost(members)
    base = _struct_address(members[0])
    if whole is not None:
        row = direct_row(whole, extra) if whole.is_direct else _whole_this(whole, extra)
    elif around is not None:
        row = around
    else:
        size = f"(char *)(&{last} + 1) - (char *)&{first}"
        if first == last:
            size = f"sizeof {first}"
        row = MapRow(base, f"&{first}", size, extra, f"members of {base}")
    return (row, *(_member_row(m, base, index) for m in members))


def _whole_this(item: Item, extra: tuple[str, ...]) -> MapRow:
    if is_dereference(item):
        return dereference_row(item, extra)
    found: Extent = extent(item.item, item.node) if item.item.sections else Extent("this", "sizeof(*this)")
    base, bits = item.item.base.text.strip(), (*extra, *item.bits)
    return MapRow(base, found.begin, found.size, bits, item.item.whole.text, item.mapper)


def _struct_address(item: Item) -> str:
    """Return the address of the struct an item is a member of: ``&s``, ``p`` or ``this``."""
    if item.is_this:
        return "this"
    name = item.root.spelling
    return name if types.is_pointer(item.root.type) else f"&{name}"


def _member_path(item: Item) -> str:
    text = item.item.base.text.strip()
    if text.startswith("*") or "[" in text or text.count("->") > 1:
        raise _unsupported(item.item)
    if "->" in text and not types.is_pointer(item.root.type) and not item.is_this:
        raise _unsupported(item.item)
    return text


def _offset(item: Item) -> int:
    """Return a number that orders members as they lie in the struct."""
    total = 0
    node = item.node.bare()
    while node.kind == "MEMBER_REF_EXPR":
        if node.referenced is not None:
            total += max(0, node.referenced.get_field_offsetof())
        inner = [c for c in node.children if c.kind not in ("TYPE_REF", "NAMESPACE_REF", "TEMPLATE_REF")]
        if not inner:
            break
        node = inner[0].bare()
    return total


def _outermost(members: list[Item]) -> tuple[str, str]:
    ordered = sorted(members, key=_offset)
    return _member_path(ordered[0]), _member_path(ordered[-1])


def _member_row(item: Item, base: str, index: int) -> MapRow:
    path = _member_path(item)
    member_of = f"REX_MAP_MEMBER_OF({index})"
    found = extent(item.item, item.node)
    if item.item.sections and types.is_pointer(item.node.type):
        bits = (member_of, "REX_MAP_PTR_AND_OBJ", *item.bits)
        return MapRow(f"&{atom(path)}", found.begin, found.size, bits, item.item.whole.text.strip(), item.mapper)
    bits = (member_of, *item.bits)
    return MapRow(base, found.begin, found.size, bits, item.item.whole.text.strip(), item.mapper)


def group_by_root(items: list[Item]) -> list[list[Item]]:
    """Return the items grouped by the variable they start from, groups and items in source order.

    One item in several clauses counts once with the bits of all: its map-enter effects come before its map-exit ones
    (OpenMP 5.2, 5.8.3).
    """
    groups: dict[int, dict[str, Item]] = {}
    for item in items:
        group = groups.setdefault(item.key if not item.is_this else -1, {})
        text = "".join(item.item.whole.text.split())
        known = group.get(text)
        group[text] = item if known is None else replace(known, bits=tuple(dict.fromkeys((*known.bits, *item.bits))))
    return [list(group.values()) for group in groups.values()]


def has_members(group: list[Item]) -> bool:
    """Whether any item of a group is a member of the group's variable."""
    return any(i.node.bare().kind == "MEMBER_REF_EXPR" for i in group)
