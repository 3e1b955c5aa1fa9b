"""Loops of a team's sequential code that load in turns."""

from __future__ import annotations

import pytest

import support

LOOP = "for (int i = 0; i < n; i++)"
SUMS = f"{LOOP} {{ total += bins[i]; sums[i] = total; }}"


def device(serial: str, before: str = "") -> str:
    """Return the device text of a team's code with a statement between two of its parallels."""
    source = (
        "static int own(int x) { return x; }\n"
        "void f(const int *a, int *o, int n, int m) {\n"
        "#pragma omp target teams distribute map(to: a[0:n * m]) map(from: o[0:n * m])\n"
        "  for (int r = 0; r < m; r++) {\n"
        "    int bins[256], sums[256], table[8][32], total = 0, k = 3, alone[64];\n"
        f"    {before}\n"
        "#pragma omp parallel for\n"
        "    for (int i = 0; i < 256; i++) bins[i] = sums[i] = table[i / 32][i % 32] = a[r * n + i];\n"
        f"    alone[0] = total;\n    {serial}\n"
        "#pragma omp parallel for\n"
        "    for (int i = 0; i < n; i++) o[r * n + i] = sums[i] + bins[i] + total + k + table[i % 8][3];\n"
        "  }\n}\n"
    )
    found = support.translate_text(source, "a.c", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    return found.device.text


def test_elements_stand_in_front_of_the_iterations() -> None:
    text = device(SUMS)
    loaded = text.index("__rex_ahead_bins[__rex_turn_number] = bins[i];")
    assert text.index("rex_in_turns<int, 8, 1>(0, n, [&]") < loaded
    assert loaded < text.index("total += __rex_ahead_bins[__rex_turn_number]; sums[i] = total;")


@pytest.mark.parametrize(
    "loop, call",
    [
        ("for (int i = n - 1; i >= 0; i--) { total += bins[i]; sums[i] = total; }", "_through<int, 8, -1>(n - 1, 0"),
        (f"{LOOP} {{ const int e = i ^ 1; total += table[k][e] * bins[i]; sums[i] = total; }}", "<int, 8, 1>(0, n"),
        (f"{LOOP} {{ if (bins[i] > 3) total++; sums[i] = total; k = bins[i]; }}", "<int, 8, 1>(0, n"),
    ],
)
def test_forms(loop: str, call: str) -> None:
    assert f"rex_in_turns{call}, [&]" in device(loop)


@pytest.mark.parametrize(
    "loop",
    [
        pytest.param(f"{LOOP} {{ bins[i] += total; total = bins[i]; }}", id="it stores what it loads"),
        pytest.param(f"{LOOP} {{ sums[i] = bins[i] + sums[i]; }}", id="it loads what it stores"),
        pytest.param(f"{LOOP} sums[i] = bins[i] + sums[3];", id="one of what it stores"),
        pytest.param(f"{LOOP} total += bins[i];", id="it stores nothing"),
        pytest.param(f"int *p = bins; {LOOP} {{ p[i + 1] = bins[i]; }}", id="it stores by a pointer"),
        pytest.param(f"int *p = bins; {LOOP} {{ sums[i] = p[i]; }}", id="it loads by a pointer"),
        pytest.param(f"{LOOP} {{ total += a[i]; sums[i] = total; }}", id="it loads mapped memory"),
        pytest.param(f"{LOOP} {{ total += bins[i]; o[i] = total; }}", id="it stores to mapped memory"),
        pytest.param(f"{LOOP} {{ total += alone[i % 64]; sums[i] = total; }}", id="an array of one thread"),
        pytest.param(f"{LOOP} {{ if (k) total += bins[i]; sums[i] = total; }}", id="a condition"),
        pytest.param(f"{LOOP} {{ total += bins[sums[i]]; table[i][0] = total; }}", id="a place that is loaded"),
        pytest.param(f"{LOOP} {{ total += own(bins[i]); sums[i] = total; }}", id="a call"),
        pytest.param(f"{LOOP} {{ if (bins[i]) break; sums[i] = total; }}", id="it may be left"),
        pytest.param("for (int i = 0; i < 9; i++) { total += bins[i]; sums[i] = total; }", id="few iterations"),
        pytest.param(f"\n#pragma omp parallel\n{SUMS}\n", id="in a parallel"),
    ],
)
def test_loops_that_stay(loop: str) -> None:
    assert "rex_in_turns" not in device(loop)
