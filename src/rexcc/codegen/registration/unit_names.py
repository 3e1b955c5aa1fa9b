"""The names that are a unit's own: those of its generated files, and parts of symbols.

In: the user's files and the command line. Out: :class:`UnitNames`, and words that no other unit of a program has.
"""

from __future__ import annotations

import posixpath
import re
import zlib

from rexcc.frontend.files import UserFiles
from rexcc.source.file_names import safe_name
from rexcc.source.records import dataclass
from rexcc.source.text import to_bytes


@dataclass(frozen=True)
class UnitNames:
    """The user's file, the word for it in names of generated ones, and those: the host's, the device's and the CPU
    device's."""

    source: str
    stem: str
    host: str
    device: str
    cpu: str


def host_names(files: UserFiles) -> dict[str, str]:
    """Return the ``rose_`` name of each user file that may have to be rewritten, unique among them.

    That of a header says which unit has this copy: another one has other names and values in it.
    """
    names: dict[str, str] = {}
    unit = posixpath.splitext(safe_name(posixpath.basename(files.main)))[0]
    for path in files.scans:
        name = safe_name(posixpath.basename(path))
        if path != files.main:
            name = f".{unit}".join(posixpath.splitext(name))
        unique, count = f"rose_{name}", 1
        while unique in names.values():
            count += 1
            unique = f"rose_{count}_{name}"
        names[path] = unique
    return names


def unit_name(files: UserFiles, arguments: tuple[str, ...]) -> str:
    """Return a part of names that are a unit's own in the whole program; ``arguments`` are clang's."""
    stem = re.sub(r"\W", "_", posixpath.basename(files.scans[files.main].source.path), flags=re.ASCII)
    return f"{stem}_{unit_mark(files, arguments)}"


def unit_mark(files: UserFiles, arguments: tuple[str, ...]) -> str:
    """Return eight digits that tell a translation unit from others of its name, and from itself with other flags.

    Two folders may each have a file of one name and text, which is compiled there and includes other headers.
    """
    source = files.scans[files.main].source
    headers = (scan.source.text for path, scan in sorted(files.scans.items()) if path != files.main)
    what = "\0".join([source.path, *arguments, source.text, *headers])
    return f"{zlib.crc32(to_bytes(what)):08x}"
