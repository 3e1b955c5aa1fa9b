"""Loops that divide by several square roots in an iteration ask once whether all numbers are usual."""

from __future__ import annotations

import re

import pytest

import support

LOOP = "for (int k = 0; k < m; k++)"
TWO = "s += a[k] / sqrtf(b[k]); t = a[k] / sqrtf(x * x + b[k]);"

TAKEN = {
    "two": (f"{LOOP} {{ {TWO} }}", "s, t"),
    "of one statement": (f"{LOOP} {{ s += a[k] / sqrtf(b[k]) - x / sqrtf(a[k]); }}", "s"),
    "with locals": (f"{LOOP} {{ float r = 1.0f / sqrtf(b[k]); s += r; s += 2.0f / sqrtf(a[k] + r); }}", "s"),
    "with another number": (f"{LOOP} {{ {TWO} q++; }}", "s, t, q"),
    "under a condition": (f"{LOOP} {{ if (x > 0) s += a[k] / sqrtf(b[k]); t += x / sqrtf(a[k]); }}", "s, t"),
    "of nothing outside": (f"{LOOP} {{ float r = a[k] / sqrtf(b[k]) + x / sqrtf(a[k]); r += 1; }}", ""),
    "in a while": (f"while (q < m) {{ {TWO.replace('k', 'q')} q++; p += q; }}", "s, t, q, p"),
    "a choice": (f"while (q < m) {{ {TWO.replace('k', 'q')} if (s > t) p += x > t ? 1 : 2; q++; }}", "s, t, p, q"),
}
LEFT = {
    "one": f"{LOOP} {{ s += a[k] / sqrtf(b[k]); }}",
    "a store": f"{LOOP} {{ {TWO} o[k] = s; }}",
    "a call": f"{LOOP} {{ {TWO} s += other(o); }}",
    "an array of its own": f"float own[3] = {{0}}; {LOOP} {{ {TWO} own[k % 3] += s; }} s += own[1];",
    "a structure": f"struct Both both = {{0}}; {LOOP} {{ {TWO} both.x += s; }} s += both.x;",
    "an address": f"float *r = &s; {LOOP} {{ {TWO} *r += 1; }}",
    "an address that is known": f"float *r = &s; {LOOP} {{ {TWO} }} *r = 1;",
    "an index": f"{LOOP} {{ float r = a[k] / sqrtf(b[k]); long e = (long)r; s += a[e] / sqrtf(x * b[k]); }}",
    "a chosen index": f"{LOOP} {{ {TWO} int e = k; if (t > s) e = q; s += a[e]; }}",
    "a moved pointer": f"{LOOP} {{ {TWO} p += t > 1; s += *p; }}",
    "a chosen element": f"{LOOP} {{ {TWO} if (t < 1) s += a[k + q]; }}",
    "an element behind a test": f"{LOOP} {{ {TWO} q += t < 1 && a[k + q] > 0; }}",
    "an exit": f"{LOOP} {{ {TWO} if (s > 3) break; }}",
    "a skipped part": f"{LOOP} {{ s += a[k] / sqrtf(b[k]); if (s > 3) continue; t += x / sqrtf(a[k]); }}",
    "a volatile number": f"volatile float v = 0; {LOOP} {{ {TWO} v = v + s; }}",
    "a loop inside": f"{LOOP} {{ {TWO} for (int e = 0; e < 3; e++) s += e; }}",
    "an atomic": f"{LOOP} {{ {TWO}\n#pragma omp atomic\n o[0] += s; }}",
    "no block": f"{LOOP} s += a[k] / sqrtf(b[k]) - x / sqrtf(a[k]);",
}


def kernel(code: str) -> str:
    source = (
        "#include <math.h>\nstruct Both { float x, y; };\nfloat other(float *p) { *p += 1; return *p; }\n"
        "void k(const float *a, const float *b, float *o, int n, int m, float x) {\n"
        "#pragma omp target teams distribute parallel for map(to: a[0:m], b[0:m]) map(tofrom: o[0:n])\n"
        "  for (int i = 0; i < n; i++) {\n    float s = 0, t = i; const float *p = a; int q = 0;\n"
        f"    {code}\n    o[i] = s + t + q + (p - a);\n  }}\n}}\n"
    )
    found = support.translate_text(source, "t.c", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    return found.device.text


@pytest.mark.parametrize("name", TAKEN)
def test_one_test_for_all(name: str) -> None:
    code, changed = TAKEN[name]
    text = kernel(code)
    asked = re.search(r"rex_of_usual_roots\(\[&\]\(REX_ROOTS rex_root\) \{(.*?)\n\s*\}([^;]*)\);", text, re.S)
    assert asked is not None and asked[2].removeprefix(", ") == changed
    assert asked[1].count("/ rex_root(") == 2 and "sqrtf" not in asked[1]


@pytest.mark.parametrize("name", LEFT)
def test_loops_stay(name: str) -> None:
    assert "rex_of_usual_roots" not in kernel(LEFT[name])


@pytest.mark.parametrize("declared", ["float &r = s;", "float &r = own[k % 3];"])
def test_what_references_name_is_kept_by_no_name(declared: str) -> None:
    source = (
        "#include <cmath>\nvoid k(const float *a, const float *b, float *o, int n, int m, float x) {\n"
        "#pragma omp target teams distribute parallel for map(to: a[0:m], b[0:m]) map(tofrom: o[0:n])\n"
        f"  for (int i = 0; i < n; i++) {{\n    float s = 0, t = 0, own[3] = {{0}};\n    {LOOP} {{ {declared} "
        f"{TWO.replace('s +=', 'r +=')} }}\n    o[i] = s + t + own[1];\n  }}\n}}\n"
    )
    found = support.translate_text(source, "t.cpp", arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    assert "rex_of_usual_roots" not in found.device.text


EACH = "for (int k = 0; k < 64; k++)"
ONE = "float4 o = tile[k]; float r = 1.0f / sqrtf(o.x * o.x + x); s += o.y * r;"
IN_TURNS = {
    "a copy": f"{EACH} {{ {ONE} }}",
    "elements": f"{EACH} {{ s += tile[k].y / sqrtf(tile[k].x * x); t++; }}",
    "three": f"{EACH} {{ {ONE} s -= x / sqrtf(r); t -= x / sqrtf(r + 2); }}",
    "four": f"{EACH} {{ {ONE} s -= x / sqrtf(r); s += x / sqrtf(r + 1); t -= x / sqrtf(r + 2); }}",
    "by two": f"for (int k = 63; k > 0; k -= 2) {{ {ONE} }}",
    "up to a number of the run": f"for (int k = 0; k < n; k++) {{ {ONE} }}",
    "in another loop": f"for (int q = 0; q < n; q++) {EACH} {{ {ONE} s += q; }}",
}
NOT_IN_TURNS = {
    "five": f"{EACH} {{ {ONE} s -= x / sqrtf(r) + x / sqrtf(r + 1) + x / sqrtf(r + 2) + x / sqrtf(r + 3); }}",
    "a bound that moves": f"for (int k = 0; k < n; k++) {{ {ONE} n -= s > 3; }}",
    "an index that moves": f"{EACH} {{ {ONE} k += 1; }}",
    "a while": f"int k = 0; while (k < 64) {{ {ONE} k++; }}",
    "a store": f"{EACH} {{ {ONE} own[k] = s; }}",
    "an exit": f"{EACH} {{ {ONE} if (s > 3) break; }}",
    "an element that is found by one": f"{EACH} {{ {ONE} s += tile[(int)r & 63].x; }}",
    "a part of an object": f"float4 all = {{}}; {EACH} {{ {ONE} all.x += s; }} s += all.x;",
    "an object with code": f"{EACH} {{ {ONE} Counted c = counted; s += c.n; }}",
    "a barrier": f"{EACH} {{ {ONE}\n#pragma omp barrier\n }}",
    "an atomic": f"{EACH} {{ {ONE}\n#pragma omp atomic\n a[0].w += 1; }}",
    "a flush": f"{EACH} {{ {ONE}\n#pragma omp flush\n }}",
    "iterations that are dealt out": f"\n#pragma omp for\n{EACH} {{ {ONE} }}",
    "the same with a line that goes on": f"\n#pragma omp for \\\n schedule(static)\n{EACH} {{ {ONE} }}",
    "a user's unroll": f"\n#pragma unroll\n{EACH} {{ {ONE} }}",
}


def team(code: str) -> str:
    """Return the kernel of a team that loads a tile together."""
    source = (
        "#include <cmath>\n#include <omp.h>\nstruct float4 { float x, y, z, w; };\n"
        "struct Counted { int n; Counted(const Counted &o) : n(o.n + 1) {} };\n"
        "void k(float4 *a, float *o, int n, float x, const Counted &counted) {\n"
        "#pragma omp target teams num_teams(8) thread_limit(64) map(tofrom: a[0:512], o[0:512])\n  {\n"
        "    float4 tile[64];\n#pragma omp parallel num_threads(64)\n    {\n"
        "      int at = omp_get_thread_num(); float s = 0, t = 0, own[64];\n      tile[at] = a[at];\n"
        f"#pragma omp barrier\n      {code}\n      o[at] = s + t + own[3];\n    }}\n  }}\n}}\n"
    )
    found = support.translate_text(source, "t.cpp", arguments=("-w",))
    assert not [d for d in found.diagnostics if d.severity.name == "ERROR"] and found.device is not None
    return found.device.text


@pytest.mark.parametrize("name", IN_TURNS)
def test_several_iterations_over_a_tile_have_one_test(name: str) -> None:
    text = team(IN_TURNS[name])
    count = 4 if name in ("three", "four") else 8
    roots = r"rex_of_usual_roots\(\[&\]\(REX_ROOTS rex_root\) \{"
    head = rf"rex_in_turns<int, (\d), [-12]+>\([^;]*\{{\s*(#line[^\n]*\s*)?{roots}"
    found = re.search(head, text)
    assert found is not None and int(found[1]) == count
    assert ", s, t);" in text if name in ("elements", "three", "four") else ", s);" in text


@pytest.mark.parametrize("name", NOT_IN_TURNS)
def test_other_iterations_have_tests_of_their_own(name: str) -> None:
    assert "rex_in_turns" not in team(NOT_IN_TURNS[name])
