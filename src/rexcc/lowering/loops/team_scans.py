"""Prefix sums of a region's loop that all teams share.

In: a region with a scan. Out: whether all teams may share it, the launch's memory for it, and the loop's form. Each
block takes chunks of iterations in their order, every thread several of a chunk, in two phases that one loop of turns
has::

    for (long long __rex_chunk = rex_next_chunk(__rex_partials, -1); __rex_chunk < __rex_chunks; …) {
      int __rex_sums_s[REX_SCAN_PARTS];
      #pragma unroll
      for (int __rex_turn = 0; __rex_turn < 2 * REX_SCAN_PARTS; __rex_turn++) {
        const int __rex_phase = __rex_turn / REX_SCAN_PARTS, __rex_part = __rex_turn % REX_SCAN_PARTS;
        if (__rex_turn == REX_SCAN_PARTS) { rex_scan_teams_inclusive_add(__rex_sums_s, __rex_s, …); }
        const long long __rex_iteration = (__rex_chunk * REX_SCAN_PARTS + __rex_part) * blockDim.x + threadIdx.x; …
        int s = rex_identity_add<int>();
        if (__rex_phase == 1) { s = __rex_sums_s[__rex_part]; }
        if (__rex_phase == 0 && __rex_iteration < __rex_trips) { s += a[i]; }                // input phase
        if (__rex_phase == 1 && __rex_iteration < __rex_trips) { b[i] = s; }                 // scan phase
        if (__rex_phase == 0) { __rex_sums_s[__rex_part] = s; }
      }
    }

What makes it invisible: an iteration executes each phase once, and its scan phase gets what the iterations before have
contributed, in their order. Threads of a parallel loop may execute its iterations in any order and at the same time,
and neither which they are nor how many is anything the region asks for; it holds no construct but the ``scan``. How the
sums are grouped, which OpenMP leaves open, depends on the launch and on nothing else (``rex_device_scans.h``).
"""

from __future__ import annotations

from rexcc.analysis.attributes import RegionData
from rexcc.analysis.regions import PlacedClause, TargetRegion
from rexcc.analysis.thread_identity import can_tell_threads
from rexcc.clang import spelling, types
from rexcc.kernel.ir import (
    UNROLL,
    Assign,
    Block,
    Code,
    Declare,
    DeclareAll,
    Do,
    For,
    Guard,
    Stmt,
    UserSlot,
)
from rexcc.kernel.reductions import PrefixSum
from rexcc.lowering.loops.loop_forms import IterationOrder, LoweredLoop, Text, constant, counting
from rexcc.lowering.loops.numbered_loops import indices, nest_counts
from rexcc.lowering.loops.scan import IN_RANGE, Scan, ScanItem, is_inscan, place_phases, private_items
from rexcc.lowering.loops.single_iteration import is_known_to_host
from rexcc.lowering.model.geometry import condition_of, region_tripcount
from rexcc.lowering.model.host_values import Size, number
from rexcc.lowering.model.launch import Argument, Geometry, MapRow, Parameter
from rexcc.lowering.model.map_types import IMPLICIT_LITERAL, MapFlag
from rexcc.lowering.reductions.partials import is_plain_row
from rexcc.lowering.text.body import DeviceBody
from rexcc.lowering.text.qualified import host_name
from rexcc.source.own_names import own_name, related
from rexcc.source.records import replace
from rexcc.target.model import Words

_SHARED = ("target", "teams", "distribute", "parallel", "for")
_CHOOSING = (
    "num_teams", "num_threads", "thread_limit", "ordered", "copyin", "lastprivate", "linear", "induction", "schedule",
    "dist_schedule", "safelen",
)  # fmt: skip
_LARGEST, _LARGEST_OF_ALL = 64, 128
"""Bytes of a value, and of all: a block has one of each for every part of a chunk and warp, in 48 KiB."""
_WORD, _REGISTERS = 8, 40
"""Bytes of all values up to which a thread that has so many registers keeps its part of a chunk in them. More blocks
are at work then while others wait for what they have not told yet."""
_PARTS, _PARTIALS = "REX_SCAN_PARTS", "__rex_partials"
_FIRST, _SECOND = "__rex_phase == 0", "__rex_phase == 1"
_NEXT = "rex_next_chunk(__rex_partials, {})"


def is_over_teams(region: TargetRegion, data: RegionData, scan: Scan) -> bool:
    """Whether all teams share the loop of a scan: where nothing can tell, and its values are bytes and nothing else.

    The host brings memory for as many chunks as it counts, so it has to count as many iterations as the kernel.
    """
    if region.owner.template is not None or not region.loops or not region_tripcount(region):
        return False
    if not all(is_known_to_host(region, data, loop) for loop in region.loops):
        return False
    leaves = tuple(leaf for leaf in region.leaves if leaf != "simd")
    if leaves != _SHARED or any(region.clauses(*_CHOOSING)):
        return False
    if condition_of(region, "parallel") or condition_of(region, "teams"):
        return False
    if can_tell_threads(region.unit, region.iteration, frozenset({"scan"})):
        return False
    if len(list(region.clauses("reduction", "in_reduction"))) > sum(map(_scans, region.clauses("reduction"))):
        return False
    if private_items(data, scan):
        return False
    sizes = [_size(item) for item in scan.items]
    return all(0 < size <= _LARGEST for size in sizes) and sum(sizes) <= _LARGEST_OF_ALL


def scanning(shape: Geometry, scan: Scan) -> Geometry:
    """Return the geometry of a loop that all teams share."""
    is_light = sum(map(_size, scan.items)) <= _WORD
    return replace(shape, scans=True, registers=shape.registers or (_REGISTERS if is_light else 0))


def _scans(placed: PlacedClause) -> bool:
    return is_inscan(placed.clause)


def _size(item: ScanItem) -> int:
    """Return the bytes of a value, 0 where they are not all there is to it."""
    kind = types.canonical(item.kind)
    return int(kind.get_size()) if kind.is_pod() and not types.is_volatile(kind) else 0


def scans_argument(data: RegionData, scan: Scan) -> Argument:
    """Return the argument for what blocks tell each other: memory of zeros, which the kernel leaves as it was."""
    found = [data.of(item.variable) for item in scan.items]
    names = [host_name(attribute.variable) for attribute in found if attribute is not None]
    size = " + ".join(f"rex_scan_bytes(__rex_tripcount, _threads_per_block_, sizeof {name})" for name in names)
    flags = (*IMPLICIT_LITERAL, MapFlag.PARTIALS, MapFlag.ZEROED)
    row = MapRow(number("0"), None, Size(size), flags, "sums of chunks", reason="teams scan")
    end = Do(f"rex_end_scans({_PARTIALS}, {_room(scan.items)});")
    return Argument(row, Parameter("rex_partials *", _PARTIALS, (), (end,)))


def scanned_row(argument: Argument, scan: Scan) -> Argument:
    """Return an argument whose row tells that its variable is read and written once, where it is the scan's."""
    row, parameter = argument.row, argument.parameter
    if parameter is None or not is_plain_row(row) or parameter.name not in {own_name(i.name) for i in scan.items}:
        return argument
    return replace(argument, row=replace(row, flags=(*row.flags, MapFlag.REDUCED)))


def _room(items: tuple[ScanItem, ...]) -> str:
    return " + ".join(f"rex_scan_room(__rex_chunks, sizeof *{own_name(item.name)})" for item in items) or "0"


def split_chunks(body: DeviceBody, region: TargetRegion, scan: Scan) -> None:
    """Split the body of the loop into what its phases execute."""
    phases = (_SECOND, _FIRST) if scan.is_exclusive else (_FIRST, _SECOND)
    before, behind = (f"{phase} && {IN_RANGE}" for phase in phases)
    place_phases(body, scan, region.loops[-1].body, before, (), behind)


def team_scan_loop(region: TargetRegion, scan: Scan, text: Text, words: Words) -> LoweredLoop:
    """Return the form of a loop whose body is split."""
    counts, product = nest_counts(region.loops, text)
    before = (
        *counts,
        constant("__rex_trips", product),
        constant("__rex_chunks", "rex_scan_chunks(__rex_trips)"),
    )
    chunk, turn = "__rex_chunk", "__rex_turn"
    header = counting(chunk, _NEXT.format("-1"), "__rex_chunks", f"= {_NEXT.format(chunk)}")
    turns = For(f"int {turn}", turn, "0", "<", f"2 * {_PARTS}", "++")
    numbers = (
        Declare("__rex_phase", "__rex_phase", f"{turn} / {_PARTS}"),
        Declare("__rex_part", "__rex_part", f"{turn} % {_PARTS}"),
    )
    of_chunk = f"({chunk} * {_PARTS} + __rex_part) * {words.threads} + {words.thread}"
    once = (
        DeclareAll("const int", numbers),
        Block(f"if ({turn} == {_PARTS})", _sums(scan)),
        constant("__rex_iteration", of_chunk),
        *indices(region.loops, text),
        *scan.opening(),
        Guard(_SECOND, tuple(Assign(item.name, _own(item)) for item in scan.items)),
        UserSlot(),
        Guard(_FIRST, tuple(Assign(_own(item), item.name) for item in scan.items)),
    )
    body = (*_rows(scan), UNROLL, Block(turns, once))
    return LoweredLoop(before, (header,), body, IterationOrder.BY_NUMBER)


def _own(item: ScanItem) -> str:
    return f"{related('sums', item.name)}[__rex_part]"


def _rows(scan: Scan) -> Code:
    names = [(item.kind, related("sums", item.name)) for item in scan.items]
    return tuple(Declare(spelling.declare_bare(kind, f"{name}[{_PARTS}]"), name) for kind, name in names)


def _sums(scan: Scan) -> tuple[Stmt, ...]:
    made: list[Stmt] = []
    for position, item in enumerate(scan.items):
        given = f"{_PARTIALS}, {_room(scan.items[:position])}, __rex_chunk, __rex_chunks"
        name = related("sums", item.name)
        made.append(PrefixSum(name, own_name(item.name), item.operation.operator, scan.is_exclusive, of_teams=given))
    return tuple(made)
