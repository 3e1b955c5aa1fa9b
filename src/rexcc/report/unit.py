"""What became of the constructs of a translation unit, for its report.

In: kernels and data constructs as they were lowered, the edits of the user's files, the device file. Out:
:class:`UnitReport`. Nothing is read back from the generated files: a construct's place in the host file is its range in
the edited text, a kernel's text is the printer's, and both say by their ``#line`` directives which lines are whose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rexcc.codegen.device.device_file import DeviceFile
from rexcc.codegen.host.host_edits import HostEdits
from rexcc.codegen.registration.unit_names import UnitNames
from rexcc.frontend.statements import statement_end
from rexcc.lowering.data.data_constructs import DataBlock
from rexcc.lowering.maps.iterated import every_row
from rexcc.lowering.maps.map_remarks import Entry, entries
from rexcc.lowering.model.launch import Geometry, Kernel
from rexcc.lowering.model.remarks import Remark, span_of
from rexcc.lowering.text.placing import commented
from rexcc.program.constructs import Construct
from rexcc.program.unit import ParsedUnit
from rexcc.report.model import (
    Because,
    ConstructReport,
    KernelReport,
    Launch,
    MapEntry,
    Point,
    Told,
    UnitReport,
)
from rexcc.source.line_directives import ListedLine, listed
from rexcc.source.text import Span

_LEFT_OUT = ListedLine("…")
"""Stands for the statement of a construct, which is shown where the user wrote it."""

DataConstruct = tuple[Construct, DataBlock]


def unit_report(
    edits: HostEdits, kernels: Sequence[Kernel], data: Iterable[DataConstruct], made: DeviceFile, names: UnitNames
) -> UnitReport:
    """Return the report of a unit."""
    unit = edits.unit
    regions: dict[tuple[str, int], list[Kernel]] = {}
    for kernel in kernels:
        regions.setdefault(_key(kernel.region.construct), []).append(kernel)
    found = {key: _region(edits, made, alike) for key, alike in regions.items()}
    for construct, block in data:
        found.setdefault(_key(construct), _data(construct, block))
    order = {path: number for number, path in enumerate(unit.files)}
    places = sorted(found, key=lambda key: (key[0] != unit.main, order[key[0]], key[1]))
    elsewhere = bool(made.separate.imported)
    return UnitReport(
        unit.files[unit.main].scan.source.path, unit.target, names.host, names.device,
        tuple(found[key] for key in places), elsewhere,
    )  # fmt: skip


def _key(construct: Construct) -> tuple[str, int]:
    return construct.file.scan.source.path, construct.probe.site.start


def _region(edits: HostEdits, made: DeviceFile, kernels: Sequence[Kernel]) -> ConstructReport:
    first = kernels[0]
    region = first.region
    rows = every_row([argument.row for argument in first.arguments], first.row_loops)
    start, end = _range(region.construct)
    text = edits.of(region.construct.file).apply(region.construct.file.scan.source.text, start, end)
    return ConstructReport(
        " + ".join(construct.directive.name for construct in region.constructs),
        " + ".join(_directive(construct) for construct in region.constructs),
        str(region.owner.node.spelling),
        _point(region.construct.span),
        region.construct.file.scan.source.users_line(max(start, end - 1)),
        _listed_at(region.construct, text),
        tuple(map(_entry, entries([c.directive for c in region.constructs], rows))),
        tuple(_kernel(made, kernel) for kernel in kernels),
        tuple((c.directive.name, _point(c.span)) for c in region.constructs[-1].descendants()),
    )


def _data(construct: Construct, block: DataBlock) -> ConstructReport:
    before = _listed_at(construct, f"{commented(construct.probe.site.original)}\n#line 0{block.before}")
    behind = (_LEFT_OUT, *listed(block.after.lstrip("\n"))) if block.after.strip() else ()
    start, end = _range(construct)
    return ConstructReport(
        construct.directive.name,
        _directive(construct),
        str(construct.function.spelling),
        _point(construct.span),
        construct.file.scan.source.users_line(max(start, end - 1)),
        (*before, *behind),
        tuple(map(_entry, entries([construct.directive], block.rows))),
    )


def _range(construct: Construct) -> tuple[int, int]:
    """Return where a construct begins and ends in its file."""
    site = construct.probe.site
    return site.start, statement_end(construct.file, construct.body) if construct.body is not None else site.end


def _directive(construct: Construct) -> str:
    return " ".join(construct.probe.site.text.text.split())


def _listed_at(construct: Construct, text: str) -> tuple[ListedLine, ...]:
    """Return the lines of host text that begins with a construct's directive."""
    point = _point(construct.span)
    first = (ListedLine(line.text, point.path, point.line) if not line.path else line for line in listed(text)[:1])
    return (*first, *listed(text)[1:])


def _kernel(made: DeviceFile, kernel: Kernel) -> KernelReport:
    region = kernel.region
    return KernelReport(
        tuple(f"{stem}kernel__" for stem in kernel.stems),
        str(region.owner.node.cursor.displayname),
        listed(made.kernel(kernel.stem).strip("\n")),
        _launch(kernel, kernel.geometry),
        tuple(_told(region.unit, remark, region.construct.span) for remark in kernel.remarks),
    )


def _launch(kernel: Kernel, shape: Geometry) -> Launch:
    blocks = shape.teams.text if shape.teams is not None and not shape.lanes else ""
    has_second = len(kernel.stems) > 1
    return Launch(
        shape.constant_threads or (shape.bound if has_second else max(shape.bound, shape.most)) or shape.limit,
        int(blocks) if blocks.isdigit() else 0,
        shape.one_team,
        shape.one_thread,
        int(shape.shared_bytes) if shape.shared_bytes.isdigit() else 0,
        "" if shape.shared_bytes.isdigit() else shape.shared_bytes,
        next((_point(placed.clause.span) for placed in kernel.region.clauses("num_teams")), None),
        _point_or_none(span_of(kernel.region.unit, kernel.sequential)),
        _second(shape),
        shape.most if has_second else 0,
    )


def _second(shape: Geometry) -> str:
    """Return what the second of two kernels is for, empty where there is one."""
    if shape.has_large:
        return f"for blocks of more than {shape.limit} threads"
    if shape.is_by_threads:
        return "for threads with several iterations"
    if shape.has_wide:
        return "for more than 2^30 iterations"
    return "for small grids" if shape.has_small_grids else ""


def _told(unit: ParsedUnit, remark: Remark, region: Span) -> Told:
    reasons = (Because(reason.text, _point_or_none(span_of(unit, reason.place))) for reason in remark.reasons)
    place = span_of(unit, remark.node) or region
    return Told(remark.topic.value, remark.message, _point(place), remark.is_missed, tuple(reasons))


def _entry(entry: Entry) -> MapEntry:
    place = _point(entry.place)
    facts = entry.size, entry.is_implicit, entry.is_reduced
    return MapEntry(entry.what, entry.bytes, entry.transfer, entry.details, entry.reason, place, *facts)


def _point(span: Span) -> Point:
    return Point(span.source.users_path(span.start), span.line, span.column)


def _point_or_none(span: Span | None) -> Point | None:
    return None if span is None else _point(span)
