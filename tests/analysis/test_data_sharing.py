"""Data-sharing attributes of each leaf of a construct, with the section of OpenMP 5.2 that gives them."""

from __future__ import annotations

import pytest
from front_tools import parsed

from rexcc.analysis.data_sharing import data_sharing


def attributes(body: str, name: str = "t.c", before: str = "", depth: int = 0) -> dict[str, dict[str, tuple[str, str]]]:
    """Return sharing and section of the variables of a construct, the first or one nested so deep, by leaf."""
    source = (
        f"int global; static int hidden; int mine;\n{before}\n"
        "void f(int n, int *p) {\n  int a[9], i = 0, j = 0, k = 0, x = 0; static int kept; const int c = n;\n"
        f"{body}\n}}\n"
    )
    found = parsed(source, name)
    assert found.problems == []
    construct = found.constructs[depth]
    table: dict[str, dict[str, tuple[str, str]]] = {leaf: {} for leaf in construct.directive.leaves}
    for item in data_sharing(found.unit, construct):
        assert item.reason.rule
        table[item.leaf][item.variable.name] = (item.sharing.value, item.reason.section)
    return table


def words(body: str, before: str = "", depth: int = 0) -> dict[str, dict[str, str]]:
    found = attributes(body, before=before, depth=depth)
    return {leaf: {name: sharing for name, (sharing, _) in of.items()} for leaf, of in found.items()}


LOOP = "for (int z = 0; z < n; z++) a[z] = x;"


@pytest.mark.parametrize(
    ("clause", "sharing", "section"),
    [
        ("shared(x)", "shared", "5.4.2"),
        ("private(x)", "private", "5.4.3"),
        ("firstprivate(x)", "firstprivate", "5.4.4"),
        ("reduction(+ : x)", "reduction", "5.5.8"),
    ],
)
def test_a_clause_names_it(clause: str, sharing: str, section: str) -> None:
    assert attributes(f"#pragma omp parallel {clause}\nx++;") == {"parallel": {"x": (sharing, section)}}


def test_lastprivate_and_linear() -> None:
    assert words(f"#pragma omp for lastprivate(x) linear(k)\n{LOOP}") == {"for": {"x": "lastprivate", "k": "linear"}}
    both = words(f"#pragma omp for lastprivate(x) firstprivate(x)\n{LOOP}")
    assert both == {"for": {"x": "firstprivate and lastprivate"}}


def test_without_default_parallel_and_teams_share() -> None:
    assert attributes("#pragma omp parallel\na[0] = x + global + kept + *p + c;") == {
        "parallel": dict.fromkeys(("a", "x", "global", "kept", "p", "c"), ("shared", "5.1.1"))
    }
    assert words("#pragma omp target teams\na[0] = x;") == {"target": {}, "teams": {"a": "shared", "x": "shared"}}


def test_default() -> None:
    text = "#pragma omp parallel default({})\na[0] = x + global + kept;"
    shared = dict.fromkeys(("a", "x", "global", "kept"), ("shared", "5.4.1"))
    assert attributes(text.format("shared")) == {"parallel": shared}
    copied = dict.fromkeys(("a", "x", "kept"), ("firstprivate", "5.4.1")) | {"global": ("shared", "5.1.1")}
    assert attributes(text.format("firstprivate")) == {"parallel": copied}
    own = dict.fromkeys(("a", "x", "kept"), ("private", "5.4.1")) | {"global": ("shared", "5.1.1")}
    assert attributes(text.format("private")) == {"parallel": own}
    assert words("#pragma omp parallel default(none) shared(a)\na[0] = x;") == {"parallel": {"a": "shared"}}


def test_iteration_variables_are_predetermined() -> None:
    nest = "for (i = 0; i < n; i++) for (j = 0; j < n; j++) a[i] = j;"
    assert attributes(f"#pragma omp for\n{nest}") == {"for": {"i": ("private", "5.1.1")}}
    assert words(f"#pragma omp for collapse(2)\n{nest}") == {"for": {"i": "private", "j": "private"}}
    assert words(f"#pragma omp simd\n{nest}") == {"simd": {"i": "linear"}}
    assert words(f"#pragma omp simd collapse(2)\n{nest}") == {"simd": {"i": "lastprivate", "j": "lastprivate"}}
    assert words(f"#pragma omp loop bind(thread)\n{nest}") == {"loop": {"i": "lastprivate"}}
    found = words(f"#pragma omp parallel for\n{nest}")
    assert found == {"parallel": {"n": "shared", "j": "shared", "a": "shared"}, "for": {"i": "private"}}


def test_worksharing_leaves_others_as_they_are() -> None:
    for name in ("single", "sections", "masked", "critical"):
        assert words(f"#pragma omp {name}\n{{ x = 1; }}") == {name: {}}


def test_threadprivate() -> None:
    found = attributes("#pragma omp parallel\nmine = global;", before="#pragma omp threadprivate(mine)")
    assert found == {"parallel": {"mine": ("threadprivate", "5.1.1"), "global": ("shared", "5.1.1")}}


def test_orphaned_tasks_copy_what_is_local() -> None:
    found = attributes("#pragma omp task\na[0] = x + global + kept + *p;")
    local = dict.fromkeys(("a", "x", "p"), ("firstprivate", "5.1.1"))
    assert found == {"task": local | {"global": ("shared", "5.1.1"), "kept": ("shared", "5.1.1")}}


def test_tasks_share_what_their_team_shares() -> None:
    text = (
        "#pragma omp parallel private(k)\n{{ int own = 1;\n"
        "#pragma omp single\n#pragma omp task {}\na[0] = x + k + own; }}"
    )
    assert words(text.format(""), depth=2) == {
        "task": {"a": "shared", "x": "shared", "k": "firstprivate", "own": "firstprivate"}
    }
    assert words(text.format("default(shared)"), depth=2)["task"]["own"] == "shared"
    assert words(text.format("shared(own)"), depth=2)["task"]["own"] == "shared"


def test_tasks_in_tasks_share_only_what_was_shared() -> None:
    text = "#pragma omp parallel private(k)\n#pragma omp task {}\n#pragma omp task\na[0] = k;"
    assert words(text.format(""), depth=2) == {"task": {"a": "shared", "k": "firstprivate"}}
    assert words(text.format("shared(k)"), depth=2) == {"task": {"a": "shared", "k": "firstprivate"}}


def test_tasks_of_a_target_region_share_what_is_shared_around_it() -> None:
    text = "#pragma omp target {}\n{{\n#pragma omp task\na[0] = x + p[0]; }}"
    copies = {"a": "firstprivate", "x": "firstprivate", "p": "firstprivate"}
    assert words(text.format(""), depth=1) == {"task": copies}
    assert words(text.format("map(x, a) defaultmap(tofrom : pointer)"), depth=1) == {"task": copies}
    assert words(text.format("map(x)").replace("task", "task shared(x)"), depth=1) == {
        "task": {**copies, "x": "shared"}
    }
    around = "#pragma omp parallel\n" + text.format("map(x) firstprivate(a)")
    assert words(around, depth=2) == {"task": {"a": "firstprivate", "x": "shared", "p": "firstprivate"}}
    own = around.replace("parallel", "parallel private(x)")
    assert words(own, depth=2)["task"]["x"] == "firstprivate"
    parallel = text.replace("target {}", "target parallel {}")
    assert set(words(parallel.format(""), depth=1)["task"].values()) == {"shared"}
    static = "static int s;\n#pragma omp target map(s)\n#pragma omp task\ns = 1;"
    assert words(static, depth=1) == {"task": {"s": "shared"}}


def test_taskloop_combined_with_parallel() -> None:
    found = words(f"#pragma omp parallel masked taskloop\n{LOOP}")
    shared = {"a": "shared", "n": "shared", "x": "shared"}
    assert found == {"parallel": shared, "masked": {}, "taskloop": shared}


def test_what_nested_constructs_privatise_is_not_used_here() -> None:
    inner = "{\n#pragma omp for private(x)\nfor (i = 0; i < n; i++) { x = i; a[i] = x; }\n}"
    assert words(f"#pragma omp parallel\n{inner}") == {"parallel": {"n": "shared", "a": "shared"}}
    needed = inner.replace("private(x)", "lastprivate(x)")
    assert words(f"#pragma omp parallel\n{needed}")["parallel"]["x"] == "shared"
    mapped = "{\n#pragma omp target parallel map(x) private(x)\nx = 1;\n}"
    assert words(f"#pragma omp parallel\n{mapped}")["parallel"] == {"x": "shared"}
    outside = inner.replace("\n}", "\nj = x; }")
    assert words(f"#pragma omp parallel\n{outside}")["parallel"]["x"] == "shared"


def test_sizes_are_no_uses() -> None:
    assert words("#pragma omp parallel\nx = sizeof a + sizeof(j);") == {"parallel": {"x": "shared"}}


def test_clauses_of_combined_constructs_say_where_they_come_from() -> None:
    found = parsed(
        "void f(int n) { int s = 0;\n#pragma omp parallel for lastprivate(s)\nfor (int i = 0; i < n; i++) s = i; }"
    )
    (construct,) = found.constructs
    reasons = {(a.leaf, a.variable.name): a.reason.text for a in data_sharing(found.unit, construct)}
    assert (
        reasons["parallel", "s"] == "explicit: named in 'lastprivate', which makes it shared on 'parallel' (5.2, 5.4.2)"
    )
    assert reasons["for", "s"] == "explicit: named in 'lastprivate' (5.2, 5.4.5)"
    assert reasons["parallel", "n"].startswith("implicit: without 'default'")


@pytest.mark.parametrize(
    ("directive", "name", "sharing", "section"),
    [
        ("target data map(p[0 : n]) use_device_ptr(p)", "p", "use_device_ptr", "5.4.8"),
        ("target data map(a) use_device_addr(a)", "a", "use_device_addr", "5.4.10"),
        ("scope private(x)", "x", "private", "5.4.3"),
        ("scope reduction(+ : x)", "x", "reduction", "5.5.8"),
        ("single firstprivate(x)", "x", "firstprivate", "5.4.4"),
        ("taskgroup task_reduction(+ : x)", "x", "task_reduction", "5.5.9"),
        ("task in_reduction(+ : x)", "x", "in_reduction", "5.5.10"),
        ("parallel copyin(mine)", "mine", "copyin", "5.7.1"),
        ("target firstprivate(x)", "x", "firstprivate", "5.4.4"),
    ],
)
def test_clauses_of_single_constructs(directive: str, name: str, sharing: str, section: str) -> None:
    found = attributes(f"#pragma omp {directive}\n{{ a[0] = x + mine; }}", before="#pragma omp threadprivate(mine)")
    (leaf,) = found.values()
    assert leaf[name] == (sharing, section)
