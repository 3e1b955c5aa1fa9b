"""Pointers to memory that no result of a region can be: local objects of classes whose address nobody has."""

from __future__ import annotations

import pytest

from support import compiled

TOP = """
struct S { int n; double x; void add(double v) { n++; x += v; } void join(const S &o) { n += o.n; x += o.x; } };
struct Told { int n; Told(); void add(double v) { n++; } };
struct Linked { int n; Linked *self; Linked() { self = this; } void add(double v) { n++; } };
static S *kept;
static void keep(S &s) { kept = &s; }
static void join(S &o, const S &i) { o.join(i); }
static void join_and_keep(S &o, const S &i) { kept = &o; o.join(i); }
static S make() { S s{}; kept = &s; return s; }
#pragma omp declare reduction(by_method : S : omp_out.join(omp_in)) initializer(omp_priv = S{0, 0})
"""
LOOP = "#pragma omp target teams distribute parallel for"


def is_restrict(code: str, top: str = TOP) -> bool:
    return (
        "__restrict__ v" in compiled(f"{top}void f(const double *v, int n, S given) {{\n{code}\n}}\n", "t.cpp").device
    )


REDUCED = f"{LOOP} reduction(by_method : s)\nfor (int i = 0; i < n; i++) s.add(v[i]);"
MAPPED = "#pragma omp target map(tofrom : s)\nfor (int i = 0; i < n; i++) s.add(v[i]);"


@pytest.mark.parametrize("region", [REDUCED, MAPPED])
@pytest.mark.parametrize(
    ("before", "proved"),
    [
        ("S s{};", True), ("S s{}; s.x = v[1];", True), ("S s{}; s.add(2); s = S{1, 2};", True), ("S s = given;", True),
        ("S s{}; S *p = &s; p->n = 1;", False), ("S s{}; keep(s);", False), ("S &s = given;", False),
        ("static S s;", False), ("S s = make();", False), ("S s{}; double *p = &s.x;", False),
        ("S s{}; v = &s.x;", False), ("S s{}; auto &[a, b] = s;", False),
    ],
)  # fmt: skip
def test_pointers_lead_to_no_local_object_of_which_nobody_has_the_address(
    region: str, before: str, proved: bool
) -> None:
    assert is_restrict(f"{before}\n{region}") is proved


def test_uses_behind_the_region_count() -> None:
    assert is_restrict(f"S s{{}};\n{REDUCED}\nv += s.n;")
    assert not is_restrict(f"S s{{}};\n{REDUCED}\nkeep(s);")


@pytest.mark.parametrize("kind", ["Told", "Linked"])
def test_what_constructors_do_counts(kind: str) -> None:
    code = f"{kind} s;\n#pragma omp target map(tofrom : s)\nfor (int i = 0; i < n; i++) s.add(v[i]);"
    assert is_restrict(code) is False


@pytest.mark.parametrize(
    ("combiner", "proved"), [("join(omp_out, omp_in)", True), ("join_and_keep(omp_out, omp_in)", False)]
)
def test_what_combiners_do_counts(combiner: str, proved: bool) -> None:
    declared = f"#pragma omp declare reduction(by_function : S : {combiner}) initializer(omp_priv = S{{0, 0}})\n"
    code = f"S s{{}};\n{REDUCED.replace('by_method', 'by_function')}"
    assert is_restrict(code, TOP + declared) is proved


@pytest.mark.parametrize("clause", ["", "map(to : p)", "firstprivate(p)"])
@pytest.mark.parametrize("to", ["double *to", "double *__restrict__ to"])
def test_objects_whose_value_travels_are_no_memory_of_the_device(clause: str, to: str) -> None:
    """Each thread has such an object in registers, where the read-only cache would find something else."""
    top = "struct P { int w, h; double s; };\n"
    loops = "for (int i = 0; i < p.w; i++) for (int j = 0; j < p.h; j++)"
    code = f"{top}void f({to}, const double *__restrict__ v, int n, P p) {{\n{LOOP} collapse(2) {clause}\n{loops} "
    found = compiled(
        f"{code}{{ if (v[i] > 2) {{ double a[2] = {{v[j], 1}}; to[i * p.w + j] = a[n] * p.s; }} }}\n}}\n", "t.cpp"
    )
    assert "rex_unpack_object" in found.device and "__ldg(&p" not in found.device
