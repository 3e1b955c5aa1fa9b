"""Statements of kernels: what is asked of them, and what they look like."""

from __future__ import annotations

from rexcc.kernel import printer
from rexcc.kernel.code import aligned, gives_team_values, in_place, of_team, waits
from rexcc.kernel.ir import (
    ONE_BY_ONE,
    Assign,
    Barrier,
    Bind,
    Block,
    ByFirst,
    Code,
    CopyBytes,
    Declare,
    Do,
    For,
    If,
    IfElse,
    Storage,
    User,
    UserSlot,
)
from rexcc.target.nvptx import NVPTX


def lines(code: Code, indent: str = "") -> tuple[str, ...]:
    return printer.lines(code, NVPTX.words, indent)


def on_one_line(code: Code) -> str:
    return printer.on_one_line(code, NVPTX.words)


OWN = Declare("const double x", "x", "*__rex_x", "double x")


def test_a_threads_copy_becomes_the_teams() -> None:
    assert lines((OWN,)) == ("const double x = *__rex_x;",)
    shared = of_team((OWN, Do("use(x);")))
    assert lines(shared) == (
        "__shared__ double x;", "if (threadIdx.x == 0) {", "  x = *__rex_x;", "  use(x);", "}",
    )  # fmt: skip
    assert lines(of_team((Declare("int n", "n"),))) == ("__shared__ int n;",)


def test_a_barrier_has_to_follow_what_gives_a_team_its_values() -> None:
    assert gives_team_values(of_team((OWN,)))
    assert gives_team_values((CopyBytes("a", "*b", "sizeof a", by_block=True),))
    assert not gives_team_values((OWN, CopyBytes("a", "*b", "sizeof a"), If("c", (Assign("y", "x"),))))
    assert waits((Do("f();"), Barrier())) and not waits((OWN,))


def test_only_declarations_have_an_alignment() -> None:
    code: Code = (Declare("float v[4]", "v", storage=Storage.TEAM), Bind("float (&w)[4]", "w", "*p"), OWN)
    assert lines(aligned(code, {"v": 16, "w": 32})) == (
        "alignas(16) __shared__ float v[4];", "float (&w)[4] = *p;", "const double x = *__rex_x;",
    )  # fmt: skip


def test_conditions_and_the_first_thread() -> None:
    stored = Assign("*p", "x")
    assert on_one_line((If("last", (stored,)), ByFirst((stored,), bare=True, condition="last"))) == (
        "if (last) *p = x; if (threadIdx.x == 0 && (last)) *p = x;"
    )
    assert lines((ByFirst((stored, Do("a,\nb")), in_lines=True),)) == (
        "if (threadIdx.x == 0) {", "  *p = x;", "  a,", "  b", "}",
    )  # fmt: skip
    assert lines((IfElse("c", (stored,), (Do("f();"),)),)) == ("if (c) {", "  *p = x;", "} else {", "  f();", "}")


def test_the_users_statement_keeps_its_lines_in_the_form_of_a_loop() -> None:
    form: Code = (ONE_BY_ONE, Block("for (;;)", (OWN, UserSlot())))
    block = User(("{\n  a();\n  }",), 7, "t.c", is_block=True, closes=True, indent="  ", end_indent="  ")
    loop = ("#pragma unroll 1", "for (;;) {", "  const double x = *__rex_x;", '#line 8 "t.c"')
    assert lines(in_place(form, (block,))) == (*loop, "  a();\n  }", "#line 0")
    (_, stored) = in_place(form, (User(("{\n  a();\n  }",), 7, "t.c", True, True, "  ", "  ", (Assign("y", "x"),)),))
    assert lines((stored,))[-2] == "  a();\n#line 0\n  y = x;\n  }"
    single = lines(in_place(form, (User(("a();",), 7, "t.c"),)))
    assert single == (*loop[:3], '#line 7 "t.c"', "  a();", "#line 0", "}")


def test_a_statement_that_is_not_last_in_its_loop_leaves_the_brace_to_the_form() -> None:
    form: Code = (Block("for (;;)", (Block("for (p)", (UserSlot(), Do("store();"))),)),)
    block = User(("{\n  a();\n  }",), 7, "t.c", is_block=True)
    assert lines(in_place(form, (block,))) == (
        "for (;;) {", "  for (p) {", '#line 8 "t.c"', "  a();", "#line 0", "    store();", "  }", "}",
    )  # fmt: skip


def test_a_long_header_has_several_lines() -> None:
    counted = For("long i", "i", "0", "<", "n", "++")
    assert lines((Block(counted, (Do("f(i);"),)),)) == ("for (long i = 0; i < n; i++) {", "  f(i);", "}")
    within, bound = For("long i", "i", "first", "<=", "n", "+= 4", "i < last"), "bound" * 24
    assert lines((Block(within, (Do("f(i);"),), bare=True),)) == (
        "for (long i = first; i <= n && i < last; i += 4) f(i);",
    )
    two = Block(counted, (Block(For("long j", "j", "i", "<", bound, "++"), (Do("f(j);"), Do("g(j);"))),), bare=True)
    assert lines((two,), "  ") == (
        "  for (long i = 0; i < n; i++)", "  for (long j = i;", f"       j < {bound};", "       j++) {", "    f(j);",
        "    g(j);", "  }",
    )  # fmt: skip
