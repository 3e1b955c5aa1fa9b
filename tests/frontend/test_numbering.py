"""The user's own ``#line``: values of ``__LINE__`` and ``__FILE__``, and places of messages."""

from __future__ import annotations

from pathlib import Path

import pytest

import support
from tokens.checking import check

PROGRAMS = {
    "in regions and behind them": """\
#define NUMBER 4000
#define NAME "made.y"
int f(void);
int main(void) {
  int s = 0;
#line NUMBER NAME
  s = __LINE__;
#ifdef NEVER
#line 1 "never.c"
#endif
  int t = __LINE__;
#pragma omp target map(tofrom : s)
  {
    s = __LINE__;
#line 50 "other.y"
    s += __LINE__;
  }
#pragma omp target teams distribute parallel for map(tofrom : s) reduction(+ : s)
  for (int i = 0; i < 4; i++) {
#line 77 "x.y"
    s += __LINE__;
  }
  const char *p = __FILE__;
  return s + t + __LINE__ + (p == 0);
}
""",
    "with transformations, metadirectives and macros": """\
#define LOOP for (int i = 0; i < 8; i++)
#define BEGIN _Pragma("omp target map(tofrom : s)")
int main(void) {
  int s = 0;
#line 100 "a.y"
#pragma omp tile sizes(2)
  for (int i = 0; i < 8; i++) s += __LINE__;
  s += __LINE__;
#pragma omp metadirective when(user = {condition(1)} : target map(tofrom : s))
  s += __LINE__;
#line 200
  BEGIN { s += __LINE__; }
  s += __LINE__;
#pragma omp target parallel for map(tofrom : s) reduction(+ : s)
  LOOP s += __LINE__;
  return s + __LINE__;
}
""",
    "in a header, and in one inside of a function": """\
#include "a.h"
int main(void) {
  int s = 0;
#include "b.h"
  return s + f() + __LINE__;
}
""",
}
HEADERS = {
    "a.h": """\
#line 300 "deep.def"
#pragma omp declare target
static int g(int x) {
#line 310
  return x * 1000 + __LINE__;
}
#pragma omp end declare target
static int f(void) {
  int s = 0;
#pragma omp target map(tofrom : s)
  s = g(1) + __LINE__;
  return s + __LINE__;
}
""",
    "b.h": """\
  s += __LINE__;
#line 400 "inner.def"
#pragma omp target map(tofrom : s)
  s += __LINE__;
  s += __LINE__ + sizeof(__FILE__);
""",
}


@pytest.mark.builds
@pytest.mark.parametrize("what", PROGRAMS)
def test_lines_and_files_are_the_users(what: str, tmp_path: Path) -> None:
    for name, text in {"t.c": PROGRAMS[what], **HEADERS}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = check(["-w", "t.c"], str(tmp_path))
    assert not found.problem
    assert not found.differences, "\n".join(map(str, found.differences))
    assert not found.lost


ERROR = """\
int main(void) {
  int s = 0;
#line 70 "grammar.y"
#pragma omp target map(tofrom : s)
  {
#line 80
#pragma omp teams num_threadz(4)
    s = 1;
  }
  return s;
}
"""


def test_an_error_is_where_the_user_says() -> None:
    shown = support.render(support.only_error(ERROR))
    assert shown.startswith("grammar.y:80:19: error: ")
    assert "   80 | #pragma omp teams num_threadz(4)\n" in shown


def test_an_error_of_the_base_language_is_where_the_user_says() -> None:
    found = support.errors('int main(void) {\n#line 5 "g.y"\n  int s = unknown;\n#pragma omp target\n  s = 1;\n}\n')
    assert [support.render(d).splitlines()[0].split(": ")[0] for d in found] == ["g.y:5:11"]


def test_a_remark_is_where_the_user_says() -> None:
    found = support.translate_text(
        'int main(void) {\n  int s;\n#line 5 "g.y"\n#pragma omp target map(from : s)\n  s = 1;\n}\n', remarks=True
    )
    assert {d.span.place for d in found.diagnostics if d.span is not None} == {"g.y:5:13"}


def test_a_directive_that_is_left_out_says_nothing() -> None:
    text = 'int main(void) {\n  int s;\n#if 0\n#line 5 "g.y"\n#endif\n'
    text += "#pragma omp target map(from : s)\n  s = __LINE__;\n}\n"
    assert '#line 7 "t.c"' in support.compiled(text).device
