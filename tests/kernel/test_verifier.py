"""The verifier sees each way in which a kernel's statements can be wrong, and is asked by the tests' translations."""

from __future__ import annotations

import pytest

import support
from rexcc.kernel.ir import (
    Assign,
    Barrier,
    Bind,
    Block,
    ByFirst,
    Code,
    CopyBytes,
    Declare,
    If,
    IfElse,
    Stmt,
    Storage,
    User,
    UserSlot,
)
from rexcc.kernel.verifier import problems
from rexcc.lowering import listing

USER = User(("x = 1;",), 3, "t.c")
SHARED = Declare("int s", "s", storage=Storage.TEAM)
FIRST = ByFirst((Assign("s", "0"),))


@pytest.mark.parametrize(
    "code",
    [
        (USER,),
        (SHARED, FIRST, Barrier(), USER),
        (Declare("int a", "a", "1"), Block("for (;;)", (Declare("int a", "a", "2"), USER))),
        (If("c", (Barrier(),)), USER),
        (USER, ByFirst((Assign("x", "s"),))),
        (IfElse("c", (Declare("int a", "a"),), (Declare("int a", "a"),)), USER),
    ],
)
def test_what_is_right(code: Code) -> None:
    assert list(problems(code)) == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ((UserSlot(),), "no statement was put in the place for the user's"),
        ((Block("for (;;)", (UserSlot(),)),), "no statement was put in the place for the user's"),
        ((USER, Block("if (c)", (USER,))), "the user's statement stands there 2 times"),
        ((SHARED, FIRST, USER), "the user's statement follows what some threads give the team, and no barrier"),
        ((CopyBytes("a", "b", "8", by_block=True), USER), "the user's statement follows what some threads give"),
        ((SHARED, FIRST, Block("for (;;)", (USER,))), "the user's statement follows what some threads give the team"),
        ((ByFirst((Barrier(),)),), "a barrier stands where only the first thread is"),
        ((ByFirst((Block("for (;;)", (Barrier(),)),)),), "a barrier stands where only the first thread is"),
        ((ByFirst((CopyBytes("a", "b", "8", by_block=True),)),), "a copy by all threads stands where only the first"),
        ((Declare("int s", "s", "1", storage=Storage.TEAM),), "'s' is a team's and has an initialiser"),
        ((Declare("int a", "a", alignment=12),), "'a' asks for the alignment 12, which is no power of two"),
        ((Declare("int a", "a"), Bind("int &a", "a", "b")), "'a' is declared twice in one block"),
    ],
)
def test_what_is_wrong(code: Code, message: str) -> None:
    found = list(problems(code))
    assert len(found) == 1
    assert found[0].startswith(message)


def test_the_tests_translations_are_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong: Stmt = ByFirst((Barrier(),))
    monkeypatch.setattr(listing, "all_code", lambda kernel: (wrong,))
    with pytest.raises(Exception, match="f__2__kernel__: a barrier stands where only the first thread is"):
        support.translate_text("void f(int *p) {\n#pragma omp target map(p[0:1])\n  p[0] = 1;\n}\n")
