"""clang's parse of the user's files with probe statements in place of directives.

In: the scanned files, their directives and clang's arguments. Out: the files with probes, clang's translation unit, and
the ranges that the preprocessor left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Container, Iterable, Mapping

from clang.cindex import Cursor, TranslationUnit, TranslationUnitLoadError

from rexcc.clang import library, locations, unit_files
from rexcc.clang.tree import Tree
from rexcc.frontend.declared_probes import Scope
from rexcc.frontend.declared_reductions import sites_in_functions
from rexcc.frontend.files import UserFiles
from rexcc.frontend.instance_places import marks_of_instances
from rexcc.frontend.instances import END_OF_FILE
from rexcc.frontend.probe import ProbedFile, inject
from rexcc.frontend.scan import FileScan
from rexcc.openmp.model import Directive
from rexcc.openmp.parser import parse_directive
from rexcc.source.compiler_macros import for_libclang
from rexcc.source.diagnostics import DiagnosticSink
from rexcc.source.text import Span

Directives = dict[str, dict[int, Directive]]
"""The directives of each file, by the start of their site."""

Additions = Mapping[str, Mapping[int, str]]
"""Texts to put behind directives, for each file by the offset."""

NO_ADDITIONS: Additions = {}

IMPLICIT_FUNCTION = "implicit-function-declaration"
"""What is told of calls of functions that nobody has declared: device code has no such functions."""

_DECLARED = ("declare reduction", "declare mapper")


def probed(
    files: UserFiles,
    directives: Directives,
    language: str,
    scopes: dict[str, dict[int, Scope]],
    additions: Additions = NO_ADDITIONS,
) -> dict[str, ProbedFile]:
    """Return the files with probe statements; ``additions`` are texts of other stages that clang shall see."""

    def added(scan: FileScan, name: str) -> dict[int, str]:
        texts = (dict(marks_of_instances(scan.source)) if language == "c++" else {}) | dict(additions.get(name, {}))
        if language == "c++" and name == files.main:
            end = len(scan.source.text)
            texts[end] = f"{texts.get(end, '')}\nstruct {END_OF_FILE};\n"
        return texts

    return {
        name: inject(scan, directives[name], added(scan, name), scopes.get(name)) for name, scan in files.scans.items()
    }


def scopes_of_declared(
    files: UserFiles, directives: Directives, language: str, arguments: tuple[str, ...]
) -> dict[str, dict[int, Scope]]:
    """Return where each ``declare reduction`` and ``declare mapper`` stands; C needs a parse of its own for that."""
    sites = {n: [s for s, d in found.items() if d.name in _DECLARED] for n, found in directives.items()}
    if language == "c++" or not any(sites.values()):
        return {name: dict.fromkeys(found, Scope.CPLUSPLUS) for name, found in sites.items()}
    parsed = probed(files, directives, language, {})
    unit = clang_unit(files, parsed, language, arguments)
    if unit is None:
        return {}
    tree = Tree(unit)
    nodes = [tree.node(c) for c in library.of_user(unit)]
    inside = {name: sites_in_functions(file, nodes) for name, file in parsed.items()}
    return {name: {s: Scope.BLOCK if s in inside[name] else Scope.FILE for s in found} for name, found in sites.items()}


def directives_of(scan: FileScan, problems: DiagnosticSink) -> dict[int, Directive]:
    """Return the directives of a file by the start of their site; what is wrong with them goes to ``problems``."""
    found = ((site.start, parse_directive(site.text, problems)) for site in scan.pragmas)
    return {start: directive for start, directive in found if directive is not None}


def skipped_ranges(
    tree: Tree, files: dict[str, ProbedFile], declared: Iterable[Cursor]
) -> dict[str, list[tuple[int, int]]]:
    """Return what the preprocessor left out; a file that it never opened is left out whole.

    A file that is read twice, as headers that include each other are, leaves out the second time what its guard guards:
    what holds one of the macros or declarations that the unit has, ``declared``, is not left out.
    """
    opened = unit_files.opened_files(tree.unit, tree.names)
    found: dict[str, list[tuple[int, int]]] = {
        name: [] if name in opened or name == tree.unit.spelling else [(0, len(f.scan.source.text))]
        for name, f in files.items()
    }
    again = {name for name, times in opened.items() if times > 1 and name in files}
    known = _starts(declared, again, tree.names) if again else {}
    for name, start, end in unit_files.skipped_ranges(tree.unit, tree.names, files):
        places = known.get(name, ())
        at = bisect_left(places, start)
        if at == len(places) or places[at] >= end:
            found[name].append((files[name].original(start), files[name].original(end)))
    return found


def _starts(cursors: Iterable[Cursor], files: Container[str], names: locations.FileNames) -> dict[str, list[int]]:
    """Return where cursors of some files start, by file, in order."""
    found: dict[str, list[int]] = {}
    for cursor in cursors:
        name, start, _ = locations.range_of(cursor, names)
        if name in files:
            found.setdefault(name, []).append(start)
    for starts in found.values():
        starts.sort()
    return found


def is_active(span: Span, skipped: dict[str, list[tuple[int, int]]]) -> bool:
    """Return whether the preprocessor kept a place."""
    return not any(start <= span.start < end for start, end in skipped.get(span.source.path, ()))


def clang_unit(
    files: UserFiles, parsed: dict[str, ProbedFile], language: str, arguments: tuple[str, ...]
) -> TranslationUnit | None:
    """Return clang's translation unit of files with probes, None when it cannot make one.

    A stage that leaves the files as they are has parsed them for the stage behind it.
    """
    unsaved = for_libclang({name: f.buffer for name, f in parsed.items()})
    flags = [
        "-x",
        language,
        *(["-fno-access-control"] if language == "c++" else []),
        "-Wno-everything",
        "-fspell-checking",  # which libclang leaves out otherwise
        *([f"-Werror={IMPLICIT_FUNCTION}"] if language == "c" else []),
        "-ferror-limit=0",
        *arguments,
    ]
    return files.last.units.of((files.main, *flags, *unsaved), lambda: _parsed(files.main, flags, unsaved, language))


def _parsed(main: str, flags: list[str], unsaved: list[tuple[str, bytes]], language: str) -> TranslationUnit | None:
    try:
        return library.index(in_order=language == "c++").parse(
            main, args=flags, unsaved_files=unsaved, options=TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
        )
    except TranslationUnitLoadError:
        return None
