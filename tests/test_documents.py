"""The documents name what there is and show what the compiler makes; sources leave measurements to them."""

from __future__ import annotations

import ast
import functools
import io
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

import document_blocks
import rexcc
import support
from rexcc.inspection.model import KernelList, OpenMPTree, PragmaList
from rexcc.inspection.text import pragmas_text, tree_text
from rexcc.pipeline import inspect
from rexcc.program.optimisations import Optimisation

SOURCES = Path(rexcc.__file__).parent
ROOT = Path(__file__).parent.parent
DECISIONS = ROOT / "docs" / "decisions"
ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text()
INDEXED = sorted(DECISIONS.glob("*.md"))
HEADINGS = ["Context", "Decision", "Consequence", "Evidence"]
MEASUREMENT = re.compile(r"\bmeasured:|\d ?(?:us|[\u00b5\u03bc]s|ms|GB/s)\b|\d %|times the time", re.IGNORECASE)
FILES = [p for p in SOURCES.rglob("*") if p.suffix in (".py", ".h", ".cpp", ".cu")]


def comments_of_python(text: str) -> Iterator[str]:
    """Yield comments and docstrings, those of attributes too."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


def comments_of_c(text: str) -> Iterator[str]:
    yield from re.findall(r"//[^\n]*|/\*.*?\*/", text, re.DOTALL)


def measurements(path: Path) -> list[str]:
    """Return the comments of a source file that tell a measured value."""
    text = path.read_text()
    if not MEASUREMENT.search(text):
        return []
    comments = comments_of_python(text) if path.suffix == ".py" else comments_of_c(text)
    return [c for c in comments if MEASUREMENT.search(c)]


def test_measurements_stand_in_documents_and_not_in_sources() -> None:
    found = {str(p.relative_to(SOURCES)): measurements(p) for p in FILES}
    assert len(FILES) > 300 and {p: c for p, c in found.items() if c} == {}


@pytest.mark.parametrize(
    "text",
    [
        "(measured: a fifth less)",
        "takes 21.7 us",
        "0.43 ms",
        "3 µs",
        "9 GB/s",
        "40 % of it",
        "twice or 1.6 times the time",
    ],
)
def test_a_measurement_is_recognised(text: str, tmp_path: Path) -> None:
    for name, source in (("m.py", f'"""{text}"""\n'), ("c.py", f"x = 1  # {text}\n"), ("h.h", f"// {text}\n")):
        (tmp_path / name).write_text(source)
        assert len(measurements(tmp_path / name)) == 1
    (tmp_path / "s.py").write_text(f"x = '{text}'\n")
    assert measurements(tmp_path / "s.py") == []


def test_each_decision_has_its_four_parts_and_stands_in_the_index() -> None:
    index = (DECISIONS / "README.md").read_text()
    lines = []
    for number, path in enumerate(INDEXED[:-1], 1):
        title, *headings = re.findall(r"^##? (.*)$", path.read_text(), re.MULTILINE)
        assert headings == HEADINGS, path
        assert path.name.startswith(f"{number:03d}-"), path
        lines.append(f"* [{number:03d}]({path.name}) {title}")
    assert INDEXED[-1].name == "README.md" and re.findall(r"^\* .*$", index, re.MULTILINE) == lines


def test_sources_name_decisions_that_there_are() -> None:
    for path in FILES:
        for name in re.findall(r"docs/decisions/[\w-]+\.md", path.read_text()):
            assert (ROOT / name).is_file(), f"{path}: {name}"


def is_module(name: str, folder: Path) -> bool:
    """Whether a name of ``:mod:`` is a module of ours, in full or beside the file, or one of libclang's binding."""
    place = (SOURCES.parent if name.startswith("rexcc.") else folder) / name.lstrip(".").replace(".", "/")
    return name.startswith("clang.") or place.with_suffix(".py").exists() or place.is_dir()


def test_modules_that_sources_name_are_there() -> None:
    """Names such as ``lowering/loops/tiles``, ``rex_rows.h`` and those of ``:mod:``."""
    packages = "|".join(p.name for p in SOURCES.iterdir() if (p / "__init__.py").exists())
    paths = re.compile(rf"(?<![\w/.<-])((?:{packages})/(?:\w+/)*[a-z_]\w+)(?:\.py)?(?![\w/]|\.\w)")
    there = {str(p.relative_to(SOURCES).with_suffix("")) for p in SOURCES.rglob("*")}
    headers = {p.name for p in FILES}
    missing = []
    for path in FILES:
        folder, text = path.parent, path.read_text()
        names = [n for n in paths.findall(text) if n not in there]
        names += [n for n in re.findall(r"\brex_[a-z_]+\.h\b", text) if n not in headers]
        names += [n for n in re.findall(r":mod:`([\w.]+)`", text) if not is_module(n, folder)]
        missing += [f"{path.relative_to(SOURCES)}: {n}" for n in names]
    assert missing == []


def test_the_architecture_has_every_package_in_the_order_of_layers() -> None:
    assert rexcc.__doc__ is not None
    layers = re.findall(r"``(\w+)``", rexcc.__doc__)
    packages = ARCHITECTURE.split("### Packages")[1].split("\n## ")[0]
    assert re.findall(r"^\d+\. `(\w+)`:", packages, re.MULTILINE) == layers
    folders = {str(p.parent.relative_to(SOURCES)) for p in FILES} - {"."}
    assert [f for f in sorted(folders) if f not in layers and f"`{f}`" not in packages] == []


@functools.cache
def there() -> list[str]:
    """Return the paths of all files, from the checkout."""
    return [f"/{p.relative_to(ROOT)}" for f in ("src", "tests", "docs", "scripts") for p in (ROOT / f).rglob("*.*")]


@pytest.mark.parametrize("name", ["ARCHITECTURE.md", "CONTRIBUTING.md", *(f"docs/decisions/{p.name}" for p in INDEXED)])
def test_files_that_documents_name_are_there(name: str) -> None:
    text = (ROOT / name).read_text()
    named = set(re.findall(r"`((?:[\w-]+/)*\w+\.(?:py|h|cpp|md|txt))`", text)) - {"explanations/CODE.md", "t.c"}
    roots = {p.name for p in ROOT.iterdir()}
    assert [n for n in sorted(named) if n not in roots and not any(t.endswith(f"/{n}") for t in there())] == []
    tests = re.findall(r"`(tests/[\w/.-]+)`", text)
    assert [t for t in tests if "NNN" not in t and not (ROOT / t).exists()] == []
    assert [line for line in text.splitlines() if len(line) > 120 and "](" not in line] == []


def blocks() -> list[str]:
    """Return the source of the architecture's example, and what it shows of each model."""
    example = ARCHITECTURE.split("## One program")[1].split("\n## ")[0]
    return re.findall(r"^```\w*\n(.*?)^```", example, re.DOTALL | re.MULTILINE)


def models(source: str, name: str = "total.c") -> list[str]:
    """Return the texts of all models of a program."""
    files = {name: source.encode()}
    texts = []
    for what in ("pragmas", "ast", "kernel"):
        found = inspect(name, support.options_of(name), files.get, what).found
        match found:
            case PragmaList():
                texts.append(pragmas_text(found))
            case OpenMPTree():
                texts.append(tree_text(found))
            case KernelList():
                texts.append("\n".join(kernel.listing for kernel in found.kernels))
    output = support.compiled(source, name)
    return [*texts, output.device, output.host]


def test_the_example_shows_what_the_compiler_makes() -> None:
    source, *shown = blocks()
    texts = models(source)
    assert len(shown) == len(texts) == 5
    for block, text in zip(shown, texts, strict=True):
        lines = iter(text.splitlines())
        for line in block.splitlines():  # "…" stands for what is left out, of lines and at the end of one
            start = line.removesuffix("…")
            if start:
                assert any(real == line or (start != line and real.startswith(start)) for real in lines), line


README = (ROOT / "README.md").read_text()


def test_the_readme_shows_what_the_compiler_makes() -> None:
    example, kernel, region, blocks_kernel = re.findall(r"^```(?:c|cuda)\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    program = (ROOT / "examples" / "nn.c").read_text()
    assert example in program and kernel in support.compiled(program, "examples/nn.c").device
    blocks = f"void block_sums(int blocks, int n, const float *z, float *sums) {{\n{region}}}\n"
    plain = support.translate_text(blocks, "blocks.c", left_out=frozenset({Optimisation.SMALL_GRIDS}))
    assert plain.device is not None and blocks_kernel in plain.device.text


def test_the_readme_shows_what_is_told() -> None:
    region = re.findall(r"^```c\n(.*?)^```", README, re.DOTALL | re.MULTILINE)[1]
    blocks = f"void block_sums(int blocks, int n, const float *z, float *sums) {{\n{region}}}\n"
    listed, tree, *_ = models(blocks, "blocks.c")
    shown = README.split("`rexcc --emit=ast blocks.c` for the program above:")[1].split("\n## ")[0].split("\n\n")
    assert [line.strip() for line in shown[1].splitlines()] == [line.strip() for line in listed.splitlines()]
    excerpt = [line.strip() for line in shown[2].splitlines()]
    lines = [line.strip() for line in tree.splitlines()]
    assert len(excerpt) == 3 and all(line in lines for line in excerpt)


GUIDES = sorted(p for p in (ROOT / "docs").glob("*.md") if "```console" in p.read_text())
DOCUMENTS = [*sorted((ROOT / "docs").rglob("*.md")), *sorted(ROOT.glob("*.md"))]


@pytest.mark.builds
@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_commands_print_what_documents_show(path: Path, tmp_path: Path) -> None:
    """``python -m document_blocks FILE``, in the folder ``tests``, writes the outputs anew."""
    support.require_runtime()
    support.require_cuda()
    blocks = document_blocks.blocks(path.read_text())
    assert {b.kind for b in blocks} <= {"c", "cpp", "json", "console"} and all(
        b.file for b in blocks if b.kind != "console"
    )
    assert all(block.steps for block in blocks if block.kind == "console")
    for _, command, shown, printed in document_blocks.steps(path.read_text(), tmp_path):
        assert document_blocks.fits(shown, printed), f"{path.name}: $ {command}\n{printed}"


def test_an_output_fits_with_and_without_what_is_left_out() -> None:
    assert document_blocks.fits("a\n…\nd …\n", "a\nb\nc\nd e\n")
    assert document_blocks.fits("", "") and document_blocks.fits("…\n", "")
    assert not document_blocks.fits("a\n", "a\nb\n")
    assert not document_blocks.fits("a\n…\nd\n", "a\nb\nc\n")


def anchors(path: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.S | re.M), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-") for h in headings}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", path.read_text(), flags=re.S | re.M)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        name, _, anchor = link.partition("#")
        target = (path.parent / name).resolve() if name else path
        assert re.match(r"https?:", link) or target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_pages_stand_in_the_navigation() -> None:
    named = set(re.findall(r"\b([\w-]+(?:/[\w-]+)*\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    pages = {str(p.relative_to(ROOT / "docs")) for p in (ROOT / "docs").rglob("*.md") if p.parent != DECISIONS}
    assert named == pages | {"decisions/README.md", "contributing.md", "architecture.md", "benchmarks.md"}


def test_the_site_is_built_without_warnings(tmp_path: Path) -> None:
    """Links and anchors are MkDocs's to check, too."""
    pytest.importorskip("mkdocs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=support.PATIENCE)
    assert done.returncode == 0 and done.stderr + done.stdout == "", done.stderr
    assert (tmp_path / "site" / "tutorial" / "index.html").exists()
