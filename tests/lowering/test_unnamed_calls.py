"""Functions that no expression names where they are called: constructors, conversions, initial values of members."""

from __future__ import annotations

import re

import pytest

import support
from support import compiled

HEAD = """
#include <omp.h>
#pragma omp begin declare target
static int number() { return omp_get_thread_num() + 10 * omp_get_num_threads(); }
static int other() { return 3; }
struct starts { int by = number(); };
template <class T> struct starts_as { T by = (T)number(); };
struct made { int by = number(); made() {} };
struct holds { made one; int more = other(); };
struct converts { int by; operator int() const { return number(); } };
struct ends { int by; ~ends(); };
ends::~ends() { by = number(); }
struct row { int *begin() { number(); return 0; } int *end() { return 0; } };
struct plain { int by = other(); };
#pragma omp end declare target
int f(int *q, int n) {
"""
UNNAMED = {
    "a member's initial value": "starts s{}; q[i] = s.by;",
    "of a template": "starts_as<long> s{}; q[i] = s.by;",
    "without a list": "starts s; q[i] = s.by;",
    "of a member": "holds s; q[i] = s.more;",
    "a conversion in a list": "converts c{1}; int of[1] = {c}; q[i] = of[0];",
    "a destructor": "ends e{1}; q[i] = e.by;",
    "a destructor of what a pointer points to": "ends *e = new ends{1}; delete e;",
    "a range": "row r; for (int one : r) q[i] = one;",
}


def kernels(region: str, *bodies: str) -> str:
    regions = (f"#pragma omp target teams num_teams(2) map(tofrom: q[0:n])\n{{\n{region.replace('BODY', body)}\n}}\n"
               for body in bodies)  # fmt: skip
    found = support.translate_text(f"{HEAD}{''.join(regions)}return 0; }}\n", "t.cpp", arguments=("-w",))
    assert found.device is not None, support.rendered(found)
    return found.device.text


NESTED = """q[0] = 1;
#pragma omp parallel for
for (int j = 0; j < n; j++) {
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 2; i++) { BODY } }
q[1] = 2;"""


@pytest.mark.parametrize("name", UNNAMED)
def test_a_team_is_known_to_functions_that_are_not_named(name: str) -> None:
    """In a parallel region inside of another one they are executed by a team that only the runtime can tell."""
    text = kernels(NESTED, UNNAMED[name], "plain s{}; q[i] = s.by + other();")
    first, second = (f"__global__{part}" for part in text.split("__global__")[1:3])
    assert len(re.findall(r"\brex_parallel\b", first)) == 2
    assert "rex_parallel" not in second


def test_a_function_that_is_called_without_its_name_asks_for_its_team() -> None:
    """Also where all calls by name come from whole blocks."""
    whole = "#pragma omp parallel for\nfor (int i = 0; i < n; i++) { BODY }"
    definition = re.compile(r"int number\(\) \{ return (.*?);")
    alone = definition.search(kernels(whole, "q[i] = number();"))
    assert alone is not None and "omp_get_thread_num" in alone[1]  # classes may call it


def test_a_link_variable_of_a_function_that_is_not_named_is_attached() -> None:
    head = """
    int all[3];
    #pragma omp declare target link(all)
    #pragma omp begin declare target
    static int first() { return all[0]; }
    struct starts { int by = first(); };
    struct converts { int by; operator int() const { return all[by]; } };
    struct unlike { int by; operator int() const { return by; } };
    #pragma omp end declare target
    """
    regions = ("starts s{}; q[0] = s.by;", "converts c{1}; int of[1] = {c}; q[0] = of[0];",
               "unlike c{1}; int of[1] = {c}; q[0] = of[0];")  # fmt: skip
    text = "".join(f"\n#pragma omp target map(tofrom: q[0:1])\n{{ {region} }}\n" for region in regions)
    found = support.translate_text(f"{head}void f(int *q) {{ {text} }}\n", "t.cpp", arguments=("-w",))
    assert found.host is not None, support.rendered(found)
    names = re.findall(r"__arg_names\[\] = \{(.*?)\};", found.host.text, re.DOTALL)
    assert ['"all"' in row for row in names] == [True, True, False]


def test_constructs_of_functions_that_are_not_named_are_lowered() -> None:
    head = """
    #pragma omp begin declare target
    static int count;
    static int begins() {
      #pragma omp atomic
      count += 1;
      return 1; }
    struct starts { int by = begins(); };
    struct holds { starts one; };
    struct ends { int by; ~ends(); };
    ends::~ends() {
      #pragma omp atomic
      count += 2; }
    static int again() {
      #pragma omp atomic
      count += 4;
      return 1; }
    struct starts_again { int by = again(); };
    struct converts { int by; operator int() const; };
    converts::operator int() const {
      #pragma omp atomic
      count += 3;
      return by; }
    #pragma omp end declare target
    """
    region = "{ holds h{}; ends e{1}; converts c{1}; int of[1] = {c}; q[0] = h.one.by + of[0] + starts_again().by; }"
    text = f"{head}void f(int *q) {{\n#pragma omp target map(tofrom: q[0:1])\n{region}\n}}\n"
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert found.device is not None, support.rendered(found)
    assert not re.findall(r"^\s*count \+= \d", found.device.text, re.MULTILINE)


@pytest.mark.parametrize(
    ("constructors", "use", "is_device_code"),
    [
        (
            "Data(Part p, int i) : part(p), k(i) {} Data(const Data &) = default;",
            "Holder h(data); q[0] = h.data.k;",
            False,
        ),
        ("Data(Part p, int i) : part(p), k(i) {}", "Data copy = data; q[0] = copy.k;", False),
        ("Data(Part p, int i) : part(p), k(i) {} Data() {}", "Data other; q[0] = other.k + data.k;", True),
        ("Data(Part p, int i = 0) : part(p), k(i) {} template <class T> Data(T) {}", "Holder h(data); q[0] = 1;", True),
    ],
)
def test_parts_of_what_is_copied_need_no_other_constructor(constructors: str, use: str, is_device_code: bool) -> None:
    head = f"""
    #include <mutex>
    static int locked(int i) {{ static std::mutex lock; lock.lock(); return i; }}
    struct Part {{ int n; static int make(int i) {{ return locked(i); }} Part(int i = 0) : n(make(i)) {{}} }};
    struct Data {{ Part part; int k; {constructors} }};
    struct Holder {{ Data data; Holder(const Data &d) : data{{d}} {{}} }};
    """
    text = f"{head}void f(int *q, Data data) {{\n#pragma omp target map(tofrom: q[0:1])\n{{ {use} }}\n}}\n"
    found = support.translate_text(text, "t.cpp", arguments=("-w",))
    assert found.device is not None, support.rendered(found)
    assert ("lock.lock();" in found.device.text) == is_device_code


PARTS = """
#include <omp.h>
#include <type_traits>
int helper() { return omp_get_thread_num(); }
struct Plain { int v = 0; };
struct Asks { int v = %(asks)s(); };
template <class T> struct Base { T v = (T)%(base)s(); };
template <class T> struct Other { T v = 0; };
template <> struct Other<char> { char v = (char)%(special)s(); };
template <class T> struct Below : Base<T> {};
template <class T> struct Aside : Other<T> {};
template <class T> struct Given : T {};
template <class T> struct Holds { T held; };
template <class T> using Chosen = std::conditional_t<(sizeof(T) > 4), Asks, Plain>;
template <class T> struct Tagged : Chosen<T> {};
struct Quiet { int w = 1; };
template <class T> using Harmless = std::conditional_t<(sizeof(T) > 4), Quiet, Plain>;
template <class T> struct Untagged : Harmless<T> {};
template <class T> using Named = std::conditional_t<std::is_same<T, Quiet>::value, Quiet, Plain>;
template <class T> struct Either : Named<T> {};
struct Leads { typedef Asks type; };
template <class T> using Hidden = std::conditional_t<std::is_same<T, Leads>::value, typename T::type, Plain>;
template <class T> struct Hides : Hidden<T> {};
template <class T> using Itself = std::conditional_t<std::is_same<T, Quiet>::value, Plain, T>;
template <class T> struct Is : Itself<T> {};
template <class T> struct Above : Holds<T> {};
template <template <class> class B> struct Any : B<int> {};
template <class T, class U> struct Two { T one; U other; };
typedef Asks Alias;
template <class T> struct Beside : Two<T, Asks> {};
template <class T> struct Called : Two<Alias, T> {};
template <class T> struct Around { template <class U> struct Inside : Holds<T> { U own; }; };
template <class T> struct Renames { using type = T; const type held; Renames() {} };
template <class T> struct Under : Renames<T> {};
template <class T> struct Refers { T &to; Refers(T &t) : to{t} {} };
template <class T> struct Wraps : Refers<T> { using Refers<T>::Refers; };
template <class T> int made() { T t; return 1; }
template <class T> int wrapped(T *t) { Wraps<T> w(*t); return w.to.v; }
template <class T> int fresh() { T *t = new T(); delete t; return 1; }
template <class T> int value(const T &) { return 1; }
void f(int *p, int n) {
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom : p[0:n])
  for (int i = 0; i < n; i++) p[i] = %(use)s;
}
"""


@pytest.mark.parametrize("way", ["omp_get_thread_num", "helper"])
@pytest.mark.parametrize(
    ("asking", "use"),
    [
        ("asks", "made<Asks>()"),
        ("asks", "fresh<Asks>()"),
        ("asks", "value(Asks())"),
        ("asks", "value(Asks{})"),
        ("asks", "made<Given<Asks>>()"),
        ("asks", "made<Above<Asks>>()"),
        ("asks", "made<Tagged<double>>()"),
        ("asks", "made<Hides<Leads>>()"),
        ("asks", "made<Is<Asks>>()"),
        ("asks", "made<Beside<int>>()"),
        ("asks", "made<Called<int>>()"),
        ("asks", "made<Around<Asks>::Inside<int>>()"),
        ("asks", "made<Under<Asks>>()"),
        ("base", "made<Below<int>>()"),
        ("base", "made<Given<Below<int>>>()"),
        ("base", "made<Any<Base>>()"),
        ("base", "made<Any<Below>>()"),
        ("special", "made<Aside<char>>()"),
    ],
)
def test_what_members_of_parts_begin_with_tells_threads(asking: str, use: str, way: str) -> None:
    usual = {"asks": "int", "base": "int", "special": "int"}
    assert "XOMP_static_sched_init(" in compiled(PARTS % (usual | {asking: way, "use": use}), "t.cpp").device


@pytest.mark.parametrize(
    "use",
    [
        "made<Plain>()",
        "made<Given<Plain>>()",
        "made<Above<Plain>>()",
        "made<Untagged<double>>()",
        "made<Either<int>>()",
        "wrapped<Asks>((Asks *)p)",
        "made<Around<Plain>::Inside<int>>()",
        "made<Under<Plain>>()",
    ],
)
def test_members_of_other_parts_tell_no_threads(use: str) -> None:
    every = {"asks": "helper", "base": "omp_get_thread_num", "special": "helper", "use": use}
    assert "XOMP_static_sched_init(" not in compiled(PARTS % every, "t.cpp").device


STORAGE = """
#include <omp.h>
int helper() { return omp_get_thread_num(); }
int quiet() { return 1; }
struct Plain { int v; Plain(int i) : v(i) {} };
struct Asks {
  int v;
  Asks(int i) : v(i + %(asks)s()) {}
  Asks &operator=(int i) { v = i + %(assigns)s(); return *this; }
};
struct Knows {
  int v;
  Knows() : v(0) {}
  template <class T> Knows(T t) : v((int)t) { v += t %% 2 ? 1 : %(template)s(); }
};
template <class T> T &&pass(T &t) { return static_cast<T &&>(t); }
template <int I, class T> struct Storage {
  T held;
  Storage() : held(0) {}
  Storage(const Storage &other) : held(other.held.v) {}
  template <class U> Storage(U &&u) : held(pass<U>(u)) {}
  template <class U> Storage &operator=(U &&u) { held = pass<U>(u); return *this; }
  operator int() const { return held.v; }
};
template <> template <> inline Storage<5, Plain>::Storage(long &&u) : held((int)u + %(special)s()) {}
template <class T> struct Pair {
  Storage<1, T> one;
  Storage<2, T> other;
  template <class... U> Pair(U &&...u) : one{static_cast<U &&>(u)...}, other{static_cast<U &&>(u)...} {}
};
template <class T> int made(int i) { Storage<3, T> s{(int)i}; return s; }
template <class T> int pair(int i) { Pair<T> s{(int)i}; return s.other; }
template <class T> struct Keeps { Storage<6, T> of; Keeps(int i) : of{(int)i} {} Keeps(const Keeps &) = default; };
template <class T> int copied(int i) { Keeps<T> s{i}, other = s; return other.of; }
template <class T> int assigned(int i) { Storage<4, T> s{0}; s = (int)i; return s; }
template <class T> int special(long i) { Storage<5, T> s{(long)i}; return s; }
int hold(int i) { return made<Asks>(i) + assigned<Asks>(i) + pair<Knows>(i); }
void f(int *p, int n) {
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom : p[0:n])
  for (int i = 0; i < n; i++) p[i] = %(use)s(i);
}
"""
ASKING = [("asks", "made<Asks>"), ("asks", "pair<Asks>"), ("assigns", "assigned<Asks>"), ("template", "made<Knows>"),
          ("template", "pair<Knows>"), ("special", "special<Plain>"), ("asks", "copied<Asks>"),
          ("template", "copied<Knows>")]  # fmt: skip


@pytest.mark.parametrize("way", ["omp_get_thread_num", "helper"])
@pytest.mark.parametrize(("asking", "use"), ASKING)
def test_constructors_that_templates_describe_tell_threads_as_they_are_made(asking: str, use: str, way: str) -> None:
    """A tuple's storage calls what it is given: what is made of it for the classes of the program tells the calls."""
    usual = dict.fromkeys(("asks", "assigns", "template", "special"), "quiet")
    assert "XOMP_static_sched_init(" in compiled(STORAGE % (usual | {asking: way, "use": use}), "t.cpp").device
    assert "XOMP_static_sched_init(" not in compiled(STORAGE % (usual | {"use": use}), "t.cpp").device


EXTERN = """
#include <omp.h>
template <class T> struct Storage {
  T held;
  template <class U> Storage(U u);
  int get();
  template <class U> int of(U u);
};
struct Given { int v; operator int() const { return v; } };
int first(Given given) { return given.v + omp_get_thread_num(); }
template <class T> template <class U> %(inline)s Storage<T>::Storage(U u) : held(u) { held += (T)first(u); }
template <class T> %(inline)s int Storage<T>::get() { return held + omp_get_thread_num(); }
template <class T> template <class U> %(inline)s int Storage<T>::of(U u) { return held + first(Given{u}); }
template <class T> %(inline)s int scaled(T x) { return x * omp_get_thread_num(); }
extern template Storage<int>::Storage(Given);
extern template int Storage<int>::get();
extern template int Storage<int>::of(int);
extern template int scaled<int>(int);
void f(int *p, int n, Storage<int> q) {
#pragma omp target teams distribute parallel for schedule(static, 1) map(tofrom : p[0:n])
  for (int i = 0; i < n; i++) { %(use)s }
}
"""


@pytest.mark.parametrize("inline", ["inline", ""])
@pytest.mark.parametrize(
    "use", ["Storage<int> s{Given{i}}; p[i] = s.held;", "p[i] = q.get();", "p[i] = q.of(3);", "p[i] = scaled(i);"]
)
def test_functions_that_another_file_makes_for_the_host_tell_threads(inline: str, use: str) -> None:
    assert "XOMP_static_sched_init(" in compiled(EXTERN % {"inline": inline, "use": use}, "t.cpp").device
