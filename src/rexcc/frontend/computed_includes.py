"""``#include`` lines whose file a macro names, or a comment stands in front of.

In: a file's path and what :func:`~rexcc.frontend.files.gather` takes. Out: the user's files, in which such lines name
their file, as clang has found it; system headers stay as written. A line that includes one file after the other stays
too, but where one of these has directives all are files of the line: each stands in place of its inclusion, for the
file of the line is included repeatedly (``preprocessed``). It is an error where one of them is no file of the user's.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from clang.cindex import Cursor, Index, TranslationUnit, TranslationUnitLoadError

from rexcc.clang import library, locations
from rexcc.clang.tree import kind_of
from rexcc.frontend.files import ReadFile, SearchPath, UserFiles, gather, resolve
from rexcc.frontend.scan import FileScan, IncludeLine
from rexcc.source.compiler_macros import for_libclang
from rexcc.source.diagnostics import error
from rexcc.source.text import inside, to_bytes

_ROUNDS = 8
"""How deep such lines may stand in files that such lines name."""


def gather_all(
    path: str, search: SearchPath, read_file: ReadFile, language: str, arguments: tuple[str, ...]
) -> UserFiles | None:
    """Return the user's files, those that macros name too; None when the main file cannot be read.

    Raises CompileError for a line whose files differ and have directives (``unsupported-construct``).
    """
    changed: dict[str, bytes] = {}

    def read(name: str) -> bytes | None:
        return changed[name] if name in changed else read_file(name)

    files = gather(path, search, read)
    several: dict[tuple[str, int], tuple[str, ...]] = {}
    for _ in range(_ROUNDS):
        opened = _opened(files, language, arguments) if files is not None else {}
        found = _named(files, opened, search, read) if files is not None else {}
        differing = _differing(files, opened, search, read) if files is not None and not found else {}
        if not found and differing == several:
            break
        changed |= found
        several = differing
        files = gather(path, search, read, several)
    return files


Opened = dict[tuple[str, int], set[tuple[str, str]]]
"""The files that a line includes, each as it is spelled there and by its path; by the line's file and offset."""


def _opened(files: UserFiles, language: str, arguments: tuple[str, ...]) -> Opened:
    """Return what clang includes in the user's files, nothing where no line needs it."""
    if not any(scan.computed for scan in files.scans.values()):
        return {}
    unsaved = for_libclang({name: scan.source.text for name, scan in files.scans.items()})
    options = TranslationUnit.PARSE_SKIP_FUNCTION_BODIES | TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    try:
        unit = Index.create().parse(files.main, ["-x", language, "-w", *arguments], unsaved, options)
    except TranslationUnitLoadError:
        return {}
    names = locations.FileNames()
    opened: Opened = {}
    for cursor in library.children(unit.cursor):
        if kind_of(cursor) == "INCLUSION_DIRECTIVE" and (target := _target(cursor)):
            file, start, _ = locations.range_of(cursor, names)
            opened.setdefault((file, start), set()).add((inside(str(cursor.spelling)), target))
    return opened


def _named(files: UserFiles, opened: Opened, search: SearchPath, read_file: ReadFile) -> dict[str, bytes]:
    """Return the bytes of files whose lines could be named."""
    changed: dict[str, bytes] = {}
    for name, scan in files.scans.items():
        lines = list(_lines(scan, opened, search, files, read_file))
        if lines:
            changed[name] = _with_names(scan, lines)
    return changed


def _differing(
    files: UserFiles, opened: Opened, search: SearchPath, read_file: ReadFile
) -> dict[tuple[str, int], tuple[str, ...]]:
    """Return the files of lines that include one after the other, of which one may have directives. Raises CompileError
    where one has, and not all are the user's."""
    differing: dict[tuple[str, int], tuple[str, ...]] = {}
    for name, scan in files.scans.items():
        for line in scan.computed:
            found = sorted(opened.get((name, line.start), ()))
            if len(found) < 2:
                continue
            read = [gather(posixpath.normpath(target), search, read_file) for _, target in found]
            written = [_written(*one, scan, line, search, files, read_file) for one in found]
            if None not in written and any(one is not None and one.may_have_pragmas for one in read):
                differing[name, line.start] = tuple(dict.fromkeys(one[1] for one in written if one is not None))
            elif any(one is not None and one.has_pragmas for one in read):
                other = found[written.index(None)][0]
                message = f"this line also includes '{other}', which is no file of yours and cannot be placed beside "
                message += "one with directives; write a line with its name"
                raise error("unsupported-construct", message, scan.source.span(line.start, line.end))
    return differing


def _target(cursor: Cursor) -> str:
    """Return the file that a line includes, empty where clang has found none."""
    try:
        return inside(str(cursor.get_included_file().name))
    except (AssertionError, AttributeError):
        return ""


def _lines(
    scan: FileScan,
    opened: Opened,
    search: SearchPath,
    files: UserFiles,
    read_file: ReadFile,
) -> Iterator[tuple[IncludeLine, str]]:
    """Yield the lines of a file whose target is the same in all its inclusions, and is the user's, with their names."""
    for line in scan.computed:
        found = opened.get((scan.source.path, line.start), set())
        if len(found) != 1:
            continue
        written = _written(*next(iter(found)), scan, line, search, files, read_file)
        if written is not None:
            yield line, written[0]


def _written(
    spelled: str,
    target: str,
    scan: FileScan,
    line: IncludeLine,
    search: SearchPath,
    files: UserFiles,
    read_file: ReadFile,
) -> tuple[str, str] | None:
    """Return how a line may name a file that it includes, and its path; None for files that are not the user's."""
    for name in (f'"{spelled}"', f"<{spelled}>"):
        there = resolve(scan.source.path, IncludeLine(line.start, line.end, name), search, files.scans, read_file)
        if there is not None and posixpath.normpath(there) == posixpath.normpath(target):
            return name, there
    return None


def _with_names(scan: FileScan, lines: list[tuple[IncludeLine, str]]) -> bytes:
    """Return a file's bytes with other lines; those behind keep their numbers."""
    text = scan.source.text
    for line, name in sorted(lines, key=lambda one: -one[0].start):
        ends = "\\\n" * text.count("\n", line.start, line.end)
        text = f"{text[: line.start]}#include {name}{ends}{text[line.end :]}"
    return to_bytes(text)
