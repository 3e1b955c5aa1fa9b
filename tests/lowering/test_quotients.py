"""Divisions by values of the launch: which become multiplications, and what host and kernel do."""

from __future__ import annotations

import pytest

from support import Output, compiled

PARAMETERS = "int *y, int n, int m, short s, unsigned u, long w, int *at"
LOOP = "for (int i = 0; i < n; i++)"


def output(body: str, clauses: str = "", name: str = "t.c") -> Output:
    source = f"int all = 3;\nvoid f({PARAMETERS}) {{\n#pragma omp target teams distribute parallel for {clauses}\n"
    return compiled(f"{source}{LOOP} {body}\n}}\n", name)


def kernel(body: str, clauses: str = "") -> str:
    return output(body, clauses).kernels[0].body


def test_the_host_makes_a_multiplier_and_the_kernel_multiplies() -> None:
    found = output("{ int r = i / m, c = i % m; y[i] = r + c; }")
    text = found.kernels[0].body
    assert " int r = rex_quotient(i, __rex_over_m), c = rex_remainder(i, m, __rex_over_m); " in text
    assert "  const rex_divisor __rex_over_m = rex_unpack<rex_divisor>(__rex_packed_over_m);\n" in text
    assert found.host.count("(void *)(__UINTPTR_TYPE__)rex_divisor_bytes(m)") == 1
    assert "y[i] = r + c;" in found.host and "i / m" in found.host, "the host version divides"


def test_nested_ones_and_expressions() -> None:
    found = output("y[i] = i / m % s + (i + 1) % (m + 3) / (n * m);")
    text = found.kernels[0].body
    assert "rex_remainder(rex_quotient(i, __rex_over_m), s, __rex_over_s)" in text
    assert "rex_quotient(rex_remainder((i + 1), (m + 3), __rex_over_m_plus_3), __rex_over_n_times_m)" in text
    assert (
        "rex_divisor_bytes((__INT64_TYPE__)m + 3)" in found.host
        and "rex_divisor_bytes((__INT64_TYPE__)n * m)" in found.host
    )


@pytest.mark.parametrize(("kind", "calls"), [("int", "rex_divisor_bytes"), ("unsigned", "rex_unsigned_divisor_bytes")])
def test_divisors_that_would_have_one_name_have_one_multiplier_for_one_value(kind: str, calls: str) -> None:
    source = f"""void f(int *y, int n, {kind} m, {kind} m_plus_3) {{
#pragma omp target teams distribute parallel for
for (int i = 0; i < n; i++) y[i] = i / (m + 3) + i / m_plus_3 + i % (m + 3);
}}
"""
    found = compiled(source, "t.c")
    text = found.kernels[0].body
    assert "i / m_plus_3" in text and text.count("_over_m_plus_3)") >= 2
    assert found.host.count(calls) == 1


@pytest.mark.parametrize(
    ("body", "code", "made"),
    [
        pytest.param("i / u", "rex_unsigned_quotient(i, __rex_unsigned_over_u)", "u", id="an int by unsigned"),
        pytest.param(
            "(i + u) % m",
            "rex_unsigned_remainder((i + u), m, __rex_unsigned_over_m)",
            "m",
            id="unsigned by an int",
        ),
        pytest.param(
            "(u + i) / (u * s)",
            "rex_unsigned_quotient((u + i), __rex_unsigned_over_u_times_s)",
            "(__UINT32_TYPE__)u * (__UINT32_TYPE__)s",
            id="a product that wraps",
        ),
    ],
)
def test_unsigned_numbers_have_their_own_functions(body: str, code: str, made: str) -> None:
    found = output(f"y[i] = {body};")
    assert code in found.kernels[0].body
    assert f"rex_unsigned_divisor_bytes({made})" in found.host


def test_both_kinds_of_one_divisor() -> None:
    text = kernel("y[i] = i / m + (i + u) / m;")
    assert "rex_quotient(i, __rex_over_m)" in text
    assert "rex_unsigned_quotient((i + u), __rex_unsigned_over_m)" in text


def test_what_is_divided_may_be_read_in_another_way() -> None:
    text = kernel("y[i] = at[i] % m;", "map(to: at[0:n]) map(from: y[0:n])")
    assert "rex_remainder(__ldg(&at[i]), m, __rex_over_m)" in text


@pytest.mark.parametrize(
    ("body", "clauses"),
    [
        pytest.param("y[i] = i / 7;", "", id="the device's compiler divides by constants"),
        pytest.param("y[i] = i / w;", "", id="64 bits"),
        pytest.param("y[i] = i / 2.5f;", "", id="floating"),
        pytest.param("y[i] = w / m;", "", id="64 bits divided"),
        pytest.param("y[i] = w / u;", "", id="64 bits by unsigned"),
        pytest.param("y[i] = i / (u + w);", "", id="unsigned by 64 bits"),
        pytest.param("y[i] = i / at[0];", "", id="memory"),
        pytest.param("y[i] = i / all;", "map(to : all)", id="perhaps another number on the device"),
        pytest.param("{ m += i; y[i] = i / m; }", "firstprivate(m)", id="a variable that changes"),
        pytest.param("{ int k = m; y[i] = i / k; }", "", id="the iteration's own variable"),
        pytest.param("y[i] = i / (m + i);", "", id="a sum with it"),
        pytest.param("y[i] = sizeof(i / m);", "", id="not evaluated"),
        pytest.param("{ y[i] = i; y[i] /= m; }", "", id="a compound assignment"),
    ],
)
def test_other_divisions_stay(body: str, clauses: str) -> None:
    found = output(body, clauses)
    assert "_quotient" not in found.kernels[0].body and "divisor_bytes" not in found.host


def test_divisions_of_macros_and_lambdas_stay() -> None:
    text = compiled(
        "#define ROW(i) ((i) / m)\nvoid f(int *y, int n, int m) {\n#pragma omp target teams distribute parallel for\n"
        f"{LOOP} {{ auto g = [=](int k) {{ return k % m; }}; y[i] = ROW(i) + g(i); }}\n}}\n",
        "t.cpp",
    )
    assert "rex_quotient" not in text.kernels[0].body and "rex_remainder" not in text.kernels[0].body


def test_instances_of_a_template_have_the_same_arguments() -> None:
    body = "y[i] = i / m + (int)(T(i) / m);"
    source = (
        "template <typename T> void f(int *y, int n, int m) {\n#pragma omp target teams distribute parallel for\n"
        f"{LOOP} {body}\n}}\nvoid g(int *y) {{ f<int>(y, 9, 3); f<long>(y, 9, 3); }}\n"
    )
    found = compiled(source, "t.cpp")
    assert len(found.kernels) == 2
    for instance in found.kernels:
        assert "rex_quotient(i, __rex_over_m) + (int)(T(i) / m)" in instance.body
    assert found.host.count("rex_divisor_bytes(m)") == 1


def test_no_more_arguments_than_a_few() -> None:
    names = [f"k{k}" for k in range(12)]
    parameters = ", ".join(f"int {name}" for name in names)
    terms = " + ".join(f"i / {name}" for name in names)
    source = f"void f(int *y, int n, {parameters}) {{\n#pragma omp target teams distribute parallel for\n"
    text = compiled(f"{source}{LOOP} y[i] = {terms};\n}}\n").kernels[0].body
    assert text.count("rex_quotient(") == 8 and "i / k8" in text
