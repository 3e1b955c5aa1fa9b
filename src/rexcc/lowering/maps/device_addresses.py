"""``use_device_ptr`` and ``use_device_addr`` (OpenMP 5.2, 5.4.8 and 5.4.10).

In: a ``target data`` construct and the rows of its maps. Out: the rows with those whose base the runtime replaces by
the device address, and the lines that give the items' names that meaning inside the user's block. A member of
``*this`` gets a name of its own there, which its uses in the block are replaced by.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from clang.cindex import Cursor, Type

from rexcc.clang import library, spelling, types
from rexcc.clang.tree import Node
from rexcc.lowering.model.host_values import NOTHING, Pointer, address, address_of, pointer
from rexcc.lowering.model.launch import MapRow
from rexcc.lowering.model.map_types import MapFlag
from rexcc.lowering.model.sections import section_extent
from rexcc.openmp.model import ListItem
from rexcc.program.components import own_member
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.program.variables import Variable
from rexcc.source.diagnostics import CompileError, error
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, replace

CLAUSES = ("use_device_ptr", "use_device_addr")


@dataclass(frozen=True)
class DeviceItem:
    """What a list item adds to the user's block: lines before the runtime's call, the lines that bind its name inside
    the block, the line that ends a binding; ``uses`` are those to replace by ``name``."""

    before: tuple[str, ...]
    opening: str
    closing: str
    name: str
    uses: tuple[Node, ...]


@dataclass(frozen=True)
class _Item:
    """A list item with clang's view: ``text`` as the user wrote its base, ``member`` the member of ``*this`` that it
    is, if it is one, ``kind`` its type without reference; ``points`` tells that the address is the pointer's value, not
    where the pointer itself is."""

    clause: str
    item: ListItem
    node: Node
    member: Node | None
    kind: Type
    points: bool

    @property
    def text(self) -> str:
        return self.item.base.text.strip()

    @property
    def base(self) -> Pointer:
        """The address on the host that the base stands for."""
        return pointer(self.text) if self.points else address_of(self.text, self.kind)

    @property
    def first(self) -> Pointer:
        """The address of the first element of an array."""
        return address(f"{self.base.text}[0]", types.innermost(self.kind))


@dataclass(frozen=True)
class _Asked:
    """The row that tells an item's address: its number among all rows, whether it begins at the item or its first
    element, and where it begins if it is the item's own."""

    index: int
    is_begin: bool
    begin: Pointer


def device_items(
    unit: ParsedUnit, construct: Construct, mapped: list[MapRow], has_loops: bool
) -> tuple[list[MapRow], tuple[DeviceItem, ...]]:
    """Return all rows and the items of both clauses; raises CompileError for what is no variable.

    ``has_loops``: only the run counts the rows that are mapped; those that only ask stand behind them, at the end of
    the arrays.
    """
    rows, asked = list(mapped), [_known(item) for item in construct.items(*CLAUSES)]
    places = [_asked(construct, known, rows) for known in asked]
    found = []
    for known, place in zip(asked, places, strict=True):
        is_at_end = has_loops and place.index >= len(mapped)
        number = f"__arg_num - {len(rows) - place.index}" if is_at_end else str(place.index)
        found.append(_bound(unit, construct, known, place, number))
    return rows, tuple(found)


def device_name(construct: Construct, member: Node) -> str:
    """Return the name that a member of ``*this`` has on a construct because of the ``target data`` around it, or
    nothing."""
    named = (item.own_member for item in _items_around(construct))
    return _local(member) if any(n is not None and n.refers_to(member.referenced) for n in named) else ""


def has_device_name(construct: Construct, variable: Variable) -> bool:
    """Whether a variable's bare name means the device's because of the ``target data`` around a construct."""
    return any(item.whole_variable == variable for item in _items_around(construct))


def _items_around(construct: Construct) -> Iterator[ResolvedItem]:
    """Yield the list items of both clauses on the constructs around one."""
    return (item for above in construct.around() for item in above.items(*CLAUSES))


def _known(found: ResolvedItem) -> _Item:
    clause, item, node, member = found.clause.name, found.item, found.node, found.own_member
    if node is None or (found.whole_variable is None and member is None):
        raise _not_a_variable(clause, item)
    if item.sections and clause == "use_device_ptr":
        raise _not_a_variable(clause, item)
    variable = found.whole_variable
    kind = types.without_reference(types.declared_type(variable.cursor) if variable is not None else node.type)
    return _Item(
        clause, item, node, member, kind, types.is_pointer(kind) and (clause == "use_device_ptr" or bool(item.sections))
    )


def _not_a_variable(clause: str, item: ListItem) -> CompileError:
    message = f"'{item.whole.text}' in {clause} must be a variable; put its address into a pointer, and name that in "
    return error("unsupported-item", message + "use_device_ptr", item.whole.span)


def _asked(construct: Construct, known: _Item, rows: list[MapRow]) -> _Asked:
    """Return the row that tells an item's address: a map of the same construct with the same base, else a new one."""
    index = _row_of(known, rows)
    if index is not None:
        rows[index] = replace(rows[index], flags=(*rows[index].flags, MapFlag.RETURN))
        return _Asked(index, rows[index].begin in (known.base, known.first), known.base)
    begin = _begin_of(construct, known, rows)
    rows.append(_own_row(known, begin))
    return _Asked(len(rows) - 1, True, begin)


def _bound(unit: ParsedUnit, construct: Construct, known: _Item, asked: _Asked, number: str) -> DeviceItem:
    """Return an item's lines; ``number`` is that of its row in the arrays, as host text."""
    before: tuple[str, ...] = ()
    found = f"__args_base[{number}]"
    if asked.is_begin:
        found = f"rex_device_address({found}, __args[{number}])"
    if asked.begin != known.base:
        offset = related("offset", str(asked.index))
        distance = f"(const char *)({asked.begin.text}) - (const char *)({known.base.text})"
        before = (f"const __INT64_TYPE__ {offset} = {distance};",)
        found = f"((char *){found} - {offset})"
    if known.member is not None:
        return _member_binding(unit, construct, known, known.member, found, before)
    name = re.sub(r".*::\s*", "", known.text, flags=re.S)
    opening, closing = _binding(unit, construct, known, name, found)
    return DeviceItem(before, opening, closing, name, _qualified_uses(unit, construct, known))


def _row_of(known: _Item, rows: list[MapRow]) -> int | None:
    """Return the number of the row that maps from the same base."""
    for index, row in enumerate(rows):
        attaches = MapFlag.ATTACH in row.flags or row.mapper
        if row.base == known.base and not attaches and not row.is_member:
            return index
    return None


def _begin_of(construct: Construct, known: _Item, rows: list[MapRow]) -> Pointer:
    """Return where the section of a clause begins, or one of the item that this construct maps."""
    begin = known.base
    if known.item.sections:
        begin, _ = section_extent(construct, known.item, known.item.sections, known.text, known.kind)
    elif known.points:
        place = address(known.text, None)
        attached = (r for r in rows if r.base == place and MapFlag.ATTACH in r.flags)
        mapped = next((r for r in rows if r.base == known.base), None) or next(attached, None)
        begin = mapped.begin or mapped.base if mapped is not None else begin
    return known.base if begin == known.first else begin


def _own_row(known: _Item, begin: Pointer) -> MapRow:
    """Return a row that only asks."""
    what, reason = known.item.whole, f"named in '{known.clause}'"
    return MapRow(begin, begin, NOTHING, (MapFlag.RETURN,), what.text.strip(), reason=reason, place=what.span)


def _qualified_uses(unit: ParsedUnit, construct: Construct, known: _Item) -> tuple[Node, ...]:
    """Return the uses that a local name does not hide, because the user wrote a scope."""
    assert construct.body is not None
    meant = known.node.bare().referenced
    uses = (n for n in construct.body.walk() if n.kind == "DECL_REF_EXPR" and n.refers_to(meant))
    return tuple(n for n in uses if _outside_directives(unit, n) and "::" in unit.user_text(n))


def _outside_directives(unit: ParsedUnit, node: Node) -> bool:
    span, file = unit.span(node), unit.files.get(node.file)
    return span is not None and file is not None and not any(s.start <= span.start < s.end for s in file.scan.pragmas)


def _binding(unit: ParsedUnit, construct: Construct, known: _Item, name: str, address: str) -> tuple[str, str]:
    """Return the lines that open and close a variable's other meaning."""
    kind, typed = known.kind, _typed(unit)
    element = types.element_of(kind)
    whole = not unit.is_cplusplus and types.is_array(kind) and _is_used_as_array(unit, construct, known)
    if element is not None and not whole and (not unit.is_cplusplus or types.is_variable_length(kind)):
        if _has_no_name(element):
            asked = f"__typeof__({known.text}[0])"
            return f"{asked} *{name} = ({asked} *){address};", ""
        return (
            f"{typed(spelling.declare_pointer_to(element, name))} = ({typed(spelling.pointer_to(element))}){address};",
            "",
        )
    if known.points or unit.is_cplusplus:
        return _declaration(unit, construct, known, name, address), ""
    _check_hidden(construct, known, name)
    if whole or _has_no_name(kind):  # sizeof and & mean the array, of whatever extents
        bound = f"__typeof__({name}) *{related('device', name)} = (__typeof__({name}) *){address};"
        return f"{bound}\n#define {name} (*{related('device', name)})", f"#undef {name}"
    declared = spelling.declare_pointer_to(kind, related("device", name))
    bound = f"{typed(declared)} = ({typed(spelling.pointer_to(kind))}){address};"
    return f"{bound}\n#define {name} (*{related('device', name)})", f"#undef {name}"


def _is_used_as_array(unit: ParsedUnit, construct: Construct, known: _Item) -> bool:
    """Whether the block asks for an array's size or address, which those of a pointer are not."""
    assert construct.body is not None
    meant = known.node.bare().referenced
    for node in construct.body.walk():
        if node.kind == "DECL_REF_EXPR" and node.refers_to(meant) and _outside_directives(unit, node):
            above = node.in_parentheses().parent
            if above is not None and (above.kind == "CXX_UNARY_EXPR" or above.operator == "&"):
                return True
    return False


def _typed(unit: ParsedUnit) -> Callable[[str], str]:
    """Return how the host's text has a type: C code may not include <stdbool.h>."""
    return (lambda text: text) if unit.is_cplusplus else (lambda text: re.sub(r"\bbool\b", "_Bool", text))


def _declaration(unit: ParsedUnit, construct: Construct, known: _Item, name: str, address: str) -> str:
    """Declare a name for the pointer, or for what lies at the address."""
    if _in_template(construct) or _has_no_name(known.kind):  # one text for all instantiations
        kind = f"__typeof__({known.text})"
        if known.points:
            return f"{kind} {name} = ({kind}){address};"
        return f"{kind} &{name} = *({kind} *){address};"
    if known.points:
        typed = _typed(unit)
        return f"{typed(spelling.declare(known.kind, name))} = ({typed(spelling.spell(known.kind))}){address};"
    pointer = spelling.pointer_to(known.kind)
    return f"{spelling.declare_reference(known.kind, name)} = *({pointer}){address};"


def _has_no_name(kind: Type) -> bool:
    """Whether the user's text has no name for a type."""
    return spelling.has_given_name(kind) or spelling.is_unnamed(kind)


def _in_template(construct: Construct) -> bool:
    current: Cursor | None = construct.function.cursor
    while current is not None and not current.kind.is_translation_unit():
        if library.template_of(current) is not None:
            return True
        current = current.semantic_parent
    return False


def _check_hidden(construct: Construct, known: _Item, name: str) -> None:
    """In C a macro stands for a scalar or struct; refuse blocks in which the name means something else as well.

    Raises CompileError.
    """
    assert construct.body is not None
    for node in construct.body.walk():
        if node.spelling == name and node.kind in ("MEMBER_REF_EXPR", "VAR_DECL", "PARM_DECL", "FIELD_DECL"):
            message = f"'{name}' in {known.clause} and something else of that name in one block cannot be lowered yet"
            raise error("unsupported-item", message, known.item.whole.span)


def _local(member: Node) -> str:
    return related("device", member.spelling)


def _member_binding(
    unit: ParsedUnit, construct: Construct, known: _Item, member: Node, address: str, before: tuple[str, ...]
) -> DeviceItem:
    """Bind a member of ``*this`` to a name of its own; raises CompileError where a macro hides one of its uses."""
    assert construct.body is not None
    name = _local(member)
    opening = _declaration(unit, construct, known, name, address)
    uses = []
    for node in construct.body.walk():
        found = own_member(node) if node.kind == "MEMBER_REF_EXPR" else None
        if found is None or not found.refers_to(member.referenced) or not _outside_directives(unit, node):
            continue  # where clauses name it, their constructs ask for device_name
        if not re.fullmatch(rf"(this\s*->\s*)?{re.escape(member.spelling)}", unit.user_text(node)):
            message = f"this use of '{known.text}', which is in {known.clause}, cannot be lowered yet"
            raise error("unsupported-item", message, unit.span(node))
        uses.append(node)
    return DeviceItem(before, opening, "", name, tuple(uses))
