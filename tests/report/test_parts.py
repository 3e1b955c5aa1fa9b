"""Parts of a report: code as HTML, numbers, profiles, what to look at."""

from __future__ import annotations

import json
from typing import Any

import pytest
from report_tools import LOOKS, read, reported, shown

from rexcc.report.code import highlighted
from rexcc.report.figures import Figures
from rexcc.report.findings import findings
from rexcc.report.html import element, text
from rexcc.report.index import index
from rexcc.report.page import part
from rexcc.report.profile import Profile, ProfileError, Timed, profile_of
from rexcc.report.stored import StoredUnit, document_of, stored_of
from rexcc.report.summary import record_of, summaries, summary_of
from rexcc.report.units import bytes_text, seconds_text
from rexcc.source.line_directives import ListedLine, line_directive, listed
from rexcc.target.known import DEFAULT
from rexcc.target.occupancy import Usage


def test_text_is_escaped_where_it_is_put_in() -> None:
    assert element("p", "a < b & c", title='"x"', hidden=True, class_="a", data_l=None) == (
        '<p title="&quot;x&quot;" hidden class="a">a &lt; b &amp; c</p>'
    )
    assert element("a", element("b", "<"), tabindex=0) == '<a tabindex="0"><b>&lt;</b></a>'
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'
    assert text("\U000120c3\U000120a9") == "é"  # two bytes of the user's


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["int a; // b < c"], ['<i class="k">int</i> a; <i class="c">// b &lt; c</i>']),
        (["/* one", "two */ x", "y"], ['<i class="c">/* one</i>', '<i class="c">two */</i> x', "y"]),
        (["/* one", "", "*/"], ['<i class="c">/* one</i>', "", '<i class="c">*/</i>']),
        (['"/*" + x', "y"], ['<i class="s">"/*"</i> + x', "y"]),
        (["// no /* comment", "y"], ['<i class="c">// no /* comment</i>', "y"]),
        (["/* a */ /* b", "c */ d"], ['<i class="c">/* a */</i> <i class="c">/* b</i>', '<i class="c">c */</i> d']),
        (["#pragma omp for"], ['<i class="p">#pragma</i> omp <i class="k">for</i>']),
        (["forty = '\\''"], ["forty = <i class=\"s\">'\\''</i>"]),
    ],
)
def test_words_of_code(lines: list[str], expected: list[str]) -> None:
    assert list(highlighted(lines)) == expected


def test_a_report_is_the_same_once_it_was_stored() -> None:
    """With values of each type of the model's fields; a document of another version is none."""
    source = """\
template <typename T> void f(int n, T *a, int m) {
#pragma omp target data map(tofrom : a[0 : n])
  {
#pragma omp target teams distribute parallel for num_teams(m)
    for (int i = 0; i < n; i++) a[i] = a[i] + 1;
#pragma omp target teams
    { a[0] = 2; }
  }
}
template void f(int, double *, int);
"""
    unit = reported({"a.cpp": source}, "a.cpp")
    assert unit.constructs[1].kernels[0].told and unit.constructs[1].kernels[0].launch.blocks_place
    stored = StoredUnit(unit, (("a.cpp", "\udcff \U000120c3"),), Profile("a GPU", (Timed("a.cpp", 4, 1, 0.5),)))
    document = json.loads(json.dumps(document_of(stored)))
    assert stored_of(document) == stored
    assert stored_of(document, targets=()) is None and stored_of({**document, "version": 0}) is None


def test_lines_of_a_generated_text() -> None:
    """``#line`` says whose a line is; what stands in front of the first is ours."""
    path = 'a "b".c'
    own = "#line 0"
    made = listed("\n".join(["x", line_directive(7, path), "y", "z", own, "w", line_directive(9, path), "v"]))
    assert made == (
        ListedLine("x"), ListedLine("y", path, 7), ListedLine("z", path, 8), ListedLine("w"), ListedLine("v", path, 9),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("number", "expected"), [(0, "0 B"), (9999, "9999 B"), (10240, "10 KiB"), (3 << 20, "3 MiB"), (1 << 40, "1 TiB")]
)
def test_bytes(number: int, expected: str) -> None:
    assert bytes_text(number).replace("\xa0", " ") == expected


@pytest.mark.parametrize(("seconds", "expected"), [(2.5, "2.5 s"), (0.0123, "12.3 ms"), (4e-6, "4 µs"), (0, "0 µs")])
def test_seconds(seconds: float, expected: str) -> None:
    assert seconds_text(seconds).replace("\xa0", " ") == expected


def test_a_profile() -> None:
    row = {"file": "t.c", "line": 2, "calls": 3, "seconds": 0.5, "bytes_to": 8, "further": "unread"}
    found = profile_of({"version": 1, "device": "NVIDIA H100", "constructs": [row]})
    assert found == Profile("NVIDIA H100", (Timed("t.c", 2, 3, 0.5, 8, 0),))
    assert found.of("t.c", 2) == found.constructs[0] and found.of("t.c", 3) is None


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ([], "version 1"),
        ({"version": 2, "constructs": []}, "version 1"),
        ({"version": 1}, "a list 'constructs'"),
        ({"version": 1, "constructs": [{"file": "t.c"}]}, "a 'file' and a 'line'"),
        ({"version": 1, "constructs": [{"file": "t.c", "line": 2, "seconds": -1}]}, "t.c:2: 'seconds' is no number"),
        ({"version": 1, "constructs": [{"file": "t.c", "line": 2, "calls": "3"}]}, "t.c:2: 'calls' is no number"),
    ],
)
def test_what_is_no_profile(document: Any, words: str) -> None:
    with pytest.raises(ProfileError, match=words):
        profile_of(document)


LOOP = "target teams distribute parallel for"
TEXT = """\
int omp_get_num_threads(void);
void f(int n, int m, double *a, double *b, int *c) {{
  int count = 0;
#pragma omp {}
  for (int i = 0; i < n; i++) {{
    {}
  }}
}}
"""
LOOKED_AT = {
    "nothing": (f"{LOOP} map(from : a[0 : n])", "a[i] = 1;", {}, []),
    "rows": (f"{LOOP} map(from : a[0 : n])", "a[i * m] = 1;", {}, ["Neighbouring threads access 'a[i * m]' far apart"]),
    "few teams": (f"{LOOP} num_teams(4) thread_limit(64) map(from : a[0 : n])", "a[i] = 1;", {},
                  ["The kernel has 4 blocks of 64 threads, because of 'num_teams'"]),
    "one team": ("target parallel for map(from : a[0 : n])", "a[i] = omp_get_num_threads();", {},
                 ["The kernel has one block"]),
    "sequential code": (
        "target teams distribute map(tofrom : a[0 : n])",
        "a[i] = m;\n#pragma omp parallel for\nfor (int j = 0; j < m; j++) a[j] += 1;", {},
        ["There is sequential code around parallels"],
    ),
    "an implicit map": (LOOP, "count++; a[i] = count;", {}, []),
    "a value": (f"{LOOP} map(tofrom : count)", "if (i == 7) count = i;", {}, ["'count' is mapped both ways"]),
    "a reduced value": (f"{LOOP} map(tofrom : count) reduction(+ : count)", "count += i;", {}, []),
    "an atomic": (f"{LOOP} map(tofrom : c[0 : n])", "\n#pragma omp atomic\nc[0]++;", {}, ["'atomic' in the kernel"]),
    "registers": (f"{LOOP} map(from : a[0 : n])", "a[i] = 1;", {"registers": 128},
                  ["16 of 64 warps find room on a multiprocessor of sm_90"]),
    "spilled values": (f"{LOOP} map(from : a[0 : n])", "a[i] = 1;", {"spill_stores": 8, "stack": 8},
                       ["Values find no register on sm_90"]),
    "a stack": (f"{LOOP} map(from : a[0 : n])", "a[i] = 1;", {"stack": 64},
                ["Each thread has 64 bytes of stack in memory on sm_90"]),
}  # fmt: skip


@pytest.mark.parametrize(("directive", "body", "taken", "facts"), LOOKED_AT.values(), ids=LOOKED_AT)
def test_what_to_look_at(directive: str, body: str, taken: dict[str, int], facts: list[str]) -> None:
    report = reported({"t.c": TEXT.format(directive, body)}, "t.c")
    (construct,) = report.constructs
    usage = Usage(construct.kernels[0].names[0], "sm_90", **{"registers": 32, **taken})
    found = findings(report.target, construct, Figures((usage,)))
    assert [one.fact for one in found] == facts


@pytest.mark.parametrize(("registers", "is_told"), [(168, True), (128, False)])
def test_blocks_that_would_leave_room_for_more_are_named(registers: int, is_told: bool) -> None:
    report = reported({"t.c": TEXT.format(f"{LOOP} map(from : a[0 : n])", "a[i] = 1;")}, "t.c")
    (construct,) = report.constructs
    usage = Usage(construct.kernels[0].names[0], "sm_90", registers)
    (found,) = findings(report.target, construct, Figures((usage,)))
    assert ("; blocks of 128 threads would leave room for more" in found.cost) is is_told


TEN = ["10\xa0KiB were copied for 10 calls"]


@pytest.mark.parametrize(("calls", "copied", "facts"), [(10, 10240, TEN), (1, 10240, []), (10, 100, [])])
def test_what_each_call_copies(calls: int, copied: int, facts: list[str]) -> None:
    report = reported({"t.c": TEXT.format(f"{LOOP} map(from : a[0 : n])", "a[i] = 1;")}, "t.c")
    profile = Profile("", (Timed("t.c", 4, calls, 1, 0, copied),))
    found = findings(report.target, report.constructs[0], Figures(profile=profile))
    assert [one.fact for one in found] == facts


def test_figures_of_kernels_and_times_of_a_run() -> None:
    """A kernel that the assembler told nothing of has the reason in its row."""
    program = {"t.c": TEXT.format(f"{LOOP} map(from : a[0 : n])", "a[i] = 1;")}
    (kernel,) = reported(program, "t.c").constructs[0].kernels
    usage = Usage(kernel.names[0], "sm_90", 40, shared=512)
    profile = Profile("NVIDIA H100", (Timed("t.c", 4, 4, 0.002, 0, 4096), Timed("u.c", 9, 1, 0.006)))
    _, page = shown(program, "t.c", Figures((usage,), "", profile))
    cells = [e.text.replace("\xa0", " ") for e in read(page).all("table", "kernels")[0].all("td")]
    assert cells == ["sm_90", "256", "40", "512 B", "0 B", "nothing", "6", " 75 %", "registers"]
    values = [e.text.replace("\xa0", " ") for e in read(page).all("dl", "measured")[0].all("dd")]
    assert values == ["2 ms", "25 %", "4", "500 µs", "0 B", "4096 B"]
    _, page = shown(program, "t.c", Figures(missing="no nvcc here"))
    assert [e.text for e in read(page).all("td", "missing")] == ["no nvcc here"]


@pytest.mark.parametrize(
    ("clauses", "body", "second", "threads"),
    [
        ("num_teams(m)", "{ for (int j = 0; j < m; j++) a[i] = a[i] * a[i] + 1; }", "for small grids", ("256", "1024")),
        ("num_teams(m)", "{ int k = m; while (k--) a[i] = i; }", "for blocks of more than 256 threads", ("256", "512")),
        ("", "{ for (int j = 0; j < m; j++) a[i] += a[j]; }", "for small grids", ("256", "256")),
        ("num_teams(m)", "a[i] = 1;", "", ("1024",)),
    ],
)
def test_what_the_second_form_of_a_kernel_is_for(
    clauses: str, body: str, second: str, threads: tuple[str, ...]
) -> None:
    program = {"t.c": TEXT.format(f"{LOOP} {clauses} map(from : a[0 : n])", body)}
    (kernel,) = reported(program, "t.c").constructs[0].kernels
    assert len(kernel.names) == len(threads) and kernel.launch.second == second
    _, page = shown(program, "t.c", Figures(tuple(Usage(name, "sm_90", 32) for name in kernel.names)))
    rows = read(page).all("table", "kernels")[0].all("tbody")[0].all("tr")
    assert tuple(row.all("td")[1].text for row in rows) == threads
    assert [row.all("th")[0].text.endswith(f", {second}") for row in rows] == [False, True][: len(rows)]


def test_the_page_of_a_program() -> None:
    """What a page says in short survives its record; a file of which nothing else is known has a link to its page."""
    reports = {name: reported({name: TEXT.format(LOOP, "a[i * m] = 1;")}, name) for name in ("a b.c", "é.c")}
    found = {f"{name}.html": summaries(report, Figures()) for name, report in reports.items()}
    again = {page: tuple(summary_of(record_of(one)) for one in rows) for page, rows in found.items()}
    assert again == found
    made = read(index(found, {}, LOOKS))
    links = [str(e.attributes["href"]) for e in made.all("tbody")[0].all("a")]
    assert links == ["a%20b.c.html#c1", "%C3%A9.c.html#c1"]
    texts = {name: TEXT.format(LOOP, "a[i * m] = 1;") for name in reports}
    parts = {f"{name}.html": part(f"{name}.html", report, texts, Figures()) for name, report in reports.items()}
    made = read(index(found, parts, LOOKS))
    links = [str(e.attributes["href"]) for e in made.all("tbody")[0].all("a")]
    assert links == ["#a_20_b.c.html-c1", "#_e9_.c.html-c1"]
    known = [str(e.attributes["id"]) for e in made.all() if "id" in e.attributes]
    assert len(set(known)) == len(known)
    inner = [str(e.attributes["href"]) for e in made.all("a")]
    assert {link for link in inner if not link.startswith("#")} == {"a%20b.c.html", "%C3%A9.c.html"}
    assert not [link for link in inner if link.startswith("#") and link[1:] not in known]
    assert len(made.all("article")) == 2 and all("a[i * m] = 1;" in e.text for e in made.all("div", "whole"))
    assert "far apart" in made.all("table", "overview")[0].text
    assert [e.text for e in made.all("header")[0].all("p")] == ["2 files with regions."]


def test_architectures_without_figures_have_no_occupancy() -> None:
    program = {"t.c": TEXT.format(f"{LOOP} map(from : a[0 : n])", "a[i] = 1;")}
    (kernel,) = reported(program, "t.c").constructs[0].kernels
    assert DEFAULT.multiprocessor("sm_999") is None
    _, page = shown(program, "t.c", Figures((Usage(kernel.names[0], "sm_999", 40),)))
    assert [e.text for e in read(page).all("table", "kernels")[0].all("td")][-3:] == ["–", "–", "–"]
