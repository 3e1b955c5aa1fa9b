"""The files of a translation unit, as libclang tells of them: texts, how often each was read, what was skipped.

In: units and cursors of :mod:`clang.cindex`. Out: plain values; where a token stands says :mod:`rexcc.clang.library`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from ctypes import (
    CFUNCTYPE,
    POINTER,
    byref,
    c_char_p,
    c_size_t,
    c_uint,
    c_void_p,
    py_object,
    string_at,
)
from typing import Any

from clang import cindex
from clang.cindex import Cursor, SourceLocation, TranslationUnit

from rexcc.clang import locations
from rexcc.clang.binding import Text, declare, taken
from rexcc.source.text import to_bytes


class _SourceRangeList(cindex.Structure):  # type: ignore[misc]
    _fields_ = (("count", c_uint), ("ranges", POINTER(cindex.SourceRange)))


_place = declare("clang_getLocation", [TranslationUnit, c_void_p, c_uint, c_uint], SourceLocation)
_presumed = declare(
    "clang_getPresumedLocation", [SourceLocation, POINTER(Text), POINTER(c_uint), POINTER(c_uint)], None
)
_file_handle = declare("clang_getFile", [TranslationUnit, c_char_p], c_void_p)
_contents = declare("clang_getFileContents", [TranslationUnit, c_void_p, POINTER(c_size_t)], c_void_p)
_included_file = declare("clang_getIncludedFile", [Cursor], c_void_p)
_skipped_ranges = declare("clang_getAllSkippedRanges", [c_void_p], POINTER(_SourceRangeList))
_skipped_dispose = declare("clang_disposeSourceRangeList", [POINTER(_SourceRangeList)], None)


def _open(handle: int, _stack: Any, _depth: int, found: tuple[Counter[str], locations.FileNames]) -> None:
    found[0][found[1].name(handle)] += 1


_Opener = CFUNCTYPE(None, c_void_p, c_void_p, c_uint, py_object)
_opener = _Opener(_open)
_inclusions = declare("clang_getInclusions", [TranslationUnit, _Opener, py_object], None)


def presumed_place(unit: TranslationUnit, path: str, line: int) -> tuple[str, int]:
    """Return the file name and the number that a line of a file counts as; 0 where the file was not read."""
    handle = _file_handle(unit, to_bytes(path))
    if not handle:
        return path, 0
    name, number = Text(), c_uint()
    _presumed(_place(unit, handle, line, 1), byref(name), byref(number), None)
    return taken(name) or path, number.value


def contents(cursor: Cursor) -> bytes:
    """Return the text that libclang has read of the file in which a cursor is; empty where it is in none."""
    return file_contents(cursor._tu, cursor.location.file.name) if cursor.location.file else b""


def file_contents(unit: TranslationUnit, path: str) -> bytes:
    """Return the text that libclang has read of a file; empty where it has read none."""
    handle = _file_handle(unit, to_bytes(path))
    size = c_size_t()
    data = _contents(unit, handle, byref(size)) if handle else None
    return string_at(data, size.value) if data else b""


def skipped_ranges(
    unit: TranslationUnit, names: locations.FileNames, files: Container[str]
) -> Iterator[tuple[str, int, int]]:
    """Yield file, start and end of every range of these files that the preprocessor skipped."""
    pointer = _skipped_ranges(unit)
    try:
        found = pointer.contents
        for skipped in (found.ranges[i] for i in range(found.count)):
            name, start = locations.file_location(skipped.start, names)
            if name in files:
                yield name, start, locations.file_location(skipped.end, names)[1]
    finally:
        _skipped_dispose(pointer)


def opened_files(unit: TranslationUnit, names: locations.FileNames) -> Counter[str]:
    """Return how many times a unit has begun to read each of its files, its main file among them."""
    found: Counter[str] = Counter()
    _inclusions(unit, _opener, (found, names))
    return found


def included_file(cursor: Cursor, names: locations.FileNames) -> str:
    """Return the name of the file that an inclusion directive found, empty for none."""
    return names.name(_included_file(cursor))
