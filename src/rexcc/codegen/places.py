"""The order of a translation unit.

In: the user's files with their include lines. Out: a sort key for any place, such that a header's content stands where it
is included; and the user's include line that first brought in a system header.
"""

from __future__ import annotations

from rexcc.frontend.files import UserFiles
from rexcc.frontend.scan import IncludeLine
from rexcc.frontend.unit import ParsedUnit

Key = tuple[int, ...]


class Places:
    """Sort keys and system includes of one unit."""

    def __init__(self, files: UserFiles, unit: ParsedUnit) -> None:
        self._unit = unit
        self._prefix: dict[str, Key] = {files.main: ()}
        for name in files.scans:
            for line, target in files.included[name]:
                if target not in self._prefix and name in self._prefix:
                    self._prefix[target] = (*self._prefix[name], line.start)
        self._includer = self._read_inclusions()

    def _read_inclusions(self) -> dict[str, tuple[str, int]]:
        found: dict[str, tuple[str, int]] = {}
        for inclusion in self._unit.tree.unit.get_includes():
            found.setdefault(inclusion.include.name, (inclusion.source.name, inclusion.location.line))
        return found

    def key(self, path: str, offset: int) -> Key:
        """Return the sort key of a place in a user file."""
        return (*self._prefix.get(path, (1 << 60,)), offset)

    def system_include(self, path: str) -> tuple[Key, str] | None:
        """Return sort key and text of the user's include line through which a system header comes in."""
        current = path
        for _ in range(200):
            found = self._includer.get(current)
            if found is None:
                return None
            includer, line = found
            file = self._unit.files.get(includer)
            if file is None:
                current = includer
                continue
            target = self._line(file.scan.includes, file.scan.source.line_start(line), file.scan.source.text)
            return (self.key(includer, target.start), target.name) if target else None
        return None

    @staticmethod
    def _line(includes: tuple[IncludeLine, ...], start: int, text: str) -> IncludeLine | None:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        return next((i for i in includes if start <= i.start <= end), None)
