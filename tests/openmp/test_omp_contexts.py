"""Which of several context selectors wins: the rules of OpenMP 5.2, 7.3."""

from __future__ import annotations

import pytest
from omp_tools import parse

from rexcc.openmp import contexts
from rexcc.openmp.contexts import CPU_DEVICE, HOST, Context, candidates
from rexcc.openmp.model import Expression
from rexcc.openmp.selectors import ContextSelector, MatchClause
from rexcc.target.known import DEFAULT

GPU = contexts.device(DEFAULT, ["sm_90"])
TEAMS = ("target", "teams", "distribute", "parallel", "for")


def value(expression: Expression) -> int | None:
    return int(expression.text) if expression.text.isdigit() else None


def selector(text: str) -> ContextSelector:
    (clause,) = parse(f"declare variant(f) match({text})").clauses
    assert isinstance(clause, MatchClause)
    return clause.selector


def context(device: contexts.Device = GPU, constructs: tuple[str, ...] = TEAMS, *requirements: str) -> Context:
    return Context(constructs, device, frozenset(requirements), (GPU,), value)


def fits(text: str, device: contexts.Device = GPU, constructs: tuple[str, ...] = TEAMS, *requirements: str) -> bool:
    return contexts.match(selector(text), context(device, constructs, *requirements)) is not None


def winner(*texts: str, constructs: tuple[str, ...] = TEAMS) -> int | None:
    tried = candidates([selector(text) for text in texts], context(constructs=constructs))
    return tried[0].index if tried else None


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("device={kind(gpu)}", "gpu"),
        ("device={kind(nohost)}", "gpu cpu"),
        ("device={kind(nohost, cpu)}", "cpu"),
        ("device={kind(host)}", "host"),
        ("device={kind(cpu)}", "host cpu"),
        ("device={kind(any)}", "host cpu gpu"),
        ("device={kind(fpga)}", ""),
        ("device={arch(nvptx)}", "gpu"),
        ('device={arch("nvptx64")}', "gpu"),
        ("device={arch(x86_64)}", "host cpu"),
        ("device={isa(sm_90)}", "gpu"),
        ("device={isa(sm_80)}", ""),
        ("implementation={vendor(llvm)}", "host cpu gpu"),
        ("implementation={vendor(gnu)}", ""),
        ("implementation={extension(fast)}", ""),
        ("implementation={extension(match_any)}, device={kind(gpu, host)}", ""),
        ("implementation={extension(match_any)}, device={kind(gpu), arch(x86_64)}", "host cpu gpu"),
        ("implementation={extension(match_none)}, device={kind(gpu)}", "host cpu"),
        ("user={condition(1)}", "host cpu gpu"),
        ("user={condition(0)}", ""),
        ("target_device={kind(gpu)}", "host cpu gpu"),
        ("target_device={kind(host)}", ""),
    ],
)
def test_traits_of_devices(text: str, on: str) -> None:
    found = {name for name, device in (("host", HOST), ("cpu", CPU_DEVICE), ("gpu", GPU)) if fits(text, device)}
    assert found == set(on.split())


def test_several_architectures_have_no_common_instruction_set() -> None:
    assert not fits("device={isa(sm_90)}", contexts.device(DEFAULT, ["sm_80", "sm_90"]))


def test_constructs_count_in_their_order() -> None:
    assert fits("construct={target, parallel}")
    assert fits("construct={teams}")
    assert not fits("construct={parallel, target}")
    assert not fits("construct={simd}")
    assert fits("construct={simd}", GPU, ("target", "simd"))
    assert not fits("construct={simd(simdlen(8))}", GPU, ("target", "simd"))
    assert fits("construct={parallel, parallel}", GPU, ("parallel", "for", "parallel"))
    assert not fits("construct={parallel, parallel}", GPU, ("parallel", "for"))


def test_requirements() -> None:
    assert fits("implementation={unified_shared_memory}", GPU, (), "unified_shared_memory")
    assert not fits("implementation={unified_shared_memory}")
    assert fits("implementation={requires(unified_address)}", GPU, (), "unified_address")
    order = "implementation={atomic_default_mem_order(seq_cst)}"
    assert fits(order, GPU, (), "atomic_default_mem_order(seq_cst)")
    assert not fits(order, GPU, (), "atomic_default_mem_order(relaxed)")


def test_inner_constructs_have_more_value() -> None:
    assert winner("construct={target}", "construct={parallel}") == 1
    assert winner("construct={target, teams}", "construct={parallel}") == 1
    assert winner("construct={teams}", "construct={target}") == 0


def test_devices_have_more_value_than_constructs() -> None:
    assert winner("construct={target, teams, parallel, for}", "device={kind(gpu)}") == 1
    assert winner("device={kind(gpu)}", "device={arch(nvptx)}", "device={isa(sm_90)}") == 2
    assert winner("device={kind(nohost), arch(nvptx)}", "device={isa(sm_90)}") == 1


def test_a_score_of_the_users_decides() -> None:
    assert winner("implementation={vendor(llvm)}", "implementation={vendor(score(1): llvm)}") == 1
    assert winner("user={condition(score(100): 1)}", "device={kind(gpu)}") == 0
    assert winner("user={condition(score(31): 1)}", "device={kind(gpu)}") == 1


def test_a_part_of_another_selector_has_no_value() -> None:
    assert winner("implementation={vendor(score(50): llvm)}", "implementation={vendor(llvm)}, user={condition(1)}") == 1


def test_of_equals_the_first_counts() -> None:
    assert winner("implementation={vendor(llvm)}", "user={condition(1)}") == 0
    assert winner("construct={simd}") is None


def test_what_the_program_decides_is_tried_in_order() -> None:
    texts = ["user={condition(x)}", "device={kind(gpu)}", "user={condition(score(99): y)}", "user={condition(1)}"]
    tried = candidates([selector(t) for t in texts], context())
    assert [(c.index, [d.expression.text for d in c.conditions]) for c in tried] == [(2, ["y"]), (1, [])]


def test_the_number_of_a_device_decides_between_it_and_the_host() -> None:
    (tried,) = candidates([selector("target_device={device_num(d), kind(gpu)}")], context(HOST))
    assert [(c.expression.text, c.on_host) for c in tried.conditions] == [("d", False)]
    (tried,) = candidates([selector("target_device={device_num(d), kind(host)}")], context(HOST))
    assert [(c.expression.text, c.on_host) for c in tried.conditions] == [("d", True)]
    assert candidates([selector("target_device={device_num(d)}")], context(HOST))[0].conditions == ()
