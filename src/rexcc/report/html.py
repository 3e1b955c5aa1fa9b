"""HTML as a value: text is escaped where it is put in, and what is opened is closed.

In: texts and parts made here. Out: :class:`Html`. Texts may be the user's, one character per byte.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from rexcc.source.text import readable

_WITHOUT_END = frozenset({"meta", "input", "br", "link"})


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def text(content: str) -> Html:
    """Return a text as HTML."""
    return content if isinstance(content, Html) else Html(escape(readable(content), quote=False))


def joined(parts: Iterable[str], separator: str = "") -> Html:
    """Return parts one behind the other."""
    return Html(separator.join(map(text, parts)))


def element(name: str, /, *content: str, **attributes: str | int | bool | None) -> Html:
    """Return an element; ``_`` in an attribute's name is ``-``, nothing at its end. None and False leave one out."""
    given = {key: value for key, value in attributes.items() if value is not None and value is not False}
    written = "".join(f" {_attribute(key, value)}" for key, value in given.items())
    if name in _WITHOUT_END:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(content)}</{name}>")


def _attribute(key: str, value: str | int | bool | None) -> str:
    spelled = key.rstrip("_").replace("_", "-")
    return spelled if value is True else f'{spelled}="{escape(readable(str(value)))}"'


def table(columns: Iterable[str], rows: Iterable[Iterable[str]], caption: str, **attributes: str) -> Html:
    """Return a table, of which the first cell of each row is the row's head."""
    head = element("tr", *(element("th", column, scope="col") for column in columns))
    body = []
    for first, *others in rows:
        cells = (cell if _is_cell(cell) else element("td", cell) for cell in others)
        body.append(element("tr", element("th", first, scope="row"), *cells))
    parts = (element("caption", caption), element("thead", head), element("tbody", *body))
    return element("table", *parts, **attributes)


def _is_cell(content: str) -> bool:
    return isinstance(content, Html) and content.startswith("<td")
