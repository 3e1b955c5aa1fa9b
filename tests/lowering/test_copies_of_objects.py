"""Objects of classes that clauses copy: constructors and destructors of the copies, in kernels and on the host."""

from __future__ import annotations

import re

import pytest

from support import compiled

_FORALL = """
template <class B> void forall(int n, B body, int *o) {
#pragma omp target teams distribute parallel for map(from: o[:n]) CLAUSE
  for (int i = 0; i < n; i++) o[i] = body(i);
}
struct Held { int v; explicit Held(int v) : v(v) {} Held(const Held &o) = default; ~Held() { DOES } };
void f(int n, int *o) { Held h(3); forall(n, [=](int i) { return i * h.v; }, o); }
"""


@pytest.mark.parametrize("does", ["", "v = 0;"])
def test_threads_copy_first_private_lambdas_with_destructors(does: str) -> None:
    made = compiled(_FORALL.replace("CLAUSE", "firstprivate(body)").replace("DOES", does), "t.cpp")
    assert "body = *__rex_body;" in made.device and "&body = *__rex_body;" not in made.device


def test_mapped_lambdas_with_destructors_are_read_in_place() -> None:
    made = compiled(_FORALL.replace("CLAUSE", "map(to: body)").replace("DOES", "v = 0;"), "t.cpp")
    assert "&body = *__rex_body;" in made.device


def test_the_object_for_the_device_does_not_end_on_the_host() -> None:
    made = compiled(_FORALL.replace("CLAUSE", "map(to: body)").replace("DOES", "v = 0;"), "t.cpp")
    assert "const auto &__rex_there_body = rex_there<decltype(body)>(body, __rex_captures).object;" in made.host
    assert re.search(r"rex_make_lambda_\w+\(Held &h\) \{", made.host)  # captured once, as by the lambda


_REFERRED = """
extern int wanted;
template <class B> void once(const B &body) {
#pragma omp target CLAUSE
  body();
}
int wanted;
void f() { int k = 3; once([&] { k++; }); }
"""


def test_what_lambdas_refer_to_is_unmapped_before_a_host_version_may_change_it() -> None:
    made = compiled(_REFERRED.replace("CLAUSE", "if(target: wanted)"), "t.cpp").host
    launched, ended = made.index("__tgt_target_kernel("), made.index("__rex_captures.end();")
    assert (
        made.index("rex_captures __rex_captures(__device_id, __rex_wanted);")
        < launched
        < ended
        < made.index("if (__rex_refused)")
    )


def test_what_cannot_be_mapped_is_told_with_the_place_of_the_region() -> None:
    made = compiled(_REFERRED.replace("CLAUSE", ""), "t.cpp").host
    assert made.count(" __rex_place = REX_PLACE(") == 1
    assert made.index(" __rex_place = REX_PLACE(") < made.index("__rex_captures.begin(&__rex_place);")


def test_a_task_is_not_deferred_where_what_lambdas_refer_to_is_mapped_for_it() -> None:
    made = compiled(_REFERRED.replace("CLAUSE", "nowait"), "t.cpp").host
    told = made.index("__rex_task.deferred &= __rex_captures.has_none();")
    assert made.index("struct rex_task __rex_task") < told < made.index("rex_target_kernel_task(&__rex_task")


_OUTSIDE = """
int ended;
#pragma omp declare target(ended)
void note();
struct Part { int w; Part(); Part(const Part &o); ~Part(); Part &operator=(const Part &o); };
struct Whole { Part part; };
void note() { ended++; }
Part::Part() : w(0) { note(); }
Part::Part(const Part &o) : w(o.w) { note(); }
Part::~Part() { note(); }
Part &Part::operator=(const Part &o) { w = o.w; note(); return *this; }
"""
_NEEDED = {"private(c)": "Part::Part() :", "firstprivate(c)": "Part::Part(const Part &o) :",
           "lastprivate(c)": "&Part::operator=(const Part &o) {"}  # fmt: skip


@pytest.mark.parametrize("clause", _NEEDED)
@pytest.mark.parametrize("kind", ["Part", "Whole"])
def test_what_copies_objects_of_clauses_is_device_code(clause: str, kind: str) -> None:
    loop = f"""void f(int n, {kind} &c) {{
#pragma omp target teams distribute parallel for {clause}
  for (int i = 0; i < n; i++) (void)&c;
}}
"""
    made = compiled(_OUTSIDE + loop, "t.cpp")
    for text in (_NEEDED[clause], "Part::~Part() {", "void note() {"):
        assert text in made.device


def test_what_copies_objects_in_called_functions_is_device_code() -> None:
    called = """int inner(int n, Whole &c) {
  int s = 0;
#pragma omp parallel for firstprivate(c) reduction(+: s)
  for (int i = 0; i < n; i++) s += c.part.w;
  return s;
}
void f(int n, int *o) {
#pragma omp target map(from: o[:1])
  { Whole c; o[0] = inner(n, c); }
}
"""
    made = compiled(_OUTSIDE + called, "t.cpp")
    assert "Part::Part(const Part &o) :" in made.device and "Part::~Part() {" in made.device


@pytest.mark.parametrize("clause", ["private(c)", "firstprivate(c)"])
def test_what_a_clause_does_not_call_stays_on_the_host(clause: str) -> None:
    text = f"""#include <cstdio>
struct Logged {{ int v; Logged(); Logged(const Logged &o) = default; Logged &operator=(const Logged &o); }};
Logged &Logged::operator=(const Logged &o) {{ std::fputs("assigned", stderr); v = o.v; return *this; }}
Logged::Logged() {{ v = 0; {'std::fputs("made", stderr);' if clause.startswith("first") else ""} }}
void f(int n, Logged &c) {{
#pragma omp target teams distribute parallel for {clause}
  for (int i = 0; i < n; i++) (void)&c;
}}
"""
    assert "fputs" not in compiled(text, "t.cpp").device


_PARTS = """
long joined;
#pragma omp declare target(joined)
template <int... I> struct Numbers {};
template <int I, class T> struct Slot { T value; };
template <class N, class... T> struct Slots;
template <int... I, class... T> struct Slots<Numbers<I...>, T...> : Slot<I, T>... {};
template <class T, class U> struct Two : Slots<Numbers<0, 1>, T, U> {};
void note(long by);
struct Adds { long by; ~Adds() { BODY } };
void note(long by) {
#pragma omp critical
  joined += by;
}
void f(int n, Two<Adds, int> &given) {
#pragma omp target teams distribute parallel for map(to: given)
  for (int i = 0; i < n; i++) { Two<Adds, int> own = given; (void)own; }
}
"""


@pytest.mark.parametrize("body", ["note(by);", "\n#pragma omp critical\njoined += by;\n"])
def test_what_ends_in_bases_that_depend_on_parameters_is_device_code(body: str) -> None:
    made = compiled(_PARTS.replace("BODY", body), "t.cpp").device
    assert made.count("/* #pragma omp critical */ REX_CRITICAL(") == 1


_MAKING = {"Adds() : by(0)": "own", "Adds(const Adds &o) : by(o.by)": "own = given"}


@pytest.mark.parametrize("head", _MAKING)
def test_directives_of_what_makes_parts_are_not_left_out(head: str) -> None:
    member = f"{head} {{\n#pragma omp critical\njoined++;\n}}{'' if head.startswith('Adds()') else ' Adds();'}"
    text = _PARTS.replace("~Adds() { BODY }", member).replace("own = given", _MAKING[head])
    assert "/* #pragma omp critical */ REX_CRITICAL(" in compiled(text, "t.cpp").device


def test_destructors_that_speak_to_devices_are_the_hosts() -> None:
    text = """struct Base { virtual ~Base() = default; };
struct Held : Base { int v; Held(int v) : v(v) {} ~Held() {
#pragma omp target exit data map(delete: this[:1])
} };
void f(int n, Held &held, int *o) {
#pragma omp target teams distribute parallel for map(from: o[:n])
  for (int i = 0; i < n; i++) o[i] = held.v;
}
"""
    assert "__tgt_target_data_end" not in compiled(text, "t.cpp").device


_HOSTS = """#include <cstdio>
struct Held {
  int v; Held(); explicit Held(int v) : v(v) {} Held(const Held &) = default; Held &operator=(const Held &) = default;
  Held &operator=(const char *name);
};
"""
_DECLARED = "#pragma omp declare reduction(+ : Held : omp_out.v += omp_in.v) initializer(omp_priv = Held(0))\n"


@pytest.mark.parametrize("clause", ["lastprivate(c)", "reduction(+: c)"])
def test_clauses_call_no_other_assignment_and_no_constructor_but_that_of_the_initializer(clause: str) -> None:
    made = "Held::Held() { v = 0; }" if clause.startswith("last") else 'Held::Held() { std::fputs("made", stderr); }'
    text = f"""{_HOSTS}{made}
Held &Held::operator=(const char *name) {{ std::fputs(name, stderr); return *this; }}
{_DECLARED}void f(int n, Held &c) {{
#pragma omp target teams distribute parallel for {clause}
  for (int i = 0; i < n; i++) c.v = i;
}}
"""
    assert "fputs" not in compiled(text, "t.cpp").device


def test_reductions_end_their_copies_and_begin_them_where_no_initializer_does() -> None:
    text = """struct Held { int v; Held(); ~Held(); };
Held::Held() { v = 0; }
Held::~Held() { v = -1; }
#pragma omp declare reduction(+ : Held : omp_out.v += omp_in.v)
void f(int n, Held &c) {
#pragma omp target teams distribute parallel for reduction(+: c)
  for (int i = 0; i < n; i++) c.v += i;
}
"""
    made = compiled(text, "t.cpp").device
    assert "Held::Held() { v = 0; }" in made and "Held::~Held() { v = -1; }" in made


def test_nothing_is_mapped_for_lambdas_of_regions_that_an_if_clause_keeps_on_the_host() -> None:
    text = """template <class B> void once(B body, bool there, int number) {
#pragma omp target if (there) device(number)
  body();
}
void f(int k, bool there) { once([&] { k++; }, there, 99); }
"""
    made = compiled(text, "t.cpp").host
    assert (
        "const bool __rex_wanted = there;" in made and "rex_captures __rex_captures(__device_id, __rex_wanted);" in made
    )
    assert "!__rex_wanted || __tgt_target_kernel(" in made


def test_a_task_of_several_forms_holds_what_some_of_them_copy_in_front_of_it() -> None:
    text = """template <class B> void later(int n, int *o, const B &body) {
#pragma omp target teams distribute parallel for nowait map(from: o[:n])
  for (int i = 0; i < n; i++) o[i] = body(i);
}
struct Times { int k; int operator()(int i) const { return i * k; } };
void f(int n, int k, int *o, const Times &times) { later(n, o, times); later(n, o, [&](int i) { return i * k; }); }
"""
    made = compiled(text, "t.cpp").host
    held, task = made.index(" __rex_body(body);"), made.index("#pragma omp task firstprivate(o, n, __rex_body)")
    assert held < task < made.index("::type body = __rex_body.value();") < made.index("__tgt_target_kernel(")


_INNER = {
    "[=](int j) { return x + j; }": "[=, x = x](int j) { return x + j; }",
    "[x, i](int j) { return x + i + j; }": "[x = x, i](int j) { return x + i + j; }",
    "[&x](int j) { return x + j; }": "[&x = x](int j) { return x + j; }",
    "[&](int j) { return [=] { return x + j; }(); }": "[&](int j) { return [=, x = x] { return x + j; }(); }",
    "[=](int j) mutable { return x += j; }": "[=, x = x](int j) mutable { return x += j; }",
    "[=, y = x](int j) { return y + j; }": "[=, y = x](int j) { return y + j; }",
}


@pytest.mark.parametrize("inner", _INNER)
def test_lambdas_in_lambdas_capture_what_has_become_a_member(inner: str) -> None:
    text = f"""template <class B> void forall(int n, B body, int *o) {{
#pragma omp target teams distribute parallel for map(from: o[:n])
  for (int i = 0; i < n; i++) o[i] = body(i);
}}
void f(int n, int x, int *o) {{ forall(n, [=](int i) {{ auto in = {inner}; return in(2); }}, o); }}
"""
    made = compiled(text, "t.cpp")
    assert f"auto in = {_INNER[inner]};" in made.host and f"auto in = {_INNER[inner]};" in made.device


def test_assignments_that_take_a_copy_bring_what_makes_it() -> None:
    text = """struct Value { int v; Value(); Value(const Value &o); ~Value(); Value &operator=(Value from); };
struct Pair { Value first, second; };
Value::Value() : v(0) {}
Value::Value(const Value &o) : v(o.v) {}
Value::~Value() { v = -1; }
Value &Value::operator=(Value from) { v = from.v; return *this; }
void f(int n, Pair &c) {
#pragma omp target teams distribute parallel for lastprivate(c)
  for (int i = 0; i < n; i++) c.first.v = i;
}
"""
    assert "Value::Value(const Value &o) :" in compiled(text, "t.cpp").device


@pytest.mark.parametrize("item", ["c", "p[:2]"])
def test_elements_that_are_reduced_begin_without_arguments_and_are_assigned(item: str) -> None:
    text = f"""struct Sum {{ long s; Sum(); Sum(long s); Sum &operator=(const Sum &o); }};
Sum::Sum() : s(5) {{}}
Sum::Sum(long s) : s(s) {{}}
Sum &Sum::operator=(const Sum &o) {{ s = o.s; return *this; }}
#pragma omp declare reduction(+ : Sum : omp_out.s += omp_in.s) initializer(omp_priv = Sum(0))
void f(int n, Sum *p) {{
  Sum c[2];
#pragma omp target teams distribute parallel for reduction(+ : {item})
  for (int i = 0; i < n; i++) {item[0]}[i & 1].s += i;
}}
"""
    made = compiled(text, "t.cpp").device
    assert "Sum::Sum() :" in made and "&Sum::operator=(const Sum &o) {" in made
