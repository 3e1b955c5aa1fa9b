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
