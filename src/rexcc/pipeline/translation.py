"""The translation of a file, and its inspection.

In: the path of a unit, options, and how to read files. Out: generated files and diagnostics, or what was understood. No
file is written and no process started here. Files without pragmas are most of a program's: what the others need is
loaded when one comes.
"""

from __future__ import annotations

import importlib
from typing import Any

from rexcc.frontend import library_headers
from rexcc.frontend.files import LastParses, SearchPath, UserFiles, gather, with_libraries
from rexcc.frontend.inclusion_chain import with_inclusions
from rexcc.inspection.model import KernelList, OpenMPTree, PragmaList
from rexcc.pipeline.records import Inspection, ReadFile, TranslateOptions, Translation
from rexcc.pipeline.stages import asked, clang_arguments, options_inside
from rexcc.source.diagnostics import CompileError, Diagnostic, Severity
from rexcc.source.needed_expansion import HeadersNeeded
from rexcc.source.records import replace
from rexcc.source.text import inside, outside
from rexcc.source.users_names import with_users_names


def translate(path: str, options: TranslateOptions, read_file: ReadFile) -> Translation:
    """Translate one C or C++ file.

    ``path`` is spelled as the user spelled it. Errors are in the result's diagnostics (then there are no files);
    raises only on a defect of the compiler, a :class:`StageError` with the user's place where that is known.
    """
    options = options_inside(options)
    needed: frozenset[str] = frozenset()
    last = LastParses()
    while True:
        try:
            files = _gathered(path, options, read_file, needed)
        except CompileError as problem:
            return Translation(True, (problem.diagnostic,))
        if files is None or not files.may_have_pragmas:
            return Translation(False, ())
        files = replace(files, last=last)  # where no header has come, what is known of them is
        known = _with_libraries(options, files)
        try:
            found: Translation = _phases().translate_files(files, asked(known, _texts(files)))
            break
        except HeadersNeeded as more:
            needed |= more.headers
    if files.embedded:
        found = replace(found, embedded=tuple(map(outside, files.embedded)))
    return replace(found, diagnostics=_told(found.diagnostics, files)) if found.diagnostics else found


def inspect(path: str, options: TranslateOptions, read_file: ReadFile, what: str) -> Inspection:
    """Return what is understood of one file: its ``pragmas``, its ``ast``, or the ``kernel`` trees made of it."""
    if what == "kernel":
        made = translate(path, replace(options, listing=True), read_file)
        return Inspection(KernelList(path, made.listing), made.diagnostics)
    options = options_inside(options)
    try:
        files = _gathered(path, options, read_file)
    except CompileError as problem:
        return Inspection(None, (problem.diagnostic,))
    if files is None or not files.may_have_pragmas:
        return nothing_in(path, what)
    options = _with_libraries(options, files)
    found: Inspection = _phases().inspect_files(path, files, asked(options, _texts(files)), what)
    return replace(found, diagnostics=_told(found.diagnostics, files)) if found.diagnostics else found


def _told(found: tuple[Diagnostic, ...], files: UserFiles) -> tuple[Diagnostic, ...]:
    """Return diagnostics as the user sees them: with his names, and the way to the file that each is in. What compilers
    take for the system's is not warned of."""
    shown = tuple(d for d in found if d.severity is not Severity.WARNING or not _is_of_library(d, files))
    return with_inclusions(with_users_names(shown), files)


def _is_of_library(told: Diagnostic, files: UserFiles) -> bool:
    return told.span is not None and told.span.source.path in files.libraries


def _with_libraries(options: TranslateOptions, files: UserFiles) -> TranslateOptions:
    """Return options by which clang takes headers of libraries that have directives for the user's, and large libraries
    for devices for the system's."""
    if files.device_folders:
        words = library_headers.with_system_folders(options.clang_arguments, files.device_folders.__contains__)
        options = replace(options, clang_arguments=tuple(words))
    lines = ((line.name, target) for found in files.included.values() for line, target in found)
    known = library_headers.arguments(lines, files.libraries)
    return replace(options, clang_arguments=(*options.clang_arguments, *known)) if known else options


def _texts(files: UserFiles) -> list[str]:
    return [scan.source.text for scan in files.scans.values()]


def nothing_in(path: str, what: str) -> Inspection:
    """Return what is understood of a file without pragmas."""
    return Inspection(PragmaList(path, ()) if what == "pragmas" else OpenMPTree(path, (), ()), ())


def _phases() -> Any:
    return importlib.import_module("rexcc.pipeline.phases")


def _gathered(
    path: str, options: TranslateOptions, read_file: ReadFile, needed: frozenset[str] = frozenset()
) -> UserFiles | None:
    """Return the user's files, with headers that device code has been found to need; clang is asked for those that
    macros name."""
    search = SearchPath.from_arguments(options.clang_arguments)

    def read(name: str) -> bytes | None:
        return read_file(outside(name))

    words = (options.target.words.device, *options.target.words.asked)
    files = gather(inside(path), search, read)
    texts = {name: scan.source.text for name, scan in files.scans.items()} if files is not None else {}
    for_devices = library_headers.folders_for_devices(texts, inside(path), search.both, words)
    if for_devices:
        search = search.without(for_devices)
        files = gather(inside(path), search, read)
    if files is not None and (search := with_libraries(files, search, read, needed, words)).libraries:
        files = gather(inside(path), search, read)
    if files is not None and any(scan.computed for scan in files.scans.values()):
        computed_includes = importlib.import_module("rexcc.frontend.computed_includes")
        arguments = clang_arguments(asked(_with_libraries(options, files), _texts(files)))
        files = computed_includes.gather_all(inside(path), search, read, options.language, arguments)
    if files is not None and (needed or for_devices):
        can_throw = options.target.capabilities.exceptions or not needed
        ending = frozenset() if can_throw else files.libraries
        files = replace(files, asked_headers=needed, ending=ending, device_folders=for_devices)
    if files is None or not files.may_have_pragmas or not files.may_embed:
        return files
    embedded = importlib.import_module("rexcc.frontend.embedded")
    known = options.clang_arguments, asked(options, ()).compiler_macros
    found: UserFiles = embedded.with_embedded(files, options.embed_folders, read, *known)
    return found
