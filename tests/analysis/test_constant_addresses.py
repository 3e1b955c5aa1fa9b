"""A constant that holds addresses is the device's where a region follows them, the host's where it keeps one."""

from __future__ import annotations

import re

import pytest

from support import compiled, errors

_SOURCE = """typedef int (*op)(int);
static int twice(int x) {{ return 2 * x; }}
static const op ops[] = {{twice, twice}};
struct S {{ const char *name; const int *at; int n; }};
static const int tab[3] = {{7, 8, 9}};
static const struct S recs[2] = {{{{"r0", tab, 1}}, {{"r1", tab + 1, 2}}}};
static const char *const names[] = {{"alpha", "be", "c"}};
static const char *const best = "best";
void f(const char **out, struct S *got, int *sum, const char *given) {{
  const char *p, *local[2];
#pragma omp target map(tofrom: out[0:3], got[0:2], sum[0:9], given[0:3]) map(from: p) map(tofrom: local)
  {{ const char *q = given; struct S l = got[0]; {code} }}
}}
"""


def repeated(code: str, constant: str) -> bool:
    """Whether a kernel has the definition of a constant."""
    kernel = compiled(_SOURCE.format(code=code)).device
    return re.search(rf"__rex_{constant}\b|\*{constant}\)", kernel[kernel.index("__global__") :]) is None


@pytest.mark.parametrize(
    ("code", "constant"),
    [
        ("out[0] = names[1];", "names"),
        ("p = names[1];", "names"),
        ("local[0] = names[1] + 1;", "names"),
        ("q = names[1]; out[0] = q;", "names"),
        ("l.name = sum[0] ? given : names[0]; out[1] = l.name;", "names"),
        ("sum[0] = names[0] == given;", "names"),
        ("sum[0] = names[0] == given + tab[1];", "names"),
        ("sum[0] = (int)(long)names[0];", "names"),
        ("got[0] = recs[1];", "recs"),
        ("struct S r = recs[0]; got[1].name = r.name;", "recs"),
        ("got[1].at = recs[sum[0]].at;", "recs"),
    ],
)
def test_a_constant_of_which_an_address_is_kept_is_mapped(code: str, constant: str) -> None:
    assert not repeated(code, constant)


@pytest.mark.parametrize(
    ("code", "constant"),
    [
        ("sum[0] = names[1][0];", "names"),
        ("q = names[1]; while (*q++) sum[0]++;", "names"),
        ("if (names[1] != (void *)0 && best) sum[0] = *best;", "names"),
        ("sum[0] = recs[1].n + recs[0].at[2];", "recs"),
        ("l = recs[1]; sum[0] = l.at[0];", "recs"),
        ("sum[0] = recs[0].at == tab || recs[1].at != tab + 1 || recs[1].at == &tab[sum[1]];", "recs"),
        ("struct S *r = got; r->n = recs[1].n;", "recs"),
        ("op g = ops[1]; sum[0] = g(3) + ops[0](4);", "ops"),
        ("struct { op g; } t; t.g = ops[1]; sum[0] = t.g(3);", "ops"),
    ],
)
def test_a_constant_whose_addresses_are_followed_is_repeated(code: str, constant: str) -> None:
    assert repeated(code, constant)


@pytest.mark.parametrize(
    "code", ["out[0] = names[1]; sum[0] = names[0][0];", "l = recs[0]; got[0] = l; sum[0] = *l.at;"]
)
def test_both_at_once_are_refused(code: str) -> None:
    (found,) = errors(_SOURCE.format(code=code))
    assert found.code == "unsupported-capture" and "is kept" in found.message and len(found.notes) == 2
