"""The user's text outside of lowered regions stays byte for byte, in order, and no rule complains about it.

Two independent ways: line by line over the generated text, and by the edits that made it, recorded on their way: every
replacement must cover exactly a directive (or an include of a rewritten header), everything else may only be inserted.
All programs of the suite and the examples are asked, each translated once.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import support
from rexcc.frontend.scan import scan
from rexcc.source.diagnostics import Severity
from rexcc.source.edits import Edit, EditList
from rexcc.source.line_directives import OWN, at_users_lines, with_own_lines
from rexcc.source.text import SourceText, from_bytes

HERE = Path(__file__).parent
EXECUTED = HERE.parent / "execution" / "programs"
EXAMPLES = sorted(p for p in (HERE.parents[1] / "examples").iterdir() if p.suffix in (".c", ".cpp"))
SOURCES = [*sorted(support.PROGRAMS.iterdir()), *sorted(EXECUTED.iterdir()), *EXAMPLES]
_CHOSEN = "variant-of-the-gpu"
MEANT = {"sharing.c": ["omp-lost-result"], "metadirectives.c": [_CHOSEN], "variants.cpp": [_CHOSEN] * 2}
"""What programs do on purpose: the first shows that the value of a first-private variable never comes back, the others
choose what a GPU executes, which the CPU device then does too."""
MACROS = {
    "counted_macros.c",
    "declarations.c",
    "atomic_macros.c",
    "atomics.c",
    "attributes.cpp",
    "dialect.c",
    "discarded_statements.cpp",
    "inside_scan_types.c",
    "inside_shapes.c",
    "loop_indices.c",
    "loops.c",
    "macro_statements.c",
    "present_bounds.c",
    "present_bounds.cpp",
    "present_made.cpp",
    "reduce_macros.c",
    "reductions.c",
    "semicolons.c",
    "tiles.c",
    "types_in_expressions.c",
}
"""Programs whose directives come from macros: their uses are replaced by their expansion."""
BRANCHES = {"metadirectives.c", "metadirectives.cpp", "variants.cpp", "dispatches.c",
            "metadirectives_everywhere.cpp", "transformations.c", "transformations.cpp",
            "cplusplus_forms.cpp", "lambdas_through_templates.cpp", "ranges.cpp", "device_words.cpp",
            "mixed.c", "argument_classes.cpp", "generic_functors.cpp", "generic_functor_classes.cpp"}  # fmt: skip
"""Their texts are others: metadirectives that the program decides are statements, calls have the names of variants,
loops are as transformations make them, lambdas that templates get are objects of classes, classes of functions are not
in these,
range-based loops have indices, names of CUDA's variables are others."""
RENAMED = {"cplusplus_forms.cpp", "variants.cpp", "metadirectives_everywhere.cpp", "device_addresses.cpp"}
"""Programs whose host file has other names than the text: host and device call different functions, or members and
qualified names mean device addresses in a block."""
READ_OTHERWISE = {"texts.c"}
"""Programs with a byte-order mark, which becomes blanks, and universal character names, which become letters."""


LINE = re.compile(r'#line (\d+) "((?:[^"\\]|\\.)*)"')
BEHIND_LINE = re.compile(r'^#line \d+ "[^"\n]*"[ \t]*[\w{};].*', re.MULTILINE)
"""Code that the preprocessor would take for a part of the directive."""
GENERATED = re.compile(r"__tgt_|__device_id|__arg_|__rex_offload|__global__|REX_KERNEL_ENTRY|\brex_reduce\(")
"""What no program writes: of launches, tables and the ends of kernels."""


class Recorder:
    """Remembers every whole-file application of edits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.applied: list[tuple[str, tuple[Edit, ...], str]] = []
        real = EditList.apply

        def apply(
            edits: EditList, text: str, start: int = 0, end: int | None = None, around: Edit | None = None
        ) -> str:
            result = real(edits, text, start, end, around)
            if start == 0 and end is None:
                self.applied.append((text, tuple(edits.edits), result))
            return result

        monkeypatch.setattr(EditList, "apply", apply)


def translated(source: Path) -> tuple[support.Output, str, tuple[Edit, ...], str]:
    """Translate a program: what is made of it, and the text, the edits and the result of their last application."""
    with pytest.MonkeyPatch.context() as patch:
        recorder = Recorder(patch)
        output = support.compiled(source.read_bytes(), source.name)
    return output, *recorder.applied[-1]


def users_text(source: Path) -> str:
    """Return a program's text, for one with a mark of its encoding or universal character names as it is read."""
    data = source.read_bytes()
    return SourceText.from_bytes(source.name, data).text if source.name in READ_OTHERWISE else from_bytes(data)


def pieces(text: str, edits: tuple[Edit, ...]) -> list[str]:
    """Return the parts of the user's text that no replacement covers."""
    parts, at = [], 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        assert edit.start >= at or edit.start == edit.end
        parts.append(text[at : edit.start])
        at = max(at, edit.end)
    return [*parts, text[at:]]


def replaced_ranges(text: str, edits: tuple[Edit, ...]) -> list[str]:
    return [text[e.start : e.end] for e in edits if e.start < e.end]


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
def test_the_users_text_stays(source: Path) -> None:
    output, text, edits, result = translated(source)
    shown = [d for d in output.translation.diagnostics if d.severity is not Severity.REMARK]
    assert [d.code for d in shown] == MEANT.get(source.name, []), [d.message for d in shown]
    if source.parent == EXECUTED:
        assert ("__restrict__" in output.device) == (source.name in support.PROMISING), "tests/execution/promises.txt"
    assert BEHIND_LINE.search(output.device) is None
    if source.name not in READ_OTHERWISE:
        check_line_numbers(source, output)
    if source.name in RENAMED:
        return
    check_replacements(source, output.host, text, edits, result)
    if source.name not in MACROS | BRANCHES:
        check_lines(source, output.host)


def without_own_lines(text: str) -> str:
    """Return a generated text without the ``#line`` directives of the lines that are the compiler's."""
    return re.sub(r'^#line (?:0|\d+ "rose_[^"\n]*")\n', "", text, flags=re.MULTILINE)


def check_replacements(source: Path, host: str, text: str, edits: tuple[Edit, ...], result: str) -> None:
    """Replacements are directives, and nothing else."""
    original = users_text(source)
    if source.name not in MACROS | BRANCHES:
        assert text == original
    assert without_own_lines(result) in without_own_lines(host)
    sites = {p.original for p in scan(SourceText(source.name, text)).pragmas}
    for replaced in replaced_ranges(text, edits):
        assert replaced in sites, replaced
    for edit in edits:
        if edit.start < edit.end:
            comment = "/* " + text[edit.start : edit.end].replace("/*", "/ *").replace("*/", "* /").rstrip() + " */"
            is_attribute = not text.startswith(("#", "_Pragma"), edit.start)
            assert edit.text.startswith(comment) or (is_attribute and edit.text.startswith('_Pragma("omp '))
    at = 0
    for piece in pieces(text, edits):
        found = result.find(piece, at)
        assert found >= 0, piece
        at = found + len(piece)


def counted(text: str, name: str) -> list[tuple[str, int, str]]:
    """Return the file and the number that each line of a generated file counts as, and the line."""
    found, path, number = [], name, 1
    for line in text.split("\n"):
        said = LINE.fullmatch(line)
        if said:
            number, path = int(said[1]), said[2]
            continue
        found.append((path, number, line))
        number += 1
    return found


def check_line_numbers(source: Path, output: support.Output) -> None:
    """What the compiler makes counts as lines of its own files, and no line as one that the user's has not."""
    original, device = users_text(source), output.translation.device
    last = original.count("\n") + 1
    for text, name in ((output.host, f"rose_{source.name}"), (output.device, device.name if device else "")):
        lines = text.split("\n")
        for path, number, line in counted(text, name):
            if path == name:
                assert lines[number - 1] == line, f"{name}: {number} is not {line}"
            elif path == source.name:
                assert number <= last or not line.strip(" {};"), f"{path} has no line {number}: {line}"
                assert not GENERATED.search(line) or line in original, f"{path}:{number}: {line}"


def test_own_lines_are_numbered_only_where_they_follow_others() -> None:
    assert with_own_lines(f"a\n{OWN}\nb", "g.c") == "a\nb"
    assert with_own_lines(f'#line 7 "u.c"\na\n{OWN}\nb', "g.c") == '#line 7 "u.c"\na\n#line 4 "g.c"\nb'
    assert with_own_lines(f'#line 7 "u.c"\na\n{OWN}\n  }}\n\n#line 9 "u.c"\nb', "g.c").count("g.c") == 0
    assert with_own_lines(f'#line 7 "u.c"\n{OWN}\nb', 'a"\\b.c').endswith('#line 3 "a\\"\\\\b.c"\nb')


def test_all_that_is_made_counts_as_the_line_in_front_of_it() -> None:
    text = f'a\n#line 7 "u.c"\nu7\nu8\n{OWN}\n  b(1,\n    2);\n#pragma omp x\n  {{\n\n#line 9 "u.c"\nu9\n{OWN}\n}}'
    found = at_users_lines(text).split("\n")
    eight, nine = '#line 8 "u.c"', '#line 9 "u.c"'
    assert found == [
        "a", '#line 7 "u.c"', "u7", "u8", eight, "b(1, 2);", eight, "#pragma omp x", eight, "{", nine, "u9", nine, "}",
    ]  # fmt: skip


def check_lines(source: Path, host: str) -> None:
    """Every line without a directive stands in the host file."""
    host = host.replace(" rex_offload_init();", "")
    original = users_text(source)
    spans = [(p.start, p.end) for p in scan(SourceText(source.name, original)).pragmas]
    offset, at = 0, host.index("#line 1 ")
    for number, whole in enumerate(original.split("\n"), 1):
        line = whole.rstrip("\r")
        inside = any(start < offset + len(whole) and offset <= end for start, end in spans)
        offset += len(whole) + 1
        if inside or not line.strip():
            continue
        found = host.find(line, at)
        at = found + len(line) if found >= 0 else _end_of_split_line(line, number, host, at, source.name)


def _end_of_split_line(line: str, number: int, host: str, at: int, name: str) -> int:
    """Where a region ends in the middle of a line, the rest of the line follows a ``#line`` of the same number."""
    for resumed in re.finditer(re.escape(f'#line {number} "{name}"\n'), host):
        for length in range(len(line) - 1, 0, -1):
            begin = host.find(f"{line[:length]}\n", at, resumed.start())
            if begin >= 0 and host.startswith(line[length:], resumed.end()):
                return resumed.end() + len(line) - length
    raise AssertionError(line)


@pytest.mark.parametrize("name", ["hotspot_like.c", "srad_comments_like.c", "odd_bytes_like.c", "data_like.cpp"])
def test_line_directives_lead_back_to_the_users_lines(name: str) -> None:
    path = support.PROGRAMS / name
    original = from_bytes(path.read_bytes()).split("\n")
    host = support.compiled(path.read_bytes(), name).host
    expected: int | None = None
    checked = 0
    for line in host.split("\n"):
        match = re.fullmatch(rf'#line (\d+) "{re.escape(name)}"\r?', line)
        if match:
            expected = int(match[1])
            continue
        if expected is None or not 0 < expected <= len(original):
            continue
        wanted = original[expected - 1]
        if len(line.strip()) > 3 and line.strip() in wanted:
            checked += 1
        elif len(line.strip()) > 3:
            expected = None  # a generated line; the next #line leads back
            continue
        expected += 1
    assert checked >= len([w for w in original if len(w.strip()) > 3]) // 2


def test_line_directives_in_the_device_file() -> None:
    name = "nn_like.c"
    original = (support.PROGRAMS / name).read_text().split("\n")
    device = support.compiled((support.PROGRAMS / name).read_bytes(), name).device.split("\n")
    marks = [(n, int(m[1])) for n, line in enumerate(device) if (m := re.fullmatch(rf'#line (\d+) "{name}"', line))]
    assert marks
    for n, line in marks:
        shown = (
            device[n + 1]
            .replace("__ldg(&where[i].lat)", "where[i].lat")
            .replace("__ldg(&where[i].lng)", "where[i].lng")
        )
        assert original[line - 1].strip()[:12] in shown or shown.strip()[:12] in original[line - 1]
