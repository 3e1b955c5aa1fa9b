"""Links without the standard libraries (``-nostdlib``, ``-nodefaultlibs``).

In: the units of a command, and the files that it links. Out: options. Such a link gets the runtime only where target
regions need it: a kernel of a system or a module of one is linked in ways, or for machines, for which the runtime's
shared libraries are not.
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rexcc.driver.commands.plan import Unit
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.source.records import replace

_OURS = b"rex_offload"
"""Stands in the names that every object with target regions has."""


def with_needed_runtime(options: Options, units: Sequence[Unit]) -> Options:
    """Return options that link no runtime where the user names the standard libraries and there are no regions."""
    if options.standard_libraries or options.mode is not Mode.LINK:
        return options
    if any(unit.translation.has_offload for unit in units) or any(map(_has_regions, _linked(options))):
        return options
    return replace(options, runtime_libraries=False)


def _linked(options: Options) -> Iterator[Path]:
    """Yield the files that are linked, and the archives among which the linker looks for a library."""
    words = [item if isinstance(item, str) else item.path for item in options.link_items]
    folders = [folder for at, word in enumerate(words) if (folder := _behind(words, at, "-L"))]
    for at, word in enumerate(words):
        library = _behind(words, at, "-l")
        yield from (Path(folder) / f"lib{library}.a" for folder in folders if library)
        yield from (Path(part) for part in word.removeprefix("-Wl,").split(",") if not part.startswith("-"))


def _behind(words: Sequence[str], at: int, option: str) -> str:
    """Return the value of an option, which is in its word or the next one; empty where it is another option's."""
    if words[at] == option:
        return words[at + 1] if at + 1 < len(words) else ""
    return words[at].removeprefix(option) if words[at].startswith(option) else ""


def _has_regions(path: Path) -> bool:
    if not path.is_file() or not path.stat().st_size:
        return False
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        return data.find(_OURS) >= 0
