"""The user's text outside of lowered regions stays byte for byte, in order, and no rule complains about it.

Programs of the suite that are not executed and the examples are translated here for it, each once; those of
``execution/programs`` are checked where they are built (``tests/execution/test_programs.py``).
"""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

import support
from rexcc.source.line_directives import OWN, at_users_lines, with_own_lines
from rexcc.source.text import from_bytes
from users_text import ASKING, EXECUTED, check_users_text, observed

HERE = Path(__file__).parent
EXAMPLES = sorted(p for p in (HERE.parents[1] / "examples").glob("*.c") if "#include <mpi.h>" not in p.read_text())
"""Those that need only a compiler; the others are built with what they need by ``execution/test_examples.py``."""
SOURCES = [*sorted(support.PROGRAMS.iterdir()), *(EXECUTED / name for name in sorted(ASKING)), *EXAMPLES]


@pytest.mark.parametrize("source", SOURCES, ids=lambda p: p.name)
def test_the_users_text_stays(source: Path) -> None:
    files = {source.name: source.read_bytes()}
    check_users_text(source, observed(source.name, replace(support.options_of(source.name), alone=True), files.get))


def test_own_lines_are_numbered_only_where_they_follow_others() -> None:
    assert with_own_lines(f"a\n{OWN}\nb", "g.c") == "a\nb"
    assert with_own_lines(f'#line 7 "u.c"\na\n{OWN}\nb', "g.c") == '#line 7 "u.c"\na\n#line 4 "g.c"\nb'
    assert with_own_lines(f'#line 7 "u.c"\na\n{OWN}\n  }}\n\n#line 9 "u.c"\nb', "g.c").count("g.c") == 0
    named = with_own_lines(f'#line 7 "u.c"\na\n{OWN}\nb', 'a"\\b.c')
    assert named.endswith('#line 4 "a\\"\\\\b.c"\nb')
    users = f'#line 7 "u.c"\na\n  \n{OWN}\n#line 8 "u.c"\nb\n{OWN}\n}}\n#line 10 "u.c"\nc'
    assert with_own_lines(users, "g.c") == '#line 7 "u.c"\na\nb\n}\nc', "as few as lead to the same lines"


def test_directives_may_end_as_lines_of_the_user_do() -> None:
    text = f'#line 7 "u.c"\r\na\r\n{OWN}\nb\n#line 8 "u.c"\r\nc\r\n'
    assert with_own_lines(text, "g.c") == '#line 7 "u.c"\na\r\n#line 4 "g.c"\nb\n#line 8 "u.c"\nc\r\n'


def test_what_a_raw_string_has_is_no_directive() -> None:
    text = f'#line 7 "u.cpp"\nf(R"x(\n#line 9 "u.cpp"\n{OWN}\n}}\n)x");\n{OWN}\nb'
    assert at_users_lines(text).startswith(text.partition(f"\n{OWN}\nb")[0])
    assert with_own_lines(text, "g.cpp") == text.removesuffix(f"{OWN}\nb") + '#line 8 "g.cpp"\nb'


def test_all_that_is_made_counts_as_the_line_in_front_of_it() -> None:
    text = f'a\n#line 7 "u.c"\nu7\nu8\n{OWN}\n  b(1,\n    2);\n#pragma omp x\n  {{\n\n#line 9 "u.c"\nu9\n{OWN}\n}}'
    found = at_users_lines(text).split("\n")
    eight, nine = '#line 8 "u.c"', '#line 9 "u.c"'
    assert found == [
        "a", '#line 7 "u.c"', "u7", "u8", eight, "b(1, 2);", eight, "#pragma omp x", eight, "{", nine, "u9", nine, "}",
    ]  # fmt: skip
    assert at_users_lines(f"{text}\n") == f"{at_users_lines(text)}\n", "C++98 wants that"


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


def test_joined_lines_are_not_long_and_end_outside_of_parentheses() -> None:
    """gcc knows no columns in lines of more than 4096 characters; a directive may not stand in a macro's arguments."""
    call = [f"f({'a' * 90},", f"  ')', {'b' * 90});"]
    text = "\n".join(['#line 7 "t.c"', "int n;", OWN, *(call * 50), '#line 8 "t.c"', "int m;"])
    pieces = [line for line in at_users_lines(text).split("\n") if line.startswith("f(")]
    assert len(pieces) > 1
    assert all(len(piece) < 4096 and piece.endswith(");") for piece in pieces)
    assert sum(piece.count("f(") for piece in pieces) == 50
    assert at_users_lines(text).count('#line 7 "t.c"') == 1 + len(pieces)
