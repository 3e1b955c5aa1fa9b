"""The map arrays of a construct as C text: bases, begins, sizes, types, names and mappers, one entry a row.

In: the map rows of a construct. Out: the lines that declare the arrays ``__tgt_target_kernel`` and the data calls take
(LLVM ``omptarget.h``). Types and names are known to the compiler and therefore static, and so are sizes when all are
known.
"""

from __future__ import annotations

from collections.abc import Sequence

from rexcc.lowering.maps.iterated import counting_lines, nested
from rexcc.lowering.model.host_values import Pointer, Size, may_name_private_copies
from rexcc.lowering.model.launch import MapRow, RowLoop
from rexcc.lowering.model.map_types import MapFlag, expression
from rexcc.program.constructs import Construct
from rexcc.source.own_names import related
from rexcc.source.records import dataclass, replace
from rexcc.source.text import Span

_WIDTH = 118
TYPES_AT_END = "__arg_types_at_end"
"""The array of the types for the end of a region."""
_NO_ROWS = (
    "void **__args_base = 0, **__args = 0, **__arg_names = 0;",
    "__INT64_TYPE__ *__arg_sizes = 0, *__arg_types = 0;",
    "__INT32_TYPE__ __arg_num = 0;",
)


def array_lines(rows: list[MapRow], construct: Construct, indent: str, loops: Sequence[RowLoop] = ()) -> list[str]:
    """Return the declarations of a construct's arrays and of their length.

    ``loops`` are rows that only the run can count.
    """
    place = construct.directive.span  # of rows without one
    if loops:
        return [f"{indent}{line}" for line in _counted(rows, loops, place)]
    if not rows:
        return [f"{indent}{line}" for line in _NO_ROWS]
    rows = [_with_dimensions(row, number) for number, row in enumerate(rows)]
    spelled = _evaluated if may_name_private_copies(construct) else _untyped
    bases = [spelled(row.base) for row in rows]
    begins = [spelled(row.begin) if row.begin else f"__args_base[{i}]" for i, row in enumerate(rows)]
    return [
        *_dimensions(rows, indent),
        *_array("void *__args_base[]", bases, indent),
        *_array("void *__args[]", begins, indent),
        *_array(f"{_storage(rows)}__INT64_TYPE__ __arg_sizes[]", [size_text(row.size) for row in rows], indent),
        *_array("static __INT64_TYPE__ __arg_types[]", [expression(row.flags) for row in rows], indent),
        *_array("static void *__arg_names[]", [name_text(row, place) for row in rows], indent),
        *_mappers(rows, indent),
        f"{indent}__INT32_TYPE__ __arg_num = {len(rows)};",
    ]


def _evaluated(place: Pointer) -> str:
    return place.evaluated


def _untyped(place: Pointer) -> str:
    return place.untyped


def _storage(rows: list[MapRow]) -> str:
    return "static " if all(row.size.value is not None for row in rows) else ""


def _counted(rows: list[MapRow], loops: Sequence[RowLoop], place: Span) -> list[str]:
    """Return the lines that count the rows, make room for all of them at once, and fill it in the same order."""
    rows = [_with_dimensions(row, number) for number, row in enumerate(rows)]
    lines = [f"__INT32_TYPE__ __arg_num = {len(rows)};", *counting_lines(loops)]
    lines += ["struct rex_rows __rex_map_rows = rex_new_rows(__arg_num);", *_dimensions(rows, "")]
    lines += [line for row in rows for line in _added(row, place)]
    for loop in loops:
        first = ["const __INT32_TYPE__ __rex_round_start = __rex_map_rows.count;"] if loop.has_members else []
        added = [line for row in loop.rows for line in _added(row, place, in_round=bool(loop.headers))]
        lines += nested(loop.headers, [*first, *added])
    return [
        *lines,
        "void **__args_base = __rex_map_rows.base, **__args = __rex_map_rows.begin;",
        "void **__arg_names = __rex_map_rows.name, **__arg_mappers = __rex_map_rows.mapper;",
        "__INT64_TYPE__ *__arg_sizes = __rex_map_rows.size, *__arg_types = __rex_map_rows.type;",
    ]


def _added(row: MapRow, place: Span, in_round: bool = False) -> list[str]:
    base, mapper = row.base.untyped, f"(void *){row.mapper}" if row.mapper else "0"
    begin = row.begin.untyped if row.begin else base
    return [
        f"rex_add_row(&__rex_map_rows, {base}, {begin}, {size_text(row.size)},",
        f"    {expression(row.flags, in_round)}, {name_text(row, place)}, {mapper});",
    ]


def types_at_end(rows: list[MapRow], indent: str) -> list[str]:
    """Return the types for the end of a region where they differ: nobody promised that all is still present there."""
    if not any(MapFlag.PRESENT in row.flags for row in rows):
        return []
    kept = [tuple(flag for flag in row.flags if flag is not MapFlag.PRESENT) for row in rows]
    return _array(f"static __INT64_TYPE__ {TYPES_AT_END}[]", [expression(flags) for flags in kept], indent)


def _with_dimensions(row: MapRow, number: int) -> MapRow:
    """Name the array that holds a row's dimensions; the row's size is their number."""
    if not row.dimensions:
        return row
    name = _dimensions_name(number)
    return replace(row, begin=Pointer(name, True), size=Size(f"rex_merge_dimensions({name}, {len(row.dimensions)})"))


def _dimensions_name(number: int) -> str:
    return related("dimensions", str(number))


def _dimensions(rows: list[MapRow], indent: str) -> list[str]:
    found: list[str] = []
    for number, row in enumerate(rows):
        if row.dimensions:
            texts = [f"REX_DIMENSION({d.count.text}, {d.stride.text})" for d in row.dimensions]
            found += _array(f"struct rex_dimension {_dimensions_name(number)}[]", texts, indent)
    return found


@dataclass(frozen=True)
class Operands:
    """What data calls and launch packets take of the arrays, in the runtime's order: up to the types, and from them."""

    first: str
    last: str

    @property
    def text(self) -> str:
        """All of them."""
        return f"{self.first}, {self.last}"


def operands(rows: list[MapRow], loops: Sequence[RowLoop] = (), types: str = "__arg_types") -> Operands:
    """Return the operands of a construct's rows; ``types`` is the array of their types."""
    mappers = "__arg_mappers" if loops or any(row.mapper for row in rows) else "0"
    return Operands("__arg_num, __args_base, __args, __arg_sizes", f"{types}, __arg_names, {mappers}")


def _mappers(rows: list[MapRow], indent: str) -> list[str]:
    if not any(row.mapper for row in rows):
        return []
    return _array("void *__arg_mappers[]", [f"(void *){row.mapper}" if row.mapper else "0" for row in rows], indent)


def name_text(row: MapRow, place: Span) -> str:
    """Return what tells the runtime a row's name and place."""
    span = row.place or place
    text = " ".join(row.what.split()).replace("\\", "\\\\").replace('"', '\\"').replace(";", ",")
    return f'REX_MAP_NAME("{text}", {span.line}, {span.column})'


def size_text(size: Size) -> str:
    """Return a size as the runtime's type."""
    return size.text if size.is_literal else f"(__INT64_TYPE__)({size.text})"


def _array(declaration: str, values: Sequence[str], indent: str) -> list[str]:
    lines, separator = [f"{indent}{declaration} = {{"], ""
    for position, value in enumerate(values):
        piece = value + ("," if position < len(values) - 1 else "};")
        if len(lines[-1]) + len(piece) + 1 > _WIDTH:
            lines.append(indent + "    ")
            separator = ""
        lines[-1] += separator + piece
        separator = " "
    return lines
