"""Preprocessed text, as ``.i`` and ``.ii`` files hold it, with ``#include`` lines again for the system's headers.

In: what a preprocessor wrote, the folders of the system's headers. Out: a source that says the same. Line markers tell
which lines are of the system's headers; device code has to take these from the system again, for kernels are compiled
by other compilers than the one whose headers the text holds. The user's headers stay where they were included.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence

from rexcc.source.patterns import regex

_MARKER = regex(rb'#\s*(?:line\s+)?(\d+)\s+"((?:[^"\\]|\\.)*)"((?:\s+\d+)*)\s*')
_ENTERED, _LEFT, _SYSTEM = b"1", b"2", b"3"
_PREDEFINED = b"stdc-predef.h"
_COMPILERS = regex(r".*/(?:clang|gcc)/(?:[^/]+/)*include/(.*)")
"""Headers of compilers, of which each has its own."""


def with_includes(data: bytes, folders: Sequence[str]) -> bytes:
    """Return preprocessed text without the lines of the system's headers, which lie in ``folders`` or elsewhere."""
    return b"".join(_lines(data, [posixpath.normpath(folder) for folder in folders]))


def _lines(data: bytes, folders: Sequence[str]) -> Iterator[bytes]:
    header: bytes | None = None
    for line in data.splitlines(keepends=True):
        marker = _MARKER.fullmatch(line) if line.startswith(b"#") else None
        if marker is None:
            if header is None:
                yield line
            continue
        number, path, flags = marker[1], marker[2], marker[3].split()
        if _SYSTEM in flags:
            if header is None and _ENTERED in flags:
                header = path
            continue
        if header is not None:
            yield _include(header, folders)
            header = None
        if not path.startswith(b"<"):
            yield b'# %s "%s"\n' % (number, path)
    if header is not None:
        yield _include(header, folders)


def _include(path: bytes, folders: Sequence[str]) -> bytes:
    """Return the line that includes a header of the system's, by the name under which each compiler finds its own."""
    if path.endswith(b"/" + _PREDEFINED):
        return b""
    whole = posixpath.normpath(path.decode(errors="surrogateescape"))
    names = [whole[len(folder) + 1 :] for folder in folders if whole.startswith(f"{folder}/")]
    compilers = _COMPILERS.fullmatch(whole)
    name = min(names, key=len, default=compilers[1] if compilers else "")
    line = f"#include <{name}>\n" if name else f'#include "{whole}"\n'
    return line.encode(errors="surrogateescape")
