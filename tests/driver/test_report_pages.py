"""``--emit=report`` and ``--report=DIR``: pages, their index, and what a browser makes of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import support
from rexcc.driver.main import main
from rexcc.driver.options.command_line import Options
from rexcc.driver.options.command_parts import Mode
from rexcc.driver.options.parser import parse
from rexcc.driver.outputs.report_pages import page_name
from rexcc.driver.tools import toolchain
from rexcc.target.known import DEFAULT

REGION = """\
void {name}(int n, int m, double *a) {{
#pragma omp target teams distribute parallel for map(tofrom : a[0 : n * m])
  for (int i = 0; i < n; i++) a[i * m] = 1;
}}
"""
PROFILE = {"version": 1, "device": "a GPU", "constructs": [{"file": "one.c", "line": 2, "calls": 2, "seconds": 0.5}]}


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "sub").mkdir()
    for name, path in (("one", "one.c"), ("two", "sub/two.c")):
        (tmp_path / path).write_text(REGION.format(name=name))
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }\n")
    (tmp_path / "profile.json").write_text(json.dumps(PROFILE))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def made(*arguments: str) -> set[str]:
    assert main(["--target=host", *arguments]) == 0
    return {path.name for path in Path("out").iterdir() if not path.name.startswith(".")}


def test_a_report_is_made_without_a_compiler_of_device_code(work: Path) -> None:
    assert made("--emit=report", "-o", "out", "one.c") == {"index.html", "one.c.html", "report.json"}
    page = Path("out/one.c.html").read_text(encoding="utf-8")
    assert "compiled for the CPU device alone" in page
    assert not list(work.glob("*.o"))


def test_pages_of_several_commands_come_together(work: Path) -> None:
    """Each command adds its pages; equal commands leave equal bytes, and what has no regions has no page."""
    made("--emit=report", "-o", "out", "one.c", "plain.c")
    first = Path("out/one.c.html").read_bytes()
    assert made("--emit=report", "-o", "out", "sub/two.c") == {
        "index.html", "one.c.html", "sub+two.c.html", "report.json",
    }  # fmt: skip
    whole = Path("out/index.html").read_bytes()
    links = re.findall(r'<th scope="row"><a href="#([^"]+)"', whole.decode())
    assert links == ["one.c.html-c1", "sub_2b_two.c.html-c1"]
    assert all(f'id="{link}"' in whole.decode() for link in links), "the program's page has all files"
    made("--emit=report", "-o", "out", "one.c")
    assert (Path("out/one.c.html").read_bytes(), Path("out/index.html").read_bytes()) == (first, whole)
    Path("out/one.c.html").unlink()
    made("--emit=report", "-o", "out", "sub/two.c")
    assert b"one.c.html" not in Path("out/index.html").read_bytes()


def test_files_without_regions_leave_no_folder(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--target=host", "--emit=report", "-o", "out", "plain.c"]) == 0
    assert capsys.readouterr().err == "rexcc: note: no target constructs here: there is nothing to report\n"
    assert not Path("out").exists()


def test_times_of_a_run(work: Path) -> None:
    made("--emit=report", "-o", "out", "--profile=profile.json", "one.c")
    assert "measured on a GPU" in Path("out/one.c.html").read_text(encoding="utf-8")
    record = json.loads(Path("out/report.json").read_text())
    assert record["pages"]["one.c.html"]["constructs"][0]["seconds"] == 0.5


def test_what_is_no_profile_is_said_first(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (work / "profile.json").write_text("{}")
    assert main(["--emit=report", "--target=host", "--profile=profile.json", "one.c"]) == 2
    assert main(["-c", "--target=host", "--profile=profile.json", "one.c"]) == 2
    assert main(["--emit=report", "--target=host", "--profile=no.json", "one.c"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "rexcc: error: profile.json: a profile is an object with the version 1",
        "rexcc: error: --profile=FILE is for a report: --emit=report, or --report=DIR",
        "rexcc: error: --profile: cannot read 'no.json': No such file or directory",
    ]


def test_the_commands_that_would_run_are_none_of_the_report(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--emit=report"], ["-c", "--report=out"]):
        assert main(["-###", "--target=host", *words, "one.c"]) == 0
        first = capsys.readouterr().err.splitlines()[0]
        assert first.replace(" -c", "") == "rexcc --emit=src -o rexcc-temps --target=host one.c"
    assert not Path("out").exists()


def test_folders() -> None:
    def folder(*arguments: str) -> str | None:
        return parse([*arguments, "a.c"]).report_folder

    assert folder("--emit=report") == "rexcc-report"
    assert folder("--emit=report", "-o", "out", "-c") == "out"
    assert folder("--report=out", "-c", "-o", "a.o") == "out"
    assert folder("-c") is None
    assert Options(mode=Mode.REPORT).report_folder == "rexcc-report"


@pytest.mark.parametrize(
    ("source", "folder", "name"),
    [
        ("a.c", "out", "a.c.html"),
        ("/p/src/a.c", "/p/build/report", "src+a.c.html"),
        ("../src/a b.cpp", "report", "src+a b.cpp.html"),
        ("<stdin>", "out", "<stdin>.html"),
    ],
)
def test_names_of_pages(source: str, folder: str, name: str) -> None:
    assert page_name(source, folder) == name


CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
NVCC = toolchain.find_compiler(DEFAULT.tools, None, os.environ)


@pytest.mark.builds
@pytest.mark.skipif(NVCC is None, reason="no nvcc")
def test_what_kernels_take_comes_out_of_a_build(work: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What kernels take that call another file's functions, and only these, is known when their device code is linked;
    nothing of what the assembler says is shown."""
    declared = "#pragma omp declare target\ndouble g(double x){}\n#pragma omp end declare target\n"
    calling = {path: (work / path).read_text().replace("= 1", "= g(2)") for path in ("one.c", "sub/two.c")}
    (work / "one.c").write_text(declared.format(";") + calling["one.c"])
    (work / "sub/two.c").write_text(declared.format(" { return x; }") + calling["sub/two.c"])
    device = ("--report=out", "--target=nvptx", "--offload-arch=sm_90")

    def taken() -> list[list[tuple[str, int, int]]]:
        pages = json.loads(Path("out/report.json").read_text())["pages"].values()
        rows = [page["constructs"][0]["taken"] for page in pages]
        assert all(0 < one["registers"] <= 64 for row in rows for one in row)
        return [[(one["architecture"], one["threads"], one["occupancy"]) for one in row] for row in rows]

    known = [("sm_90", 256, 100)]
    assert main(["-c", *device, "one.c", "sub/two.c"]) == 0
    assert taken() == [[], known]
    assert "known when these are linked: with --report=out, too" in Path("out/one.c.html").read_text(encoding="utf-8")
    assert main(["-shared", *device, "one.o", "two.o", "-o", "both.so"]) == 0
    assert taken() == [known, known]
    page = Path("out/one.c.html").read_text(encoding="utf-8")
    assert "known when these are linked" not in page and "= g(2)" in page
    assert capfd.readouterr().err == ""
    (work / "main.c").write_text("int main(void) { return 0; }\n")
    Path("out/report.json").unlink()
    assert main(["--emit=report", "-o", "out", *device[1:], "main.c", "one.c", "sub/two.c"]) == 0
    assert taken() == [known, known]


SCRIPTED = """<script>addEventListener("load", () => {
  const field = document.getElementById("search"), hits = document.getElementById("hits"), told = [];
  document.getElementById("one.c.html-c1-s3").dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  const marked = [...document.querySelectorAll(".on")];
  told.push(marked.length > 2 && marked.every((line) => line.closest("article").id === "one.c.html-c1"));
  for (const words of ["nowhere", "far apart"]) {
    field.value = words;
    field.dispatchEvent(new Event("input"));
    told.push(hits.textContent, document.querySelectorAll("article.hidden, tr.hidden").length);
  }
  told.push(document.querySelectorAll(".here").length > 0);
  document.title = JSON.stringify(told);
});</script>"""


@pytest.mark.builds
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_a_browser_searches_and_marks_lines(work: Path) -> None:
    """The page of a program, which has all that those of its files have."""
    made("--emit=report", "-o", "out", "one.c", "sub/two.c")
    (work / "tried.html").write_text(Path("out/index.html").read_text(encoding="utf-8") + SCRIPTED, encoding="utf-8")
    options = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={work / 'profile'}", "--dump-dom")
    command = (str(CHROMIUM), *options, (work / "tried.html").as_uri())
    found = subprocess.run(command, capture_output=True, text=True, check=True, timeout=support.PATIENCE).stdout
    title = re.search(r"<title>(.*?)</title>", found)
    assert title is not None
    marked, none, hidden, some, shown, here = json.loads(title[1])
    assert (marked, none, hidden) == (True, "0 of 2 constructs, 0 lines", 4)
    assert (some.startswith("2 of 2 constructs, "), shown, here) == (True, 0, True)
