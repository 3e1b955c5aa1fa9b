"""Places of the user's files in a page: what their lines are called there, and links to them.

In: the report of a unit and the texts of its files. Out: :class:`Places`, whose identifiers are unique in a page; on a
program's page those of a unit begin with what tells it from the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy

from rexcc.report.code import highlighted
from rexcc.report.html import Html, element, text
from rexcc.report.model import ConstructReport, Point, UnitReport


def construct_id(number: int, unit: str = "") -> str:
    """Return the identifier of a construct, counted from 1; ``unit`` is what its unit's identifiers begin with."""
    return f"{unit}c{number}"


def unit_id(page: str) -> str:
    """Return what the identifiers of a unit begin with on a program's page, by the name of its own page."""
    return "".join(c if c.isascii() and (c.isalnum() or c == ".") else f"_{ord(c):x}_" for c in page) + "-"


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Return names for files: as many of the last parts of their paths as tell them from each other."""
    known = dict.fromkeys(paths)
    names = {}
    for path in known:
        parts = path.split("/")
        others = [other for other in known if other != path]
        counts = range(1, len(parts))
        tails = ("/".join(parts[-count:]) for count in counts)
        names[path] = next((t for t in tails if not any(f"/{o}".endswith(f"/{t}") for o in others)), path)
    return names


class Places:
    """``files`` are the texts of the user's files by their paths; what has no text has no line to lead to.

    ``lines`` are those of the files, ``shown`` the same as HTML.
    """

    def __init__(self, unit: UnitReport, files: Mapping[str, str]) -> None:
        self.unit = unit
        self.prefix = ""
        self.lines = {path: files[path].removesuffix("\n").split("\n") for path in unit.files if path in files}
        self.shown = {path: tuple(highlighted(lines)) for path, lines in self.lines.items()}
        self._names = short_names(unit.files)
        self._numbers = {path: number for number, path in enumerate(self.lines, 1)}

    def within(self, prefix: str) -> Places:
        """Return the same for a page of several units."""
        found = copy(self)
        found.prefix = prefix
        return found

    def construct_id(self, number: int) -> str:
        """Return the identifier of a construct, counted from 1."""
        return construct_id(number, self.prefix)

    def name(self, path: str) -> str:
        """Return what a file is called in the page."""
        return self._names.get(path, path)

    def has(self, path: str, line: int) -> bool:
        """Whether a page shows a line."""
        return 1 <= line <= len(self.lines.get(path, ()))

    def key(self, path: str, line: int) -> str:
        """Return what all lines of a page that are one of the user's have in common."""
        return f"{self.prefix}{self._numbers[path]}.{line}"

    def line_id(self, path: str, line: int) -> str:
        """Return the identifier of a line among the files at the page's end."""
        return f"{self.prefix}f{self._numbers[path]}-{line}"

    def excerpt(self, construct: ConstructReport) -> range:
        """Return the lines that are shown of a construct, with some around them."""
        path, around = construct.place.path, 2
        count = len(self.lines.get(path, ()))
        last = max(construct.last, construct.place.line)
        return range(max(1, construct.place.line - around), min(count, last + around) + 1)

    def target(self, point: Point, number: int) -> str:
        """Return the identifier to which a place leads from a construct: its own excerpt, or the file's line."""
        construct = self.unit.constructs[number - 1]
        if point.path == construct.place.path and point.line in self.excerpt(construct):
            return f"{self.construct_id(number)}-s{point.line}"
        return self.line_id(point.path, point.line)

    def head(self, number: int, href: str) -> Html:
        """Return the file and the line of a construct, which lead to it."""
        place = self.unit.constructs[number - 1].place
        full = f"{place.path}:{place.line}"
        return element("a", f"{self.name(place.path)}:{place.line}", href=href, title=full, class_="place")

    def link(self, point: Point, number: int) -> Html:
        """Return a place as a link, from a construct."""
        written = f"{self.name(point.path)}:{point.line}:{point.column}"
        if not self.has(point.path, point.line):
            return text(written)
        return element("a", written, href=f"#{self.target(point, number)}", class_="place")
