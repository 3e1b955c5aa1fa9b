"""Optimisations that the user leaves out: each is there by itself, and the text without it is that without it."""

from __future__ import annotations

import pytest

import support
from rexcc.program.optimisations import NAMES, Optimisation, left_out

LOOP = "#pragma omp target teams distribute parallel for"
TEAMS = "#pragma omp target teams distribute"
PROGRAM = f"""
#include <math.h>
struct body {{ float x, y; }};
#pragma omp declare target
static float total(const float *b, int n) {{
  float s = 0;
#pragma omp parallel for reduction(+: s)
  for (int i = 0; i < n; i++) s += b[i];
  return s;
}}
#pragma omp end declare target
void f(float *a, const float *b, double *c, int n, int m, double d, const struct body *p,
       short *near, float *out, int *counts) {{
{LOOP} map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++) a[i] = 2 * b[i] + 1;
{LOOP} map(tofrom: a[0:n]) map(to: b[0:n]) num_teams(8)
  for (int i = 0; i < n; i++) a[i] = b[i] * b[i];
{LOOP} map(tofrom: c[0:n]) collapse(2)
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) c[i * m + j] /= sin(c[i] * 2) + cos(c[i] * 2) / (i % m + 1);
{LOOP} map(tofrom: a[0:n]) map(to: p[0:n]) num_teams(8)
  for (int i = 0; i < n; i++) {{
    float s = 0;
    for (int j = 0; j < m; j++) s += (p[j].x - p[i].x) * (p[j].x - p[i].x) + (p[j].y - p[i].y) * (p[j].y - p[i].y);
    a[i] = s;
  }}
{LOOP} map(from: out[0:n]) map(to: b[0:n*m])
  for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) out[i * m + j] = 2 * b[i * m + j];
{LOOP} map(tofrom: near[0:8*n]) num_teams(8)
  for (int i = 0; i < n; i++) for (int v = 0; v < 8; v++) near[i * 8 + v] = near[i * 8 + v] & 1 ? 0 : 2;
{LOOP} map(from: out[0:n])
  for (int i = 0; i < n; i++) out[i] = exp(i / d);
{LOOP} map(tofrom: out[0:n])
  for (int i = 0; i < n; i++) out[i] = 1.0f / sqrtf(out[i]);
{LOOP} map(tofrom: near[0:8*n])
  for (int i = 0; i < n; i++) {{
    short seen[8];
    for (int k = 0; k < 8; k++) seen[k] = 0;
    for (int k = 0; k < 8; k++) seen[near[k * n + i] & 7]++;
    near[i] = seen[0];
  }}
{LOOP} map(tofrom: near[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++) {{
#pragma omp atomic
    counts[near[i]]++;
  }}
{LOOP} map(from: out[0:n])
  for (int i = 0; i < n; i++) {{
    float s = 0;
    for (int j = 0; j < m; j++) s += expf(j * d);
    out[i] = s;
  }}
{TEAMS} map(tofrom: a[0:n*m])
  for (int i = 0; i < n; i++) {{
#pragma omp parallel for
    for (int j = 0; j < m; j++) a[i * m + j] += 1;
  }}
{TEAMS} map(tofrom: a[0:n*m]) thread_limit(16)
  for (int i = 0; i < n; i++) {{
#pragma omp parallel for
    for (int j = 0; j < counts[i]; j++) a[i * m + j] += 1;
  }}
  int seen = 0;
{LOOP} map(tofrom: seen)
  for (int i = 0; i < n; i++) {{
#pragma omp critical
    seen += i;
  }}
{TEAMS} map(tofrom: a[0:n])
  for (int i = 0; i < n; i++) a[i] = total(b, m);
}}
"""
SIGNS = {
    "elements": "__rex_cached_",
    "hoisting": "__rex_ref_",
    "neighbours": "rex_load_neighbours(",
    "read-only": "__ldg(",
    "restrict": "__restrict__",
    "reciprocals": "__rex_one_over_",
    "sines": "rex_sincos",
    "roots": "rex_root",
    "divisions": "__rex_over_m",
    "tiles": "REX_TILE",
    "bins": "rex_bin_add(",
    "columns": "rex_column<",
    "groups": "__rex_group_member",
    "light-loops": "rex_each(",
    "math-loops": "unroll 8",
    "small-grids": "REX_HAS_SMALL_GRIDS",
    "critical": "rex_atomic_add(&seen",
    "team-functions": "__rex_together_total",
    "warp-teams": "REX_TEAMS_OF_LANES(16)",
    "queues": "rex_batch_begin",
}
"""What is in the generated text where an optimisation was used."""


def text(without: frozenset[Optimisation]) -> str:
    found = support.translate_text(PROGRAM, arguments=("-w",), reciprocals=True, left_out=without)
    assert found.host is not None and found.device is not None, support.rendered(found)
    return found.host.text + found.device.text


def signs(without: frozenset[Optimisation]) -> set[str]:
    made = text(without)
    return {name for name, sign in SIGNS.items() if sign in made}


def test_every_optimisation_is_used() -> None:
    assert signs(frozenset()) == set(SIGNS) == set(NAMES)


def test_nothing_is_used_where_all_are_left_out() -> None:
    assert signs(left_out(["0"])) == set()


@pytest.mark.parametrize("name", NAMES)
def test_each_is_left_out_by_its_name(name: str) -> None:
    """What others do then is their business: they may do more."""
    assert name not in signs(left_out([f"no-{name}"]))


@pytest.mark.parametrize("name", NAMES)
def test_each_is_used_alone(name: str) -> None:
    assert signs(left_out(["0", name])) <= {name}


def test_values_count_in_their_order() -> None:
    assert left_out(["0", "tiles"]) == set(Optimisation) - {Optimisation.TILES}
    assert left_out(["no-tiles", "no-groups", "tiles"]) == {Optimisation.GROUPS}
    assert left_out(["0", "all"]) == set()
    with pytest.raises(ValueError, match=r"^no-such$"):
        left_out(["no-such"])
