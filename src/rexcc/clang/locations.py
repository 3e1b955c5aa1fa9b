"""Where tokens and cursors are written: files and byte offsets.

In: places and cursors of libclang. Out: the name of a file, and offsets in it; of what a macro makes, where its
argument is written or the macro is used.
"""

from __future__ import annotations

from ctypes import (
    POINTER,
    byref,
    c_uint,
    c_void_p,
)

from clang.cindex import Cursor, SourceLocation, SourceRange

from rexcc.clang.binding import Text, declare

_file_location = declare(
    "clang_getFileLocation",
    [SourceLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)],
    None,
)
_handle, _offset = c_void_p(), c_uint()
_handle_found, _offset_found = byref(_handle), byref(_offset)  # made once: each place is asked for
_range_start = declare("clang_getRangeStart", [SourceRange], SourceLocation)
_range_end = declare("clang_getRangeEnd", [SourceRange], SourceLocation)
_extent = declare("clang_getCursorExtent", [Cursor], SourceRange)
_file_name = declare("clang_getFileName", [c_void_p], Text)
_IN_MACRO = 1 << 31
"""The bit of a place that is inside of a macro's expansion (``SourceLocation::MacroIDBit``)."""


class FileNames:
    """Names of libclang's file handles, asked for once each."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def name(self, handle: int | None) -> str:
        """Return the file name of a handle; empty for none."""
        if handle is None:
            return ""
        known = self._names.get(handle)
        if known is None:
            known = str(_file_name(c_void_p(handle)) or "")
            self._names[handle] = known
        return known


def file_location(location: SourceLocation, names: FileNames) -> tuple[str, int]:
    """Return file name and byte offset of where a token was written.

    A token that came as a macro's argument is where the argument is written; one from a macro's body is where the
    macro is used.
    """
    _file_location(location, _handle_found, None, None, _offset_found)
    return names.name(_handle.value), _offset.value


def range_of(cursor: Cursor, names: FileNames) -> tuple[str, int, int]:
    """Return the file name and the byte offsets of a cursor's start and end."""
    return located(cursor, names)[:3]


def located(cursor: Cursor, names: FileNames) -> tuple[str, int, int, bool]:
    """Return the file name and the byte offsets of a cursor's start and end, and whether this end is the start of a
    macro's use: its last token is an argument that the body of another macro writes.

    Places behind the tokens of a body are all where the macro is used; those of one that a file writes are behind each
    other.
    """
    extent = _extent(cursor)
    name, start = file_location(_range_start(extent), names)
    last = _range_end(extent)
    end = file_location(last, names)[1]
    if not extent.end_int_data & _IN_MACRO:
        return name, start, end, False
    last.int_data -= 1
    return name, start, end, file_location(last, names)[1] == end
