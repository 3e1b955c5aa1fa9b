"""What reductions do in a kernel's tree: the text of each node, how it is shown, and what is wrong with it."""

from __future__ import annotations

import pytest

from rexcc.kernel import printer
from rexcc.kernel.code import elements
from rexcc.kernel.dump import dump
from rexcc.kernel.ir import (
    Assign,
    Block,
    ByFirst,
    Code,
    Declare,
    Guard,
    If,
    Stmt,
)
from rexcc.kernel.reductions import Among, Identity, Operand, Operator, PrefixSum, Reduce
from rexcc.kernel.verifier import problems
from rexcc.target.nvptx import NVPTX

ADD, LEAST, BOTH = Operator("add", "+"), Operator("min"), Operator("land", "&&", cast="int")
USERS = Operator(combiner="rex_combine_join_3")
SUM = Operand("__rex_s", "s", ADD)
ROW = Operand("__rex_a + 2", "__rex_own_a", ADD, "4", "int")


def lines(*code: Stmt) -> tuple[str, ...]:
    return printer.lines(code, NVPTX.words)


def one(operator: Operator, among: Among) -> str:
    (line,) = lines(Reduce((Operand("__rex_s", "s", operator),), among))
    return line


@pytest.mark.parametrize(
    ("operator", "alone", "each", "block"),
    [
        (ADD, "*__rex_s += s;", "rex_atomic_add(__rex_s, s);", "rex_reduce_add(__rex_s, s);"),
        (
            LEAST,
            "*__rex_s = rex_combine_min(*__rex_s, s);",
            "rex_atomic_min(__rex_s, s);",
            "rex_reduce_min(__rex_s, s);",
        ),
        (BOTH, "*__rex_s = (int)(*__rex_s && s);", "rex_atomic_land(__rex_s, s);", "rex_reduce_land(__rex_s, s);"),
        (
            USERS,
            "rex_combine_join_3(*(__rex_s), s);",
            "rex_reduce_each_with(__rex_s, s, REX_COMBINER(rex_combine_join_3));",
            "rex_reduce_with(__rex_s, s, REX_COMBINER(rex_combine_join_3));",
        ),
    ],
)
def test_a_value_is_joined(operator: Operator, alone: str, each: str, block: str) -> None:
    assert one(operator, Among.ALONE) == alone
    assert one(operator, Among.EACH) == each
    assert one(operator, Among.BLOCK) == block


def test_a_thread_joins_element_by_element() -> None:
    each = "for (int __rex_e = 0; __rex_e < 4; __rex_e++)"
    assert lines(Reduce((ROW,), Among.ALONE)) == (f"{each} *(__rex_a + 2 + __rex_e) += __rex_own_a[__rex_e];",)
    cast = Operand("(int *)__rex_a", "(int *)a", ADD, "4", "int", is_cast=True)
    assert lines(Reduce((cast,), Among.EACH)) == (
        f"{each} rex_atomic_add((int *)__rex_a + __rex_e, ((int *)a)[__rex_e]);",
    )


def test_threads_join_several_variables_at_once() -> None:
    row, value = "rex_into_add(__rex_a + 2, __rex_own_a, 4)", "rex_into_add(__rex_s, s)"
    assert lines(Reduce((SUM, ROW), Among.BLOCK)) == (f"rex_reduce_block({value}, {row});",)
    assert lines(Reduce((ROW,), Among.BLOCK)) == (f"rex_reduce_block({row});",)
    assert lines(Reduce((SUM,), Among.FOR_ALL)) == (f"rex_reduce_for_all({value});",)
    assert lines(Reduce((SUM,), Among.FOR_ALL_STRAIGHT)) == (f"rex_reduce_for_all_straight({value});",)
    assert lines(Reduce((SUM,), Among.TEAM, "4")) == (f"rex_reduce_team(4, {value});",)
    assert lines(Reduce((SUM,), Among.GRID, "__rex_partials")) == (f"rex_reduce(__rex_partials, {value});",)
    assert lines(Reduce((SUM,), Among.TEAMS, "__rex_partials")) == (f"rex_reduce_blocks(__rex_partials, {value});",)
    assert lines(Reduce((SUM,), Among.HOST, "8")) == (f"rex_leave(8, {value});",)
    user = Operand("__rex_s", "s", USERS)
    assert lines(Reduce((user,), Among.TEAM, "4")) == (
        "rex_reduce_team(4, rex_into_with(__rex_s, s, REX_COMBINER(rex_combine_join_3)));",
    )


def test_many_variables_have_a_line_each() -> None:
    many = tuple(Operand(f"__rex_number_{n}", f"number_{n}", ADD) for n in range(4))
    first, *others = lines(Reduce(many, Among.BLOCK))
    assert first == "rex_reduce_block(rex_into_add(__rex_number_0, number_0),"
    assert others[-1] == "                 rex_into_add(__rex_number_3, number_3));"
    assert "\n" not in printer.on_one_line((If("c", (Reduce(many, Among.BLOCK),)),), NVPTX.words)


def test_prefix_sums() -> None:
    assert lines(PrefixSum("s", "__rex_carry_s", ADD, False)) == ("rex_scan_inclusive_add(s, __rex_carry_s);",)
    assert lines(PrefixSum("s", "carry", USERS, True, "0")) == (
        "rex_scan_exclusive_with(s, carry, REX_COMBINER(rex_combine_join_3), 0);",
    )


def test_what_a_copy_starts_with() -> None:
    start = Identity(ADD, "int")
    fill = elements("4", (Assign("a[__rex_e]", start),), "int")
    assert lines(Declare("int s", "s", start)) == ("int s = rex_identity_add<int>();",)
    filled = "for (int __rex_e = 0; __rex_e < 4; __rex_e++) a[__rex_e] = rex_identity_add<int>();"
    assert lines(*fill) == (filled,)
    assert lines(ByFirst(fill, bare=True)) == (f"if (threadIdx.x == 0) {filled}",)


def test_a_long_header_stays_on_one_line_in_a_line() -> None:
    (loop,) = elements("count" * 24, (Assign("a[__rex_e]", "0"),), "int")
    assert lines(loop)[-1] == "     __rex_e++) a[__rex_e] = 0;"
    assert printer.on_one_line((loop,), NVPTX.words).endswith("; __rex_e++) a[__rex_e] = 0;")


def test_the_tree_shows_who_joins_what() -> None:
    code: Code = (Declare("int s", "s", Identity(ADD, "int")), Reduce((SUM, ROW), Among.GRID, "__rex_partials"))
    assert dump((*code, PrefixSum("s", "carry", USERS, True, "4"))) == (
        "declare thread int s = identity of + (int)",
        "reduce by all threads of all blocks, with __rex_partials:",
        "  s into *(__rex_s) by +",
        "  4 elements of __rex_own_a into *(__rex_a + 2) by +",
        "exclusive prefix sums of s by rex_combine_join_3, carried in carry, of 4 threads",
    )


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ((Guard("c", (Reduce((SUM,), Among.BLOCK),)),), "a reduction by the block stands where only some threads are"),
        ((ByFirst((Reduce((SUM,), Among.GRID, "p"),)),), "a reduction by the block stands where only the first"),
        ((Guard("c", (PrefixSum("s", "carry", ADD, False),)),), "a scan by the block stands where only some threads"),
        ((Reduce((SUM, SUM), Among.ALONE),), "'s' is joined twice in one block"),
        ((Reduce((SUM,), Among.EACH), Reduce((ROW, SUM), Among.BLOCK)), "'s' is joined twice in one block"),
    ],
)
def test_what_is_wrong(code: Code, message: str) -> None:
    (found,) = problems(code)
    assert found.startswith(message)


def test_what_is_right() -> None:
    by_some = (Guard("c", (Reduce((SUM,), Among.TEAM, "4"), PrefixSum("s", "carry", ADD, False, "4"))),)
    by_one: Code = (ByFirst((Reduce((SUM,), Among.EACH),)),)
    apart: Code = (Block("", (Reduce((SUM,), Among.ALONE),)), Block("", (Reduce((SUM,), Among.ALONE),)))
    for code in (by_some, by_one, apart):
        assert list(problems(code)) == []
