"""The tables are complete and agree with each other and with the specification's rules."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from omp_tools import parse

from rexcc.openmp.clauses import CLAUSES
from rexcc.openmp.directives import COMBINED, LEAVES, Association
from rexcc.openmp.parser import READERS
from rexcc.openmp.tables import CLAUSE_ROWS, CONSTRUCTS, LEAF_ROWS, association_of, end_of, find_construct, takers


def test_rows_are_unique() -> None:
    assert len(CLAUSE_ROWS) == len(CLAUSES)
    assert len(CONSTRUCTS) == len(LEAVES) + len(COMBINED)


def test_every_clause_has_a_directive_and_a_reader() -> None:
    assert [row.name for row in CLAUSES if not takers(row.name)] == []
    assert {row.shape for row in CLAUSES} <= set(READERS)


def test_groups_name_clauses_of_their_directive() -> None:
    for row in LEAVES:
        named = {clause for group in (*row.exclusive, *row.required) for clause in group}
        assert named <= set(row.clauses), row.name
        assert {clause.name for clause in row.local} <= set(row.clauses), row.name


def combinations(first: str) -> Iterator[tuple[str, ...]]:
    """Yield the combined constructs that start with a leaf (5.2, 17.3 Combined and Composite Directive Names)."""
    nested = {
        "taskloop": ("simd",), "for": ("simd",), "masked": ("taskloop",), "master": ("taskloop",),
        "parallel": ("loop", "sections", "masked", "master", "for"), "distribute": ("simd", "parallel"),
        "teams": ("loop", "distribute"), "target": ("simd", "parallel", "teams"),
    }  # fmt: skip
    for second in nested.get(first, ()):
        if (first, second) != ("distribute", "parallel"):
            yield (first, second)
        for rest in combinations(second):
            if first == "distribute" and "for" not in rest:
                continue
            if (first, second) == ("target", "parallel") and not {"for", "loop"} & set(rest):
                continue
            yield (first, *rest)


def test_all_combined_spellings_of_the_specification_are_there() -> None:
    starts = ("for", "taskloop", "distribute", "masked", "master", "parallel", "teams", "target")
    expected = {names for start in starts for names in combinations(start)}
    assert {row.leaves for row in COMBINED} == expected


OF_5_2 = {
    "parallel": "allocate copyin default firstprivate if num_threads private proc_bind reduction shared",
    "teams": "allocate default firstprivate num_teams private reduction shared thread_limit",
    "simd": "aligned collapse if lastprivate linear nontemporal order private reduction safelen simdlen",
    "masked": "filter", "master": "", "critical": "hint", "barrier": "", "taskyield": "", "section": "",
    "single": "allocate copyprivate firstprivate nowait private",
    "scope": "allocate firstprivate nowait private reduction",
    "sections": "allocate firstprivate lastprivate nowait private reduction",
    "for": "allocate collapse firstprivate lastprivate linear nowait order ordered private reduction schedule",
    "distribute": "allocate collapse dist_schedule firstprivate lastprivate order private",
    "loop": "bind collapse lastprivate order private reduction", "scan": "exclusive inclusive",
    "task": "affinity allocate default depend detach final firstprivate if in_reduction mergeable priority private "
            "shared untied",
    "taskloop": "allocate collapse default final firstprivate grainsize if in_reduction lastprivate mergeable nogroup "
                "num_tasks priority private reduction shared untied",
    "taskgroup": "allocate task_reduction", "taskwait": "depend nowait", "tile": "sizes", "unroll": "full partial",
    "target": "allocate defaultmap depend device firstprivate has_device_addr if in_reduction is_device_ptr map nowait "
              "private thread_limit uses_allocators",
    "target data": "device if map use_device_addr use_device_ptr", "target enter data": "depend device if map nowait",
    "target exit data": "depend device if map nowait", "target update": "depend device from if nowait to",
    "declare target": "device_type enter indirect link to", "begin declare target": "device_type indirect",
    "end declare target": "", "interop": "depend destroy device init nowait use",
    "atomic": "acq_rel acquire capture compare fail hint read relaxed release seq_cst update weak write",
    "flush": "acq_rel acquire release seq_cst", "depobj": "depend destroy update",
    "ordered": "depend doacross simd threads", "cancel": "for if parallel sections taskgroup",
    "cancellation point": "for parallel sections taskgroup", "threadprivate": "", "allocate": "align allocator",
    "declare mapper": "map", "declare reduction": "initializer",
    "declare simd": "aligned inbranch linear notinbranch simdlen uniform",
    "declare variant": "adjust_args append_args match", "begin declare variant": "match", "end declare variant": "",
    "metadirective": "default otherwise when", "begin metadirective": "default otherwise when", "end metadirective": "",
    "dispatch": "depend device is_device_ptr nocontext novariants nowait",
    "requires": "atomic_default_mem_order dynamic_allocators reverse_offload unified_address unified_shared_memory",
    "assume": "absent contains holds no_openmp no_openmp_routines no_parallelism",
    "assumes": "absent contains holds no_openmp no_openmp_routines no_parallelism",
    "begin assumes": "absent contains holds no_openmp no_openmp_routines no_parallelism", "end assumes": "",
    "nothing": "", "error": "at message severity",
}  # fmt: skip
"""The directives of OpenMP 5.2 for C and C++, and their clauses (5.2, 3 to 15), those that are deprecated too."""

OF_6_0 = frozenset({
    "declare induction", "fuse", "groupprivate", "interchange", "reverse", "split", "stripe", "task_iteration",
    "taskgraph",
})  # fmt: skip
"""Directives that 6.0 adds for C and C++; ``workdistribute`` and ``allocators`` are Fortran's."""


def test_all_directives_are_there() -> None:
    assert set(LEAF_ROWS) == OF_5_2.keys() | OF_6_0
    assert {row.name for row in LEAVES if row.since >= 60} == OF_6_0


@pytest.mark.parametrize("name", OF_5_2)
def test_all_clauses_are_there(name: str) -> None:
    expected = set(OF_5_2[name].split())
    others = {clause for clause in LEAF_ROWS[name].clauses if clause not in expected}
    assert expected <= set(LEAF_ROWS[name].clauses)
    newer = {c for c in others if CLAUSE_ROWS[c].since >= 60 or c.startswith("ompx_")}
    assert others - newer == NEWER_HERE.get(name, set())


NEWER_HERE = {
    "parallel": {"message", "severity"}, "teams": {"if"}, "target": {"device_type", "priority"},
    "target data": {"depend", "nogroup", "nowait"}, "target enter data": {"priority"},
    "target exit data": {"priority"}, "target update": {"priority"}, "dispatch": {"has_device_addr"},
    "depobj": {"init"},
}  # fmt: skip
"""Clauses of 5.2 that 6.0 allows on more directives."""


@pytest.mark.parametrize("underscored", [
    "target_data", "target_enter_data", "target_exit_data", "target_update", "declare_target", "begin declare_target",
    "end declare_target", "cancellation_point", "declare_mapper", "declare_reduction", "declare_induction",
    "declare_simd", "declare_variant", "begin declare_variant", "end declare_variant",
])  # fmt: skip
def test_spellings_of_6_0(underscored: str) -> None:
    found = find_construct(underscored.split())
    assert found is not None
    assert found.name == underscored.replace("_", " ")


def test_combined_constructs_take_the_clauses_of_their_leaves() -> None:
    construct = CONSTRUCTS["target teams distribute parallel for"]
    assert {"map", "num_teams", "dist_schedule", "num_threads", "schedule", "nowait"} <= set(construct.clauses)
    assert {"ordered", "copyin", "use_device_ptr"}.isdisjoint(construct.clauses)
    assert "nowait" not in CONSTRUCTS["parallel for"].clauses
    assert "nowait" in CONSTRUCTS["for simd"].clauses


@pytest.mark.parametrize(
    ("text", "association"),
    [
        ("target teams distribute parallel for", Association.LOOP),
        ("target", Association.BLOCK),
        ("parallel sections", Association.BLOCK),
        ("ordered", Association.BLOCK),
        ("ordered doacross(source:)", Association.NONE),
        ("declare target", Association.DELIMITED),
        ("declare target(f)", Association.NONE),
        ("declare simd", Association.DECLARATION),
        ("target update to(x)", Association.NONE),
        ("end declare target", Association.END),
    ],
)
def test_association(text: str, association: Association) -> None:
    assert association_of(parse(text)) is association


def test_delimited_directives_have_an_end() -> None:
    assert end_of(parse("declare target")) == "end declare target"
    assert end_of(parse("declare target(f)")) == ""
    for row in LEAVES:
        if row.association is Association.DELIMITED:
            assert LEAF_ROWS[row.end].association is Association.END


def test_find_construct() -> None:
    found = find_construct(["target_data"])
    assert found is not None
    assert found.name == "target data"
    assert find_construct(["declare"]) is None
