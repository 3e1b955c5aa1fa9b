"""The order in which threads number a nest that reduces: by the index of contiguous accesses, or in strips.

Texts of kernels are looked at; ``execution/programs/transposed.c`` runs.
"""

from __future__ import annotations

import pytest

import support
from rexcc.program.optimisations import left_out

PARAMETERS = "float *b, const float *a, const float *x, const int *k, float (*s)[500], int n, int m"
LISTED = "map(to : a[0:n*m], x[0:n], k[0:n]) map(tofrom : b[0:n*m], s[0:500])"
HEAD = "float beyond(float);\nint omp_get_team_num(void);\n"
NEST = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++)"
BOTH = "v += a[i * m + j] * b[j * n + i];"

AS_WRITTEN, COLUMNS, STRIPS = "as written", "in columns", "in strips"


def source_of(body: str, loops: str, clauses: str) -> str:
    """Return a file with a nest whose sum is ``v``."""
    return (
        f"{HEAD}float f({PARAMETERS}) {{\nfloat v = 0;\n"
        f"#pragma omp target teams distribute parallel for reduction(+ : v) {clauses} {LISTED}\n"
        f"{loops} {body}\nreturn v;\n}}\n"
    )


def order(body: str, loops: str = NEST, clauses: str = "collapse(2)") -> tuple[str, str]:
    """Return how a nest is numbered, and its kernel."""
    found = support.translate_text(source_of(body, loops, clauses), "t.c", remarks=True)
    assert found.device is not None, support.rendered(found)
    told = " ".join(note.message for d in found.diagnostics if d.code == "rex-loop" for note in d.notes)
    if "rex_in_strip(" in found.device.text:
        assert told.endswith("threads go along both in strips")
        assert not [d for d in found.diagnostics if d.code == "rex-access"]
        return STRIPS, found.device.text
    return (COLUMNS if "neighbouring threads differ in" in told else AS_WRITTEN), found.device.text


@pytest.mark.parametrize(
    "body",
    [
        BOTH,
        "{ const int at = i + j * n; v += a[i * m + j]; v -= a[at]; }",
        "{ if (a[i * m + j] > 2) continue; v += s[j][i]; }",
        "{ v += a[i * m + j] + a[j * n + i] * x[i] + x[j]; b[j * n + i] = 1; }",
        "{ float w = 0; for (int l = 0; l < 3; l++) w += x[l]; v += w * a[i * m + j] - a[j * n + i]; }",
    ],
)
def test_accesses_that_are_contiguous_in_two_indices_are_in_strips(body: str) -> None:
    assert order(body)[0] == STRIPS


def test_the_numbers_of_strips_are_taken_apart_before_the_users_statement() -> None:
    _, text = order(BOTH)
    lines = [
        "const int __rex_strip_bits = rex_strip_bits(__rex_trips_j);",
        "const long long __rex_strips = rex_strips(__rex_trips_j, __rex_strip_bits);",
        "const long long __rex_trips = __rex_trips_i * __rex_strips << __rex_strip_bits;",
        "__rex_j = rex_in_strip(__rex_iteration, __rex_strip_bits);",
        "rex_divmod(__rex_iteration >> __rex_strip_bits, __rex_trips_i, __rex_by_i, &__rex_strip_number, &__rex_i);",
        "__rex_j += __rex_strip_number << __rex_strip_bits;",
        "if (__rex_j >= __rex_trips_j) continue;",
        "int i = (int)__rex_i;",
        "int j = (int)__rex_j;",
        "v += ",
    ]
    places = [text.index(line) for line in lines]
    assert places == sorted(places)


def test_strips_of_three_loops_are_numbered_below_the_outer_one() -> None:
    how, text = order(BOTH, "for (int l = 0; l < m; l++) " + NEST, "collapse(3)")
    assert how == STRIPS
    assert "__rex_trips_l * __rex_trips_i * __rex_strips << __rex_strip_bits;" in text
    assert "rex_divmod(__rex_above_i, __rex_strips, __rex_by_j, &__rex_above_j, &__rex_strip_number);" in text
    assert "int l = (int)__rex_above_j;" in text


@pytest.mark.parametrize("body", ["v += a[j * n + i];", "v += s[j][i] * x[i];", "{ if (a[j * n + i] > 0) v += 1; }"])
def test_accesses_that_are_all_contiguous_in_the_outer_index_have_it_numbered_fastest(body: str) -> None:
    how, text = order(body)
    assert how == COLUMNS
    assert "rex_divmod(__rex_iteration, __rex_trips_i, __rex_by_i, &__rex_above_i, &__rex_i);" in text
    assert "int i = (int)__rex_i;" in text and "int j = (int)__rex_above_i;" in text
    assert "by_j" not in text


@pytest.mark.parametrize(
    ("body", "loops", "clauses"),
    [
        ("v += a[i * m + j];", NEST, "collapse(2)"),
        ("v += a[i * m + j] * x[j] + x[i];", NEST, "collapse(2)"),
        ("v += a[k[i] * m + j] * b[j * n + i];", NEST, "collapse(2)"),
        (BOTH, NEST, "collapse(2) schedule(static, 4)"),
        (BOTH, NEST, "collapse(2) dist_schedule(static, 4)"),
        (BOTH, NEST, "collapse(2) num_teams(8)"),
        (BOTH, NEST, "collapse(2) lastprivate(m)"),
        ("v += a[i * m + j] * b[j * n + i] + omp_get_team_num();", NEST, "collapse(2)"),
        ("{ v += b[j * n + i];\n#pragma omp atomic\nb[i * m + j] += 1; }", NEST, "collapse(2)"),
        (BOTH, NEST, ""),
        (BOTH, "for (int i = 0; i < n; i++) for (int j = 0; j < i; j++)", "collapse(2)"),
        (BOTH + " }", "for (int i = 0; i < n; i++) { int e = i; for (int j = 0; j < m; j++)", "collapse(2)"),
    ],
)
def test_other_nests_stay_as_they_are_written(body: str, loops: str, clauses: str) -> None:
    assert order(body, loops, clauses)[0] == AS_WRITTEN


def test_without_tiles_the_order_is_the_written_one() -> None:
    found = support.translate_text(source_of(BOTH, NEST, "collapse(2)"), "t.c", left_out=left_out(["no-tiles"]))
    assert found.device is not None and "rex_in_strip(" not in found.device.text
