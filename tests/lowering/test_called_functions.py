"""Which functions of classes, templates and headers may be called between kernels that are queued."""

from __future__ import annotations

import functools
import re

import pytest

import support

HEAD = """
#include <complex>
#include <mutex>
#include <string>
#include <utility>
void elsewhere();
extern int *of_all, &named_elsewhere;
namespace lib {
template <class T> struct pair {
  T first, second;
  pair(const T &a, const T &b) : first(a), second(b) {}
  pair(pair const &) = default;
  ~pair() = default;
  const T &last() const { return second; }
};
template <class T> struct held { T &to; explicit held(T &t) : to(t) {} T &get() const { return to; } };
template <int I, class T> struct cell {
  T value;
  cell() : value() {}
  template <class U> cell(U &&u) : value(std::forward<U>(u)) {}
};
template <int I, class T> struct slot { T value; slot() : value() {} };
template <class... T> struct row;
template <class A, class B> struct row<A, B> : cell<0, A>, cell<1, B> {
  row() = default;
  template <class U, class V> row(U &&u, V &&v) : cell<0, A>(std::forward<U>(u)), cell<1, B>(std::forward<V>(v)) {}
  A &one() { return this->cell<0, A>::value; }
};
struct place {
  int *at;
  explicit place(int *p) : at(p) {}
  bool operator!=(const place &o) const { return at != o.at; }
  place &operator++() { at = at + *at; return *this; }
  int &operator*() const { return *at; }
};
struct plugin { virtual void tell(int); virtual ~plugin(); plugin *next; };
struct list {
  static plugin *head;
  static plugin *first() { return head; }
};
static inline void tell_all(int k) {
  for (plugin *p = list::first(); p != nullptr; p = p->next) {
    p->tell(k);
  }
}
struct device {
  int number;
  static int ask(int n) {
    static std::mutex lock;
    if (n < 0) {
      lock.lock();
      n = 0;
      lock.unlock();
    }
    return n;
  }
  device(int n = -1) : number(ask(n)) {}
  static device usual() { static device d; return d; }
};
template <class F> void launch(device d, const pair<int> &range, F f) {
  int from = range.first, to = range.last();
  #pragma omp target teams distribute parallel for device(d.number)
  for (int i = from; i < to; i++) f(i);
}
template <class Range, class F> pair<int> forall(Range &&range, F &&f) {
  device d = device::usual();
  tell_all(1);
  launch(d, std::forward<Range>(range), std::forward<F>(f));
  tell_all(2);
  return pair<int>{range};
}
}
struct view {
  int *at;
  view(int *p) : at(p) {}
  view(view &&) = default;
  view(view const &) = default;
  template <class T> view(T *p, int) : at(p) {}
};
struct chosen_view {
  int by, *at;
  chosen_view() = default;
  template <class T> chosen_view(T &&t) : by(*t.at), at(t.at) {}
};
struct same { int by, to[2]; same(int b) : by(b), to{b} {} same(const same &o) : by(o.by), to{o.to[0], o.to[1]} {} };
struct given { int *at, by; explicit given(int *p) : at(p), by(1) {} given(const given &o) : at(o.at), by(o.by) {} };
struct reading { int *at, by; reading(int *p) : at(p), by(1) {} reading(const reading &o) : at(o.at), by(*o.at) {} };
struct counted { int by; counted(int b) : by(b) {} counted(const counted &o) : by(o.by) { elsewhere(); } };
struct ended { int by; ~ended() { elsewhere(); } };
struct moved { int by; moved(int b) : by(b) {} moved &operator=(const moved &) { elsewhere(); return *this; } };
struct part { int by = lib::device(3).number; };
struct settable { int by; settable &operator=(int k) { by = k; return *this; } };
struct speaking { int by; speaking &operator=(int k) { elsewhere(); by = k; return *this; } };
struct told { int by; told() : by(1) { elsewhere(); } };
template <class T> struct has : lib::slot<0, T> { int more; has() : more(2) {} };
struct has_told : has<told> {};
struct over { virtual int count() const { return 2; } };
template <class T> T twice(const T &t) { return t + t; }
template <class T> const T &of(const T &t) { return t; }
static inline int through(const int *p) { return *p; }
static inline int element(const int *p) { return p[1]; }
static inline int deeper(const lib::pair<int *> &p) { return *p.first; }
static inline int far(const lib::held<int> &h) { return h.get(); }
static inline int global() { return *of_all; }
static inline int by_reference() { return named_elsewhere; }
static inline int watched(const volatile int &n) { return n; }
static inline int speaks(int n) { elsewhere(); return n; }
static inline int thrown(int n) { if (n > 5) throw n; return n; }
static inline int halved(_Float16 h) { return h > 1 ? 2 : 1; }
static inline int called(int (*f)(int), int n) { return f(n); }
template <class F> static int value(F f) { return f(); }
static int element_of(int n) { return n; }
static inline int defaulted(int n, int by = speaks(1)) { return n + by; }
static inline int quietly(int n, int by = twice(1)) { return n + by; }
static inline int allocated(int n) { int *p = new int(n); delete p; return n; }
static inline int text(int n) { std::string s(n, 'a'); return n; }
static inline int kept(int n) { if (n > 3) { std::string s(n, 'a'); elsewhere(); } return n; }
static inline int assembler(int n) { asm volatile("" ::: "memory"); return n; }
static inline int once(int n) { static int first = speaks(n); return first; }
static inline int depth(int n) { return n > 0 ? depth(n - 1) : 0; }
inline int shared(int n) { if (n > 3) { elsewhere(); } return n; }
__attribute__((noinline)) inline int apart(int n) { if (n > 3) { elsewhere(); } return n; }
static inline int chosen(int n) {
  switch (n) { case 1: n++; elsewhere(); n++; case 2: n--; default: break; }
  return n;
}
static inline int kind(int n) {
  if (n > 3) switch (n) { case 1: elsewhere(); case 2: n--; default: break; }
  return n;
}
static constexpr int constant(int n) { if (n < 0) { elsewhere(); } return n; }
static inline int jumped(int n) { if (n > 3) { elsewhere(); goto out; } n++; out: return n; }
"""
FUNCTION = """
void f{number}(int *a, int n, int &limit) {{
  lib::pair<int> range(0, n);
  lib::held<int> far_away(limit);
  over *most = nullptr; over own;
  int (*some)(int) = element_of;
  auto reads = [&limit] {{ return limit; }};
  auto counts = [&] {{ return ++n; }};
  #pragma omp target data map(tofrom: a[0:n])
  for (int k = 0; k < 9; k++) {{
    lib::forall(lib::pair<int>(0, n), [=](int i) {{ a[i] += k; }});
    {body}
  }}
}}
"""


@functools.cache
def functions(*bodies: str) -> dict[str, str]:
    """Return by each body what a host file has for a loop with a launch and it; "before" is how the file begins."""
    loops = (FUNCTION.format(number=number, body=body) for number, body in enumerate(bodies))
    found = support.translate_text(HEAD + "".join(loops), "t.cpp", alone=True)
    assert found.host is not None, support.rendered(found)
    texts = re.split(r"^void f\d+\(", found.host.text, flags=re.MULTILINE)
    return dict(zip(("before", *bodies), texts, strict=True))


QUIET = {
    "nothing": "",
    "a function of a template": "n = twice(k) - k;",
    "a reference that is returned": "n = of(n);",
    "objects": "lib::pair<int> p(k, n); n = p.last();",
    "an object that is outside": "n = range.last();",
    "bases that depend on parameters": "lib::row<int, long> r(k, 2L), s; n = r.one() + s.one();",
    "an object with a reference made here": "n = lib::held<int>(n).get();",
    "a default argument": "n = quietly(n);",
    "a lambda with objects": "view v(a); lib::forall(range, [=](int i) { v.at[i] += k; });",
    "a lambda with objects that copy their members": "given g(a); lib::forall(range, [=](int i) { g.at[i] += g.by; });",
    "an object that copies its members": "given g(a); given h = g; n = h.by;",
    "what seldom sees": "n = shared(n);",
    "what seldom sees, in a lambda": "n = value([&] { return shared(n); });",
    "what seldom makes objects with an end": "n = kept(n);",
    "a case of what seldom happens": "n = kind(n);",
    "what is seldom thrown": "n = thrown(n);",
    "a variable that is made once": "n = once(n);",
    "an iterator of which nothing is read": "n = lib::place(a) != lib::place(a + k);",
    "a number that libclang's binding does not know": "n = halved(n);",
    "a function that is given": "n = called(element_of, n);",
    "a lambda": "n = value([&] { return n + k; });",
    "a lambda that is outside": "n = value(counts) + counts();",
    "a virtual function of which there is none": "n = own.over::count();",
    "numbers of the library": "std::complex<float> c = std::polar(1.0f, 2.0f), d(k); d *= c; n = (int)(c + d).real();",
    "a number that is assigned": "settable s = {n}; s = k; settable t = s; t = s; n = t.by;",
}
LOUD = {
    "reads through a pointer": "n = through(a);",
    "reads an element": "n = element(a);",
    "reads through a member": "n = deeper(lib::pair<int *>(a, a));",
    "reads through a reference that is outside": "n = far_away.get();",
    "gives a reference that is outside": "n = far(far_away);",
    "reads a reference of its caller's": "n = of(limit);",
    "reads through a pointer of all": "n = global();",
    "reads a reference of all": "n = by_reference();",
    "reads what is volatile": "volatile int v = k; n = watched(v);",
    "calls elsewhere in a case": "n = chosen(n);",
    "calls elsewhere": "n = speaks(n);",
    "calls what is elsewhere": "elsewhere();",
    "calls through a pointer": "n = called(some, n);",
    "calls what sees": "n = called(speaks, n);",
    "reads what a lambda refers to": "n = value([&] { return limit; });",
    "copies what a lambda refers to": "n = value([=] { return limit; });",
    "reads what a lambda that is outside refers to": "n = value(reads);",
    "reads an element in a lambda": "n = value([=] { return a[1]; });",
    "calls elsewhere in a lambda, but seldom": "n = value([&] { if (n > 3) { elsewhere(); } return n; });",
    "calls elsewhere in a lambda": "n = value([=] { return speaks(n); });",
    "has a default argument that sees": "n = defaulted(n);",
    "allocates": "n = allocated(n);",
    "makes a text": "n = text(n);",
    "has assembler": "n = assembler(n);",
    "calls itself": "n = depth(n);",
    "must not be a part of its caller": "n = apart(n);",
    "is a constant and waits": "n = constant(n);",
    "is jumped out of": "n = jumped(n);",
    "assigns a number and sees": "speaking s = {n}; s = k; n = s.by;",
    "copies an object into a lambda": "chosen_view v{}; lib::forall(range, [=](int i) { a[i] += v.by; });",
    "copies what it reads": "reading g(a); reading h = g; n = h.by;",
    "copies the elements of a member": "same c(k); same d = c; n = d.by;",
    "copies": "counted c(k); counted d = c; n = d.by;",
    "ends": "ended e = {k}; n = e.by;",
    "assigns": "moved m(k); m = moved(2); n = m.by;",
    "begins a member": "part p; n = p.by;",
    "begins a base": "has_told h; n = h.more;",
    "steps by what is read": "lib::place p(a); ++p;",
    "reads where an iterator is": "n = *lib::place(a);",
    "calls a virtual function": "n = most->count();",
    "calls a virtual function of an object": "over &o = own; n = o.count();",
}


@pytest.mark.parametrize("body", QUIET.values(), ids=QUIET.keys())
def test_functions_that_see_nothing_are_called_between_queued_kernels(body: str) -> None:
    text = functions(*QUIET.values())[body]
    assert text.count("rex_batch_begin()") == text.count("rex_batch_end()") == 1
    assert text.count("rex_batch_resume(") == text.count("rex_batch_depth()") + text.count("= rex_batch_pause()")


def test_each_pause_of_a_queue_ends() -> None:
    text = "".join(functions(*QUIET.values()).values())
    assert text.count("= rex_batch_pause()") > 3
    assert text.count("rex_batch_resume(") == text.count("rex_batch_depth()") + text.count("= rex_batch_pause()")


@pytest.mark.parametrize("body", LOUD.values(), ids=LOUD.keys())
def test_functions_that_may_see_kernels_end_the_queue(body: str) -> None:
    text = functions(*LOUD.values())[body]
    begin, end = text.find("rex_batch_begin()"), text.find("rex_batch_end()")
    assert begin < 0 or end < text.find(body.partition(" ")[0], begin)


APART = {
    "calls itself where it waits": "inline int f(int n) { if (n > 3) { elsewhere(); f(n - 1); } return n; }",
    "is called by what it calls": """inline int f(int n);
        inline int back(int n) { return n > 4 ? f(n - 1) : n; }
        inline int f(int n) { if (n > 3) { elsewhere(); back(n); } return n; }""",
    "is called by a virtual function that it calls": """inline int f(int n);
        struct table { virtual void back(int n) { if (n > 4) { f(n - 1); } } };
        extern table of_all;
        inline int f(int n) { if (n > 3) { of_all.back(n); } return n; }""",
    "has been asked to be a part, and calls itself":
        "__attribute__((always_inline)) inline int f(int n) { if (n > 3) { elsewhere(); f(n - 1); } return n; }",
    "stands in the library": """
#include <memory>
        struct pool {
          typedef int value_type;
          int *allocate(std::size_t) { return nullptr; }
          void deallocate(int *, std::size_t n) { if (n > 3) { elsewhere(); } }
        };
        inline int f(int n) { pool p; std::allocator_traits<pool>::deallocate(p, nullptr, n); return n; }""",
    "returns twice": """extern jmp_buf back;
        inline int f(int n) { if (n > 3) { if (!setjmp(back)) elsewhere(); } return n; }""",
    "returns twice by attribute": """extern "C" int again() __attribute__((returns_twice));
        inline int f(int n) { if (n > 3) { if (!again()) elsewhere(); } return n; }""",
    "has memory of its frame": "inline int f(int n) { if (n > 3) { *(char *)alloca(n) = 1; elsewhere(); } return n; }",
    "asks who calls": "inline int f(int n) { if (n > 3) { if (__builtin_return_address(0)) elsewhere(); } return n; }",
    "is for another processor":
        "__attribute__((target(\"avx2\"))) inline int f(int n) { if (n > 3) { elsewhere(); } return n; }",
    "is for another processor as others are": """
        #pragma GCC target("avx2")
        inline int f(int n) { if (n > 3) { elsewhere(); } return n; }""",
    "stays whole": "__attribute__((noipa)) inline int f(int n) { if (n > 3) { elsewhere(); } return n; }",
    "is checked otherwise": """
        __attribute__((no_sanitize("address"))) inline int f(int n) { if (n > 3) { elsewhere(); } return n; }""",
}  # fmt: skip
INSIDE = {
    "a function": "inline int f(int n) { if (n > 3) { elsewhere(); } return n; }",
    "a template": "template <class T> T f(T n) { if (n > 3) { elsewhere(); } return n; }",
    "what is seldom executed": "__attribute__((cold)) inline int f(int n) { if (n > 3) { elsewhere(); } return n; }",
    "a result that must be used": "[[nodiscard]] inline int f(int n) { if (n > 3) { elsewhere(); } return n; }",
    "a template that calls another of its own": """template <int D> inline int g(int n) { return n + D; }
        template <int D> inline int g_of(int n) { if (n > 3) { elsewhere(); g<D - 1>(n); } return n; }
        inline int f(int n) { return g_of<2>(n); }""",
    "an address that is taken":
        "inline int f(int n) { if (n > 3) { elsewhere(); } return n; } int (*of_f)(int) = f;",
}  # fmt: skip


def calling(functions: str) -> str:
    """Return the host file of a loop that calls ``f``."""
    text = f"""
        #include <alloca.h>
        #include <setjmp.h>
        void elsewhere();
        {functions}
        void g(int *a, int n) {{
          int s = 0;
          #pragma omp target data map(tofrom: a[0:n])
          for (int k = 0; k < 9; k++) {{
            #pragma omp target teams distribute parallel for
            for (int i = 0; i < n; i++) a[i] += k;
            s += f(k);
          }}
        }}"""
    found = support.translate_text(text, "t.cpp", alone=True)
    assert found.host is not None, support.rendered(found)
    return found.host.text


@pytest.mark.parametrize("functions", APART.values(), ids=APART.keys())
def test_functions_that_cannot_be_a_part_of_their_callers_end_the_queue(functions: str) -> None:
    text = calling(functions)
    assert "rex_batch_pause" not in text
    assert "__always_inline__" not in text


@pytest.mark.parametrize("functions", INSIDE.values(), ids=INSIDE.keys())
def test_functions_that_leave_the_queue_are_a_part_of_their_callers(functions: str) -> None:
    text = calling(functions)
    assert text.count("= rex_batch_pause()") == 1
    assert "__attribute__((__always_inline__)) " in text


def test_templates_that_are_a_part_of_their_callers_are_inline() -> None:
    """GCC warns of others."""
    text = calling(INSIDE["a template"])
    assert "template <class T> __attribute__((__always_inline__)) inline T f(T n)" in text


@pytest.mark.parametrize("head", ["[&]", "[&]()", "[&](int by)", "[&](auto by)", "[&](int by) mutable"])
def test_lambdas_that_leave_the_queue_take_the_attribute_behind_their_parameters(head: str) -> None:
    given = "2" if "by" in head else ""
    text = calling(f"""
        {INSIDE["a function"].replace("f(", "seldom(")}
        template <class F> int value(F body) {{ return body({given}); }}
        inline int f(int n) {{ return value({head} {{ return seldom(n); }}); }}""")
    head = head if "(" in head else f"{head}()"
    marked = head.replace(")", ") __attribute__((__always_inline__))")
    assert f"{marked} {{ return seldom(n); }}" in text
