"""A page: the report of a translation unit as one HTML file, which needs no other.

In: the unit's report, the texts of its files, figures, and the style and script that all pages have. Out: HTML. Equal
input gives equal bytes. Everything can be read without the script, which adds search, keys and marked lines.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rexcc.report.construct import construct_html
from rexcc.report.figures import Figures
from rexcc.report.html import Html, element, joined, table
from rexcc.report.model import UnitReport
from rexcc.report.panes import code_line
from rexcc.report.places import Places, unit_id
from rexcc.report.summary import cells, column_heads, summaries
from rexcc.source.records import dataclass

INDEX = "index.html"


@dataclass(frozen=True)
class Looks:
    """The style and the script of all pages."""

    style: str
    script: str


@dataclass(frozen=True)
class Part:
    """What a page of several units shows of one: its facts, its constructs and its source files."""

    path: str
    facts: str
    constructs: str
    sources: str


def page(unit: UnitReport, files: Mapping[str, str], figures: Figures, looks: Looks) -> str:
    """Return the page of a unit; ``files`` are the texts of the user's files by their paths."""
    places = Places(unit, files)
    main = (_overview(places, figures), *_constructs(places, figures), _sources(places))
    return document(f"{unit.path}: lowering report", (_header(unit, figures), search(), element("main", *main)), looks)


def part(name: str, unit: UnitReport, files: Mapping[str, str], figures: Figures) -> Part:
    """Return the same as a part of its program's page; ``name`` is that of the page."""
    places = Places(unit, files).within(unit_id(name))
    return Part(unit.path, _facts(unit, figures), joined(_constructs(places, figures)), _sources(places))


def _constructs(places: Places, figures: Figures) -> Iterator[Html]:
    return (construct_html(places, figures, number) for number in range(1, len(places.unit.constructs) + 1))


def document(title: str, parts: tuple[Html, ...], looks: Looks) -> str:
    """Return a whole file of HTML."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("style", Html(looks.style)),
    )
    skip = element("a", "Skip to the overview", href="#overview", class_="skip")
    body = element("body", skip, *parts, element("script", Html(looks.script)))
    return f"<!doctype html>\n{element('html', head, body, lang='en')}\n"


_KEYS = (("/", "search"), ("j", "next"), ("k", "previous"), ("o", "overview"))


def search() -> Html:
    """Return the field for searching, which is shown where scripts run, with the keys that do something there."""
    field = element("input", type="search", id="search", placeholder="variable, function, remark …", autocomplete="off")
    shown = (part for key, meaning in _KEYS for part in (element("kbd", key), f" {meaning} "))
    label = element("label", "Search ", field)
    return element(
        "div",
        label,
        element("output", id="hits", for_="search"),
        element("span", *shown, class_="keys"),
        role="search",
        class_="search",
    )


def _header(unit: UnitReport, figures: Figures) -> Html:
    up = element("a", "All files", href=INDEX)
    return element("header", element("h1", unit.path), element("p", _facts(unit, figures), ". ", up), class_="top")


def _facts(unit: UnitReport, figures: Figures) -> str:
    """Return how many constructs there are, for what their kernels were made, and where they were measured."""
    regions = sum(bool(construct.kernels) for construct in unit.constructs)
    others = len(unit.constructs) - regions
    counts = [_counted(regions, "region"), *([_counted(others, "data construct")] if others else [])]
    architectures = sorted({usage.architecture for usage in figures.usages})
    made = f"kernels for {', '.join(architectures)}" if architectures else figures.missing
    device = f"measured on {figures.profile.device}" if figures.profile.device else ""
    return "; ".join(filter(None, (", ".join(counts), made, device)))


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _overview(places: Places, figures: Figures) -> Html:
    found = summaries(places.unit, figures)
    rows = [
        [
            places.head(number, f"#{places.construct_id(number)}"),
            *cells(summary, bool(figures.profile.constructs)),
        ]
        for number, summary in enumerate(found, 1)
    ]
    columns = ("Where", *column_heads(bool(figures.profile.constructs)))
    body = element("div", table(columns, rows, "All target constructs of the file", class_="overview"), class_="wide")
    return element("section", element("h2", "Overview"), body, id="overview")


def _sources(places: Places) -> Html:
    """Return the user's files; the numbers of lines lead to the constructs in which they stand."""
    parts = []
    for path, lines in places.lines.items():
        owners = _owners(places, path)
        body = []
        for number, line in enumerate(places.shown[path], 1):
            owner = owners.get(number)
            gutter = element("span", str(number), class_="n")
            if owner is not None:
                gutter = element("a", str(number), href=f"#{places.construct_id(owner)}-s{number}", class_="n")
            class_ = "l" if owner is not None else "l around"
            shown = (gutter, code_line(lines[number - 1], line))
            body.append(element("div", *shown, id=places.line_id(path, number), class_=class_))
        code = element("div", *body, class_="code source whole", tabindex=0, role="region", aria_label=f"Source {path}")
        parts.append(element("section", element("h3", element("code", path)), code))
    return element("section", element("h2", "Source files"), *parts, id=f"{places.prefix}sources")


def _owners(places: Places, path: str) -> dict[int, int]:
    """Return the constructs in which lines stand, the innermost of each."""
    found: dict[int, int] = {}
    for number, construct in enumerate(places.unit.constructs, 1):
        if construct.place.path == path:
            found.update(dict.fromkeys(range(construct.place.line, construct.last + 1), number))
    return found
