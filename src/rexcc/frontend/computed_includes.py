"""``#include`` lines whose file a macro names, or a comment stands in front of.

In: a file's path and what :func:`~rexcc.frontend.files.gather` takes. Out: the user's files, in which such lines name
their file, as clang has found it; system headers and files that differ from one inclusion to the next stay as written.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from clang.cindex import Cursor, Index, TranslationUnit, TranslationUnitLoadError

from rexcc.clang import library
from rexcc.clang.tree import kind_of
from rexcc.frontend.files import ReadFile, SearchPath, UserFiles, gather, resolve
from rexcc.frontend.scan import FileScan, IncludeLine
from rexcc.source.compiler_macros import for_libclang
from rexcc.source.text import inside, to_bytes

_ROUNDS = 8
"""How deep such lines may stand in files that such lines name."""


def gather_all(
    path: str, search: SearchPath, read_file: ReadFile, language: str, arguments: tuple[str, ...]
) -> UserFiles | None:
    """Return the user's files, those that macros name too; None when the main file cannot be read."""
    changed: dict[str, bytes] = {}

    def read(name: str) -> bytes | None:
        return changed[name] if name in changed else read_file(name)

    files = gather(path, search, read)
    for _ in range(_ROUNDS):
        found = _named(files, search, read, language, arguments) if files is not None else {}
        if not found:
            break
        changed |= found
        files = gather(path, search, read)
    return files


def _named(
    files: UserFiles, search: SearchPath, read_file: ReadFile, language: str, arguments: tuple[str, ...]
) -> dict[str, bytes]:
    """Return the bytes of files whose lines could be named."""
    if not any(scan.computed for scan in files.scans.values()):
        return {}
    unsaved = [(name, for_libclang(scan.source.text)) for name, scan in files.scans.items()]
    options = TranslationUnit.PARSE_SKIP_FUNCTION_BODIES | TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD
    try:
        unit = Index.create().parse(files.main, ["-x", language, "-w", *arguments], unsaved, options)
    except TranslationUnitLoadError:
        return {}
    names = library.FileNames()
    opened: dict[tuple[str, int], set[tuple[str, str]]] = {}
    for cursor in library.children(unit.cursor):
        if kind_of(cursor) == "INCLUSION_DIRECTIVE" and (target := _target(cursor)):
            file, start, _ = library.range_of(cursor, names)
            opened.setdefault((file, start), set()).add((inside(str(cursor.spelling)), target))
    changed: dict[str, bytes] = {}
    for name, scan in files.scans.items():
        lines = list(_lines(scan, opened, search, files, read_file))
        if lines:
            changed[name] = _with_names(read_file(name) or b"", scan, lines)
    return changed


def _target(cursor: Cursor) -> str:
    """Return the file that a line includes, empty where clang has found none."""
    try:
        return inside(str(cursor.get_included_file().name))
    except (AssertionError, AttributeError):
        return ""


def _lines(
    scan: FileScan,
    opened: dict[tuple[str, int], set[tuple[str, str]]],
    search: SearchPath,
    files: UserFiles,
    read_file: ReadFile,
) -> Iterator[tuple[IncludeLine, str]]:
    """Yield the lines of a file whose target is the same in all its inclusions, and is the user's, with their names."""
    for line in scan.computed:
        found = opened.get((scan.source.path, line.start), set())
        if len(found) != 1:
            continue
        spelled, target = next(iter(found))
        for name in (f'"{spelled}"', f"<{spelled}>"):
            there = resolve(scan.source.path, IncludeLine(line.start, line.end, name), search, files.scans, read_file)
            if there is not None and posixpath.normpath(there) == posixpath.normpath(target):
                yield line, name
                break


def _with_names(data: bytes, scan: FileScan, lines: list[tuple[IncludeLine, str]]) -> bytes:
    """Return a file's bytes with other lines; those behind keep their numbers."""
    text = scan.source.text
    for line, name in sorted(lines, key=lambda one: -one[0].start):
        ends = "\\\n" * text.count("\n", line.start, line.end)
        text = f"{text[: line.start]}#include {name}{ends}{text[line.end :]}"
    return to_bytes(text)
