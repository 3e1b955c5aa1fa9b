"""Copies of a reduced array that the threads of a team change together: how many there are, and where they lie.

In: an array whose elements threads change by atomic operations (:mod:`rexcc.lowering.atomics.team_elements`). Out: the
code that opens its copies, and the operand by which they are joined (``rex_device_elements.h``).
"""

from __future__ import annotations

from functools import partial

from clang.cindex import Type

from rexcc.analysis.regions import TargetRegion
from rexcc.clang import spelling, types
from rexcc.kernel.ir import Code, Declare, Do, Storage
from rexcc.kernel.reduction_code import value_text
from rexcc.kernel.reductions import Operand
from rexcc.lowering.model.host_values import Size, pointer
from rexcc.lowering.model.launch import Argument, MapRow, Parameter
from rexcc.lowering.model.map_types import SCRATCH
from rexcc.lowering.reductions.array_reductions import Amount, first_element, section_code, section_range
from rexcc.lowering.reductions.reduction_clauses import reduced_variable, reduction_operation
from rexcc.lowering.reductions.reduction_operators import Operation
from rexcc.lowering.reductions.section_bounds import Bounds, section_size
from rexcc.lowering.reductions.shared_elements import array_rows, element_count
from rexcc.lowering.text.variables import reference
from rexcc.program.constructs import ResolvedItem
from rexcc.program.variables import Variable
from rexcc.source.own_names import own_name, related
from rexcc.source.records import replace
from rexcc.target.model import Words

_MOST_BYTES = 16384
"""Bytes of shared memory for one copy of all arrays that a team has together: eight such blocks have room."""
_COPIES_BYTES = {"FLOAT": _MOST_BYTES, "DOUBLE": _MOST_BYTES}
_COPIES_OTHERS = 8192
"""Bytes up to which it has several: more where threads that meet in an element wait for each other."""
_MOST_COPIES = 32
_MOST_ARRAYS = 8
OF_RUN = -1
"""In place of a number of copies: the run decides it."""


def constant_count(found: ResolvedItem, variable: Variable) -> int | None:
    """Return the number of elements that a list item reduces, None where only the run knows it."""
    kind = types.without_reference(variable.type)
    if not found.item.sections:
        return element_count(kind) if types.is_array(kind) else None
    return section_range(found.construct, found.item, kind, partial(Amount.written, found.construct)).constant


def team_copies(count: int | None, element: Type, arrays: int, is_section: bool) -> int:
    """Return the copies that a team has of an array of so many elements, one of ``arrays``; 0 where it has none.

    :data:`OF_RUN` where only the run knows the number, or none has room in shared memory; for sections alone.
    """
    size = types.canonical(element).get_size()
    if count is not None and count < 2:
        return 0
    if count is None or count * size * arrays > _MOST_BYTES:
        return OF_RUN if is_section and arrays <= _MOST_ARRAYS else 0
    copies = 1
    while copies < _MOST_COPIES and 2 * copies * (count | 1) * size <= _copies_bytes(element, arrays):
        copies *= 2
    return copies


def _team_room(name: str, element: Type, count: int, operation: Operation, copies: int) -> tuple[Code, str]:
    """Return the declaration of a team's copies and what opens them: a pointer to the thread's."""
    spelled, own = spelling.spell_bare(element), related("room", name)
    initial = operation.initial("")
    assert initial is not None
    extent = str(count) if copies == 1 else f"{copies} * {count | 1}"
    declared = Declare(f"{spelled} {own}[{extent}]", own, storage=Storage.TEAM)
    return (_told(name, copies), declared), f"rex_open_elements({copies}, {own}, {count}, {value_text(initial)})"


def _run_room(
    name: str, element: Type, count: str, operation: Operation, arrays: int, words: Words
) -> tuple[Code, str]:
    """Return what :func:`_team_room` does where only the run knows whether an array has room in shared memory.

    ``count`` is an operand. The variables ``copies`` and ``team_room`` say how many copies there are, and where.
    """
    spelled, initial = spelling.spell_bare(element), operation.initial("")
    assert initial is not None
    shared, copies, team = related("shared_room", name), related("copies", name), related("team_room", name)
    extent = _copies_bytes(element, arrays) // types.canonical(element).get_size()
    blocks = f"{related('room', name)} + (long long){words.block} * {count}"
    declared = (
        _told(name),
        Declare(f"{spelled} {shared}[{extent}]", shared, storage=Storage.TEAM),
        Declare(f"const int {copies}", copies, f"rex_element_copies<{spelled}>(sizeof {shared}, {count})"),
        Declare(f"{spelled} *{team}", team, f"{copies} ? {shared} : {blocks}"),
    )
    return declared, f"rex_open_elements({copies}, {team}, {count}, {value_text(initial)})"


def _told(name: str, copies: int = 1) -> Do:
    """Return the comment in front of the declarations."""
    where = f", in {copies} copies that begin in different banks" if copies > 1 else ""
    return Do(f"/* The threads of a block change elements of '{name}' together{where}. */")


def _copies_bytes(element: Type, arrays: int) -> int:
    """Return the bytes of shared memory for copies of each of so many arrays."""
    return _COPIES_BYTES.get(types.kind_name(types.canonical(element)), _COPIES_OTHERS) // arrays // 8 * 8


def section_together(
    region: TargetRegion, bounds: Bounds, found: ResolvedItem, host: str, operation: Operation, copies: int
) -> tuple[Code, Operand]:
    """Return the code that opens a team's copies of a section, which the host calls ``host``, and what joins them."""
    name, item, kind = bounds.name, found.item, types.without_reference(reduced_variable(found).type)
    elements, element = section_range(found.construct, item, kind, bounds.amount), types.shape_of(kind).element
    if copies == OF_RUN:
        arrays = array_rows(region)
        bounds.arguments.append(_block_room(name, host, kind, section_size(found.construct, item, kind, host), arrays))
        declared, storage = _run_room(name, element, elements.count.operand, operation, arrays, bounds.words)
        value, number = related("team_room", name), related("copies", name)
    else:
        assert elements.constant is not None
        declared, storage = _team_room(name, element, elements.constant, operation, copies)
        value, number = related("room", name), str(copies)
    base = first_element(kind, own_name(name), decays=found.variable is not None and found.variable.decays)
    opening, operand = section_code(name, kind, elements, operation, base, storage, is_filled=True)
    return (*declared, *opening), replace(operand, value=value, copies=number)


def array_together(
    region: TargetRegion, kind: Type, name: str, operator: str, copies: int, operand: Operand
) -> tuple[Code, Operand]:
    """Return the code that opens a team's copies of a whole array, and what joins them."""
    element, count = types.shape_of(kind).element, element_count(kind)
    assert count is not None
    operation = reduction_operation(region.unit, element, name, operator, region.construct.span)
    opening, own = _team_room(name, element, count, operation, copies)
    pointer_name = related("own", name)
    declared = Declare(f"{spelling.spell_bare(element)} *{pointer_name}", pointer_name, own)
    bound = reference(kind, name, f"*({spelling.declare_pointer_to(kind, '')}){pointer_name}")
    joined = replace(operand, value=related("room", name), is_cast=False, count=str(count), copies=str(copies))
    return (*opening, declared, bound), joined


def _block_room(name: str, host: str, kind: Type, size: str, arrays: int) -> Argument:
    """Return the argument that gives each block elements of a section where shared memory has no room for them."""
    element = types.shape_of(kind).element
    text = f"rex_block_elements(_num_blocks_, {size}, {_copies_bytes(element, arrays)})"
    row = MapRow(pointer(host), pointer(host), Size(text), SCRATCH, f"the teams' elements of {name}")
    return Argument(row, Parameter(f"{spelling.spell_bare(element)} *", related("room", name)))
