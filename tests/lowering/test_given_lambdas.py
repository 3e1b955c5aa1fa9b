"""Templates that call lambdas which they are given, between kernels that these launch."""

from __future__ import annotations

import pytest

import support

HEAD = """
#include <stdio.h>
double now();
int *somewhere();
static int total;
void step(int n, int by, int *a) {
  #pragma omp target teams distribute parallel for is_device_ptr(a)
  for (int i = 0; i < n; i++) a[i] += by;
}
struct pair { int &to; int value() const { return to; } };
struct box { int n; int value() const { return n; } };
void launch(int n, int *a, pair (&p)[1]) { step(n, p[0].to, a); }
struct owner {
  int n, *a;
  template <class F> double timed(F f) { double t = now(); for (int k = 0; k < 9; k++) f(); return now() - t; }
  double own() { return timed([this] { step(n, 1, a); }); }
};
template <class F> double timed(F f) { double t = now(); for (int k = 0; k < 9; k++) f(); return now() - t; }
template <class F> double referred(const F &f) { double t = now(); for (int k = 0; k < 9; k++) f(); return now() - t; }
template <class F> double numbered(int m, F &&f) {
  double t = now();
  for (int k = 0; k < m; k++) f(k);
  return now() - t;
}
template <class... F> double all(F... f) { double t = now(); for (int k = 0; k < 9; k++) (f(), ...); return now() - t; }
template <class... F> double all_of(F &&...f) {
  double t = now();
  for (int k = 0; k < 9; k++) (f(), ...);
  return now() - t;
}
template <class... O> void each(O *...o) { for (int k = 0; k < 9; k++) (step(o->n, 1, 0), ...); }
template <class T> void with(int *a, T x) { timed([=] { step(x.value(), 1, a); }); }
static auto everywhere = [] { step(9, 1, 0); };
"""
"""Clocks are read in front of the loops and behind them, so a call of these is no part of a run."""

QUEUED = {
    "references to variables": "timed([&] { step(n, n, a); });",
    "copies": "timed([=] { step(n, 2, a); });",
    "what it counts": "timed([&] { step(n, 2, a); n++; total += n; });",
    "two of them": "timed([&] { step(n, 1, a); }); timed([=] { step(n, 2, a); });",
    "a named one": "auto one = [&] { step(n, 1, a); }; timed(one);",
    "one that is given a number": "numbered(n, [&](int k) { step(n, k, a); });",
    "one that is referred to": "referred([&] { step(n, 1, a); });",
    "a value of its own": "timed([m = n + 1, a] { step(m, 1, a); });",
    "a pack": "all([&] { step(n, 1, a); }, [=] { step(n, 2, a); });",
    "one in a template": "with(a, box{n});",
    "a lambda of the file": "timed(everywhere);",
    "an object that is no lambda": (
        "struct caller { int n, *a; void operator()() const { step(n, 1, a); } }; timed(caller{n, a});"
    ),
}
WAITED_FOR = {
    "a reference that leads anywhere": "int &r = *somewhere(); timed([&] { step(n, r, a); });",
    "one that is captured by its name": "int &r = *somewhere(); timed([&r, a] { step(9, r, a); });",
    "one that the lambda declares": "timed([&r = *somewhere(), a] { step(9, r, a); });",
    "a parameter that is one": "timed([&] { step(given, 1, a); });",
    "an object that holds one": "pair p{*somewhere()}; timed([&] { step(n, p.to, a); });",
    "an array of objects that hold one": "pair p[1] = {{*somewhere()}}; timed([&] { step(n, p[0].to, a); });",
    "an array that is copied": "pair p[1] = {{*somewhere()}}; timed([=] { step(n, p[0].to, a); });",
    "a lambda that holds one": "int &r = *somewhere(); auto one = [&r, a] { step(9, r, a); }; timed([&] { one(); });",
    "what a pointer points to": "timed([&] { step(n, *a, a); });",
    "an element": "timed([=] { step(n, a[1], a); });",
    "what others see": 'timed([&] { step(n, 1, a); printf("."); });',
    "a clock": "timed([&] { step(n, 1, a); now(); });",
    "elements of a pack, which have no names to check": "all_of([&] { step(n, 1, a); });",
    "one in another instantiation of a template": "with(a, box{n}); with(a, pair{*somewhere()});",
    "one of two that tells": 'timed([&] { step(n, 1, a); }); timed([&] { step(n, 1, a); printf("."); });',
}


def host(text: str, before: str = "") -> str:
    return support.compiled(f"{HEAD}{before}void f(int n, int *a, int &given) {{ {text} }}\n", "t.cpp").host


@pytest.mark.parametrize("name", QUEUED)
def test_kernels_of_lambdas_with_named_objects_are_queued(name: str) -> None:
    text = host(QUEUED[name])
    assert text.count("rex_batch_begin()") == text.count("rex_batch_end()") == 1
    assert text.count("rex_batch_uses(&f, sizeof f)") == ("numbered" in QUEUED[name] or "referred" in QUEUED[name])


@pytest.mark.parametrize("name", WAITED_FOR)
def test_all_other_lambdas_are_waited_for(name: str) -> None:
    assert "rex_batch" not in host(WAITED_FOR[name])


def test_what_elements_of_a_pack_point_to_has_no_name_to_check() -> None:
    assert "rex_batch_uses" not in host("box b{n}; each(&b);")


LOCAL = """
void first(int n, int *a) {
  struct caller { int n, *a; void operator()() const { step(n, 1, a); } };
  timed(caller{n, a});
}
"""


def test_local_classes_of_one_name_are_apart() -> None:
    second = "struct caller { int &n, *a; void operator()() const { step(n, 1, a); } }; timed(caller{*somewhere(), a});"
    assert "rex_batch" in host("", LOCAL)
    assert "rex_batch" not in host(second, LOCAL)


def test_an_object_around_a_lambda_may_be_anywhere() -> None:
    assert "rex_batch" not in host("owner o{n, a}; o.own();")


def test_an_array_that_a_function_is_given_holds_no_reference() -> None:
    assert "rex_batch" not in host("pair p[1] = {{*somewhere()}}; for (int k = 0; k < 9; k++) launch(n, a, p);")


POINTERS = {"int v[1]": "v[0]", "int v[2][1]": "v[1][0]"}


@pytest.mark.parametrize("declared", POINTERS)
def test_parameters_that_are_declared_as_arrays_are_pointers(declared: str) -> None:
    launch = f"step(n, {POINTERS[declared]}, a);"
    function = f"void read(int n, int *a, {declared}) {{ {launch} }}\n"
    around = f"void around(int n, int *a, {declared}) {{ timed([&] {{ {launch} }}); }}\n"
    loop = f"void loop(int n, int *a, {declared}) {{ for (int k = 0; k < 9; k++) read(n, a, v); }}\n"
    assert "rex_batch" not in host("", around)
    assert "rex_batch" not in host("", function + loop)


def test_arrays_that_parameters_refer_to_are_arrays() -> None:
    function = "void read(int n, int *a, const int (&v)[1]) { step(n, v[0], a); }\n"
    assert "rex_batch" in host("int v[1] = {1}; for (int k = 0; k < 9; k++) read(n, a, v);", function)


NAMED = {
    "implicitly": "auto one = [&] { step(9, p.to, a); };",
    "by a copy": "auto one = [=] { step(9, p.to, a); };",
    "by its name": "auto one = [&p, a] { step(9, p.to, a); };",
}


@pytest.mark.parametrize("name", NAMED)
def test_a_lambda_that_a_loop_calls_holds_no_reference_in_an_object(name: str) -> None:
    assert "rex_batch" not in host(f"pair p{{*somewhere()}}; {NAMED[name]} for (int k = 0; k < 9; k++) one();")


def test_lambdas_of_regions_have_objects_made_for_the_device() -> None:
    """And no copies of the host's bytes, with its pointers, where another lambda has captured them too."""
    text = """
template <class F> void over(int n, F f) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) f(i);
}
void scale(double *p, int n) {
  auto twice = [=](int i) { return 2 * p[i]; };
  auto more = [=](int i) { return twice(i) + 1; };
  over(n, [=](int i) { p[i] = twice(i); });
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++) p[i] = more(i);
}
"""
    host = support.compiled(text, "t.cpp").host
    assert "__rex_there_twice" in host
    assert "__rex_kept_" not in host
