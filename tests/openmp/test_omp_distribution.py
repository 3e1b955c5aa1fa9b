"""Clauses of combined constructs act on the leaves that the specification says."""

from __future__ import annotations

import pytest
from omp_tools import parse

from rexcc.openmp.distribution import clauses_of_leaf
from rexcc.openmp.tables import CONSTRUCTS, LEAF_ROWS
from rexcc.openmp.unparse import clauses_text

ALL = "target teams distribute parallel for simd"

CASES: list[tuple[str, dict[str, str]]] = [
    ("target teams distribute parallel for num_teams(4) thread_limit(64) num_threads(32) device(1) schedule(static) "
     "dist_schedule(static) map(to: a)",
     {"target": "thread_limit(64) device(1) map(to: a)", "teams": "num_teams(4) thread_limit(64)",
      "distribute": "dist_schedule(static)", "parallel": "num_threads(32)", "for": "schedule(static)"}),
    (f"{ALL} private(x) collapse(2) nowait default(none) shared(s) order(concurrent)",
     {"target": "nowait", "teams": "default(none) shared(s)", "distribute": "collapse(2) order(concurrent)",
      "parallel": "default(none) shared(s)", "for": "collapse(2) order(concurrent)",
      "simd": "private(x) collapse(2) order(concurrent)"}),
    ("for simd nowait safelen(4)", {"for": "nowait", "simd": "safelen(4)"}),
    # if
    (f"{ALL} if(c)", {"target": "if(c)", "teams": "if(c)", "distribute": "", "parallel": "if(c)", "for": "",
                      "simd": "if(c)"}),
    (f"{ALL} if(target: c) if(parallel: d)", {"target": "if(target: c)", "teams": "", "parallel": "if(parallel: d)",
                                              "simd": ""}),
    # firstprivate
    (f"{ALL} firstprivate(x)", {"target": "firstprivate(x)", "teams": "shared(x)", "distribute": "firstprivate(x)",
                                "parallel": "shared(x)", "for": "firstprivate(x)", "simd": ""}),
    ("target teams firstprivate(x, y) map(to: y[0:n])",
     {"target": "firstprivate(x) map(to: y[0:n])", "teams": "firstprivate(x, y)"}),
    ("target parallel loop firstprivate(x)", {"parallel": "firstprivate(x)", "loop": ""}),
    ("target parallel for firstprivate(target: x)", {"target": "firstprivate(target: x)", "parallel": "", "for": ""}),
    ("parallel masked taskloop firstprivate(x)", {"parallel": "shared(x)", "masked": "",
                                                  "taskloop": "firstprivate(x)"}),
    # lastprivate
    (f"{ALL} lastprivate(x)", {"target": "map(tofrom: x)", "teams": "shared(x)", "distribute": "lastprivate(x)",
                               "parallel": "shared(x)", "for": "lastprivate(x)", "simd": "lastprivate(x)"}),
    ("target parallel for firstprivate(x) lastprivate(x)",
     {"target": "map(tofrom: x)", "parallel": "shared(x)", "for": "firstprivate(x) lastprivate(x)"}),
    # reduction
    (f"{ALL} reduction(+: x)", {"target": "map(tofrom: x)", "teams": "reduction(+: x)", "distribute": "",
                                "parallel": "shared(x)", "for": "reduction(+: x)", "simd": "reduction(+: x)"}),
    ("target parallel for reduction(+: x, a[0:n]) map(to: a[0:n])",
     {"target": "map(tofrom: x) map(to: a[0:n])", "parallel": "shared(x, a)", "for": "reduction(+: x, a[0:n])"}),
    ("target parallel reduction(+: x)", {"target": "map(tofrom: x)", "parallel": "reduction(+: x)"}),
    ("target teams loop reduction(+: x)", {"target": "map(tofrom: x)", "teams": "shared(x)",
                                           "loop": "reduction(+: x)"}),
    ("parallel for simd reduction(inscan, +: x)", {"parallel": "shared(x)", "for": "reduction(inscan, +: x)",
                                                   "simd": "reduction(inscan, +: x)"}),
    ("parallel for simd reduction(task, +: x)", {"for": "reduction(task, +: x)", "simd": "reduction(+: x)"}),
    ("taskloop simd in_reduction(+: x)", {"taskloop": "in_reduction(+: x)", "simd": "reduction(+: x)"}),
    # linear
    ("parallel for simd linear(x: 2)", {"parallel": "shared(x)", "for": "firstprivate(x) lastprivate(x)",
                                        "simd": "linear(x: 2)"}),
    ("target parallel for linear(x)", {"target": "map(tofrom: x)", "parallel": "shared(x)", "for": "linear(x)"}),
    # allocate
    ("target parallel for allocate(x, y) private(x) firstprivate(y)",
     {"target": "allocate(y) firstprivate(y)", "parallel": "shared(y)",
      "for": "allocate(x, y) private(x) firstprivate(y)"}),
    # one leaf
    ("target map(a) nowait", {"target": "map(a) nowait"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CASES, ids=[text for text, _ in CASES])
def test_leaves(text: str, expected: dict[str, str]) -> None:
    directive = parse(text)
    assert {leaf: clauses_text(clauses_of_leaf(directive, leaf)) for leaf in expected} == expected


def test_linear_iteration_variable_is_only_lastprivate() -> None:
    directive = parse("parallel for simd linear(i)")
    found = {leaf: clauses_text(clauses_of_leaf(directive, leaf, frozenset(["i"]))) for leaf in directive.leaves}
    assert found == {"parallel": "shared(i)", "for": "lastprivate(i)", "simd": "linear(i)"}


def test_implied_clauses_have_the_place_of_their_cause() -> None:
    directive = parse("target parallel for reduction(+: x)")
    (implied,) = clauses_of_leaf(directive, "target")
    assert implied.span == directive.clauses[0].span


def test_other_leaf_is_refused() -> None:
    with pytest.raises(ValueError, match="no leaf"):
        clauses_of_leaf(parse("target teams"), "parallel")


DATA = {
    "private": "private(x)", "firstprivate": "firstprivate(x)", "lastprivate": "lastprivate(x)", "shared": "shared(x)",
    "linear": "linear(x)", "reduction": "reduction(+: x)", "in_reduction": "in_reduction(+: x)",
    "default": "default(none)", "if": "if(c)", "map": "map(x)", "collapse": "collapse(2)", "nowait": "nowait",
    "order": "order(concurrent)",
}  # fmt: skip
PRIVATIZING = {"private", "firstprivate", "lastprivate", "linear", "reduction", "in_reduction"}
EVERY = [
    (construct.name, clause)
    for construct in CONSTRUCTS.values()
    if len(construct.leaves) > 1
    for clause in DATA
    if clause in construct.clauses
]


@pytest.mark.parametrize("name", dict.fromkeys(name for name, _ in EVERY))
def test_every_combined_construct_gives_its_leaves_only_what_they_permit(name: str) -> None:
    """Rules that hold for all of 17.2, whatever the construct."""
    for clause in (clause for combined, clause in EVERY if combined == name):
        insist_on_rules(name, clause)


def insist_on_rules(name: str, clause: str) -> None:
    directive = parse(f"{name} {DATA[clause]}")
    found = {leaf: [c.name for c in clauses_of_leaf(directive, leaf)] for leaf in directive.leaves}
    for leaf, names in found.items():
        assert set(names) <= set(LEAF_ROWS[leaf].clauses), (leaf, names)
        assert len(names) == len(set(names))
    reached = [leaf for leaf, names in found.items() if names]
    assert reached, f"no leaf gets '{clause}'"
    if clause in PRIVATIZING:
        last = max(i for i, leaf in enumerate(directive.leaves) if found[leaf] and set(found[leaf]) & PRIVATIZING)
        inside = directive.leaves[last:]
        assert clause in found[inside[0]] or {clause, *found[inside[0]]} >= {"in_reduction", "reduction"}
        for leaf in ("parallel", "teams"):
            if leaf in directive.leaves[:last]:
                assert found[leaf] or clause in ("private", "in_reduction"), (
                    f"'{leaf}' leaves x of '{clause}' to 'default'"
                )


def test_private_is_innermost_only() -> None:
    for name, clause in EVERY:
        if clause == "private":
            directive = parse(f"{name} private(x)")
            holders = [leaf for leaf in directive.leaves if clauses_of_leaf(directive, leaf)]
            assert holders == [[leaf for leaf in directive.leaves if "private" in LEAF_ROWS[leaf].clauses][-1]]
