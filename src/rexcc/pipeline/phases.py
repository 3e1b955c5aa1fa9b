"""The stages of a translation in order, and the inspections that stop half way.

In: the user's files, which may have pragmas, and options. Out: generated files and diagnostics, or what was understood.
"""

from __future__ import annotations

import posixpath

from rexcc.analysis.checks import check_unit, needs_lowering
from rexcc.analysis.declare_target import declare_target
from rexcc.analysis.rules.table import check_rules
from rexcc.analysis.separate import separate_functions
from rexcc.clang.standards import standard_in
from rexcc.clang.unit_files import opened_files
from rexcc.codegen.host.host_edits import HostEdits
from rexcc.codegen.registration.unit_names import unit_mark
from rexcc.frontend.defining_typeof import without_defining_typeof
from rexcc.frontend.device_view import names_language, without_mark
from rexcc.frontend.files import SearchPath, UserFiles
from rexcc.frontend.library_headers import Needed
from rexcc.frontend.numbering import with_users_lines
from rexcc.frontend.older_tokens import with_later_tokens
from rexcc.frontend.preprocessed import preprocess
from rexcc.inspection.constructs import openmp_tree
from rexcc.inspection.model import OpenMPTree, PragmaList
from rexcc.inspection.pragmas import pragma_list
from rexcc.lowering.model.names import KernelNames
from rexcc.openmp.contexts import CPU_DEVICE, Device, device
from rexcc.pipeline.generate import generate
from rexcc.pipeline.lower import Lowering, lower
from rexcc.pipeline.records import Inspection, TranslateOptions, Translation
from rexcc.pipeline.stages import StageError, clang_arguments, openmp_date, stage
from rexcc.program.tuned import Entry
from rexcc.program.unit import ParsedUnit, parse_unit
from rexcc.resolution.begun_variants import BegunVariant, rename_begun
from rexcc.resolution.stage import resolve
from rexcc.source.diagnostics import DiagnosticSink, Severity
from rexcc.source.needed_expansion import ExpansionNeeded, HeadersNeeded
from rexcc.source.own_names import OPEN_TO_USERS
from rexcc.source.records import replace
from rexcc.target.known import CPU
from rexcc.transformation.abbreviated import name_parameters
from rexcc.transformation.device_words import rename_device_words
from rexcc.transformation.lambdas import name_lambdas
from rexcc.transformation.macro_scopes import Places
from rexcc.transformation.ranges import index_ranges
from rexcc.transformation.stage import transform_loops


def translate_files(files: UserFiles, options: TranslateOptions) -> Translation:
    """Translate the files of a unit; raises only on a defect of the compiler, a :class:`StageError`."""
    files = with_later_tokens(files, options.language, clang_arguments(options))
    files = without_defining_typeof(files, options.language)
    files = with_users_lines(files, options.language, clang_arguments(options))
    wanted: Places = frozenset()
    while True:
        with stage("macros", None, DiagnosticSink()):
            expanded = preprocess(files, options.language, clang_arguments(options), wanted)
        if not expanded.has_pragmas:
            return Translation(False, ())
        try:
            found = _translate(expanded, options, wanted)
        except ExpansionNeeded as needed:
            if needed.places <= wanted:
                raise StageError("macros", None, needed) from needed
            wanted |= needed.places
            continue
        return _with_all_expanded(files, expanded, options, found, wanted) if _is_refused(found) else found


def _is_refused(found: Translation) -> bool:
    """Whether a translation has errors, in the program as clang understands it."""
    codes = _error_codes(found)
    return bool(codes) and "base-language" not in codes


def _with_all_expanded(
    files: UserFiles, expanded: UserFiles, options: TranslateOptions, refused: Translation, wanted: Places
) -> Translation:
    """Translate a refused program once more, with all macros of the files with errors expanded: one of them may have
    hidden what a stage has to see. Errors are those of the text as the user wrote it, unless expansion cures them all
    and a later stage finds others."""
    places = frozenset((d.span.source.path, -1) for d in refused.diagnostics if d.span is not None)
    again = preprocess(files, options.language, clang_arguments(options), places)
    if all(again.source(name).text == expanded.source(name).text for name in again.scans if name in expanded.scans):
        return refused
    try:
        found = _translate(again, options, wanted)
    except (ExpansionNeeded, StageError):
        return refused
    is_cured = _error_codes(found).isdisjoint({*_error_codes(refused), "base-language"})
    return found if is_cured else refused


def _error_codes(found: Translation) -> set[str]:
    """Return the codes of a translation's errors."""
    return {d.code for d in found.diagnostics if d.severity is Severity.ERROR}


def _translate(files: UserFiles, options: TranslateOptions, expanded: Places) -> Translation:
    """Translate files whose macros are expanded as far as the stages need it; ``expanded`` are those asked for."""
    sink, arguments = DiagnosticSink(), clang_arguments(options)
    with stage("names of variants", None, sink):
        files, begun = rename_begun(files, _devices(options), sink)
    with stage("names of kernels' variables", None, sink):
        files = rename_device_words(
            files, options.language, arguments, sink, (*options.target.words.names, *OPEN_TO_USERS)
        )
    with stage("loop transformations", None, sink):
        files = transform_loops(files, options.language, arguments, options.openmp_version, sink)
    with stage("range-based loops", None, sink):
        files = index_ranges(files, options.language, arguments)
    with stage("lambdas", None, sink):
        files = name_parameters(files, options.language, arguments)
        files = name_lambdas(files, options.language, arguments, expanded)
    files, unit = _front_end(files, options, sink, begun)
    if unit is None:
        return Translation(True, tuple(sink.found))
    if not needs_lowering(unit):
        return _for_host_alone(unit, options.openmp_version, sink)
    if any(d.code == "base-language" for d in sink.found):
        return Translation(True, tuple(sink.found))  # types are not to be trusted; other errors let the stages go on
    declared = declare_target(unit, sink, options.alone, "-fcommon" in options.clang_arguments)
    standard, mark = standard_in(options.clang_arguments), unit_mark(files, options.clang_arguments)
    separate = separate_functions(unit, declared, standard, options.targets, mark, options.alone)
    names, declared = KernelNames(separate.mark), declared.of_unit(separate.mark)
    state = Lowering(files, unit, options, sink, declared, HostEdits(unit), names, separate)
    lower(state)
    _read_headers(unit, files, options)
    translation = Translation(True, tuple(sink.found)) if sink.has_errors else generate(state)
    if unit.hidden:
        raise ExpansionNeeded(frozenset(unit.hidden))
    return translation


def _read_headers(unit: ParsedUnit, files: UserFiles, options: TranslateOptions) -> None:
    """Begin again with headers whose functions device code needs, and the device's compiler has not."""
    called = unit.library_functions
    folders = SearchPath.from_arguments(options.clang_arguments).system if called.called else ()
    needed = Needed((), folders)
    unmarked = called.of_libraries(needed.is_of_library)
    words = options.target.words
    opened = (path for path in opened_files(unit.tree.unit, unit.tree.names) if needed.is_of_library(path))
    if unmarked and names_language(unit.tree.unit, (*opened, *unit.files), words):
        unmarked = without_mark(unmarked, unit.main, unit.files, clang_arguments(options), words)
    headers = frozenset(posixpath.normpath(path) for path, _ in called.of_host(unmarked))
    if not headers <= files.asked_headers:
        raise HeadersNeeded(headers)


def inspect_files(path: str, files: UserFiles, options: TranslateOptions, what: str) -> Inspection:
    """Return what is understood of the files of a unit: its ``pragmas`` or its ``ast``."""
    sink = DiagnosticSink()
    with stage("macros", None, sink):
        files = with_later_tokens(files, options.language, clang_arguments(options))
        files = without_defining_typeof(files, options.language)
        numbered = with_users_lines(files, options.language, clang_arguments(options))
        # a translation expands the macros of list items when a stage asks for them
        wanted = ((name, -1) for name in numbered.scans if what == "ast")
        files = preprocess(numbered, options.language, clang_arguments(options), frozenset(wanted))
    if not files.has_pragmas:
        return Inspection(PragmaList(path, ()) if what == "pragmas" else OpenMPTree(path, (), ()), ())
    begun: list[BegunVariant] | None = None
    if what == "ast":
        with stage("names of variants", None, sink):
            files, begun = rename_begun(files, _devices(options), sink)
    files, unit = _front_end(files, options, sink, begun)
    found: PragmaList | OpenMPTree | None = None
    if unit is None:
        return Inspection(None, tuple(sink.found))
    with stage("inspection", None, sink):
        found = pragma_list(unit) if what == "pragmas" else openmp_tree(unit, declare_target(unit, sink))
    if what == "ast":
        with stage("rules", None, sink):
            check_unit(unit, sink, options.openmp_version)
    return Inspection(found, tuple(sink.found))


def _front_end(
    files: UserFiles, options: TranslateOptions, sink: DiagnosticSink, begun: list[BegunVariant] | None
) -> tuple[UserFiles, ParsedUnit | None]:
    """Return files and unit, no unit when clang makes no tree of them.

    Metadirectives are decided, but stay as they are where nobody has looked for variants (``begun``).
    """
    arguments = clang_arguments(options)
    with stage("front end", None, sink):
        if begun is not None:
            files = resolve(files, begun, options.language, arguments, _devices(options), sink)
        unit = parse_unit(files, options.language, arguments, sink)
        if unit is not None:
            unit = replace(
                unit, target=options.target, compiler_macros=options.compiler_macros, left_out=options.left_out,
                tuned=_tuned(options), openmp_date=openmp_date(options),
            )  # fmt: skip
        return files, unit
    return files, None


def _tuned(options: TranslateOptions) -> tuple[Entry, ...]:
    """Return the choices for the one architecture that there are images for; where there are several, one device text
    serves all of them, and is made by the rules."""
    names = options.architectures or (CPU.architectures.default,)
    return tuple(entry for entry in options.tuned if names == (entry.architecture,))


def _devices(options: TranslateOptions) -> tuple[Device, ...]:
    """Return the devices that the unit is compiled for; one whose kernels the CPU device executes comes first."""
    others = (device(options.target, options.architectures),) if options.architectures else ()
    return (*others, CPU_DEVICE) if options.cpu_device or not others else others


def _for_host_alone(unit: ParsedUnit, version: int, sink: DiagnosticSink) -> Translation:
    """Check the directives of a unit without device constructs, which the host compiler gets as it is."""
    ours = DiagnosticSink([d for d in sink.found if d.code != "base-language"])
    if len(ours.found) == len(sink.found):  # without types there is nothing to check
        with stage("checks", None, ours):
            check_rules(unit, ours, version)
    return Translation(ours.has_errors, tuple(ours.found))
