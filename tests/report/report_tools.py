"""Reports of programs given as texts, made in process, and what a page consists of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

import support
from rexcc.pipeline import translate
from rexcc.report import SCRIPT, STYLE
from rexcc.report.figures import Figures
from rexcc.report.model import UnitReport
from rexcc.report.page import Looks, page
from rexcc.source.text import SourceText

LOOKS = Looks(STYLE.read_text(encoding="utf-8"), SCRIPT.read_text(encoding="utf-8"))
NO_FIGURES = Figures(missing="no compiler")


def reported(files: Mapping[str, str | bytes], name: str) -> UnitReport:
    """Return the report of one of some files."""
    data = {path: support.as_bytes(text) for path, text in files.items()}
    found = translate(name, replace(support.options_of(name), report=True), data.get)
    assert found.report is not None, support.rendered(found)
    return found.report


def shown(files: Mapping[str, str | bytes], name: str, figures: Figures = NO_FIGURES) -> tuple[UnitReport, str]:
    """Return a report and its page."""
    report = reported(files, name)
    data = {path: support.as_bytes(text) for path, text in files.items()}
    texts = {path: SourceText.from_bytes(path, data[path]).text for path in report.files if path in data}
    return report, page(report, texts, figures, LOOKS)


WITHOUT_END = {"meta", "input", "br", "link"}


@dataclass
class Element:
    """An element with its attributes, the text in it, and those in it."""

    name: str
    attributes: dict[str, str | None]
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, name: str = "", class_: str = "") -> list[Element]:
        """Return the elements inside of a name and a class."""
        found = []
        for child in self.children:
            classes = (child.attributes.get("class") or "").split()
            if (not name or child.name == name) and (not class_ or class_ in classes):
                found.append(child)
            found += child.all(name, class_)
        return found


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        assert len(element.attributes) == len(attrs), f"an attribute twice: {attrs}"
        self.open[-1].children.append(element)
        if tag not in WITHOUT_END:
            self.open.append(element)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        closed = self.open.pop()
        self.open[-1].text += closed.text

    def handle_data(self, data: str) -> None:
        self.open[-1].text += data


def read(text: str) -> Element:
    """Return a page as a tree; each element has to be closed where it was opened."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert len(reader.open) == 1, [element.name for element in reader.open]
    return reader.open[0]
