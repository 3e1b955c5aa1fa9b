"""The page of a program: all its files, each of which was reported when it was compiled.

In: the names of the files' own pages, with their summaries and their parts of this page, and the looks of all pages.
Out: HTML, whose links stay in it, except to a file of which no part is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from rexcc.report.html import Html, element, table
from rexcc.report.page import Looks, Part, document, search
from rexcc.report.places import construct_id, short_names, unit_id
from rexcc.report.summary import Summary, cells, column_heads


def index(pages: Mapping[str, Sequence[Summary]], parts: Mapping[str, Part], looks: Looks) -> str:
    """Return the page; the files come in the order of their pages' names, with the constructs in theirs."""
    short = short_names(summary.file for found in pages.values() for summary in found)
    is_timed = any(summary.seconds is not None for found in pages.values() for summary in found)
    rows = []
    for page, found in sorted(pages.items()):
        for number, summary in enumerate(found, 1):
            prefix = unit_id(page) if page in parts else ""
            there = f"#{construct_id(number, prefix)}"
            link = element("a", f"{short[summary.file]}:{summary.line}", href=there if prefix else quote(page) + there)
            rows.append([link, *cells(summary, is_timed)])
    files = "1 file" if len(pages) == 1 else f"{len(pages)} files"
    head = element("header", element("h1", "Lowering report"), element("p", f"{files} with regions."), class_="top")
    columns = ("Where", *column_heads(is_timed))
    body = element("div", table(columns, rows, "All target constructs", class_="overview"), class_="wide")
    overview = element("section", element("h2", "Constructs"), body, id="overview")
    sections = (_section(page, parts[page]) for page in sorted(pages) if page in parts)
    main = element("main", overview, _contents(pages, parts), *sections)
    return document("Lowering report", (head, search(), main), looks)


def _contents(pages: Mapping[str, Sequence[Summary]], parts: Mapping[str, Part]) -> Html:
    """Return the list of files; each leads to its part, and to its own page."""
    entries = []
    for page, found in sorted(pages.items()):
        own = element("a", "its own page", href=quote(page))
        path = parts[page].path if page in parts else found[0].file
        there = f"#{unit_id(page)}file" if page in parts else quote(page)
        entries.append(element("li", element("a", path, href=there), " (", own, ")"))
    return element("nav", element("h2", "Files"), element("ul", *entries), aria_label="Files")


def _section(page: str, part: Part) -> Html:
    """Return the part of a file: its constructs, and its sources."""
    heading = element("h2", part.path, id=f"{unit_id(page)}file", class_="file")
    facts = element("p", part.facts, ".")
    return element("section", heading, facts, Html(part.constructs), Html(part.sources))
