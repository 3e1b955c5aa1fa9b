"""Data constructs: ``target data``, ``enter data``, ``exit data``, ``update``, with the map rows of kernels.

In: a data construct. Out: the host text that replaces its directive, and for ``target data`` what follows its body.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.analysis.iterated import without_loops
from rexcc.clang.tree import Node
from rexcc.lowering.host.host_block import OPENED, RESUMED, device_line, place_line
from rexcc.lowering.maps.computed import computed_row
from rexcc.lowering.maps.device_addresses import device_items
from rexcc.lowering.maps.items import Item, group_by_root, item_rows, make_item, moving
from rexcc.lowering.maps.iterated import every_row, freeing_lines, lines_at_end, row_loops
from rexcc.lowering.maps.linked import attached, item_addresses
from rexcc.lowering.maps.map_arrays import TYPES_AT_END, array_lines, operands, types_at_end
from rexcc.lowering.maps.map_facts import MapFacts
from rexcc.lowering.maps.strided import has_gaps, strided_row
from rexcc.lowering.model.dependences import is_task, task_lines
from rexcc.lowering.model.launch import MapRow, RowLoop
from rexcc.lowering.model.map_types import Flags, clause_flags, map_order, motion_flags
from rexcc.openmp.model import MapClause, MotionClause
from rexcc.program.constructs import Construct, ResolvedItem
from rexcc.program.unit import ParsedUnit
from rexcc.source.diagnostics import error
from rexcc.source.records import dataclass

_CALLS = {
    "target enter data": "__tgt_target_data_begin_mapper",
    "target exit data": "__tgt_target_data_end_mapper",
    "target update": "__tgt_target_data_update_mapper",
}
_TASKS = {
    "target enter data": "rex_target_data_begin_task",
    "target exit data": "rex_target_data_end_task",
    "target update": "rex_target_data_update_task",
}


_INDENT = "    "


@dataclass(frozen=True)
class DataBlock:
    """Text that replaces the directive, and text after the body (empty for stand-alone constructs).

    ``renamed`` are uses in the body with what stands in their place, ``rows`` what is mapped.
    """

    before: str
    after: str
    renamed: tuple[tuple[Node, str], ...] = ()
    rows: tuple[MapRow, ...] = ()


def lower_standalone(construct: Construct, facts: MapFacts) -> DataBlock:
    """Lower ``enter data``, ``exit data`` and ``update``."""
    directive = construct.directive
    rows, loops = map_rows(construct, facts), row_loops(facts, construct)
    asks = is_task(directive)
    lines = [OPENED, *_opening(construct, rows, loops), *(task_lines(construct, _INDENT) if asks else [])]
    call = f"{_CALLS[directive.name]}{_operands(rows, loops)}"
    if asks:
        call = f"{_TASKS[directive.name]}{_operands(rows, loops, '&__rex_task, ')}"
    condition = _condition(construct)
    lines += [f"    if ({condition})", f"      {call}"] if condition else [f"    {call}"]
    if condition and directive.has("depend"):
        lines.append("    else rex_empty_task(&__rex_task, &__rex_place, __device_id);")
    lines += freeing_lines(loops, _INDENT)
    return DataBlock("\n" + "\n".join([*lines, f"  {RESUMED} }}"]) + "\n", "", rows=every_row(rows, loops))


def lower_target_data(unit: ParsedUnit, construct: Construct, facts: MapFacts) -> DataBlock:
    """Lower ``target data``: begin, the user's block, end with the same operands."""
    assert construct.body is not None
    mapped, loops = map_rows(construct, facts), row_loops(facts, construct)
    rows, devices = device_items(unit, construct, mapped, bool(loops))
    if loops and len(rows) > len(mapped):  # what asks for addresses comes after all that is mapped
        rows, loops = rows[: len(mapped)], [*loops, RowLoop((), tuple(rows[len(mapped) :]))]
    condition = _condition(construct)
    guard = "if (__rex_mapped) " if condition else ""
    begin_operands = end_operands = _operands(rows, loops)
    at_end = types_at_end(rows, _INDENT) if not loops else []
    if at_end:
        end_operands = _operands(rows, loops, types=TYPES_AT_END)
    before = [*_group(construct), OPENED, *_opening(construct, rows, loops), *at_end]
    if construct.directive.has("depend"):
        before += [*task_lines(construct, _INDENT), f"{_INDENT}rex_wait_for_depends(&__rex_task, &__rex_place);"]
    if condition:
        before.append(f"    const int __rex_mapped = ({condition}) != 0;")
    before.append(f"    {guard}__tgt_target_data_begin_mapper{begin_operands}")
    before += [f"    {line}" for line in lines_at_end(rows, loops)]
    after = [
        "    REX_NO_WARNINGS",
        f"    {guard}__tgt_target_data_end_mapper{end_operands}",
        *freeing_lines(loops, _INDENT),
        f"  {RESUMED} }}",
        "",
    ]
    if devices:
        before += [f"    {line}" for d in devices for line in d.before]
        before += ["    {", *(f"      {d.opening}" for d in devices)]
        after = [*(d.closing for d in devices if d.closing), "    }", *after]
    before.append(f"    {RESUMED}")
    renamed = tuple((use, d.name) for d in devices for use in d.uses)
    return DataBlock("\n" + "\n".join(before) + "\n", "\n" + "\n".join(after), renamed, every_row(rows, loops))


def _group(construct: Construct) -> list[str]:
    """Return what makes the encountering thread wait for the tasks that ``target_data`` generates (6.0, 15.7).

    ``target data`` is the construct of older versions unless it has clauses of 6.0. The construct itself is never
    deferred, whether it has ``nowait`` or not, and waits for what it depends on.
    """
    directive = construct.directive
    is_newer = directive.span.text.lstrip().startswith("target_data") or is_task(directive)
    return ["#pragma omp taskgroup"] if is_newer and not directive.has("nogroup") else []


def _operands(rows: list[MapRow], loops: Sequence[RowLoop], task: str = "", types: str = "__arg_types") -> str:
    found = operands(rows, loops, types)
    return f"({task}&__rex_place, __device_id, {found.first},\n{_INDENT * 3}{found.last});"


def _opening(construct: Construct, rows: list[MapRow], loops: Sequence[RowLoop]) -> list[str]:
    device = construct.directive.expression("device")
    number = device_line(device.text.strip() if device else "")
    if construct.body is not None and device is None:  # what is mapped ends there where it began
        number = f"{_INDENT}__INT64_TYPE__ __device_id = rex_device_of_now();"
    return [
        number,
        *array_lines(rows, construct, _INDENT, loops),
        place_line(construct.directive.span, construct.function.spelling or "lambda"),
    ]


def _condition(construct: Construct) -> str:
    condition = construct.condition(construct.directive.leaves[0])
    return condition.text.strip() if condition is not None else ""


def _entries(construct: Construct, facts: MapFacts) -> list[Item | MapRow]:
    """Return the items of all clauses, those of ``to`` before those of ``from``; for sections with gaps their rows."""
    found: list[Item | MapRow] = []
    for clause in without_loops(construct.directive.of_type(MapClause)):
        flags = clause_flags(clause, construct.directive.name)
        found += [_mapped(clause, listed, flags, facts) for listed in construct.items_of(clause)]
    motions = without_loops(construct.directive.of_type(MotionClause))
    for motion in sorted(motions, key=lambda clause: clause.name != "to"):
        found += [_moved(motion, listed, facts) for listed in construct.items_of(motion)]
    return found


def _mapped(clause: MapClause, listed: ResolvedItem, flags: Flags, facts: MapFacts) -> Item | MapRow:
    computed = computed_row(listed, flags, facts)
    return computed or make_item(listed.item, flags, listed.construct, facts, order=map_order(clause))


def _moved(motion: MotionClause, listed: ResolvedItem, facts: MapFacts) -> Item | MapRow:
    construct, item = listed.construct, listed.item
    if has_gaps(listed):
        if facts.mapper(construct, item.whole):
            message = f"'{item.whole.text}' may have gaps and has a declared mapper; update it piece by piece"
            raise error("unsupported-item", message, item.whole.span)
        return strided_row(listed, motion_flags(motion))
    computed = computed_row(listed, motion_flags(motion), facts)
    return computed or make_item(item, motion_flags(motion), construct, facts, order=map_order(motion))


def map_rows(construct: Construct, facts: MapFacts) -> list[MapRow]:
    """Return the rows of all items, in the order in which their variables come."""
    rows: list[MapRow] = []
    entries = _entries(construct, facts)
    groups = {group[0].variable: group for group in group_by_root([e for e in entries if isinstance(e, Item)])}
    for entry in entries:
        if isinstance(entry, MapRow):
            rows.append(entry)
        elif entry.variable in groups:
            rows += item_rows(groups.pop(entry.variable), len(rows), is_resident=entry.variable in facts.residents)
    addresses = item_addresses((e for e in entries if isinstance(e, Item)), facts.links)
    rows = [attached(row, addresses) for row in rows]
    return [moving(row) for row in rows] if construct.directive.name == "target update" else rows
