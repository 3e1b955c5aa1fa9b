"""What holds for each page: constructs are all there, lines lead to each other, the HTML is whole, and needs no file.

Programs are those of other stages, and one with what is unusual: templates, a header, and characters of HTML.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from report_tools import LOOKS, Element, read, shown

import support
from rexcc.pipeline import translate
from rexcc.report.model import UnitReport

UNUSUAL = {
    "t.cpp": """\
#include "t.h"
// a < b && c > d
template <class T> void scale(int n, T *a, T by) {
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n < 9 ? n : 9]) firstprivate(by)
  for (int i = 0; i < n; i++) a[i] = a[i] < by && i > 2 ? by : 2; /* <b> & "é" */
}
void f(int n, float *a, double *b) {
  scale(n, a, 1.0f);
  scale(n, b, 2.0);
#pragma omp target enter data map(to : a[0 : n])
#pragma omp target data map(tofrom : b[0 : n])
  {
    shift(n, b);
#pragma omp target map(tofrom : b[0 : n])
    { b[0] = "<&>"[1]; }
  }
#pragma omp target update from(a[0 : n])
}
""",
    "t.h": """\
static void shift(int n, double *b) {
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 2; j++) b[i * 2 + j] += 1;
}
""",
}
NAMES = ("nn_like.c", "data_like.cpp", "pathfinder_like.c", "odd_bytes_like.c", "t.cpp")
every_program = pytest.mark.parametrize("name", NAMES)


@pytest.fixture(scope="module", autouse=True)
def on_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Put the files there where clang looks for headers."""
    folder = tmp_path_factory.mktemp("report")
    for name, text in UNUSUAL.items():
        (folder / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


@functools.cache
def made(name: str) -> tuple[UnitReport, str, Element]:
    files = UNUSUAL if name in UNUSUAL else {name: (support.PROGRAMS / name).read_bytes()}
    report, text = shown(files, name)
    return report, text, read(text)


def targets(page: Element) -> dict[str, Element]:
    """Return the elements with an identifier, of which there is one of each."""
    found = [e for e in page.all() if "id" in e.attributes]
    names = [str(e.attributes["id"]) for e in found]
    assert len(set(names)) == len(names)
    return dict(zip(names, found, strict=True))


@every_program
def test_each_construct_has_an_article_and_a_row(name: str) -> None:
    report, _, page = made(name)
    assert report.constructs
    articles, rows = page.all("article"), page.all("table", "overview")[0].all("tr")[1:]
    assert len(articles) == len(rows) == len(report.constructs)
    for construct, article in zip(report.constructs, articles, strict=True):
        assert f"{construct.place.path}:{construct.place.line}" in article.text.replace("\n", "")
        assert len(article.all("div", "code")) == 2 + len(construct.kernels)


@every_program
def test_links_lead_to_something_in_the_page(name: str) -> None:
    _, _, page = made(name)
    known = targets(page)
    links = [str(link.attributes["href"]) for link in page.all("a")]
    assert len(links) > 10
    assert {link for link in links if not link.startswith("#")} == {"index.html"}
    assert not [link for link in links if link.startswith("#") and link[1:] not in known]


@every_program
def test_lines_lead_to_each_other(name: str) -> None:
    """A line of the user's in a kernel or a host block leads to his line, and that to the first of them."""
    report, _, page = made(name)
    known = targets(page)
    count = 0
    for number, construct in enumerate(report.constructs, 1):
        listings = [(f"c{number}-k{k}-", kernel.lines) for k, kernel in enumerate(construct.kernels, 1)]
        for prefix, lines in [*listings, (f"c{number}-h", construct.host)]:
            for position, line in enumerate(lines, 1):
                shown_line = known[f"{prefix}{position}"]
                back = [str(a.attributes["href"])[1:] for a in shown_line.all("a")]
                assert bool(back) == bool(line.path)
                for target in back:
                    count += 1
                    assert (
                        known[target].attributes.get("data-l", shown_line.attributes["data-l"])
                        == (shown_line.attributes["data-l"])
                    )
                    assert target.endswith(f"-s{line.line}") or target.endswith(f"-{line.line}")
        own = [e for e in known.values() if str(e.attributes["id"]).startswith(f"c{number}-s")]
        for line in own:
            forward = [str(a.attributes["href"])[1:] for a in line.all("a") if "jump" not in str(a.attributes)]
            alike = known[forward[0]]
            assert alike.attributes.get("data-l", line.attributes["data-l"]) == line.attributes["data-l"]
    assert count > 3


@every_program
def test_remarks_stand_at_their_lines(name: str) -> None:
    report, _, page = made(name)
    expected = {t.message[1:] for c in report.constructs for k in c.kernels for t in k.told if t.topic != "rex"}
    found = "\n".join(e.text for e in page.all("div", "remark"))
    assert all(support_text in found for support_text in expected if support_text.isascii())
    assert bool(expected) == bool(found)


@every_program
def test_a_page_needs_no_other_file(name: str) -> None:
    _, text, page = made(name)
    loaded = [e for e in page.all() if {"src", "srcset", "data", "poster"} & e.attributes.keys() or e.name == "link"]
    assert not loaded
    assert "url(" not in LOOKS.style and "@import" not in LOOKS.style and "://" not in LOOKS.style + LOOKS.script
    assert text.startswith("<!doctype html>\n")
    assert page.all("html")[0].attributes["lang"] == "en"


def test_characters_of_html_are_the_users() -> None:
    _, text, page = made("t.cpp")
    code = "\n".join(e.text for e in page.all("code"))
    assert 'a[i] = a[i] < by && i > 2 ? by : 2; /* <b> & "é" */' in code
    assert "// a < b && c > d" in code
    assert "<b> &" not in text


def test_equal_input_gives_equal_bytes() -> None:
    _, text, _ = made("t.cpp")
    assert shown(UNUSUAL, "t.cpp")[1] == text


def test_instantiations_have_a_kernel_each() -> None:
    report, _, page = made("t.cpp")
    (scale,) = [c for c in report.constructs if c.function == "scale"]
    assert [k.function for k in scale.kernels] == ["scale<>(int, float *, float)", "scale<>(int, double *, double)"]
    assert len(page.all("article")[report.constructs.index(scale)].all("h4", "name")) == 2


def test_a_header_is_shown_with_its_constructs() -> None:
    report, _, page = made("t.cpp")
    assert report.files == ("t.cpp", "t.h")
    assert [c.place.path for c in report.constructs][-1] == "t.h"
    assert [e.text for e in page.all("section")[-1].all("h3")] == ["t.h"]


def test_data_constructs_have_no_kernel() -> None:
    report, _, page = made("t.cpp")
    by_name = {c.name: c for c in report.constructs}
    update = by_name["target update"]
    assert not update.kernels and [e.what for e in update.entries] == ["a[0 : n]"]
    assert "__tgt_target_data_update" in "\n".join(line.text for line in update.host)
    data = page.all("article")[report.constructs.index(by_name["target data"])]
    assert "…" in data.all("div", "code")[1].text and not data.all("table", "kernels")


def test_headings_tables_and_columns_have_names() -> None:
    """What readers of screens go by."""
    _, _, page = made("t.cpp")
    levels = [int(e.name[1]) for e in page.all() if e.name in ("h1", "h2", "h3", "h4")]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(below - above <= 1 for above, below in itertools.pairwise(levels))
    assert all(e.all("caption") and e.all("th") for e in page.all("table"))
    assert all(e.attributes.get("aria-label") and e.attributes["tabindex"] == "0" for e in page.all("div", "code"))
    known = targets(page)
    assert all(str(e.attributes["aria-labelledby"]) in known for e in page.all("article"))
    assert len(page.all("main")) == 1


def test_a_report_changes_nothing_of_what_is_generated() -> None:
    options = support.options_of("t.cpp")
    read_file = {name: text.encode() for name, text in UNUSUAL.items()}.get
    with_report, without = (translate("t.cpp", replace(options, report=asked), read_file) for asked in (True, False))
    assert replace(with_report, report=None) == without


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (Web Content Accessibility Guidelines 2.1)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


INKS = ("text", "soft", "link", "comment", "literal", "keyword", "directive", "low", "good")
PAPERS = ("ground", "raised", "users", "other")
NOTES = ("note", "missed", "far", "mark")


@pytest.mark.parametrize("number", [0, 1], ids=["light", "dark"])
def test_all_text_has_contrast(number: int) -> None:
    found = re.findall(r":root \{(.*?)\}", LOOKS.style, re.DOTALL)[number]
    colours = dict(re.findall(r"--(\w+): (#\w{6})", found))
    assert {*INKS, *PAPERS, *NOTES} <= colours.keys()
    pairs = [*itertools.product(INKS, PAPERS), *itertools.product(("text", "link"), NOTES)]
    for ink, paper in pairs:
        light, dark = sorted((luminance(colours[ink]), luminance(colours[paper])), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, paper, (light + 0.05) / (dark + 0.05))
