"""The order of a translation unit.

In: the user's files with their include lines. Out: a sort key for any place, such that a header's content stands where
it is included; and the user's include line that brings in a system header.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rexcc.clang import unit_files
from rexcc.frontend import library_headers
from rexcc.frontend.files import UserFiles
from rexcc.program.unit import ParsedUnit

Key = tuple[int, ...]


class Places:
    """Sort keys and system includes of one unit."""

    def __init__(self, files: UserFiles, unit: ParsedUnit) -> None:
        self._unit = unit
        self._files = files
        self._prefix: dict[str, Key] = {}
        for number, name in enumerate(files.forced):
            self._enter(name, (number - len(files.forced) - 1,))  # in front of all of the main file
        self._enter(files.main, ())
        self._nearest: dict[str, tuple[Key, str] | None] = {}

    def _enter(self, path: str, prefix: Key) -> None:
        """Note where a file stands, and then those that it includes; the first time that one is read counts."""
        if path in self._prefix:
            return
        self._prefix[path] = prefix
        skipped = self._unit.skipped.get(path, [])
        for line, target in self._files.included[path]:
            if not any(low <= line.start < high for low, high in skipped):
                self._enter(target, (*prefix, line.start))

    def key(self, path: str, offset: int) -> Key:
        """Return the sort key of a place in a user file."""
        return (*self._prefix.get(path, (1 << 60,)), offset)

    def system_include(self, path: str) -> tuple[Key, str] | None:
        """Return sort key and text of the user's include line that leads to a system header by the fewest steps.

        The first line that leads there will not do: which headers another system header includes differs between
        compilers.
        """
        if path not in self._nearest:
            self._nearest[path] = self._search(path)
        return self._nearest[path]

    def _search(self, path: str) -> tuple[Key, str] | None:
        """Follow the inclusions back to the user's files, breadth first."""
        layer, seen = [path], {path}
        while layer:
            lines = [line for name in layer for line in self._lines.get(name, ())]
            if lines:
                return min(lines)
            layer = sorted({above for name in layer for above in self._includers.get(name, ())} - seen)
            seen.update(layer)
        return None

    def in_front(self, key: Key) -> Iterator[tuple[Key, str]]:
        """Yield sort keys and texts of the lines by which libraries' headers include others of libraries in front of a
        place in one: what is included there may need what they declare."""
        needed = library_headers.Needed((), self._files.system)
        includers = {(*prefix,): path for path, prefix in self._prefix.items()}
        if includers.get(key[:-1]) not in self._files.libraries:
            return
        for target, lines in self._lines.items():
            for line, name in lines:
                if line < key and includers.get(line[:-1]) in self._files.libraries and needed.is_of_library(target):
                    yield line, name

    @cached_property
    def _includers(self) -> dict[str, set[str]]:
        """The system headers that include each file."""
        found: dict[str, set[str]] = {}
        for source, targets in self._unit.system.inclusions.items():
            for target in targets:
                if source not in self._unit.files:
                    found.setdefault(target, set()).add(source)
        return found

    @cached_property
    def _lines(self) -> dict[str, list[tuple[Key, str]]]:
        """The user's include lines by the system header they name."""
        found: dict[str, list[tuple[Key, str]]] = {}
        for inclusion in self._unit.declarations:
            if inclusion.kind != "INCLUSION_DIRECTIVE" or inclusion.file not in self._unit.files:
                continue
            file = self._unit.files[inclusion.file]
            place = file.original(inclusion.start)
            line = next((i for i in file.scan.includes if i.start <= place < i.end), None)
            target = unit_files.included_file(inclusion.cursor, self._unit.tree.names)
            if line is not None and target and target not in self._unit.files:
                found.setdefault(target, []).append((self.key(inclusion.file, line.start), line.name))
        return found
