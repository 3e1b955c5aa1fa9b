"""The compiler as one function: source text in, generated files and diagnostics out.

In: one translation unit and typed options. Out: :class:`Translation`. No file is written and no process started here;
user files are read through the ``read_file`` function that the driver passes.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from clang.cindex import Type

from rexcc import runtime
from rexcc.analysis.calls import settle
from rexcc.analysis.checks import check_unit, needs_lowering
from rexcc.analysis.declare_target import DeclareTarget, declare_target
from rexcc.analysis.device_constructs import all_constructs
from rexcc.analysis.device_types import check_device_types
from rexcc.analysis.host_only import check_host_only
from rexcc.analysis.requirements import check_requirements, requirements
from rexcc.analysis.rules.table import check_rules
from rexcc.analysis.separate import NOTHING_SEPARATE, Separate, separate_functions
from rexcc.clang.standards import standard_in
from rexcc.clang.tree import Node
from rexcc.codegen.batches import mark_batches
from rexcc.codegen.device import cpu_device_file, device_file
from rexcc.codegen.host import host_files, host_names, unit_mark
from rexcc.codegen.host_edits import HostEdits, check_all_lowered
from rexcc.codegen.parts import DevicePart, device_part
from rexcc.frontend.files import SearchPath, UserFiles, gather
from rexcc.frontend.needed import ExpansionNeeded
from rexcc.frontend.numbering import with_users_lines
from rexcc.frontend.preprocessed import preprocess
from rexcc.inspection.constructs import openmp_tree
from rexcc.inspection.model import KernelList, OpenMPTree, PragmaList
from rexcc.inspection.pragmas import pragma_list
from rexcc.lowering.data.mapper_functions import Mappers
from rexcc.lowering.dispatch import is_data_construct, is_target_region, lower_data, lower_region
from rexcc.lowering.generic.settled import settled_functions
from rexcc.lowering.listing import kernel_listing, verify
from rexcc.lowering.maps.iterated import every_row
from rexcc.lowering.maps.map_facts import MapFacts, map_facts
from rexcc.lowering.maps.map_remarks import map_remark
from rexcc.lowering.model.constant_sizes import named_types
from rexcc.lowering.model.launch import Kernel, MapRow
from rexcc.lowering.model.names import KernelNames
from rexcc.lowering.model.remarks import remark_diagnostics
from rexcc.lowering.outline import OutlineOptions
from rexcc.openmp.contexts import CPU_DEVICE, Device, gpu
from rexcc.program.constructs import Construct, ConstructFunction
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.stage import resolve
from rexcc.source.diagnostics import CompileError, Diagnostic, DiagnosticSink, Severity
from rexcc.source.file_names import safe_name
from rexcc.source.records import dataclass
from rexcc.source.text import Span, inside, outside
from rexcc.target.cpu import CPU
from rexcc.target.model import Target
from rexcc.target.nvptx import NVPTX
from rexcc.transformation.device_words import rename_device_words
from rexcc.transformation.lambdas import name_lambdas
from rexcc.transformation.ranges import index_ranges
from rexcc.transformation.stage import transform_loops


@dataclass(frozen=True)
class TranslateOptions:
    """What the translation of one file depends on; equal options and files give equal bytes.

    ``clang_arguments`` are the preprocessing and language flags of the command line in clang's spelling (``-I``,
    ``-D``, ``-U``, ``-include``, ``-isystem``, ``-iquote``, ``-std``), ``system_includes`` the host compiler's own
    directories. ``architectures`` are GPU architectures such as ``sm_90``; empty for a host-only build. ``cpu_device``
    asks for the CPU device's image. ``scheduler`` is ``direct`` (grid-stride loops, XOMP where loop facts are missing)
    or ``xomp``. ``openmp_version`` is what ``-fopenmp-version=`` asks for (45, 51 …), 0 for nothing. ``remarks``
    asks for remarks about how each region is lowered, ``map_remarks`` for those about what each construct maps.
    ``listing`` asks for the text of all kernels' trees; ``verify`` makes a kernel that breaks the rules of
    :mod:`rexcc.kernel.verifier` a defect of the compiler.
    ``target`` is the GPU whose language device files are written in; the CPU device shares them.
    """

    language: str
    clang_arguments: tuple[str, ...] = ()
    system_includes: tuple[str, ...] = ()
    architectures: tuple[str, ...] = ("sm_90",)
    cpu_device: bool = True
    scheduler: str = "direct"
    reduction: str = "device"
    openmp_version: int = 0
    remarks: bool = False
    map_remarks: bool = False
    listing: bool = False
    verify: bool = False
    target: Target = NVPTX


@dataclass(frozen=True)
class GeneratedFile:
    """A file to write: its name as the system's, and its text, one character per byte (``source/text``)."""

    name: str
    text: str


@dataclass(frozen=True)
class Translation:
    """The result for one translation unit.

    ``has_offload`` is False for a file without target constructs: there are no files then and the driver hands the
    user's own file to the host compiler. Otherwise ``host`` is the rewritten source (``rose_nn.c``), ``device`` the
    kernels (``rex_lib_nn.cu``, None when the file has data constructs only), ``cpu_device`` the CPU device's entry
    points (``rex_host_nn.cpp``), ``headers`` rewritten user headers. ``image_names`` are the names that ``host`` embeds
    with ``.incbin``, one per architecture and one for the CPU device, in the order cubins then ``.so``: pairs of
    (architecture or ``host``, file name). ``part`` is the CPU device's relocatable object, which ``host``
    embeds too where the device code of several units may have to be linked together. ``reached`` are the functions that
    kernels reach: file, first and last line. ``forced`` are headers of
    ``-include`` that are rewritten: ``host`` includes them itself. ``listing`` shows the kernels' trees.
    """

    has_offload: bool
    diagnostics: tuple[Diagnostic, ...]
    host: GeneratedFile | None = None
    device: GeneratedFile | None = None
    cpu_device: GeneratedFile | None = None
    headers: tuple[GeneratedFile, ...] = ()
    image_names: tuple[tuple[str, str], ...] = ()
    part: DevicePart | None = None
    forced: tuple[str, ...] = ()
    reached: tuple[tuple[str, int, int], ...] = ()
    listing: str = ""


@dataclass(frozen=True)
class Inspection:
    """What was understood of a translation unit, None when clang made no tree of it, and what is wrong with it."""

    found: PragmaList | OpenMPTree | KernelList | None
    diagnostics: tuple[Diagnostic, ...]


ReadFile = Callable[[str], bytes | None]
"""Reads a file by path; None when there is none. The only way the pipeline sees the file system, libclang aside."""


class StageError(Exception):
    """A defect of the compiler, with the user's place that the stage was working on."""

    def __init__(self, stage: str, span: Span | None, defect: Exception) -> None:
        super().__init__(f"{stage}: {type(defect).__name__}: {defect}")
        self.stage = stage
        self.span = span


@dataclass(eq=False)
class _Lowering:
    """What the stages of one translation unit share."""

    files: UserFiles
    unit: ParsedUnit
    options: TranslateOptions
    sink: DiagnosticSink
    declared: DeclareTarget
    edits: HostEdits
    names: KernelNames
    kernels: list[Kernel]
    lowered: set[int]
    separate: Separate


def translate(path: str, options: TranslateOptions, read_file: ReadFile) -> Translation:
    """Translate one C or C++ file.

    ``path`` is spelled as the user spelled it. Errors are in the result's diagnostics (then there are no files);
    raises only on a defect of the compiler, a :class:`StageError` with the user's place where that is known.
    """
    options = _inside(options)
    files = gather(
        inside(path), SearchPath.from_arguments(options.clang_arguments), lambda name: read_file(outside(name))
    )
    if files is None or not files.may_have_pragmas:
        return Translation(False, ())
    files = with_users_lines(files, options.language, _arguments(options))
    wanted: frozenset[tuple[str, int]] = frozenset()
    while True:
        with _stage("macros", None, DiagnosticSink()):
            expanded = preprocess(files, options.language, _arguments(options), wanted)
        if not expanded.has_pragmas:
            return Translation(False, ())
        try:
            found = _translate(expanded, options)
        except ExpansionNeeded as needed:
            if needed.places <= wanted:
                raise StageError("macros", None, needed) from needed
            wanted |= needed.places
            continue
        return _with_all_expanded(files, expanded, options, found) if _is_refused(found) else found


def _is_refused(found: Translation) -> bool:
    """Whether a translation has errors, in the program as clang understands it."""
    codes = {d.code for d in found.diagnostics if d.severity is Severity.ERROR}
    return bool(codes) and "base-language" not in codes


def _with_all_expanded(
    files: UserFiles, expanded: UserFiles, options: TranslateOptions, refused: Translation
) -> Translation:
    """Translate a refused program once more, with all macros of the files with errors expanded: one of them may have
    hidden what a stage has to see. Errors are those of the text as the user wrote it."""
    places = frozenset((d.span.source.path, -1) for d in refused.diagnostics if d.span is not None)
    again = preprocess(files, options.language, _arguments(options), places)
    if all(again.source(name).text == expanded.source(name).text for name in again.scans if name in expanded.scans):
        return refused
    try:
        found = _translate(again, options)
    except (ExpansionNeeded, StageError):
        return refused
    return refused if any(d.severity is Severity.ERROR for d in found.diagnostics) else found


def _translate(files: UserFiles, options: TranslateOptions) -> Translation:
    """Translate files whose macros are expanded as far as the stages need it."""
    sink = DiagnosticSink()
    with _stage("names of kernels' variables", None, sink):
        files = rename_device_words(files, options.language, _arguments(options), sink, options.target.words.variables)
    with _stage("loop transformations", None, sink):
        files = transform_loops(files, options.language, _arguments(options), options.openmp_version, sink)
    with _stage("range-based loops", None, sink):
        files = index_ranges(files, options.language, _arguments(options))
    with _stage("lambdas", None, sink):
        files = name_lambdas(files, options.language, _arguments(options))
    files, unit = _front_end(files, options, sink, decide=True)
    if unit is None:
        return Translation(True, tuple(sink.found))
    if not needs_lowering(unit):
        return _for_host_alone(unit, options.openmp_version, sink)
    if any(d.code == "base-language" for d in sink.found):
        return Translation(True, tuple(sink.found))  # types are not to be trusted; other errors let the stages go on
    separate = NOTHING_SEPARATE if options.architectures else separate_functions(unit)
    names = KernelNames(unit_mark(files, options.clang_arguments) if separate.any else "")
    translation = _lower(
        _Lowering(files, unit, options, sink, declare_target(unit, sink), HostEdits(unit), names, [], set(), separate)
    )
    if unit.hidden:
        raise ExpansionNeeded(frozenset(unit.hidden))
    return translation


def inspect(path: str, options: TranslateOptions, read_file: ReadFile, what: str) -> Inspection:
    """Return what is understood of one file: its ``pragmas``, its ``ast``, or the ``kernel`` trees made of it."""
    if what == "kernel":
        made = translate(path, replace(options, listing=True), read_file)
        return Inspection(KernelList(path, made.listing), made.diagnostics)
    options = _inside(options)
    files = gather(
        inside(path), SearchPath.from_arguments(options.clang_arguments), lambda name: read_file(outside(name))
    )
    nothing = Inspection(PragmaList(path, ()) if what == "pragmas" else OpenMPTree(path, (), ()), ())
    if files is None or not files.may_have_pragmas:
        return nothing
    sink = DiagnosticSink()
    with _stage("macros", None, sink):
        numbered = with_users_lines(files, options.language, _arguments(options))
        files = preprocess(numbered, options.language, _arguments(options))
    if not files.has_pragmas:
        return nothing
    files, unit = _front_end(files, options, sink, decide=what == "ast")
    found: PragmaList | OpenMPTree | None = None
    if unit is None:
        return Inspection(None, tuple(sink.found))
    with _stage("inspection", None, sink):
        found = pragma_list(unit) if what == "pragmas" else openmp_tree(unit, declare_target(unit, sink))
    if what == "ast":
        with _stage("rules", None, sink):
            check_unit(unit, sink, options.openmp_version)
    return Inspection(found, tuple(sink.found))


def _inside(options: TranslateOptions) -> TranslateOptions:
    """Return options whose paths and arguments have a character for each byte, as all texts of the stages."""
    return replace(
        options,
        clang_arguments=tuple(map(inside, options.clang_arguments)),
        system_includes=tuple(map(inside, options.system_includes)),
    )


def _front_end(
    files: UserFiles, options: TranslateOptions, sink: DiagnosticSink, decide: bool
) -> tuple[UserFiles, ParsedUnit | None]:
    """Return files and unit, metadirectives decided or as they stand; no unit when clang makes no tree of them."""
    arguments = _arguments(options)
    with _stage("front end", None, sink):
        if decide:
            files = resolve(files, options.language, arguments, _devices(options), sink)
        unit = parse_unit(files, options.language, arguments, sink)
        return files, replace(unit, target=options.target) if unit is not None else None
    return files, None


def _devices(options: TranslateOptions) -> tuple[Device, ...]:
    """Return the devices that the unit is compiled for; a GPU, whose kernels the CPU device executes, comes first."""
    gpus = (gpu(options.architectures),) if options.architectures else ()
    return (*gpus, CPU_DEVICE) if options.cpu_device or not gpus else gpus


def _for_host_alone(unit: ParsedUnit, version: int, sink: DiagnosticSink) -> Translation:
    """Check the directives of a unit without device constructs, which the host compiler gets as it is."""
    ours = DiagnosticSink([d for d in sink.found if d.code != "base-language"])
    if len(ours.found) == len(sink.found):  # without types there is nothing to check
        with _stage("checks", None, ours):
            check_rules(unit, ours, version)
    return Translation(ours.has_errors, tuple(ours.found))


_DATES = {31: 201107, 40: 201307, 45: 201511, 50: 201811, 51: 202011, 52: 202111, 60: 202411}
"""What ``_OPENMP`` is for each version that can be asked for."""


def _arguments(options: TranslateOptions) -> tuple[str, ...]:
    return (*_clang_defaults(options), *_without_precompiled(options.clang_arguments))


def _without_precompiled(arguments: Sequence[str]) -> Iterator[str]:
    """Give arguments by which clang reads headers of ``-include`` as they are.

    It would look for a precompiled one beside each, and cannot read what another compiler has made.
    """
    words = iter(arguments)
    for word in words:
        if word.startswith("-include"):
            yield from ("-Xclang", "-include", "-Xclang", word.removeprefix("-include") or next(words, ""))
        else:
            yield word


def _clang_defaults(options: TranslateOptions) -> list[str]:
    found = [f"-D_OPENMP={_DATES.get(options.openmp_version, 202011)}"]
    if not any(a.startswith(("-std=", "--std=")) for a in options.clang_arguments):
        found.append("-std=gnu17" if options.language == "c" else "-std=gnu++17")
    found += ["-isystem", str(runtime.INCLUDE)]
    for folder in options.system_includes:
        found += ["-idirafter", folder]
    return found


@contextmanager
def _stage(name: str, span: Span | None, sink: DiagnosticSink) -> Iterator[None]:
    """Collect a stage's error, one for each place; give a defect the place that the stage was working on.

    Where the user's text has errors already, they are what he needs to see, not what a stage made of it.
    """
    try:
        yield
    except CompileError as problem:
        if not any(d.severity is Severity.ERROR and d.span == problem.diagnostic.span for d in sink.found if d.span):
            sink.add(problem.diagnostic)
    except ExpansionNeeded:
        raise
    except Exception as defect:
        if sink.has_errors:
            return
        raise StageError(name, span, defect) from defect


def _lower(state: _Lowering) -> Translation:
    """Run the stages in order; each construct on its own, so that all errors of a file show in one run."""
    check_unit(state.unit, state.sink, state.options.openmp_version)
    check_requirements(state.unit, state.sink)
    mappers = Mappers(state.unit)
    for construct in all_constructs(state.unit) if state.unit.mappers else ():
        with _stage("mappers", construct.span, state.sink):
            mappers.settle_all(construct)
    facts = map_facts(state.declared, mappers.of_constructs)
    with _stage("analysis of called functions", None, state.sink):
        settle(state.unit, settled_functions(state.unit, state.declared, state.separate.exported))
    for function in state.unit.functions:
        for top in function.constructs:
            for construct in (top, *top.descendants()):
                with _stage("lowering", construct.span, state.sink):
                    _lower_construct(state, facts, function, construct)
    for kernels in state.edits.instances.values():
        with _stage("lowering", kernels[0].region.construct.span, state.sink):
            state.edits.settle_instances(kernels)
    functions = []
    for mapper in mappers.used_ones():
        with _stage("mapper", mapper.span, state.sink):
            functions.append(mappers.function(mapper))
    for function_text in functions:  # one may be the first to use another that stands behind one before
        state.edits.declare_mapper(mappers.with_composed(function_text))
    state.edits.settle_mappers()
    with _stage("lowering", None, state.sink):
        check_all_lowered(state.unit, state.edits, state.sink)
    for file, directive in state.declared.directives:
        for site in file.scan.pragmas:
            if site.text.origin.start <= directive.span.start and directive.span.end <= site.end:
                state.edits.comment_out(file, site.start, site.end)
    state.edits.settle_keys()
    state.edits.settle_requirements()
    state.edits.settle_statements()
    state.edits.settle_resolved()
    state.edits.respell_attributes()
    with _stage("host initialisation", None, state.sink):
        main = _main_function(state.unit)
        if main is not None:
            state.edits.insert_init(main.cursor)
    return Translation(True, tuple(state.sink.found)) if state.sink.has_errors else _generate(state)


def _lower_construct(state: _Lowering, facts: MapFacts, function: ConstructFunction, construct: Construct) -> None:
    if function.unused:
        if is_data_construct(construct):  # needs no types: the template's own text serves every instantiation
            state.edits.replace_data(construct, lower_data(state.unit, construct, facts))
        elif is_target_region(construct):
            state.edits.refuse_instantiation(function, construct)
        return
    first = construct.probe.site.start not in state.lowered or function.template is None
    if is_target_region(construct):
        kernel = lower_region(
            state.unit, function, construct, state.declared, facts, state.names,
            OutlineOptions(state.options.scheduler, state.unit.skipped, state.options.remarks, state.options.reduction),
        )  # fmt: skip
        if state.options.architectures:
            check_device_types(kernel.region, kernel.data)
            check_host_only(kernel.region, standard_in(state.options.clang_arguments), state.sink)
        state.kernels.append(kernel)
        state.edits.replace_kernel(kernel)
        for told in remark_diagnostics(state.unit, kernel.remarks, construct.span):
            state.sink.add(told)
        if first:
            rows = every_row([a.row for a in kernel.arguments], kernel.row_loops)
            _map_remark(state, kernel.region.constructs, rows, kernel.variables)
    elif is_data_construct(construct):
        if first:
            block = lower_data(state.unit, construct, facts)
            state.edits.replace_data(construct, block)
            _map_remark(state, [construct], block.rows, named_types(construct))
    else:
        return
    state.lowered.add(construct.probe.site.start)


def _map_remark(
    state: _Lowering, constructs: Sequence[Construct], rows: Sequence[MapRow], variables: Mapping[str, Type]
) -> None:
    """Tell what a construct, with those joined with it, maps (``-Rrex=map``)."""
    if state.options.map_remarks:
        state.sink.add(map_remark([c.directive for c in constructs], rows, variables))


def _main_function(unit: ParsedUnit) -> Node | None:
    mains = (n for n in unit.declarations if n.kind == "FUNCTION_DECL" and n.spelling == "main")
    return next((n for n in mains if n.cursor.is_definition() and n.file == unit.main), None)


def _generate(state: _Lowering) -> Translation:
    """Print the files."""
    source = state.files.main
    for kernel in state.kernels if state.options.verify else ():
        with _stage("verifier", kernel.region.construct.span, state.sink):
            verify(kernel)
    stem = safe_name(posixpath.splitext(posixpath.basename(source))[0])
    device_name, cpu_name = f"rex_lib_{stem}.cu", f"rex_host_{stem}.cpp"
    device = cpu = None
    images: tuple[tuple[str, str], ...] = ()
    with _stage("device file", None, state.sink):
        names = (source, host_names(state.files)[source], device_name)
        made = device_file(
            state.files, state.unit, state.kernels, state.declared, names, state.options.clang_arguments, state.sink,
            state.separate,
        )  # fmt: skip
        variables = made.writer.device_variables(made.in_namespace)
        if (
            state.kernels or variables or state.lowered or state.separate.exported
        ):  # data constructs alone want a device too
            images = _images(state.options, stem)
            device = GeneratedFile(outside(device_name), made.text)
            if state.options.cpu_device:
                text = cpu_device_file(state.kernels, source, device_name, made)
                cpu = GeneratedFile(outside(cpu_name), text)
    if state.sink.has_errors:
        return Translation(True, tuple(state.sink.found))
    with _stage("host file", None, state.sink):
        for function in state.unit.functions:
            written = function.template or function.node
            if (written.file, written.start) in made.writer.options.called:
                state.edits.replace_scans(function)
        mark_batches(state.edits)
        part = device_part(state.unit, state.separate, stem) if images else None
        host = host_files(
            state.files, state.edits, state.kernels, variables, (made.indirect, made.virtual), images, device_name,
            state.options.clang_arguments, requirements(state.unit), part,
        )  # fmt: skip
        headers = tuple(GeneratedFile(outside(name), text) for name, text in host.headers)
        return Translation(
            True, tuple(state.sink.found), GeneratedFile(outside(host.name), host.text), device, cpu, headers,
            tuple((architecture, outside(name)) for architecture, name in images),
            replace(part, file=outside(part.file), source=outside(part.source)) if part else None,
            tuple(outside(path) for path in host.forced),
            tuple((outside(path), first, last) for path, first, last in made.reached),
            "\n".join(map(kernel_listing, state.kernels)) if state.options.listing else "",
        )  # fmt: skip
    return Translation(True, tuple(state.sink.found))


def _images(options: TranslateOptions, stem: str) -> tuple[tuple[str, str], ...]:
    found = [(arch, f"rex_lib_{stem}.{arch}.{options.target.image}") for arch in options.architectures]
    return (*found, ("host", f"rex_lib_{stem}.host.{CPU.image}")) if options.cpu_device else tuple(found)
