"""Constructs of a template are found in each of its instantiations, wherever they stand."""

from __future__ import annotations

import pytest

import support

ADD = "\n#pragma omp atomic update\nq[k & 3] += 1;\n"
STATEMENTS = {
    "a lambda that is called": f"[&](int k) {{ {ADD} }}(i);",
    "a generic one": f"[&](auto k) {{ {ADD} }}(i);",
    "one in its body": f"[&](auto j) {{ const auto add = [&](int k) {{ {ADD} }}; add(j); }}(i);",
    "a first declarator": f"int k = i, m = [&](int k) {{ {ADD} return k; }}(i), o = m;",
    "an operand": f"T s = 1 + [&](int k) {{ {ADD} return k; }}(i) * T(2);",
    "an argument": f"use([&](int k) {{ {ADD} return k; }}(i), T(1));",
    "an object's operator": f"object()([&](int k) {{ {ADD} return k; }}(i));",
}


@pytest.mark.parametrize("name", STATEMENTS)
@pytest.mark.parametrize("head", ["template <class T> ", "typedef double T; "])
def test_atomic_updates_stay_atomic(name: str, head: str) -> None:
    text = f"""
struct object {{ int operator()(int n) const {{ return n; }} }};
template <class A, class B> void use(A, B) {{}}
{head}void run(T *q, int n) {{
#pragma omp target teams distribute parallel for map(tofrom: q[0:4])
  for (int i = 0; i < n; ++i) {{ {STATEMENTS[name]} }}
}}
void all(double *q) {{ {"run(q, 9);"} }}
"""
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert found.device is not None, support.rendered(found)
    assert found.device.text.count("rex_atomic_add(") == 1


@pytest.mark.parametrize("parameter", ["int k", "auto k"])
def test_a_lambda_in_parts_of_conditionals_stays_where_it_is(parameter: str) -> None:
    """Its text has ``#else`` and ``#endif`` of a conditional that begins in front of it."""
    text = f"""
template <class F> void each(int n, F f) {{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; ++i) f(i);
}}
void run(double *q, int n) {{
  each(n,
#ifndef OTHER
       [=]({parameter}) {{
#else
       [=](long k) {{
#endif
         q[k] += 1;
       }});
}}
"""
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert {d.code for d in found.diagnostics} == {"unsupported-capture"}, support.rendered(found)


@pytest.mark.parametrize(
    ("declaration", "call"),
    [
        ("template <class T> inline constexpr auto add = [](T *q, int k) { «ADD» };", "add<double>(q, i)"),
        ("template <class T> inline auto add = [](auto *q, int k) { «ADD» };", "add<int>(q, i)"),
        ("template <class T> using adder = decltype([](T *q, int k) { «ADD» });", "adder<double>()(q, i)"),
        ("template <auto F = [](double *q, int k) { «ADD» }> struct D { void go(double *p, int j) { F(p, j); } };",
         "D<>().go(q, i)"),
        ("template <class T> struct S { static constexpr auto put = [](T *q, int k) { «ADD» }; };",
         "S<double>::put(q, i)"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("add", ["\n#pragma omp critical\nq[k & 3] += 1;\n", ADD])
def test_constructs_that_no_function_has_are_refused(declaration: str, call: str, add: str) -> None:
    """Libclang shows no statements of some lambdas: their constructs must not be left out without a word."""
    text = f"""{declaration.replace("«ADD»", add)}
void run(double *q, int n) {{
#pragma omp target teams distribute parallel for map(tofrom: q[0:4])
  for (int i = 0; i < n; ++i) {call};
}}
"""
    found = support.translate_text(text, "t.cpp", arguments=("-w", "-std=c++20"))
    assert {d.code for d in found.diagnostics} <= {"unsupported-construct", "omp-atomic-operand"}
    assert len(found.diagnostics) == 1, support.rendered(found)


def test_packs_do_not_hide_that_a_construct_is_lost() -> None:
    """Of an empty pack's expansion nothing is made; what stands beside it is in each instantiation."""
    text = """
template <class... T> void run(double *q, T... t) {
#pragma omp target parallel map(tofrom: q[0:4])
  {
    ([&] {
#pragma omp critical
      q[0] += t;
    }(), ...);
    [&](int k) {
#pragma omp atomic update
      q[k] += 1;
    }(1);
  }
}
void all(double *q) { run(q), run(q, 1), run(q, 1, 2.0); }
"""
    found = support.translate_text(text, "t.cpp", arguments=("-w", "-std=c++17"))
    assert found.device is not None, support.rendered(found)
    assert found.device.text.count("rex_atomic_add(") == 3
