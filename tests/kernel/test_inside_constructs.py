"""Code inside of the user's statement: how it is laid out, shown and checked."""

from __future__ import annotations

import pytest

from rexcc.kernel import printer
from rexcc.kernel.code import in_block
from rexcc.kernel.dump import dump
from rexcc.kernel.ir import (
    Applied,
    Assign,
    Assigned,
    Atomic,
    Barrier,
    Block,
    ByFirst,
    Code,
    Critical,
    Declare,
    Do,
    FromFirst,
    Guard,
    Inside,
    Noted,
    User,
)
from rexcc.kernel.layout import Layout, Place
from rexcc.kernel.verifier import problems
from rexcc.target.nvptx import NVPTX

HERE, LAST = Place(4, "t.c", "  "), Place(4, "t.c", "  ", is_end=True)
BODY = User(("\n  x = 1;",), 5, "t.c")
WAITING = User((Inside((Barrier(),), Layout.LINE, LAST, LAST),), 5, "t.c")
COPY = Declare("int x", "x", "__rex_x")
LONG = Do("f(" + ", ".join("argument" for _ in range(10)) + ");")


def text(code: Code, layout: Layout = Layout.DIRECTIVE, place: Place = LAST, dropped: str = "") -> str:
    comment = "/* #pragma */" if layout is Layout.DIRECTIVE else ""
    inside = Inside(code, layout, place, place, comment, dropped)
    return printer.user_text(User(("before ", inside, " behind"), 4, "t.c"), NVPTX.words)


def test_one_statement_shares_the_line_of_a_directive() -> None:
    assert text((BODY,)) == "before /* #pragma */\n  x = 1; behind"
    assert text((Barrier(),)) == "before /* #pragma */ __syncthreads(); behind"
    code = in_block((COPY,), (BODY,), (Assign("__rex_x", "x"),))
    own = "before /* #pragma */\n#line 0\n  {\n    int x = __rex_x;\n"
    assert text(code) == f'{own}#line 5 "t.c"\n  x = 1;\n#line 0\n    __rex_x = x;\n  }}\n#line 5 "t.c"\n behind'


def test_long_code_has_lines_of_its_own_and_leads_back_to_the_users() -> None:
    code = in_block((COPY, LONG), (Guard("first", (BODY,), bare=True),), (LONG,))
    own = f"  {{\n    int x = __rex_x;\n    {LONG.text}\n    if (first)"
    closing = f"    {LONG.text}\n  }}"
    assert text(code) == (
        f'before /* #pragma */\n#line 0\n{own}\n#line 5 "t.c"\n  x = 1;\n#line 0\n{closing}\n#line 5 "t.c"\n behind'
    )
    assert text((LONG,), place=HERE) == (f'before /* #pragma */\n#line 0\n  {LONG.text}\n#line 4 "t.c"\n   behind')


def test_a_critical_section_stands_behind_its_lock() -> None:
    assert text((Critical("lock", (BODY,)),)) == "before /* #pragma */ REX_CRITICAL(lock)\n  x = 1; behind"
    code = (Critical("lock", (COPY, BODY)),)
    own = "before /* #pragma */\n#line 0\n  REX_CRITICAL(lock) {\n    int x = __rex_x;\n"
    assert text(code) == f'{own}#line 5 "t.c"\n  x = 1; }} behind'


def test_braces_of_the_users_block_serve_for_another_header() -> None:
    block = User(("{ x = 1; }",), 5, "t.c", is_block=True, closes=True)
    loop = Block("for (;;)", (COPY, block))
    own = '\n#line 0\n    int x = __rex_x;\n#line 5 "t.c"\n '
    assert text((loop,), Layout.HEADER, dropped="\n") == f"before for (;;) {{{own}x = 1; }} behind"
    single = Block("for (;;)", (COPY, User(("x = 1;",), 5, "t.c")))
    own = '\n#line 0\n    int x = __rex_x;\n#line 4 "t.c"\n    '
    assert text((single,), Layout.HEADER, HERE) == f"before for (;;) {{{own} x = 1; }} behind"
    once = Block("do", (COPY, block), " while (false);")
    assert text((once,), Layout.HEADER, HERE) == f"before do {{{own} x = 1; }} while (false); behind"


def test_an_atomic_operation_stands_in_the_users_line() -> None:
    operation = Atomic("rex_atomic_add", ("&x", "1"), "v", "(int)")
    assert text((operation,), Layout.LINE) == "before v = (int)rex_atomic_add(&x, 1); behind"
    fenced = in_block((Do("fence();"),), (operation,))
    line = '\n#line 4 "t.c"\n  '
    shown = f"before {{{line}  fence();{line}  v = (int)rex_atomic_add(&x, 1);{line}}} behind"
    assert text(fenced, Layout.LINE) == shown
    assert dump((operation,)) == ("atomic v = (int)rex_atomic_add(&x, 1)",)


def test_statements_around_others_in_a_line() -> None:
    code = (ByFirst((User(("a(); b();",), 5, "t.c"),)), Barrier())
    assert text(code, Layout.LINE) == (
        'before if (threadIdx.x == 0) { a(); b(); }\n#line 0\n  __syncthreads();\n#line 5 "t.c"\n behind'
    )


def test_expressions_around_the_users() -> None:
    condition = User(("f(x)",), 4, "t.c")
    for made, shown in (
        (FromFirst((condition,)), "rex_from_first([&] { return (f(x)); })"),
        (FromFirst((condition,), is_truth=True), "rex_from_first([&] { return (bool)(f(x)); })"),
        (FromFirst((condition,), "int"), "rex_from_first([&]() -> int { return f(x); })"),
        (FromFirst((condition,), is_step=True), "rex_first([&] { f(x); })"),
        (Noted(Assign("when", "3"), (condition,)), "(when = 3, f(x))"),
        (Applied("rex_quotient", (condition,), ("by",)), "rex_quotient(f(x), by)"),
        (Assigned("v[0]", (condition,), "*p[0] + (", ")"), "v[0] = *p[0] + (f(x))"),
    ):
        assert text((made,), Layout.EXPRESSION) == f"before {shown} behind"
    code = (Noted(Assign("when", "3"), (condition,)), Assigned("v", (condition,), "&"), FromFirst((condition,)))
    assert dump(code) == (
        "assign when = 3, and then", "  user t.c:4", "    | f(x)", "assign v = &…", "  user t.c:4", "    | f(x)",
        "value by the first thread:", "  user t.c:4", "    | f(x)",
    )  # fmt: skip


def test_locals_in_lines_in_front_of_a_statement_that_keeps_its_column() -> None:
    user = User(("for (;;) f();",), 4, "t.c")
    inside = Inside((COPY, Declare("int y", "y", "1"), user), Layout.LINES, HERE, Place(4, "t.c", "      "))
    shown = printer.inside_text(inside, NVPTX.words)
    own = "  int x = __rex_x;\n  int y = 1;"
    assert shown == f'\n#line 0\n{own}\n#line 4 "t.c"\n      for (;;) f();'
    block = Inside((Block("", inside.code),), Layout.LINES, HERE, inside.end)
    assert printer.inside_text(block, NVPTX.words).endswith("      for (;;) f(); }")


def test_a_directive_that_code_ends_with_has_a_line_of_its_own() -> None:
    inner = Inside((LONG,), Layout.DIRECTIVE, HERE, HERE, "/* inner */")
    user = User((inner,), 5, "t.c")
    for layout in (Layout.DIRECTIVE, Layout.LINE):
        assert text((user, Barrier()), layout, HERE).endswith('\n#line 0\n  __syncthreads();\n#line 4 "t.c"\n   behind')
    at_end = User((Inside((LONG,), Layout.DIRECTIVE, LAST, LAST, "/* inner */"),), 5, "t.c")
    assert text((ByFirst((at_end,)),), Layout.LINE).endswith('#line 0\n  }\n#line 5 "t.c"\n behind')


def test_the_tree_shows_code_in_its_place() -> None:
    inside = Inside((Critical("lock", (Guard("c", (BODY,)),)),), Layout.DIRECTIVE, LAST, LAST, "/* #pragma\n omp */")
    assert "\n".join(dump((User(("{\n", inside, "\n}\n"), 4, "t.c"),))) == (
        "user t.c:4\n  | {\n  /* #pragma omp */\n    one thread at a time, by lock:\n      by threads for which c:\n"
        "        user t.c:5\n          |   x = 1;\n  | }"
    )


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ((Guard("c", (Barrier(), BODY)),), "a barrier stands where only some threads are"),
        ((Critical("lock", (BODY, Barrier())),), "a barrier stands where one thread at a time is"),
        (
            (ByFirst((User((Inside((Barrier(),), Layout.LINE, LAST, LAST),), 5, "t.c"),)),),
            "a barrier stands where only",
        ),
        ((Guard("c", (FromFirst((BODY,)),)),), "a value from the first thread stands where only some threads are"),
        ((FromFirst((WAITING,)),), "a barrier stands where only the first thread is"),
        ((BODY, BODY), "what stays of the user's statement stands there 2 times"),
        ((COPY, COPY, BODY), "'x' is declared twice in one block"),
    ],
)
def test_what_is_wrong_inside(code: Code, message: str) -> None:
    found = list(problems((User((Inside(code, Layout.DIRECTIVE, LAST, LAST, "/* */"),), 4, "t.c"),)))
    assert any(problem.startswith(message) for problem in found), found


def test_a_part_of_a_block_has_barriers_of_its_own() -> None:
    code = (Guard("thread < 4", (BODY, Barrier("rex_barrier(4);"))),)
    assert list(problems((User((Inside(code, Layout.DIRECTIVE, LAST, LAST, "/* */"),), 4, "t.c"),))) == []
