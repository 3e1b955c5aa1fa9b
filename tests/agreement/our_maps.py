"""What our analysis says of the variables of each target construct.

In: a file and flags. Out: one :class:`Side` per target construct, and the errors where there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from our_sharing import names_type
from verdicts import (
    ABSENT,
    BOUND,
    CAPTURED,
    CONST,
    CONSTANT,
    FIRSTPRIVATE,
    FIRSTPRIVATE_POINTER,
    INDEX,
    LAST,
    MEASURED,
    MEMBER_ON_DEVICE,
    OUTSIDE,
    POINTER,
    REDUCED,
    SHAPED,
    TASKS,
    THIS,
    UNUSED,
    Side,
    mapped,
)

from rexcc import runtime
from rexcc.analysis.attributes import Attribute, Kind, Origin, RegionData
from rexcc.analysis.calls import note_block_uniform
from rexcc.analysis.declare_target import declare_target
from rexcc.analysis.device_constructs import is_kernel
from rexcc.analysis.ownership import is_only_measured
from rexcc.analysis.references import collect
from rexcc.analysis.regions import TargetRegion, build_region
from rexcc.analysis.sharing import region_data
from rexcc.clang import types
from rexcc.driver.tools import toolchain
from rexcc.driver.tools.host_answers import HostAnswers
from rexcc.frontend.files import SearchPath, gather
from rexcc.frontend.preprocessed import preprocess
from rexcc.openmp.model import ListClause, MapClause, Modifier
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.source.diagnostics import CompileError, DiagnosticSink

_VERDICTS = {
    Kind.POINTER: POINTER,
    Kind.VALUE: FIRSTPRIVATE,
    Kind.FIRSTPRIVATE: FIRSTPRIVATE,
    Kind.DEVICE_POINTER: FIRSTPRIVATE,
    Kind.DEVICE_ADDRESS: FIRSTPRIVATE,
    Kind.PRIVATE: ABSENT,
    Kind.CONSTANT: ABSENT,
    Kind.CONSTANT_ARRAY: ABSENT,
    Kind.ALLOCATOR: ABSENT,
    Kind.DEVICE_GLOBAL: ABSENT,
    Kind.CLOSURE: "lambda",
}

_FOLDERS = HostAnswers()
"""What compilers have told of their headers, for all files."""


def parse(path: str, flags: Sequence[str], sink: DiagnosticSink) -> ParsedUnit | None:
    """Parse a file the way that the driver does, with the host compiler's own include directories."""
    language = "c" if path.endswith(".c") else "c++"
    host = toolchain.find_host_compiler(None)
    system = _FOLDERS.folders(host.cxx if language == "c++" else host.cc, language, ())
    kept = [f for f in flags if f.startswith(("-I", "-D", "-U", "-std="))]
    standard = [] if any(f.startswith("-std=") for f in kept) else ["-std=gnu17" if language == "c" else "-std=gnu++17"]
    includes = [word for folder in system for word in ("-idirafter", folder)]
    arguments = ("-D_OPENMP=202011", *standard, "-isystem", str(runtime.INCLUDE), *includes, *kept)
    files = gather(path, SearchPath.from_arguments(kept), _read)
    if files is None or not files.may_have_pragmas:
        return None
    every = frozenset((name, -1) for name in files.scans)  # a translation expands macros when a stage asks for it
    files = preprocess(files, language, arguments, every)
    return parse_unit(files, language, arguments, sink) if files.has_pragmas else None


def _read(path: str) -> bytes | None:
    file = Path(path)
    return file.read_bytes() if file.is_file() else None


def our_sides(unit: ParsedUnit) -> Iterator[Side | CompileError]:
    """Yield the target constructs of a unit, or the error that keeps us from analysing one."""
    sink = DiagnosticSink()
    declared = declare_target(unit, sink)
    note_block_uniform(unit, frozenset(), frozenset())
    for function in unit.functions:
        if function.unused:
            continue
        for construct in filter(is_kernel, function.walk()):
            try:
                region = build_region(unit, function, construct)
                yield _side(region, region_data(region, declared))
            except CompileError as problem:
                yield problem


def _side(region: TargetRegion, data: RegionData) -> Side:
    verdicts = {a.variable.name: _verdict(a) for a in data.attributes}
    notes = {a.variable.name: _note(a, region) for a in data.attributes}
    indices = {loop.index.name for loop in (*region.loops, *region.sequential) if not loop.declares}
    for name in indices - verdicts.keys():
        verdicts[name], notes[name] = ABSENT, "the iteration variable of an associated loop is private"
    for name, why in _unused(region).items():
        if name not in verdicts:
            verdicts[name], notes[name] = ABSENT, why
    for name in _hidden(region):
        if verdicts.setdefault(name, ABSENT) == ABSENT:
            notes[name] = "a private clause inside hides the mapped variable (5.2, 5.4.3)"
    for name in _in_bounds(region) - verdicts.keys():
        verdicts[name], notes[name] = ABSENT, BOUND
    for name in _traits(region) - verdicts.keys():
        verdicts[name], notes[name] = ABSENT, "traits of an allocator"
    if data.this is not None:
        parts = [word for clause, _, _ in data.this.map_items for word in _words(clause)]
        verdicts[THIS] = mapped([*parts, "tofrom"] if data.this.whole else parts)
        if data.this.map_items or data.this.whole:
            notes |= dict.fromkeys(named_members(region, "reduction"), REDUCED)
    for name in named_members(region, "is_device_ptr", "has_device_addr"):
        notes[name] = notes[THIS] = MEMBER_ON_DEVICE
    line = region.construct.span.line
    return Side(line, str(region.owner.node.cursor.mangled_name), verdicts, {n: t for n, t in notes.items() if t})


def _hidden(region: TargetRegion) -> set[str]:
    """Return the variables of which a construct inside gives each thread or team a copy."""
    inside = (region.construct, *region.construct.descendants())
    items = (item for c in inside for item in c.items_of(*c.directive.clauses) if item.clause.name == "private")
    return {item.whole_variable.name for item in items if item.whole_variable is not None}


def named_members(region: TargetRegion, *clauses: str) -> Iterator[str]:
    """Yield the members of ``*this`` that clauses of these names list."""
    members = (item.own_member for item in region.items(*clauses))
    yield from (member.spelling for member in members if member is not None)


def _verdict(attribute: Attribute) -> str:
    if attribute.kind is Kind.MAPPED:
        return mapped(word for clause, _, _ in attribute.map_items for word in _words(clause))
    if attribute.kind is Kind.MAPPED_IMPLICITLY:
        return mapped([attribute.map_type])
    return _VERDICTS[attribute.kind]


def _words(clause: MapClause) -> list[str]:
    return [clause.map_type, *(m.name for m in clause.modifiers if isinstance(m, Modifier))]


def _is_shaped_member(clause: MapClause) -> bool:
    """Whether an item of a clause is a member with a shape."""
    return any(re.match(r"\(\[.*\]\)\s*\w+\s*(\.|->)", item.whole.text) for item in clause.items)


def _unused(region: TargetRegion) -> dict[str, str]:
    """Return the variables that only clauses name: those that would be private, and those the host reads."""
    found: dict[str, str] = {}
    for construct in region.constructs:
        lists = [c for c in construct.directive.of_type(ListClause) if c.name == "firstprivate"]
        found |= {item.whole.text.strip(): UNUSED for c in lists for item in c.items}
        for node in construct.expressions.values():
            names = {n.spelling for n in node.walk() if n.kind == "DECL_REF_EXPR"} - found.keys()
            found |= dict.fromkeys(names, OUTSIDE)
    return found


def _is_in_tasks(attribute: Attribute, region: TargetRegion) -> bool:
    """Whether only explicit tasks of a region use a variable."""
    tasks = [c for c in region.constructs[-1].descendants() if {"task", "taskloop"} & set(c.directive.leaves)]
    places = [c.body for c in tasks if c.body is not None]
    return all(any(p.start <= use.start < p.end for p in places) for use in attribute.variable.uses)


def _in_bounds(region: TargetRegion) -> set[str]:
    """Return the names in what the host evaluates of the loops' headers."""
    found = collect([bound.node for bound in region.host_bounds])
    return {v.name for v in found.variables.values()} | ({THIS} if found.this_uses else set())


def _traits(region: TargetRegion) -> set[str]:
    """Return the variables that are traits of allocators: the host reads them."""
    clauses = (c for c in region.construct.directive.of_type(ListClause) if c.name == "uses_allocators")
    texts = (item.whole.text for c in clauses for item in c.items)
    return {name for text in texts for name in re.findall(r"\w+", text)}


def _note(attribute: Attribute, region: TargetRegion) -> str:
    """Return what is special about an attribute, if that can make a difference."""
    uses, body = attribute.variable.uses, region.body
    if uses and not any(body.file == use.file and body.start <= use.start < body.end for use in uses):
        return CAPTURED
    if attribute.kind in (Kind.CONSTANT, Kind.CONSTANT_ARRAY):
        return CONSTANT
    if attribute.kind in (Kind.CLOSURE, Kind.ALLOCATOR):
        return attribute.kind.value
    if attribute.kind is Kind.DEVICE_GLOBAL:
        return CONSTANT if attribute.implicit else "declare target"
    if attribute.reason.origin is Origin.PREDETERMINED:
        return attribute.reason.rule
    inside = region.constructs[-1].descendants()
    if attribute.variable.is_global and any(attribute.variable in c.environment.indices for c in inside):
        return INDEX
    if attribute.variable.is_global and _is_in_tasks(attribute, region):
        return TASKS
    if any(_is_shaped_member(clause) for clause, _, _ in attribute.map_items):
        return SHAPED
    if attribute.kind is Kind.MAPPED and attribute.reduction:
        return REDUCED
    if attribute.last:
        return LAST
    variable = attribute.variable
    if attribute.kind is Kind.VALUE and (variable.decays or types.is_pointer(variable.cursor.type)):
        return FIRSTPRIVATE_POINTER
    if attribute.map_type == "to" and attribute.reason.clause is None:
        return CONST
    clause = attribute.reason.clause
    own = region.construct.directive.clauses
    if clause is not None and all(c is not clause for c in own) and attribute.kind is not Kind.MAPPED:
        return f"'{clause.name}' of a construct joined with target"
    if is_only_measured(attribute.variable) or (uses and all(names_type(region.unit, use) for use in uses)):
        return MEASURED
    return ""
