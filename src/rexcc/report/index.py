"""The index of a program's pages, each of which was written when its file was compiled.

In: the names of pages with their summaries, and the looks of all pages. Out: HTML.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from rexcc.report.html import element, table
from rexcc.report.page import KEYS, Looks, document, search
from rexcc.report.places import construct_id, short_names
from rexcc.report.summary import Summary, cells, column_heads


def index(pages: Mapping[str, Sequence[Summary]], looks: Looks) -> str:
    """Return the index; the pages come in the order of their names, with the constructs in theirs."""
    short = short_names(summary.file for found in pages.values() for summary in found)
    is_timed = any(summary.seconds is not None for found in pages.values() for summary in found)
    rows = []
    for page, found in sorted(pages.items()):
        for number, summary in enumerate(found, 1):
            place = f"{short[summary.file]}:{summary.line}"
            link = element("a", place, href=f"{quote(page)}#{construct_id(number)}")
            rows.append([link, *cells(summary, is_timed)])
    files = "1 file" if len(pages) == 1 else f"{len(pages)} files"
    head = element("header", element("h1", "Lowering report"), element("p", f"{files} with regions."), class_="top")
    columns = ("Where", *column_heads(is_timed))
    body = element("div", table(columns, rows, "All target constructs", class_="overview"), class_="wide")
    links = (element("li", element("a", found[0].file, href=quote(page))) for page, found in sorted(pages.items()))
    parts = element("section", element("h2", "Constructs"), body, id="overview")
    listed = element("section", element("h2", "Files"), element("ul", *links))
    return document("Lowering report", (head, search(KEYS[:1]), element("main", parts, listed)), looks)
