"""Choices between what is compared."""

from __future__ import annotations

import re

import pytest

import support

MACROS = """
#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(a,b) ( (b) > (a) ? (b) : (a) )
#define LEAST(x, y) (x) <= (y) ? (x) : (y)
#define NEGATIVE(x, y) (-((x) < (y) ? (x) : (y)))
#define OF_THREE(x, y, z) ((x) < (y) ? (x) : (y))
#define HALF(x, y) ((x) < (y) ? (x) : (y)) +
#define OTHER(x, y) MIN(x, y)
#define GIVEN(x) (x)
#define FIRST(x) ((x) < p[0] ? (x) : p[0])
"""
TYPES = "struct body { float m; int n; unsigned short s; volatile int v; };\n"


def device(statement: str, name: str = "a.c") -> str:
    source = (
        f"{MACROS}{TYPES}float own(float);\n"
        "void f(const float *a, const float *p, const int *k, const struct body *w, float *o, int n) {\n"
        "#pragma omp target teams distribute parallel for map(to: a[0:n], p[0:n], k[0:n], w[0:n]) map(from: o[0:n])\n"
        f"  for (int i = 0; i < n; i++) {{\n    float x = i; int j = i ^ 1;\n    {statement}\n  }}\n}}\n"
    )
    found = support.translate_text(source, name, arguments=("-w",))
    assert not found.diagnostics and found.device is not None
    text = " ".join(found.device.text[found.device.text.index("float x = i") :].split())
    return re.sub(r"__ldg\((&?)([^()]*)\)", lambda load: load[2] if load[1] else f"*({load[2]})", text)


@pytest.mark.parametrize("name", ["a.c", "a.cpp"])
@pytest.mark.parametrize(
    "choice, want",
    [
        ("a[i] < a[j] ? a[i] : a[j]", "rex_chosen(a[i] < a[j] , a[i] , a[j])"),
        ("(a[i] >= a[j] ? a[j] : (a[i]))", "(rex_chosen(a[i] >= a[j] , a[j] , (a[i])))"),
        ("w[i].m > w[j].m ? w[i].m : w[j].m", "rex_chosen(w[i].m > w[j].m , w[i].m , w[j].m)"),
        ("*(a + i) < a[j] ? *(a + i) : a[j]", "rex_chosen(*(a + i) < a[j] , *(a + i) , a[j])"),
        ("MIN(a[i], a[j])", "rex_first_if_less(a[i], a[j])"),
        ("MAX( a[i],a[j] )", "rex_second_if_less( a[i],a[j] )"),
        ("LEAST(k[i], k[j])", "rex_first_if_at_most(k[i], k[j])"),
        ("MIN(MAX(a[i], a[j]), a[n - i])", "rex_first_if_less(rex_second_if_less(a[i], a[j]), a[n - i])"),
    ],
)
def test_choices_between_elements_are_made_between_values(name: str, choice: str, want: str) -> None:
    assert f" = {want};" in device(f"o[i] = {choice};", name)


@pytest.mark.parametrize(
    "statement",
    [
        "o[i] = x < a[i] ? x : a[i];",  # one operand is a variable
        "o[i] = a[i] < k[i] ? a[i] : k[i];",  # of two types
        "o[i] = w[i].s < w[j].s ? w[i].s : w[j].s;",  # narrower than an int
        "o[i] = w[i].v < w[j].v ? w[i].v : w[j].v;",  # volatile
        "o[i] = a[i] < a[j] ? a[i] : p[j];",  # another element
        "o[i] = a[i] < a[j] ? a[i] + 1 : a[j];",
        "o[i] = a[j++] < a[j++] ? a[j++] : a[j++];",
        "o[i] = k[i] ? a[i] : a[j];",  # nothing is compared
        "o[i] = NEGATIVE(a[i], a[j]);",
        "o[i] = OF_THREE(a[i], a[j], a[i]);",
        "o[i] = HALF(a[i], a[j]) 3;",
        "o[i] = OTHER(a[i], a[j]);",
        "o[i] = GIVEN(MIN(a[i], a[j]));",
        "o[i] = GIVEN(a[i] < a[j] ? a[i] : a[j]);",
        "o[i] = FIRST(a[i]);",
        "\n#pragma omp atomic write\no[i] = a[i] < a[j] ? a[i] : a[j];\n",
        "\n#pragma omp critical\no[0] = o[0] < o[i] ? o[0] : o[i];\n",
    ],
)
def test_others_stay(statement: str) -> None:
    text = device(statement)
    assert "rex_chosen" not in text and "_if_" not in text


def test_choices_of_objects_stay() -> None:
    text = device(
        "const float &m = o[i] < o[j] ? o[i] : o[j]; float *q = &(o[i] < o[j] ? o[i] : o[j]); *q = m;", "a.cpp"
    )
    assert "rex_chosen" not in text


def test_templates_stay() -> None:
    source = (
        "template <class T> void f(const T *a, T *o, int n) {\n"
        "#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: o[0:n])\n"
        "  for (int i = 0; i < n; i++) o[i] = a[i] < a[n - i] ? a[i] : a[n - i];\n}\n"
        "void g(float *a, float *o) { f(a, o, 9); f((int *)a, (int *)o, 9); }\n"
    )
    found = support.translate_text(source, "a.cpp", arguments=("-w",))
    assert found.device is not None and "rex_chosen" not in found.device.text


def test_device_functions_have_values() -> None:
    source = (
        f"{MACROS}#pragma omp declare target\nint least(const int *k, int i) {{ return MIN(k[i], k[i + 1]); }}\n"
        "#pragma omp end declare target\nvoid f(int *k) {\n#pragma omp target map(k[0:9])\nk[0] = least(k, 3);\n}\n"
    )
    found = support.translate_text(source, "a.c", arguments=("-w",))
    assert found.device is not None and "return rex_first_if_less(k[i], k[i + 1]);" in found.device.text
