"""Members of ``*this`` that a region only reads travel without the object."""

from __future__ import annotations

import pytest

import support

LOOP = "#pragma omp target teams distribute parallel for CLAUSES\n    for (int i = 0; i < length; i++) { BODY }"
VALUE = "rex_object_there<int>(__rex_member_address_n, __rex_member_word_n)"


METHOD = "void run(int *v, int length)"


def lowered(body: str, clauses: str = "", method: str = METHOD, more: str = "") -> support.Output:
    """Return what becomes of a loop in a method."""
    loop = LOOP.replace("CLAUSES", clauses).replace("BODY", body)
    return support.compiled(
        f"struct Base {{ int shift; }};\n{more}\n"
        "struct Grid : Base {\n  int n, m, few[4]; float x; double w; volatile int now;\n"
        "  int *p; int bits : 3; Grid *next;\n"
        "  int get() const { return n; }\n"
        f"  {method} {{\n    {loop}\n  }}\n}};\n",
        "a.cpp",
    )


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("v[i] = n;", f" = {VALUE};"),
        ("v[i] = this->n;", f" = {VALUE};"),
        ("v[i] = n + (n > 2 ? 1 : 0);", f" = {VALUE} + ({VALUE} > 2 ? 1 : 0);"),
        ("for (int k = 0; k < n; k++) {\n#pragma omp atomic\n v[v[k] + n] += n; }", f"&v[v[k] + {VALUE}], {VALUE})"),
        ("v[i] = (int)(x * n);", f"rex_object_there<float>(__rex_member_address_x, __rex_member_word_x) * {VALUE}"),
    ],
)
def test_what_is_read_travels_by_value_and_is_looked_up(body: str, expected: str) -> None:
    found = lowered(body)
    device, host = support.on_one_line(found.device), support.on_one_line(found.host)
    assert expected in device, device
    assert "__rex_this" not in device
    assert "sizeof *this" not in host and "rex_host_reads(&this->n);" in host
    assert "(void *)&this->n, rex_pack_word(&this->n, sizeof this->n, 0)" in host
    assert "REX_MAP_LITERAL_PARAM | REX_MAP_LOOKED_UP" in host


@pytest.mark.parametrize(
    "body",
    [
        "v[i] = n; m = 3;",
        "n++;",
        "v[i] = few[i & 3];",
        "v[i] = now;",
        "v[i] = p[i];",
        "v[i] = bits;",
        "v[i] = shift;",
        "v[i] = get();",
        "v[i] = next->n;",
        "const int &k = n; v[i] = k;",
        "v[i] = *(&n);",
        "auto f = [&] { return n; }; v[i] = f();",
        "#pragma omp atomic read\n v[i] = n;",
        "#pragma omp critical\n v[0] += n;",
        "Grid *g = this; v[i] = g->n;",
    ],
)
def test_what_does_more_needs_the_object(body: str) -> None:
    found = lowered(f"\n{body}\n")
    assert "__rex_this" in found.device and "sizeof *this" in found.host
    assert "__rex_member_address" not in found.device


@pytest.mark.parametrize(
    ("clauses", "method", "more"),
    [
        ("nowait", METHOD, ""),
        ("map(to: m)", METHOD, ""),
        ("firstprivate(m)", METHOD, ""),
        ("", "void in() {\n#pragma omp target enter data map(to: this[0:1])\n }\n void run(int *v, int length)", ""),
        ("", "void in() {\n#pragma omp target enter data map(to: n)\n }\n void run(int *v, int length)", ""),
        ("", "template <class T> void run(T *v, int length)", ""),
        ("", METHOD, "#pragma omp requires unified_shared_memory"),
    ],
)
def test_objects_that_may_be_there_otherwise_are_mapped(clauses: str, method: str, more: str) -> None:
    assert "__rex_member_address" not in lowered("v[i] = n + m;", clauses, method, more).device


def test_groups_ask_where_a_member_lies_on_the_device() -> None:
    body = "for (int j = 0; j < m; j++) v[i * m + j] = w;"
    text = support.on_one_line(lowered(body, method="void run(double *v, int length)").device)
    assert "rex_element_there<double>(__rex_member_address_w)" in text
    assert "rex_element(rex_object_there" not in text


def test_short_kernels_have_their_code_with_the_hosts_values_too() -> None:
    text = support.on_one_line(lowered("v[i] = n + m;").device)
    absent, there = "nullptr, __rex_member_word_", "__rex_member_address_n, __rex_member_word_n, "
    assert "if (((__rex_member_address_n != nullptr) | (__rex_member_address_m != nullptr)) == 0) OUT__1__" in text
    assert f"v, {absent}n, {absent}m);" in text and "else OUT__1__" in text
    assert f"v, {there}" in text
    long = " ".join(["v[i] += n;"] * 200)
    assert "nullptr" not in lowered(long).device
